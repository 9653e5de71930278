// Made from the schemas of manifests by `npm run generate`: not to be changed by hand.
import type { Json } from "../json.ts";

/** A project holds environments. */
export interface ProjectDocument {
  /** Kind of the resource. */
  kind: "Project";
  /** Its name; names that differ only by case are the same. */
  name: string;
  /** How infrasync treats the resource; never sent. */
  manage?: {
    protect?: boolean;
    ignore?: readonly string[];
    exclusive?: readonly ("secrets" | "variables")[];
    renamed_from?: string;
    id?: string;
    beside?: readonly string[];
    consent?: string;
  };
  /** What the resource is for. */
  description?: string | null;
  /** Secrets by their keys; only those that are stated are written, and their values are never shown. */
  secrets?: { readonly [key: string]: string | {
    from_env?: string;
    from_file?: string;
    from_sops?: string;
    from_command?: string;
    allow_empty?: boolean;
    version?: string | null;
    overrides?: boolean | null;
  } | null };
  /** Variables by their keys; only those that are stated are changed. */
  variables?: { readonly [key: string]: string | {
    value?: string;
    file?: {
      mount_path: string;
      text?: string;
      from?: string;
    };
    alias_of?: string;
    external?: {
      secret_manager: string;
      reference: string;
      mount_path?: string;
    };
    overrides?: boolean | null;
    description?: string | null;
    interpolate?: boolean | null;
  } | null };
}

/** A rule of a project about its new environments: when those that it fits are started and stopped. */
export interface DeploymentRuleDocument {
  /** Kind of the resource. */
  kind: "DeploymentRule";
  /** Project that holds it: PROJECT. A `/` inside a name is written `%2F`. */
  project: string;
  /** Its name; names that differ only by case are the same. */
  name: string;
  /** How infrasync treats the resource; never sent. */
  manage?: {
    protect?: boolean;
    ignore?: readonly string[];
    renamed_from?: string;
    id?: string;
    beside?: readonly string[];
    consent?: string;
  };
  /** What the resource is for. */
  description?: string | null;
  /** Mode of the environments that it fits. */
  mode?: "DEVELOPMENT" | "PREVIEW" | "PRODUCTION" | "STAGING";
  /** Cluster of the environments that it fits, by name or id. */
  cluster?: string;
  /** Names of the environments that it fits: `*` stands for any characters; none: all names. */
  wildcard?: string | null;
  /** Whether environments are stopped and started by themselves. */
  auto_stop?: boolean | null;
  /** Time zone of the times. */
  timezone?: string;
  /** When environments start: the time of day counts. */
  start_time?: string;
  /** When environments stop: the time of day counts. */
  stop_time?: string;
  /** The days on which this happens. */
  weekdays?: readonly ("MONDAY" | "TUESDAY" | "WEDNESDAY" | "THURSDAY" | "FRIDAY" | "SATURDAY" | "SUNDAY")[] | null;
  /** Another rule of the project, by name: this one is considered later. The first one that fits an environment counts. */
  after?: string;
}

/** An environment of a project holds services and runs on a cluster. */
export interface EnvironmentDocument {
  /** Kind of the resource. */
  kind: "Environment";
  /** Project that holds it: PROJECT. A `/` inside a name is written `%2F`. */
  project: string;
  /** Its name; names that differ only by case are the same. */
  name: string;
  /** How infrasync treats the resource; never sent. */
  manage?: {
    protect?: boolean;
    prune?: boolean;
    ignore?: readonly string[];
    exclusive?: readonly ("secrets" | "variables")[];
    renamed_from?: string;
    id?: string;
    beside?: readonly string[];
    consent?: string;
  };
  /** Created as a clone when it does not exist; the fields that are stated are laid over it. */
  clone?: {
    from: string;
    follow?: boolean;
    expires_after?: string;
  };
  /** What it is used for. `PREVIEW` only for an environment that is one already, or is cloned as one. */
  mode?: "DEVELOPMENT" | "STAGING" | "PRODUCTION" | "PREVIEW";
  /** Cluster that it runs on, by name or id. */
  cluster?: string;
  /** Secrets by their keys; only those that are stated are written, and their values are never shown. */
  secrets?: { readonly [key: string]: string | {
    from_env?: string;
    from_file?: string;
    from_sops?: string;
    from_command?: string;
    allow_empty?: boolean;
    version?: string | null;
    overrides?: boolean | null;
  } | null };
  /** Variables by their keys; only those that are stated are changed. */
  variables?: { readonly [key: string]: string | {
    value?: string;
    file?: {
      mount_path: string;
      text?: string;
      from?: string;
    };
    alias_of?: string;
    external?: {
      secret_manager: string;
      reference: string;
      mount_path?: string;
    };
    overrides?: boolean | null;
    description?: string | null;
    interpolate?: boolean | null;
  } | null };
}

/** A deployment stage of an environment: its services are deployed when those of the stages before are. */
export interface DeploymentStageDocument {
  /** Kind of the resource. */
  kind: "DeploymentStage";
  /** Environment that holds it: PROJECT/ENVIRONMENT. A `/` inside a name is written `%2F`. */
  environment: string;
  /** Its name; names that differ only by case are the same. */
  name: string;
  /** How infrasync treats the resource; never sent. */
  manage?: {
    protect?: boolean;
    ignore?: readonly string[];
    renamed_from?: string;
    id?: string;
    beside?: readonly string[];
    consent?: string;
  };
  /** What the resource is for. */
  description?: string | null;
  /** Another stage of the environment, by name: this one is deployed later. Stages in between are left where they are. */
  after?: string;
}

