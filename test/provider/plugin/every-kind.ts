import type { Fields } from "../../../core/values/json.ts";

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
  ["Backup", "shop/staging/db/before", { database: "shop/staging/db", name: "before", message: "for 42" }],
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
      terraform_files_source: { git_repository: { url: "https://github.com/acme/infra", branch: "main" } },
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
  ["Organization", "acme", { name: "acme", description: "makes everything" }],
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
  ["AwsCredentials", "aws", { name: "aws", type: "AWS_ROLE", role_arn: "arn:aws:iam::1:role/a" }],
  ["AzureCredentials", "azure", { name: "azure", azure_tenant_id: "t", azure_subscription_id: "s" }],
  [
    "GcpCredentials",
    "gcp",
    {
      name: "gcp",
      service_account_email: "a@example.com",
      workload_identity_provider_resource: "projects/1",
    },
  ],
  ["OnPremiseCredentials", "cellar", { name: "cellar" }],
  [
    "ScalewayCredentials",
    "scaleway",
    {
      name: "scaleway",
      scaleway_access_key: "SCW1",
      scaleway_secret_key: { from_env: "SHOP_FIRST" },
      scaleway_project_id: "p",
      scaleway_organization_id: "o",
    },
  ],
  [
    "Cluster",
    "paris",
    { name: "paris", region: "eu-west-3", cloud_provider: "AWS", labels_groups: ["team"] },
  ],
  ["ApiToken", "ci", { name: "ci", role: "deployers" }],
  ["Member", "grace@acme.example", { name: "grace@acme.example", role: "deployers" }],
];

/** The documents of all of them. */
export const documents = everything.map(([kind, , document]): Fields => ({ kind, ...document }));

/** The consents that creating them takes. */
export const consents = { infrastructure: ["aws", "azure", "gcp", "cellar", "scaleway", "paris"] };
