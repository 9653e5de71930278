// Request bodies that the API description allows, with every member.

export interface References {
  registryId: string;
  gitTokenId: string;
  helmRepositoryId: string;
  annotationsGroupId: string;
  labelsGroupId: string;
}

const probes = {
  readiness_probe: { type: { http: { port: 8080 } }, initial_delay_seconds: 3 },
  liveness_probe: { type: { tcp: { port: 8080 } } },
};

function common({ annotationsGroupId, labelsGroupId }: References) {
  return {
    description: "with everything",
    cpu: 250,
    memory: 256,
    gpu: 0,
    ephemeral_storage_in_gib: 4,
    cpu_architecture: "AMD64",
    healthchecks: probes,
    auto_preview: false,
    auto_deploy: true,
    annotations_groups: [{ id: annotationsGroupId }],
    labels_groups: [{ id: labelsGroupId }],
    icon_uri: "app://example/icon",
  };
}

const networked = {
  ports: [
    { internal_port: 8080, external_port: 443, publicly_accessible: true, protocol: "HTTP", name: "web" },
  ],
  storage: [{ type: "FAST_SSD", size: 10, mount_point: "/data" }],
  arguments: ["--verbose"],
  entrypoint: "/bin/start",
  min_running_instances: 1,
  max_running_instances: 3,
  autoscaling: {
    mode: "KEDA",
    polling_interval_seconds: 15,
    scalers: [
      {
        scaler_type: "cron",
        role: "PRIMARY",
        config_yaml: "timezone: Etc/UTC",
        trigger_authentication: { name: "auth", config_yaml: "{}" },
      },
    ],
  },
};

function gitRepository({ gitTokenId }: References) {
  return {
    url: "https://github.com/acme/shop",
    branch: "main",
    root_path: "/",
    provider: "GITHUB",
    git_token_id: gitTokenId,
  };
}

export function application(references: References, name: string) {
  return {
    ...common(references),
    ...networked,
    name,
    git_repository: gitRepository(references),
    build_mode: "DOCKER",
    dockerfile_path: "Dockerfile",
    docker_target_build_stage: "run",
  };
}

export function container(references: References, name: string) {
  const { registryId } = references;
  return {
    ...common(references),
    ...networked,
    name,
    registry_id: registryId,
    image_name: "acme/api",
    tag: "1",
  };
}

export function cronJob(references: References, name: string) {
  return {
    ...common(references),
    name,
    max_nb_restart: 2,
    max_duration_seconds: 600,
    port: 8080,
    source: { image: { registry_id: references.registryId, image_name: "acme/report", tag: "1.4.2" } },
    schedule: { cronjob: { scheduled_at: "0 3 * * *", timezone: "Europe/Paris", arguments: ["--all"] } },
  };
}

export function lifecycleJob(references: References, name: string) {
  return {
    name,
    healthchecks: {},
    source: { docker: { git_repository: gitRepository(references), dockerfile_path: "Dockerfile" } },
    schedule: { on_start: { arguments: ["up"], entrypoint: "/migrate" }, lifecycle_type: "GENERIC" },
  };
}

export function database({ annotationsGroupId, labelsGroupId }: References, name: string) {
  return {
    name,
    description: "orders",
    type: "POSTGRESQL",
    version: "17",
    mode: "CONTAINER",
    accessibility: "PRIVATE",
    cpu: 250,
    memory: 512,
    storage: 20,
    annotations_groups: [{ id: annotationsGroupId }],
    labels_groups: [{ id: labelsGroupId }],
  };
}

// The description has a choice whose branches both match when only one member is present; null excludes the other.
export function helmOfRepository({ helmRepositoryId }: References, name: string) {
  return {
    name,
    auto_deploy: false,
    arguments: [],
    source: {
      helm_repository: { repository: helmRepositoryId, chart_name: "redis", chart_version: "1.0.0" },
      git_repository: null,
    },
    values_override: { set: [["a", "b"]], file: { raw: { values: [{ name: "v.yaml", content: "a: 1" }] } } },
    ports: [{ internal_port: 80, service_name: "web", service_selectors: null }],
  };
}

export function helmOfGit(references: References, name: string) {
  const { provider: _, ...repository } = gitRepository(references);
  const git = { git_repository: gitRepository(references), paths: ["values.yaml"] };
  return {
    name,
    description: "a chart of our own",
    auto_deploy: true,
    auto_preview: false,
    arguments: ["--wait"],
    source: { git_repository: repository, helm_repository: null },
    values_override: { file: { git } },
    allow_cluster_wide_resources: false,
    timeout_sec: 300,
  };
}

export function terraform({ gitTokenId }: References, name: string) {
  return {
    name,
    description: "buckets",
    auto_deploy_config: { auto_deploy: false, terraform_action: "DEFAULT" },
    terraform_files_source: {
      git_repository: { url: "https://github.com/acme/infra", branch: "main", git_token_id: gitTokenId },
    },
    terraform_variables_source: {
      tf_var_file_paths: ["prod.tfvars"],
      tf_vars: [{ key: "password", value: "hidden", secret: true }],
    },
    backend: { kubernetes: {} },
    engine: "OPEN_TOFU",
    provider_version: { read_from_terraform_block: true, explicit_version: "1.9" },
    job_resources: { cpu_milli: 500, ram_mib: 512, gpu: 0, storage_gib: 1 },
    dockerfile_fragment: { type: "inline", content: "RUN true" },
  };
}