/** An application is built from a git repository and kept running. */
export interface ApplicationDocument {
  /** Kind of the resource. */
  kind: "Application";
  /** Environment that holds it: PROJECT/ENVIRONMENT. A `/` inside a name is written `%2F`. */
  environment: string;
  /** Its name; names that differ only by case are the same. */
  name: string;
  /** How infrasync treats the resource; never sent. */
  manage?: {
    protect?: boolean;
    ignore?: readonly string[];
    exclusive?: readonly ("secrets" | "variables" | "custom_domains" | "advanced_settings" | "deployment_restrictions" | "network")[];
    renamed_from?: string;
    id?: string;
    beside?: readonly string[];
    consent?: string;
  };
  /** Created as a clone when it does not exist; the fields that are stated are laid over it. */
  clone?: {
    from: string;
    follow?: boolean;
  };
  /** What the resource is for. */
  description?: string | null;
  /** A git repository. */
  git_repository?: {
    url?: string;
    provider?: "GITHUB" | "GITLAB" | "BITBUCKET";
    branch?: string;
    root_path?: string | null;
    git_token?: string | null;
  };
  /** How it is built. */
  build_mode?: "DOCKER" | null;
  /** Path of the Dockerfile in the repository. */
  dockerfile_path?: string | null;
  /** Target build stage of the Dockerfile. */
  docker_target_build_stage?: string | null;
  /** CPU in millicores: 1000 is one CPU. */
  cpu?: number | null;
  /** Memory in MB. */
  memory?: number | null;
  /** Number of GPUs. */
  gpu?: number | null;
  /** Ephemeral storage in GiB; the platform's default when left out. */
  ephemeral_storage_in_gib?: number;
  /** CPU architecture; the cluster's default when left out. */
  cpu_architecture?: "AMD64" | "ARM64" | null;
  /** Health checks. */
  healthchecks?: {
    readiness_probe?: {
      type?: {
        tcp?: {
          port?: number | null;
          host?: string | null;
        } | null;
        http?: {
          path?: string | null;
          scheme?: string | null;
          port?: number | null;
        } | null;
        exec?: {
          command?: readonly string[];
        } | null;
        grpc?: {
          service?: string | null;
          port?: number | null;
        } | null;
      } | null;
      initial_delay_seconds?: number | null;
      period_seconds?: number | null;
      timeout_seconds?: number | null;
      success_threshold?: number | null;
      failure_threshold?: number | null;
    } | null;
    liveness_probe?: {
      type?: {
        tcp?: {
          port?: number | null;
          host?: string | null;
        } | null;
        http?: {
          path?: string | null;
          scheme?: string | null;
          port?: number | null;
        } | null;
        exec?: {
          command?: readonly string[];
        } | null;
        grpc?: {
          service?: string | null;
          port?: number | null;
        } | null;
      } | null;
      initial_delay_seconds?: number | null;
      period_seconds?: number | null;
      timeout_seconds?: number | null;
      success_threshold?: number | null;
      failure_threshold?: number | null;
    } | null;
  } | null;
  /** Whether a new commit or image tag deploys it automatically. */
  auto_deploy?: boolean;
  /** Annotation groups of the organization, by name or id. */
  annotations_groups?: readonly string[] | null;
  /** Label groups of the organization, by name or id. */
  labels_groups?: readonly string[] | null;
  /** Icon, as a URI. */
  icon_uri?: string;
  /** Instances that always run. */
  min_running_instances?: number | null;
  /** Instances that run at most; -1: no limit. */
  max_running_instances?: number | null;
  /** Whether a preview environment is cloned automatically; the environment's value when left out. */
  auto_preview?: boolean;
  /** Ports, each identified by its `internal_port` and `protocol`. */
  ports?: readonly ({
    internal_port: number;
    external_port?: number | null;
    protocol?: "HTTP" | "GRPC" | "TCP" | "UDP" | null;
    publicly_accessible?: boolean;
    name?: string | null;
    is_default?: boolean;
    public_path?: string | null;
    public_path_rewrite?: string | null;
  })[] | null;
  /** Persistent storage, each identified by its `mount_point`. */
  storage?: readonly ({
    mount_point: string;
    size?: number;
    type?: "FAST_SSD";
  })[] | null;
  /** Arguments of the container's command. */
  arguments?: readonly string[] | null;
  /** Entrypoint of the container. */
  entrypoint?: string | null;
  /** Autoscaling by KEDA. */
  autoscaling?: {
    mode?: "KEDA";
    polling_interval_seconds?: number;
    cooldown_period_seconds?: number;
    scalers?: readonly ({
      scaler_type: string;
      role: "PRIMARY" | "SAFETY";
      enabled?: boolean | null;
      config_json?: Json | null;
      config_yaml?: string | null;
      trigger_authentication?: {
        name: string;
        config_yaml?: string | null;
      } | null;
    })[];
  } | null;
  /** The deployment stage that it belongs to: one of its environment, by name. */
  deployment_stage?: string;
  /** Secrets by their keys; only those that are stated are written, and their values are never shown. */
  secrets?: { readonly [key: string]: string | {
    from_env?: string;
    from_file?: string;
    from_sops?: string;
    from_command?: string;
    allow_empty?: boolean;
    version?: string | null;
    overrides?: boolean | null;
    from?: string;
    output?: string;
  } | null };
  /** Variables by their keys; only those that are stated are changed. */
  variables?: { readonly [key: string]: string | {
    value?: string;
    file?: {
      mount_path: string;
      text?: string;
      from?: string;
    };
    alias_of?: string;
    external?: {
      secret_manager: string;
      reference: string;
      mount_path?: string;
    };
    overrides?: boolean | null;
    description?: string | null;
    interpolate?: boolean | null;
    from?: string;
    output?: string;
  } | null };
  /** Custom domains by their names; only those that are stated are changed. */
  custom_domains?: { readonly [key: string]: {
    generate_certificate?: boolean | null;
    use_cdn?: boolean | null;
  } | null };
  /** Advanced settings by their names, such as `build.timeout_max_sec`; only those that are stated are changed. */
  advanced_settings?: { readonly [key: string]: Json | null };
  /** Which commits deploy it automatically; only those that are stated are written. */
  deployment_restrictions?: readonly ({
    mode: "MATCH" | "EXCLUDE";
    type?: "PATH" | null;
    value: string;
  })[];
  /** Network settings of the service; those of its ingress are among the advanced settings. */
  network?: {
    sticky_session?: boolean | null;
  };
}

