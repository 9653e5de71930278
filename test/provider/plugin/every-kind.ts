import type { Fields } from "../../../core/json.ts";

/** A resource of each kind: kind, path, and its document. */
export const everything: [kind: string, path: string, document: Fields][] = [
  ["Project", "shop", { name: "shop", description: "the shop", variables: { A: "1" } }],
  ["Environment", "shop/staging", { project: "shop", name: "staging", mode: "STAGING", cluster: "eu-west" }],
  ["DeploymentStage", "shop/staging/late", { environment: "shop/staging", name: "late" }],
  [
    "Application",
    "shop/staging/api",
    {
      environment: "shop/staging",
      name: "api",
      git_repository: { url: "https://github.com/acme/api", branch: "main" },
      ports: [{ internal_port: 8080, publicly_accessible: true }],
      deployment_stage: "late",
      cpu: 700,
    },
  ],
  [
    "Container",
    "shop/staging/web",
    { environment: "shop/staging", name: "web", registry: "docker-hub", image_name: "acme/web", tag: "1" },
  ],
  [
    "Database",
    "shop/staging/db",
    { environment: "shop/staging", name: "db", type: "POSTGRESQL", version: "16", mode: "CONTAINER" },
  ],
  [
    "Helm",
    "shop/staging/chart",
    {
      environment: "shop/staging",
      name: "chart",
      source: { git_repository: { url: "https://github.com/acme/chart", branch: "main" } },
    },
  ],
  [
    "Job",
    "shop/staging/nightly",
    {
      environment: "shop/staging",
      name: "nightly",
      source: { image: { registry: "docker-hub", image_name: "acme/report", tag: "1.4.2" } },
      schedule: { cronjob: { scheduled_at: "0 3 * * *", timezone: "Europe/Paris" } },
      variables: { LOG_LEVEL: "info", OTHER: { alias_of: "LOG_LEVEL" } },
    },
  ],
  [
    "Terraform",
    "shop/staging/infra",
    {
      environment: "shop/staging",
      name: "infra",
      terraform_files_source: {
        git_repository: { url: "https://github.com/acme/infra", branch: "main" },
      },
      backend: { kubernetes: {} },
      engine: "OPEN_TOFU",
      provider_version: { explicit_version: "1.9.7" },
      job_resources: { cpu_milli: 500, ram_mib: 512, storage_gib: 1 },
    },
  ],
  [
    "DeploymentRule",
    "shop/hours",
    {
      project: "shop",
      name: "hours",
      mode: "STAGING",
      cluster: "eu-west",
      timezone: "UTC",
      start_time: "2026-01-01T08:00:00Z",
      stop_time: "2026-01-01T19:00:00Z",
      weekdays: ["MONDAY"],
    },
  ],
  ["LabelsGroup", "team", { name: "team", labels: [{ key: "team", value: "shop" }] }],
  [
    "AnnotationsGroup",
    "notes",
    { name: "notes", annotations: [{ key: "example.com/a", value: "b" }], scopes: ["JOBS"] },
  ],
  ["ContainerRegistry", "hub", { name: "hub", type: "GENERIC_CR", url: "https://registry.example.com" }],
  ["HelmRepository", "charts", { name: "charts", type: "HTTPS", url: "https://charts.example.com" }],
  ["GitToken", "bot", { name: "bot", type: "GITHUB", token: { from_env: "SHOP_FIRST" } }],
  [
    "Webhook",
    "deploys",
    {
      name: "deploys",
      type: "STANDARD",
      target_url: "https://hooks.example.com",
      events: ["DEPLOYMENT_FAILURE"],
    },
  ],
  [
    "CustomRole",
    "deployers",
    { name: "deployers", cluster_permissions: [{ cluster: "eu-west", permission: "ADMIN" }] },
  ],
];

/** The documents of all of them. */
export const documents = everything.map(([kind, , document]): Fields => ({ kind, ...document }));