/** A container runs an image of a registry and is kept running. */
export interface ContainerDocument {
  /** Kind of the resource. */
  kind: "Container";
  /** Environment that holds it: PROJECT/ENVIRONMENT. A `/` inside a name is written `%2F`. */
  environment: string;
  /** Its name; names that differ only by case are the same. */
  name: string;
  /** How infrasync treats the resource; never sent. */
  manage?: {
    protect?: boolean;
    ignore?: readonly string[];
    exclusive?: readonly ("secrets" | "variables" | "custom_domains" | "advanced_settings" | "network")[];
    renamed_from?: string;
    id?: string;
    beside?: readonly string[];
    consent?: string;
  };
  /** Created as a clone when it does not exist; the fields that are stated are laid over it. */
  clone?: {
    from: string;
    follow?: boolean;
  };
  /** What the resource is for. */
  description?: string | null;
  /** Image name; its form depends on the registry: `repository` (ECR), `namespace/image` (Scaleway), `image` or `repository/image` (Docker Hub), `registry_alias/repository` (public ECR). */
  image_name?: string;
  /** Image tag. */
  tag?: string;
  /** Container registry, by name or id. */
  registry?: string;
  /** CPU in millicores: 1000 is one CPU. */
  cpu?: number | null;
  /** Memory in MB. */
  memory?: number | null;
  /** Number of GPUs. */
  gpu?: number | null;
  /** Ephemeral storage in GiB; the platform's default when left out. */
  ephemeral_storage_in_gib?: number;
  /** CPU architecture; the cluster's default when left out. */
  cpu_architecture?: "AMD64" | "ARM64" | null;
  /** Health checks. */
  healthchecks?: {
    readiness_probe?: {
      type?: {
        tcp?: {
          port?: number | null;
          host?: string | null;
        } | null;
        http?: {
          path?: string | null;
          scheme?: string | null;
          port?: number | null;
        } | null;
        exec?: {
          command?: readonly string[];
        } | null;
        grpc?: {
          service?: string | null;
          port?: number | null;
        } | null;
      } | null;
      initial_delay_seconds?: number | null;
      period_seconds?: number | null;
      timeout_seconds?: number | null;
      success_threshold?: number | null;
      failure_threshold?: number | null;
    } | null;
    liveness_probe?: {
      type?: {
        tcp?: {
          port?: number | null;
          host?: string | null;
        } | null;
        http?: {
          path?: string | null;
          scheme?: string | null;
          port?: number | null;
        } | null;
        exec?: {
          command?: readonly string[];
        } | null;
        grpc?: {
          service?: string | null;
          port?: number | null;
        } | null;
      } | null;
      initial_delay_seconds?: number | null;
      period_seconds?: number | null;
      timeout_seconds?: number | null;
      success_threshold?: number | null;
      failure_threshold?: number | null;
    } | null;
  } | null;
  /** Whether a new commit or image tag deploys it automatically. */
  auto_deploy?: boolean;
  /** Annotation groups of the organization, by name or id. */
  annotations_groups?: readonly string[] | null;
  /** Label groups of the organization, by name or id. */
  labels_groups?: readonly string[] | null;
  /** Icon, as a URI. */
  icon_uri?: string;
  /** Instances that always run. */
  min_running_instances?: number | null;
  /** Instances that run at most; -1: no limit. */
  max_running_instances?: number | null;
  /** Whether a preview environment is cloned automatically; the environment's value when left out. */
  auto_preview?: boolean;
  /** Ports, each identified by its `internal_port` and `protocol`. */
  ports?: readonly ({
    internal_port: number;
    external_port?: number | null;
    protocol?: "HTTP" | "GRPC" | "TCP" | "UDP" | null;
    publicly_accessible?: boolean;
    name?: string | null;
    is_default?: boolean;
    public_path?: string | null;
    public_path_rewrite?: string | null;
  })[] | null;
  /** Persistent storage, each identified by its `mount_point`. */
  storage?: readonly ({
    mount_point: string;
    size?: number;
    type?: "FAST_SSD";
  })[] | null;
  /** Arguments of the container's command. */
  arguments?: readonly string[] | null;
  /** Entrypoint of the container. */
  entrypoint?: string | null;
  /** Autoscaling by KEDA. */
  autoscaling?: {
    mode?: "KEDA";
    polling_interval_seconds?: number;
    cooldown_period_seconds?: number;
    scalers?: readonly ({
      scaler_type: string;
      role: "PRIMARY" | "SAFETY";
      enabled?: boolean | null;
      config_json?: Json | null;
      config_yaml?: string | null;
      trigger_authentication?: {
        name: string;
        config_yaml?: string | null;
      } | null;
    })[];
  } | null;
  /** The deployment stage that it belongs to: one of its environment, by name. */
  deployment_stage?: string;
  /** Secrets by their keys; only those that are stated are written, and their values are never shown. */
  secrets?: { readonly [key: string]: string | {
    from_env?: string;
    from_file?: string;
    from_sops?: string;
    from_command?: string;
    allow_empty?: boolean;
    version?: string | null;
    overrides?: boolean | null;
    from?: string;
    output?: string;
  } | null };
  /** Variables by their keys; only those that are stated are changed. */
  variables?: { readonly [key: string]: string | {
    value?: string;
    file?: {
      mount_path: string;
      text?: string;
      from?: string;
    };
    alias_of?: string;
    external?: {
      secret_manager: string;
      reference: string;
      mount_path?: string;
    };
    overrides?: boolean | null;
    description?: string | null;
    interpolate?: boolean | null;
    from?: string;
    output?: string;
  } | null };
  /** Custom domains by their names; only those that are stated are changed. */
  custom_domains?: { readonly [key: string]: {
    generate_certificate?: boolean | null;
    use_cdn?: boolean | null;
  } | null };
  /** Advanced settings by their names, such as `build.timeout_max_sec`; only those that are stated are changed. */
  advanced_settings?: { readonly [key: string]: Json | null };
  /** Network settings of the service; those of its ingress are among the advanced settings. */
  network?: {
    sticky_session?: boolean | null;
  };
}

/** A database runs in a container, or is managed by the cloud provider. */
export interface DatabaseDocument {
  /** Kind of the resource. */
  kind: "Database";
  /** Environment that holds it: PROJECT/ENVIRONMENT. A `/` inside a name is written `%2F`. */
  environment: string;
  /** Its name; names that differ only by case are the same. */
  name: string;
  /** How infrasync treats the resource; never sent. */
  manage?: {
    protect?: boolean;
    ignore?: readonly string[];
    renamed_from?: string;
    id?: string;
    beside?: readonly string[];
    consent?: string;
  };
  /** Created as a clone when it does not exist; the fields that are stated are laid over it. */
  clone?: {
    from: string;
    follow?: boolean;
  };
  /** What the resource is for. */
  description?: string | null;
  /** Database system. */
  type?: "MONGODB" | "MYSQL" | "POSTGRESQL" | "REDIS";
  /** Version of the database system, such as `"16"`. */
  version?: string;
  /** Where it runs: in a container, or managed by the cloud provider. */
  mode?: "CONTAINER" | "MANAGED";
  /** Whether it can be reached from outside. */
  accessibility?: "PRIVATE" | "PUBLIC" | null;
  /** CPU in millicores: 1000 is one CPU. */
  cpu?: number | null;
  /** Memory in MB; the default depends on the database system. */
  memory?: number;
  /** Storage in GB. */
  storage?: number | null;
  /** Instance type of the cloud provider, for a managed database. */
  instance_type?: string;
  /** Type of disk of the cloud provider, for a managed database. */
  disk_type?: "gp2" | "gp3" | null;
  /** Annotation groups of the organization, by name or id. */
  annotations_groups?: readonly string[] | null;
  /** Label groups of the organization, by name or id. */
  labels_groups?: readonly string[] | null;
  /** Icon, as a URI. */
  icon_uri?: string;
  /** The deployment stage that it belongs to: one of its environment, by name. */
  deployment_stage?: string;
}

/** A backup of a database, made on demand: a run that finds no backup of that name makes one. It is made once, never changed, and deleted only with its database or because a person asks for it. */
export interface BackupDocument {
  /** Kind of the resource. */
  kind: "Backup";
  /** Database that holds it: PROJECT/ENVIRONMENT/DATABASE. A `/` inside a name is written `%2F`. */
  database: string;
  /** Its name; names that differ only by case are the same. */
  name: string;
  /** How infrasync treats the resource; never sent. */
  manage?: {
    protect?: boolean;
    ignore?: readonly string[];
    renamed_from?: string;
    id?: string;
    beside?: readonly string[];
    consent?: string;
  };
  /** What it is for. */
  message?: string | null;
}

/** A Helm service installs a chart of a Helm repository or of a git repository. */
export interface HelmDocument {
  /** Kind of the resource. */
  kind: "Helm";
  /** Environment that holds it: PROJECT/ENVIRONMENT. A `/` inside a name is written `%2F`. */
  environment: string;
  /** Its name; names that differ only by case are the same. */
  name: string;
  /** How infrasync treats the resource; never sent. */
  manage?: {
    protect?: boolean;
    ignore?: readonly string[];
    exclusive?: readonly ("secrets" | "variables" | "custom_domains" | "advanced_settings" | "deployment_restrictions")[];
    renamed_from?: string;
    id?: string;
    beside?: readonly string[];
    consent?: string;
  };
  /** Created as a clone when it does not exist; the fields that are stated are laid over it. */
  clone?: {
    from: string;
    follow?: boolean;
  };
  /** What the resource is for. */
  description?: string | null;
  /** Where the chart is: `git_repository` or `helm_repository`. */
  source?: {
    git_repository?: {
      url?: string;
      branch?: string;
      root_path?: string | null;
      git_token?: string | null;
    } | null;
    helm_repository?: {
      repository?: string;
      chart_name?: string;
      chart_version?: string;
    } | null;
  };
  /** Values that override those of the chart. */
  values_override?: {
    set?: readonly (readonly string[])[] | null;
    set_string?: readonly (readonly string[])[] | null;
    set_json?: readonly (readonly string[])[] | null;
    file?: {
      git?: {
        git_repository?: {
          url?: string;
          provider?: "GITHUB" | "GITLAB" | "BITBUCKET";
          branch?: string;
          root_path?: string | null;
          git_token?: string | null;
        };
        paths?: readonly string[];
      } | null;
      raw?: {
        values?: readonly ({
          name: string;
          content?: string;
        })[] | null;
      } | null;
    } | null;
  } | null;
  /** Arguments of the `helm` command. */
  arguments?: readonly string[] | null;
  /** Ports of services of the chart that are published, each identified by its `internal_port`, its `protocol` and its service. */
  ports?: readonly ({
    internal_port: number;
    external_port?: number | null;
    protocol?: "HTTP" | "GRPC" | null;
    service_name?: string | null;
    service_selectors?: readonly ({
      key: string;
      value: string;
    })[] | null;
    namespace?: string | null;
    name?: string | null;
    is_default?: boolean;
  })[] | null;
  /** Seconds until an installation counts as failed. */
  timeout_sec?: number | null;
  /** Whether the chart may create resources of the whole cluster. */
  allow_cluster_wide_resources?: boolean | null;
  /** Whether a preview environment is cloned automatically; the environment's value when left out. */
  auto_preview?: boolean;
  /** Whether a new commit deploys it automatically. */
  auto_deploy?: boolean | null;
  /** Icon, as a URI. */
  icon_uri?: string;
  /** Id of the blueprint that it is created from. */
  blueprint_id?: string | null;
  /** The deployment stage that it belongs to: one of its environment, by name. */
  deployment_stage?: string;
  /** Secrets by their keys; only those that are stated are written, and their values are never shown. */
  secrets?: { readonly [key: string]: string | {
    from_env?: string;
    from_file?: string;
    from_sops?: string;
    from_command?: string;
    allow_empty?: boolean;
    version?: string | null;
    overrides?: boolean | null;
    from?: string;
    output?: string;
  } | null };
  /** Variables by their keys; only those that are stated are changed. */
  variables?: { readonly [key: string]: string | {
    value?: string;
    file?: {
      mount_path: string;
      text?: string;
      from?: string;
    };
    alias_of?: string;
    external?: {
      secret_manager: string;
      reference: string;
      mount_path?: string;
    };
    overrides?: boolean | null;
    description?: string | null;
    interpolate?: boolean | null;
    from?: string;
    output?: string;
  } | null };
  /** Custom domains by their names; only those that are stated are changed. */
  custom_domains?: { readonly [key: string]: {
    generate_certificate?: boolean | null;
    use_cdn?: boolean | null;
  } | null };
  /** Advanced settings by their names, such as `build.timeout_max_sec`; only those that are stated are changed. */
  advanced_settings?: { readonly [key: string]: Json | null };
  /** Which commits deploy it automatically; only those that are stated are written. */
  deployment_restrictions?: readonly ({
    mode: "MATCH" | "EXCLUDE";
    type?: "PATH" | null;
    value: string;
  })[];
}

/** A job runs on a schedule (a cron job) or when its environment starts, stops or is deleted (a lifecycle job). */
export interface JobDocument {
  /** Kind of the resource. */
  kind: "Job";
  /** Environment that holds it: PROJECT/ENVIRONMENT. A `/` inside a name is written `%2F`. */
  environment: string;
  /** Its name; names that differ only by case are the same. */
  name: string;
  /** How infrasync treats the resource; never sent. */
  manage?: {
    protect?: boolean;
    ignore?: readonly string[];
    exclusive?: readonly ("secrets" | "variables" | "advanced_settings" | "deployment_restrictions")[];
    renamed_from?: string;
    id?: string;
    beside?: readonly string[];
    consent?: string;
  };
  /** Created as a clone when it does not exist; the fields that are stated are laid over it. */
  clone?: {
    from: string;
    follow?: boolean;
  };
  /** What the resource is for. */
  description?: string | null;
  /** What it runs: `image` or `docker`. */
  source?: {
    image?: {
      image_name?: string;
      tag?: string;
      registry?: string;
    } | null;
    docker?: {
      git_repository?: {
        url?: string;
        provider?: "GITHUB" | "GITLAB" | "BITBUCKET";
        branch?: string;
        root_path?: string | null;
        git_token?: string | null;
      } | null;
      dockerfile_path?: string | null;
      dockerfile_raw?: string | null;
      docker_target_build_stage?: string | null;
    } | null;
  };
  /** When it runs: `cronjob`, or any of `on_start`, `on_stop`, `on_delete`. */
  schedule?: {
    cronjob?: {
      scheduled_at?: string;
      timezone?: string;
      arguments?: readonly string[] | null;
      entrypoint?: string | null;
    } | null;
    on_start?: {
      arguments?: readonly string[] | null;
      entrypoint?: string | null;
    } | null;
    on_stop?: {
      arguments?: readonly string[] | null;
      entrypoint?: string | null;
    } | null;
    on_delete?: {
      arguments?: readonly string[] | null;
      entrypoint?: string | null;
    } | null;
    lifecycle_type?: "GENERIC" | "TERRAFORM" | "CLOUDFORMATION";
  };
  /** CPU in millicores: 1000 is one CPU. */
  cpu?: number | null;
  /** Memory in MB. */
  memory?: number | null;
  /** Number of GPUs. */
  gpu?: number | null;
  /** Ephemeral storage in GiB; the platform's default when left out. */
  ephemeral_storage_in_gib?: number;
  /** CPU architecture; the cluster's default when left out. */
  cpu_architecture?: "AMD64" | "ARM64" | null;
  /** Health checks. */
  healthchecks?: {
    readiness_probe?: {
      type?: {
        tcp?: {
          port?: number | null;
          host?: string | null;
        } | null;
        http?: {
          path?: string | null;
          scheme?: string | null;
          port?: number | null;
        } | null;
        exec?: {
          command?: readonly string[];
        } | null;
        grpc?: {
          service?: string | null;
          port?: number | null;
        } | null;
      } | null;
      initial_delay_seconds?: number | null;
      period_seconds?: number | null;
      timeout_seconds?: number | null;
      success_threshold?: number | null;
      failure_threshold?: number | null;
    } | null;
    liveness_probe?: {
      type?: {
        tcp?: {
          port?: number | null;
          host?: string | null;
        } | null;
        http?: {
          path?: string | null;
          scheme?: string | null;
          port?: number | null;
        } | null;
        exec?: {
          command?: readonly string[];
        } | null;
        grpc?: {
          service?: string | null;
          port?: number | null;
        } | null;
      } | null;
      initial_delay_seconds?: number | null;
      period_seconds?: number | null;
      timeout_seconds?: number | null;
      success_threshold?: number | null;
      failure_threshold?: number | null;
    } | null;
  } | null;
  /** Whether a new commit or image tag deploys it automatically. */
  auto_deploy?: boolean;
  /** Annotation groups of the organization, by name or id. */
  annotations_groups?: readonly string[] | null;
  /** Label groups of the organization, by name or id. */
  labels_groups?: readonly string[] | null;
  /** Icon, as a URI. */
  icon_uri?: string;
  /** Restarts before a run counts as failed. */
  max_nb_restart?: number | null;
  /** Seconds after which a run is killed and counts as failed. */
  max_duration_seconds?: number;
  /** Whether a preview environment is cloned automatically; the environment's value when left out. */
  auto_preview?: boolean;
  /** Port for probes; it is never published. */
  port?: number | null;
  /** The deployment stage that it belongs to: one of its environment, by name. */
  deployment_stage?: string;
  /** Secrets by their keys; only those that are stated are written, and their values are never shown. */
  secrets?: { readonly [key: string]: string | {
    from_env?: string;
    from_file?: string;
    from_sops?: string;
    from_command?: string;
    allow_empty?: boolean;
    version?: string | null;
    overrides?: boolean | null;
    from?: string;
    output?: string;
  } | null };
  /** Variables by their keys; only those that are stated are changed. */
  variables?: { readonly [key: string]: string | {
    value?: string;
    file?: {
      mount_path: string;
      text?: string;
      from?: string;
    };
    alias_of?: string;
    external?: {
      secret_manager: string;
      reference: string;
      mount_path?: string;
    };
    overrides?: boolean | null;
    description?: string | null;
    interpolate?: boolean | null;
    from?: string;
    output?: string;
  } | null };
  /** Advanced settings by their names, such as `build.timeout_max_sec`; only those that are stated are changed. */
  advanced_settings?: { readonly [key: string]: Json | null };
  /** Which commits deploy it automatically; only those that are stated are written. */
  deployment_restrictions?: readonly ({
    mode: "MATCH" | "EXCLUDE";
    type?: "PATH" | null;
    value: string;
  })[];
}

/** A Terraform service runs the Terraform or OpenTofu files of a git repository. */
export interface TerraformDocument {
  /** Kind of the resource. */
  kind: "Terraform";
  /** Environment that holds it: PROJECT/ENVIRONMENT. A `/` inside a name is written `%2F`. */
  environment: string;
  /** Its name; names that differ only by case are the same. */
  name: string;
  /** How infrasync treats the resource; never sent. */
  manage?: {
    protect?: boolean;
    ignore?: readonly string[];
    exclusive?: readonly ("secrets" | "variables" | "advanced_settings" | "deployment_restrictions")[];
    renamed_from?: string;
    id?: string;
    beside?: readonly string[];
    consent?: string;
  };
  /** Created as a clone when it does not exist; the fields that are stated are laid over it. */
  clone?: {
    from: string;
    follow?: boolean;
  };
  /** What the resource is for. */
  description?: string | null;
  /** Where the files are. */
  terraform_files_source?: {
    git_repository?: {
      url?: string;
      branch?: string;
      root_path?: string | null;
      git_token?: string | null;
    };
  };
  /** Terraform variables. */
  terraform_variables_source?: {
    tf_var_file_paths?: readonly string[] | null;
    tf_vars?: readonly ({
      key: string;
      value?: string;
      secret?: boolean | null;
      from_env?: string;
      from_file?: string;
      from_sops?: string;
      from_command?: string;
      allow_empty?: boolean;
    })[] | null;
  } | null;
  /** Where the state is kept: `kubernetes`, `user_provided` or `blueprint`. */
  backend?: {
    kubernetes?: Json | null;
    user_provided?: Json | null;
    blueprint?: {
      type?: string;
      config?: Json | null;
    } | null;
  };
  /** The engine that runs the files. */
  engine?: "TERRAFORM" | "OPEN_TOFU";
  /** Version of the engine. */
  provider_version?: {
    explicit_version?: string;
    read_from_terraform_block?: boolean;
  };
  /** CPU, memory and storage of a Terraform run. */
  job_resources?: {
    cpu_milli?: number;
    ram_mib?: number;
    gpu?: number | null;
    storage_gib?: number;
  };
  /** What happens on a new commit. */
  auto_deploy_config?: {
    auto_deploy?: boolean | null;
    terraform_action?: "DEFAULT" | "PLAN" | "NOOP" | null;
  } | null;
  /** Seconds until a run counts as failed. */
  timeout_sec?: number | null;
  /** Whether runs have the credentials of the cluster. */
  use_cluster_credentials?: boolean;
  /** Arguments added to Terraform commands, by command: `plan: [-parallelism=5]`. */
  action_extra_arguments?: Json | null;
  /** Lines that are added to the Dockerfile of the engine. */
  dockerfile_fragment?: {
    type?: "file" | "inline";
    path?: string | null;
    content?: string | null;
  } | null;
  /** Icon, as a URI. */
  icon_uri?: string;
  /** Id of the blueprint that it is created from. */
  blueprint_id?: string | null;
  /** The deployment stage that it belongs to: one of its environment, by name. */
  deployment_stage?: string;
  /** Secrets by their keys; only those that are stated are written, and their values are never shown. */
  secrets?: { readonly [key: string]: string | {
    from_env?: string;
    from_file?: string;
    from_sops?: string;
    from_command?: string;
    allow_empty?: boolean;
    version?: string | null;
    overrides?: boolean | null;
    from?: string;
    output?: string;
  } | null };
  /** Variables by their keys; only those that are stated are changed. */
  variables?: { readonly [key: string]: string | {
    value?: string;
    file?: {
      mount_path: string;
      text?: string;
      from?: string;
    };
    alias_of?: string;
    external?: {
      secret_manager: string;
      reference: string;
      mount_path?: string;
    };
    overrides?: boolean | null;
    description?: string | null;
    interpolate?: boolean | null;
    from?: string;
    output?: string;
  } | null };
  /** Advanced settings by their names, such as `build.timeout_max_sec`; only those that are stated are changed. */
  advanced_settings?: { readonly [key: string]: Json | null };
  /** Which commits deploy it automatically; only those that are stated are written. */
  deployment_restrictions?: readonly ({
    mode: "MATCH" | "EXCLUDE";
    type?: "PATH" | null;
    value: string;
  })[];
}

/** A group of annotations that Kubernetes resources of services get. */
export interface AnnotationsGroupDocument {
  /** Kind of the resource. */
  kind: "AnnotationsGroup";
  /** Its name; names that differ only by case are the same. */
  name: string;
  /** How infrasync treats the resource; never sent. */
  manage?: {
    protect?: boolean;
    ignore?: readonly string[];
    renamed_from?: string;
    id?: string;
    beside?: readonly string[];
    consent?: string;
  };
  /** Annotations, each identified by its `key`. */
  annotations?: readonly ({
    key: string;
    value?: string;
  })[] | null;
  /** Kubernetes resources that get the annotations. */
  scopes?: readonly ("DEPLOYMENTS" | "STATEFUL_SETS" | "SERVICES" | "INGRESS" | "GATEWAY_API_ROUTES" | "HPA" | "PODS" | "SECRETS" | "JOBS" | "CRON_JOBS")[] | null;
}

/** A token of the API, with a role. The API shows its value once, when it makes the token, and changes none: another role makes another token. */
export interface ApiTokenDocument {
  /** Kind of the resource. */
  kind: "ApiToken";
  /** Its name; names that differ only by case are the same. */
  name: string;
  /** How infrasync treats the resource; never sent. */
  manage?: {
    protect?: boolean;
    ignore?: readonly string[];
    renamed_from?: string;
    id?: string;
    beside?: readonly string[];
    consent?: string;
  };
  /** What it is for. */
  description?: string | null;
  /** Its role, by name or id: `Admin`, or a role of the organization. */
  role?: string;
}

/** Credentials with which the API manages clusters at AWS. */
export interface AwsCredentialsDocument {
  /** Kind of the resource. */
  kind: "AwsCredentials";
  /** Its name; names that differ only by case are the same. */
  name: string;
  /** How infrasync treats the resource; never sent. */
  manage?: {
    protect?: boolean;
    ignore?: readonly string[];
    renamed_from?: string;
    id?: string;
    beside?: readonly string[];
    consent?: string;
  };
  /** Type of the credentials. */
  type?: "AWS_STATIC" | "AWS_ROLE" | "EKS_ANYWHERE_VSPHERE_STATIC" | "EKS_ANYWHERE_VSPHERE_ROLE";
  /** Id of an AWS access key. */
  access_key_id?: string;
  /** The AWS access key. */
  secret_access_key?: string | {
    from_env?: string;
    from_file?: string;
    from_sops?: string;
    from_command?: string;
    allow_empty?: boolean;
  };
  /** AWS role to assume. */
  role_arn?: string;
  /** User of vSphere. */
  vsphere_user?: string;
  /** Password of that user. */
  vsphere_password?: string | {
    from_env?: string;
    from_file?: string;
    from_sops?: string;
    from_command?: string;
    allow_empty?: boolean;
  };
}

/** Credentials with which the API manages clusters at Azure. */
export interface AzureCredentialsDocument {
  /** Kind of the resource. */
  kind: "AzureCredentials";
  /** Its name; names that differ only by case are the same. */
  name: string;
  /** How infrasync treats the resource; never sent. */
  manage?: {
    protect?: boolean;
    ignore?: readonly string[];
    renamed_from?: string;
    id?: string;
    beside?: readonly string[];
    consent?: string;
  };
  /** Azure tenant. */
  azure_tenant_id?: string;
  /** Azure subscription. */
  azure_subscription_id?: string;
}

/** A Kubernetes cluster on which environments run. */
export interface ClusterDocument {
  /** Kind of the resource. */
  kind: "Cluster";
  /** Its name; names that differ only by case are the same. */
  name: string;
  /** How infrasync treats the resource; never sent. */
  manage?: {
    protect?: boolean;
    ignore?: readonly string[];
    exclusive?: readonly ("advanced_settings" | "cloud_provider_credentials" | "dns_provider" | "argo_cd" | "argo_cd_mappings" | "routing_table")[];
    renamed_from?: string;
    id?: string;
    beside?: readonly string[];
    consent?: string;
  };
  /** What the resource is for. */
  description?: string | null;
  /** Region. */
  region?: string;
  /** Cloud provider. */
  cloud_provider?: "AWS" | "SCW" | "GCP" | "DO" | "AZURE" | "OVH" | "CIVO" | "HETZNER" | "ORACLE" | "IBM" | "ON_PREMISE";
  /** Who manages Kubernetes. */
  kubernetes?: "MANAGED" | "SELF_MANAGED" | "PARTIALLY_MANAGED" | null;
  /** Whether it is for production. */
  production?: boolean;
  /** Nodes that always run. */
  min_running_nodes?: number | null;
  /** Nodes that run at most. */
  max_running_nodes?: number | null;
  /** Type of the nodes. */
  instance_type?: string;
  /** Disk of a node in GB. */
  disk_size?: number;
  /** Input and output operations of a disk in a second. */
  disk_iops?: number;
  /** Throughput of a disk in MiB a second. */
  disk_throughput?: number;
  /** SSH keys that may log in to nodes. */
  ssh_keys?: readonly string[] | null;
  /** KEDA, which scales services by events. */
  keda?: {
    enabled?: boolean;
  } | null;
  /** Label groups of the organization, by name or id. */
  labels_groups?: readonly string[] | null;
  /** Features, each with its value. An update keeps them all. */
  features?: readonly ({
    id: string;
    value?: Json | null;
  })[] | null;
  /** Metrics of the cluster. */
  metrics_parameters?: {
    enabled?: boolean;
    configuration?: Json;
  } | null;
  /** Parameters of the charts that run the cluster. */
  infrastructure_charts_parameters?: {
    nginx_parameters?: {
      replica_count?: number;
      default_ssl_certificate?: string;
      publish_status_address?: string;
      annotation_metal_lb_load_balancer_ips?: string;
      annotation_external_dns_kubernetes_target?: string;
    } | null;
    cert_manager_parameters?: {
      kubernetes_namespace?: string;
    } | null;
    metal_lb_parameters?: {
      ip_address_pools?: readonly string[];
    } | null;
    eks_anywhere_parameters?: Json;
  } | null;
  /** Secret managers that services on the cluster can read. */
  secret_manager_accesses?: readonly ({
    name: string;
    endpoint?: {
      mode?: "AWS_SECRET_MANAGER" | "AWS_PARAMETER_STORE" | "GCP_SECRET_MANAGER";
      region?: string;
      project_id?: string;
    };
    authentication?: {
      mode?: "AUTOMATICALLY_CONFIGURED" | "AWS_ROLE_ARN" | "AWS_STATIC_CREDENTIALS" | "GCP_JSON_CREDENTIALS";
      role_arn?: string;
      region?: string;
      access_key?: string;
      secret_key?: string | {
        from_env?: string;
        from_file?: string;
        from_sops?: string;
        from_command?: string;
        allow_empty?: boolean;
      };
      json_credentials?: string | {
        from_env?: string;
        from_file?: string;
        from_sops?: string;
        from_command?: string;
        allow_empty?: boolean;
      };
    };
  })[] | null;
  /** Advanced settings by their names, such as `build.timeout_max_sec`; only those that are stated are changed. */
  advanced_settings?: { readonly [key: string]: Json | null };
  /** How the API logs in to the provider of the cluster. */
  cloud_provider_credentials?: {
    credentials?: string;
  };
  /** The DNS provider of the cluster. */
  dns_provider?: {
    provider?: "QOVERY" | "CLOUDFLARE" | "ROUTE53" | null;
    domain: string;
    email?: string;
    api_token?: string | {
      from_env?: string;
      from_file?: string;
      from_sops?: string;
      from_command?: string;
      allow_empty?: boolean;
    };
    proxied?: boolean;
    credentials?: {
      type?: "STATIC";
      aws_access_key_id?: string;
      aws_secret_access_key?: string | {
        from_env?: string;
        from_file?: string;
        from_sops?: string;
        from_command?: string;
        allow_empty?: boolean;
      };
    };
    aws_region?: string;
    hosted_zone_id?: string;
  };
  /** The Argo CD that runs in the cluster. */
  argo_cd?: {
    argocd_url?: string | null;
    argocd_token?: string | {
      from_env?: string;
      from_file?: string;
      from_sops?: string;
      from_command?: string;
      allow_empty?: boolean;
    };
  };
  /** The destinations of Argo CD by their URLs, each with its cluster; only those that are stated are changed. */
  argo_cd_mappings?: { readonly [key: string]: {
    cluster?: string;
  } | null };
  /** Routes by their destinations; only those that are stated are changed. */
  routing_table?: { readonly [key: string]: {
    target?: string;
    description?: string | null;
  } | null };
}

/** A container registry from which services get their images. */
export interface ContainerRegistryDocument {
  /** Kind of the resource. */
  kind: "ContainerRegistry";
  /** Its name; names that differ only by case are the same. */
  name: string;
  /** How infrasync treats the resource; never sent. */
  manage?: {
    protect?: boolean;
    ignore?: readonly string[];
    renamed_from?: string;
    id?: string;
    beside?: readonly string[];
    consent?: string;
  };
  /** What the resource is for. */
  description?: string | null;
  /** Type of the registry. */
  type?: "ECR" | "SCALEWAY_CR" | "DOCKER_HUB" | "GITHUB_CR" | "GITHUB_ENTERPRISE_CR" | "GITLAB_CR" | "PUBLIC_ECR" | "DOCR" | "GENERIC_CR" | "GCP_ARTIFACT_REGISTRY" | "AZURE_CR";
  /** URL of the registry. */
  url?: string;
  /** How it is reached: the members that its type needs. */
  config?: {
    region?: string;
    username?: string;
    password?: string | {
      from_env?: string;
      from_file?: string;
      from_sops?: string;
      from_command?: string;
      allow_empty?: boolean;
      version?: string | null;
    };
    access_key_id?: string;
    secret_access_key?: string | {
      from_env?: string;
      from_file?: string;
      from_sops?: string;
      from_command?: string;
      allow_empty?: boolean;
      version?: string | null;
    };
    role_arn?: string;
    scaleway_access_key?: string;
    scaleway_secret_key?: string | {
      from_env?: string;
      from_file?: string;
      from_sops?: string;
      from_command?: string;
      allow_empty?: boolean;
      version?: string | null;
    };
    scaleway_project_id?: string;
    json_credentials?: string | {
      from_env?: string;
      from_file?: string;
      from_sops?: string;
      from_command?: string;
      allow_empty?: boolean;
      version?: string | null;
    };
    gcp_credentials_type?: "workload_identity_federation";
    project_id?: string;
    service_account_email?: string;
    workload_identity_provider_resource?: string;
    token_lifetime_seconds?: number;
    azure_tenant_id?: string;
    azure_subscription_id?: string;
  } | null;
}

/** A role of the organization, with permissions for clusters and projects. What it does not mention it may only view, or not see. */
export interface CustomRoleDocument {
  /** Kind of the resource. */
  kind: "CustomRole";
  /** Its name; names that differ only by case are the same. */
  name: string;
  /** How infrasync treats the resource; never sent. */
  manage?: {
    protect?: boolean;
    ignore?: readonly string[];
    renamed_from?: string;
    id?: string;
    beside?: readonly string[];
    consent?: string;
  };
  /** What the resource is for. */
  description?: string | null;
  /** Permissions for clusters. */
  cluster_permissions?: readonly ({
    cluster: string;
    permission?: "VIEWER" | "ENV_CREATOR" | "ADMIN" | null;
  })[] | null;
  /** Permissions for projects. */
  project_permissions?: readonly ({
    project: string;
    is_admin?: boolean | null;
    permissions?: readonly ({
      environment_type: "DEVELOPMENT" | "PREVIEW" | "PRODUCTION" | "STAGING";
      permission?: "NO_ACCESS" | "VIEWER" | "DEPLOYER" | "MANAGER" | null;
    })[] | null;
  })[] | null;
}

/** Credentials with which the API manages clusters at Google Cloud. */
export interface GcpCredentialsDocument {
  /** Kind of the resource. */
  kind: "GcpCredentials";
  /** Its name; names that differ only by case are the same. */
  name: string;
  /** How infrasync treats the resource; never sent. */
  manage?: {
    protect?: boolean;
    ignore?: readonly string[];
    renamed_from?: string;
    id?: string;
    beside?: readonly string[];
    consent?: string;
  };
  /** The key of a service account, as JSON. */
  gcp_credentials?: string | {
    from_env?: string;
    from_file?: string;
    from_sops?: string;
    from_command?: string;
    allow_empty?: boolean;
  };
  /** Service account. */
  service_account_email?: string;
  /** Workload identity provider. */
  workload_identity_provider_resource?: string;
}

/** A token with which the API reads git repositories. */
export interface GitTokenDocument {
  /** Kind of the resource. */
  kind: "GitToken";
  /** Its name; names that differ only by case are the same. */
  name: string;
  /** How infrasync treats the resource; never sent. */
  manage?: {
    protect?: boolean;
    ignore?: readonly string[];
    renamed_from?: string;
    id?: string;
    beside?: readonly string[];
    consent?: string;
  };
  /** What the resource is for. */
  description?: string | null;
  /** The git provider. */
  type?: "BITBUCKET" | "GITHUB" | "GITLAB";
  /** The token itself. */
  token?: string | {
    from_env?: string;
    from_file?: string;
    from_sops?: string;
    from_command?: string;
    allow_empty?: boolean;
    version?: string | null;
  };
  /** Workspace, for Bitbucket. */
  workspace?: string;
  /** URL of the provider's API, for a server of its own. */
  git_api_url?: string;
}

/** A repository from which Helm services get their charts. */
export interface HelmRepositoryDocument {
  /** Kind of the resource. */
  kind: "HelmRepository";
  /** Its name; names that differ only by case are the same. */
  name: string;
  /** How infrasync treats the resource; never sent. */
  manage?: {
    protect?: boolean;
    ignore?: readonly string[];
    renamed_from?: string;
    id?: string;
    beside?: readonly string[];
    consent?: string;
  };
  /** What the resource is for. */
  description?: string | null;
  /** Type of the repository. */
  type?: "HTTPS" | "OCI_ECR" | "OCI_SCALEWAY_CR" | "OCI_DOCKER_HUB" | "OCI_PUBLIC_ECR" | "OCI_GENERIC_CR" | "OCI_GITHUB_CR" | "OCI_GITLAB_CR";
  /** URL of the repository. */
  url?: string;
  /** Whether its certificate is not verified. */
  skip_tls_verification?: boolean | null;
  /** How it is reached: the members that its type needs. */
  config?: {
    region?: string;
    username?: string;
    password?: string | {
      from_env?: string;
      from_file?: string;
      from_sops?: string;
      from_command?: string;
      allow_empty?: boolean;
      version?: string | null;
    };
    access_key_id?: string;
    secret_access_key?: string | {
      from_env?: string;
      from_file?: string;
      from_sops?: string;
      from_command?: string;
      allow_empty?: boolean;
      version?: string | null;
    };
    role_arn?: string;
    scaleway_access_key?: string;
    scaleway_secret_key?: string | {
      from_env?: string;
      from_file?: string;
      from_sops?: string;
      from_command?: string;
      allow_empty?: boolean;
      version?: string | null;
    };
    scaleway_project_id?: string;
    azure_tenant_id?: string;
    azure_subscription_id?: string;
  } | null;
}

/** A group of labels that services and clusters of the organization get. */
export interface LabelsGroupDocument {
  /** Kind of the resource. */
  kind: "LabelsGroup";
  /** Its name; names that differ only by case are the same. */
  name: string;
  /** How infrasync treats the resource; never sent. */
  manage?: {
    protect?: boolean;
    ignore?: readonly string[];
    renamed_from?: string;
    id?: string;
    beside?: readonly string[];
    consent?: string;
  };
  /** Labels, each identified by its `key`. */
  labels?: readonly ({
    key: string;
    value?: string;
    propagate_to_cloud_provider?: boolean | null;
  })[] | null;
}

/** A person in the organization, by the address of email. A new one is invited, and is a member once the person has accepted. */
export interface MemberDocument {
  /** Kind of the resource. */
  kind: "Member";
  /** Its name; names that differ only by case are the same. */
  name: string;
  /** How infrasync treats the resource; never sent. */
  manage?: {
    protect?: boolean;
    ignore?: readonly string[];
    renamed_from?: string;
    id?: string;
    beside?: readonly string[];
    consent?: string;
  };
  /** The role, by name or id: `Admin`, or a role of the organization. */
  role?: string;
}

/** The settings of the organization that runs work in. It is never created, and never deleted. */
export interface OrganizationDocument {
  /** Kind of the resource. */
  kind: "Organization";
  /** Its name; names that differ only by case are the same. */
  name: string;
  /** How infrasync treats the resource; never sent. */
  manage?: {
    protect?: boolean;
    prune?: readonly ("AnnotationsGroup" | "ApiToken" | "ContainerRegistry" | "CustomRole" | "GitToken" | "HelmRepository" | "LabelsGroup" | "Member" | "Webhook")[];
    ignore?: readonly string[];
    renamed_from?: string;
    id?: string;
    beside?: readonly string[];
    consent?: string;
  };
  /** What the resource is for. */
  description?: string | null;
  /** Its web site. */
  website_url?: string;
  /** Its main repository. */
  repository?: string;
  /** Its logo. */
  logo_url?: string;
  /** Its icon. */
  icon_url?: string;
  /** Addresses of its administrators. */
  admin_emails?: readonly string[] | null;
}

/** Credentials with which the API manages clusters on premise. */
export interface OnPremiseCredentialsDocument {
  /** Kind of the resource. */
  kind: "OnPremiseCredentials";
  /** Its name; names that differ only by case are the same. */
  name: string;
  /** How infrasync treats the resource; never sent. */
  manage?: {
    protect?: boolean;
    ignore?: readonly string[];
    renamed_from?: string;
    id?: string;
    beside?: readonly string[];
    consent?: string;
  };
}

/** Credentials with which the API manages clusters at Scaleway. */
export interface ScalewayCredentialsDocument {
  /** Kind of the resource. */
  kind: "ScalewayCredentials";
  /** Its name; names that differ only by case are the same. */
  name: string;
  /** How infrasync treats the resource; never sent. */
  manage?: {
    protect?: boolean;
    ignore?: readonly string[];
    renamed_from?: string;
    id?: string;
    beside?: readonly string[];
    consent?: string;
  };
  /** Id of a Scaleway access key. */
  scaleway_access_key?: string;
  /** The Scaleway access key. */
  scaleway_secret_key?: string | {
    from_env?: string;
    from_file?: string;
    from_sops?: string;
    from_command?: string;
    allow_empty?: boolean;
  };
  /** Scaleway project. */
  scaleway_project_id?: string;
  /** Scaleway organization. */
  scaleway_organization_id?: string;
}

/** A webhook: the API reports deployments to a URL. The API has no names for webhooks: the name is the description. */
export interface WebhookDocument {
  /** Kind of the resource. */
  kind: "Webhook";
  /** Its name; names that differ only by case are the same. */
  name: string;
  /** How infrasync treats the resource; never sent. */
  manage?: {
    protect?: boolean;
    ignore?: readonly string[];
    renamed_from?: string;
    id?: string;
    beside?: readonly string[];
    consent?: string;
  };
  /** Form of the messages. */
  type?: "STANDARD" | "SLACK";
  /** URL that gets the messages. */
  target_url?: string;
  /** The secret with which messages are signed. */
  target_secret?: string | {
    from_env?: string;
    from_file?: string;
    from_sops?: string;
    from_command?: string;
    allow_empty?: boolean;
  };
  /** Whether messages are sent. */
  enabled?: boolean | null;
  /** The events that are reported. */
  events?: readonly ("DEPLOYMENT_STARTED" | "DEPLOYMENT_CANCELLED" | "DEPLOYMENT_FAILURE" | "DEPLOYMENT_SUCCESSFUL")[] | null;
  /** Names of projects; none: all projects. */
  project_names_filter?: readonly string[] | null;
  /** Modes of environments; none: all modes. */
  environment_types_filter?: readonly ("DEVELOPMENT" | "PREVIEW" | "PRODUCTION" | "STAGING")[] | null;
}

/** A document of any kind, as a manifest has it. */
export type ResourceDocument =
  | ProjectDocument
  | DeploymentRuleDocument
  | EnvironmentDocument
  | DeploymentStageDocument
  | ApplicationDocument
  | ContainerDocument
  | DatabaseDocument
  | BackupDocument
  | HelmDocument
  | JobDocument
  | TerraformDocument
  | AnnotationsGroupDocument
  | ApiTokenDocument
  | AwsCredentialsDocument
  | AzureCredentialsDocument
  | ClusterDocument
  | ContainerRegistryDocument
  | CustomRoleDocument
  | GcpCredentialsDocument
  | GitTokenDocument
  | HelmRepositoryDocument
  | LabelsGroupDocument
  | MemberDocument
  | OrganizationDocument
  | OnPremiseCredentialsDocument
  | ScalewayCredentialsDocument
  | WebhookDocument;
