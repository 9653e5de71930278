// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
import type { Reference } from "../reference.ts";
import { ApiResource } from "../dynamic/resource.ts";

/** Inputs of a Job. */
export interface JobArgs {
  /** Id of its Environment. A change replaces the resource. */
  environment: pulumi.Input<string>;
  /** Name. Names that differ only by case are the same. */
  name: pulumi.Input<string>;
  /** Id of the Job to clone when it is created; the other inputs override fields of the clone. A later change has no effect. */
  cloneFrom?: pulumi.Input<string>;
  /** Whether a creation adopts an existing Job of that name instead of failing. */
  adopt?: pulumi.Input<boolean>;
  /** Id of an existing Job that a creation adopts. */
  adoptId?: pulumi.Input<string>;
  /** What the resource is for. Default: `""`. */
  description?: pulumi.Input<string>;
  /** What it runs: `image` or `docker`. */
  source?: pulumi.Input<JobSourceArgs>;
  /** When it runs: `cronjob`, or any of `onStart`, `onStop`, `onDelete`. */
  schedule?: pulumi.Input<JobScheduleArgs>;
  /** CPU in millicores: 1000 is one CPU. Default: `500`. */
  cpu?: pulumi.Input<number>;
  /** Memory in MB. Default: `512`. */
  memory?: pulumi.Input<number>;
  /** Number of GPUs. Default: `0`. */
  gpu?: pulumi.Input<number>;
  /** Ephemeral storage in GiB; the platform's default when left out. */
  ephemeralStorageInGib?: pulumi.Input<number>;
  /** CPU architecture; the cluster's default when left out. */
  cpuArchitecture?: pulumi.Input<"AMD64" | "ARM64">;
  /** Health checks. Default: `{}`. */
  healthchecks?: pulumi.Input<JobHealthchecksArgs>;
  /** Whether a new commit or image tag deploys it automatically. */
  autoDeploy?: pulumi.Input<boolean>;
  /** Annotation groups of the organization, by name or id. Default: `[]`. */
  annotationsGroups?: pulumi.Input<pulumi.Input<string>[]>;
  /** Label groups of the organization, by name or id. Default: `[]`. */
  labelsGroups?: pulumi.Input<pulumi.Input<string>[]>;
  /** Icon, as a URI. */
  iconUri?: pulumi.Input<string>;
  /** Restarts before a run counts as failed. Default: `0`. */
  maxNbRestart?: pulumi.Input<number>;
  /** Seconds after which a run is killed and counts as failed. */
  maxDurationSeconds?: pulumi.Input<number>;
  /** Whether a preview environment is cloned automatically; the environment's value when left out. */
  autoPreview?: pulumi.Input<boolean>;
  /** Port for probes; it is never published. */
  port?: pulumi.Input<number>;
  /** The deployment stage that it belongs to: one of its environment, by name. */
  deploymentStage?: pulumi.Input<string>;
  /** Secrets by their keys; only those that are stated are written, and their values are never shown. Default: `{}`. */
  secrets?: pulumi.Input<Record<string, pulumi.Input<string | JobSecretArgs>>>;
  /** Variables by their keys; only those that are stated are changed. Default: `{}`. */
  variables?: pulumi.Input<Record<string, pulumi.Input<string | JobVariableArgs>>>;
  /** Advanced settings by their names, such as `build.timeout_max_sec`; only those that are stated are changed. Default: `{}`. */
  advancedSettings?: pulumi.Input<Record<string, pulumi.Input<unknown>>>;
  /** Which commits deploy it automatically; only those that are stated are written. Default: `[]`. */
  deploymentRestrictions?: pulumi.Input<pulumi.Input<JobDeploymentRestrictionArgs>[]>;
}

/** What it runs: `image` or `docker`. */
export interface JobSourceArgs {
  /** A container image. */
  image?: pulumi.Input<JobSourceImageArgs>;
  /** A build from a Dockerfile. */
  docker?: pulumi.Input<JobSourceDockerArgs>;
}

/** A container image. */
export interface JobSourceImageArgs {
  /** Image name; its form depends on the registry: `repository` (ECR), `namespace/image` (Scaleway), `image` or `repository/image` (Docker Hub), `registry_alias/repository` (public ECR). */
  imageName?: pulumi.Input<string>;
  /** Image tag. */
  tag?: pulumi.Input<string>;
  /** Container registry, by name or id. */
  registry?: pulumi.Input<string>;
}

/** A build from a Dockerfile. */
export interface JobSourceDockerArgs {
  /** A git repository. */
  gitRepository?: pulumi.Input<JobSourceDockerGitRepositoryArgs>;
  /** Path of the Dockerfile in the repository. */
  dockerfilePath?: pulumi.Input<string>;
  /** The Dockerfile itself, when it is not in the repository. */
  dockerfileRaw?: pulumi.Input<string>;
  /** Target build stage of the Dockerfile. */
  dockerTargetBuildStage?: pulumi.Input<string>;
}

/** A git repository. */
export interface JobSourceDockerGitRepositoryArgs {
  /** URL of the repository. */
  url?: pulumi.Input<string>;
  /** Git provider; may be left out where the host of the URL shows it. */
  provider?: pulumi.Input<"GITHUB" | "GITLAB" | "BITBUCKET">;
  /** Branch to build. */
  branch?: pulumi.Input<string>;
  /** Folder to build in. Default: `"/"`. */
  rootPath?: pulumi.Input<string>;
  /** Git token that gives access to the repository, by name or id. */
  gitToken?: pulumi.Input<string>;
}

/** When it runs: `cronjob`, or any of `onStart`, `onStop`, `onDelete`. */
export interface JobScheduleArgs {
  /** Runs on a schedule. */
  cronjob?: pulumi.Input<JobScheduleCronjobArgs>;
  /** Runs when the environment starts. */
  onStart?: pulumi.Input<JobScheduleOnStartArgs>;
  /** Runs when the environment stops. */
  onStop?: pulumi.Input<JobScheduleOnStopArgs>;
  /** Runs when the environment is deleted. */
  onDelete?: pulumi.Input<JobScheduleOnDeleteArgs>;
  /** What a lifecycle job is used for. */
  lifecycleType?: pulumi.Input<"GENERIC" | "TERRAFORM" | "CLOUDFORMATION">;
}

/** Runs on a schedule. */
export interface JobScheduleCronjobArgs {
  /** Cron expression of five fields, without seconds. */
  scheduledAt?: pulumi.Input<string>;
  /** Time zone in which the expression is read, such as `Europe/Paris`. */
  timezone?: pulumi.Input<string>;
  /** Arguments of the container's command. Default: `[]`. */
  arguments?: pulumi.Input<pulumi.Input<string>[]>;
  /** Entrypoint of the container. */
  entrypoint?: pulumi.Input<string>;
}

/** Runs when the environment starts. */
export interface JobScheduleOnStartArgs {
  /** Arguments of the container's command. Default: `[]`. */
  arguments?: pulumi.Input<pulumi.Input<string>[]>;
  /** Entrypoint of the container. */
  entrypoint?: pulumi.Input<string>;
}

/** Runs when the environment stops. */
export interface JobScheduleOnStopArgs {
  /** Arguments of the container's command. Default: `[]`. */
  arguments?: pulumi.Input<pulumi.Input<string>[]>;
  /** Entrypoint of the container. */
  entrypoint?: pulumi.Input<string>;
}

/** Runs when the environment is deleted. */
export interface JobScheduleOnDeleteArgs {
  /** Arguments of the container's command. Default: `[]`. */
  arguments?: pulumi.Input<pulumi.Input<string>[]>;
  /** Entrypoint of the container. */
  entrypoint?: pulumi.Input<string>;
}

/** Health checks. */
export interface JobHealthchecksArgs {
  /** Tells whether it can take traffic. */
  readinessProbe?: pulumi.Input<JobHealthchecksReadinessProbeArgs>;
  /** Tells whether it has to be restarted. */
  livenessProbe?: pulumi.Input<JobHealthchecksLivenessProbeArgs>;
}

/** Tells whether it can take traffic. */
export interface JobHealthchecksReadinessProbeArgs {
  /** How to probe: one of `tcp`, `http`, `exec`, `grpc`. */
  type?: pulumi.Input<JobHealthchecksReadinessProbeTypeArgs>;
  /** Seconds before the first probe. Default: `30`. */
  initialDelaySeconds?: pulumi.Input<number>;
  /** Seconds between probes. Default: `10`. */
  periodSeconds?: pulumi.Input<number>;
  /** Seconds until a probe counts as failed. Default: `5`. */
  timeoutSeconds?: pulumi.Input<number>;
  /** Successes in a row that make it healthy. Default: `1`. */
  successThreshold?: pulumi.Input<number>;
  /** Failures in a row that make it unhealthy. Default: `9`. */
  failureThreshold?: pulumi.Input<number>;
}

/** How to probe: one of `tcp`, `http`, `exec`, `grpc`. */
export interface JobHealthchecksReadinessProbeTypeArgs {
  /** Succeeds when the port accepts a connection. */
  tcp?: pulumi.Input<JobHealthchecksReadinessProbeTypeTcpArgs>;
  /** Succeeds when a GET answers with success. */
  http?: pulumi.Input<JobHealthchecksReadinessProbeTypeHttpArgs>;
  /** Succeeds when the command exits with status 0. */
  exec?: pulumi.Input<JobHealthchecksReadinessProbeTypeExecArgs>;
  /** Succeeds when the gRPC health check says so. */
  grpc?: pulumi.Input<JobHealthchecksReadinessProbeTypeGrpcArgs>;
}

/** Succeeds when the port accepts a connection. */
export interface JobHealthchecksReadinessProbeTypeTcpArgs {
  /** Port to probe. */
  port?: pulumi.Input<number>;
  /** Host to connect to. */
  host?: pulumi.Input<string>;
}

/** Succeeds when a GET answers with success. */
export interface JobHealthchecksReadinessProbeTypeHttpArgs {
  /** Path to get. Default: `"/"`. */
  path?: pulumi.Input<string>;
  /** `HTTP` or `HTTPS`. Default: `"HTTP"`. */
  scheme?: pulumi.Input<string>;
  /** Port to probe. */
  port?: pulumi.Input<number>;
}

/** Succeeds when the command exits with status 0. */
export interface JobHealthchecksReadinessProbeTypeExecArgs {
  /** The executable, then its arguments. */
  command?: pulumi.Input<pulumi.Input<string>[]>;
}

/** Succeeds when the gRPC health check says so. */
export interface JobHealthchecksReadinessProbeTypeGrpcArgs {
  /** Service to ask for. */
  service?: pulumi.Input<string>;
  /** Port to probe. */
  port?: pulumi.Input<number>;
}

/** Tells whether it has to be restarted. */
export interface JobHealthchecksLivenessProbeArgs {
  /** How to probe: one of `tcp`, `http`, `exec`, `grpc`. */
  type?: pulumi.Input<JobHealthchecksLivenessProbeTypeArgs>;
  /** Seconds before the first probe. Default: `30`. */
  initialDelaySeconds?: pulumi.Input<number>;
  /** Seconds between probes. Default: `10`. */
  periodSeconds?: pulumi.Input<number>;
  /** Seconds until a probe counts as failed. Default: `5`. */
  timeoutSeconds?: pulumi.Input<number>;
  /** Successes in a row that make it healthy. Default: `1`. */
  successThreshold?: pulumi.Input<number>;
  /** Failures in a row that make it unhealthy. Default: `9`. */
  failureThreshold?: pulumi.Input<number>;
}

/** How to probe: one of `tcp`, `http`, `exec`, `grpc`. */
export interface JobHealthchecksLivenessProbeTypeArgs {
  /** Succeeds when the port accepts a connection. */
  tcp?: pulumi.Input<JobHealthchecksLivenessProbeTypeTcpArgs>;
  /** Succeeds when a GET answers with success. */
  http?: pulumi.Input<JobHealthchecksLivenessProbeTypeHttpArgs>;
  /** Succeeds when the command exits with status 0. */
  exec?: pulumi.Input<JobHealthchecksLivenessProbeTypeExecArgs>;
  /** Succeeds when the gRPC health check says so. */
  grpc?: pulumi.Input<JobHealthchecksLivenessProbeTypeGrpcArgs>;
}

/** Succeeds when the port accepts a connection. */
export interface JobHealthchecksLivenessProbeTypeTcpArgs {
  /** Port to probe. */
  port?: pulumi.Input<number>;
  /** Host to connect to. */
  host?: pulumi.Input<string>;
}

/** Succeeds when a GET answers with success. */
export interface JobHealthchecksLivenessProbeTypeHttpArgs {
  /** Path to get. Default: `"/"`. */
  path?: pulumi.Input<string>;
  /** `HTTP` or `HTTPS`. Default: `"HTTP"`. */
  scheme?: pulumi.Input<string>;
  /** Port to probe. */
  port?: pulumi.Input<number>;
}

/** Succeeds when the command exits with status 0. */
export interface JobHealthchecksLivenessProbeTypeExecArgs {
  /** The executable, then its arguments. */
  command?: pulumi.Input<pulumi.Input<string>[]>;
}

/** Succeeds when the gRPC health check says so. */
export interface JobHealthchecksLivenessProbeTypeGrpcArgs {
  /** Service to ask for. */
  service?: pulumi.Input<string>;
  /** Port to probe. */
  port?: pulumi.Input<number>;
}

/** An entry of this map: Secrets by their keys; only those that are stated are written, and their values are never shown. */
export interface JobSecretArgs {
  /** Its value. `KEY: text` is short for `KEY: { value: text }`. */
  value?: pulumi.Input<string>;
  /** infrasync writes the secret again when this changes, and stores it in the description. Default: `""`. */
  version?: pulumi.Input<string>;
  /** Whether it overrides a secret with the same key of a parent. Default: `false`. */
  overrides?: pulumi.Input<boolean>;
}

/** An entry of this map: Variables by their keys; only those that are stated are changed. */
export interface JobVariableArgs {
  /** Its value. `KEY: text` is short for `KEY: { value: text }`. */
  value?: pulumi.Input<string>;
  /** A file to mount; its path is the value of the variable. */
  file?: pulumi.Input<JobVariableFileArgs>;
  /** Key of the variable of which this one is an alias. */
  aliasOf?: pulumi.Input<string>;
  /** A secret of an external secret manager. */
  external?: pulumi.Input<JobVariableExternalArgs>;
  /** Whether it overrides a variable with the same key of a parent. Default: `false`. */
  overrides?: pulumi.Input<boolean>;
  /** What it is for. Default: `""`. */
  description?: pulumi.Input<string>;
  /** Whether other variables are inserted into the text of the file. Default: `false`. */
  interpolate?: pulumi.Input<boolean>;
  /** The resource whose output this is, as `KIND:NAME`, in the same environment. */
  from?: pulumi.Input<string>;
  /** The output of that resource, such as its host or its port. */
  output?: pulumi.Input<string>;
}

/** A file to mount; its path is the value of the variable. */
export interface JobVariableFileArgs {
  /** Where the file is mounted in the container. */
  mountPath: pulumi.Input<string>;
  /** The text of the file. */
  text?: pulumi.Input<string>;
}

/** A secret of an external secret manager. */
export interface JobVariableExternalArgs {
  /** Id of a secret manager access of the cluster. */
  secretManager: pulumi.Input<string>;
  /** Name of the secret in that manager. */
  reference: pulumi.Input<string>;
  /** Where it is mounted as a file. */
  mountPath?: pulumi.Input<string>;
}

/** An element of this list: Which commits deploy it automatically; only those that are stated are written. */
export interface JobDeploymentRestrictionArgs {
  /** `MATCH`: only commits that change something there deploy it; `EXCLUDE`: commits that change only something there do not. */
  mode: pulumi.Input<"MATCH" | "EXCLUDE">;
  /** What `value` is: a path in the repository. Default: `"PATH"`. */
  type?: pulumi.Input<"PATH">;
  /** The path, such as `docs/`. */
  value: pulumi.Input<string>;
}

/** What it runs: `image` or `docker`. */
export interface JobSource {
  /** A container image. */
  image?: JobSourceImage;
  /** A build from a Dockerfile. */
  docker?: JobSourceDocker;
}

/** A container image. */
export interface JobSourceImage {
  /** Image name; its form depends on the registry: `repository` (ECR), `namespace/image` (Scaleway), `image` or `repository/image` (Docker Hub), `registry_alias/repository` (public ECR). */
  imageName: string;
  /** Image tag. */
  tag: string;
  /** Container registry, by name or id. */
  registry: Reference;
}

/** A build from a Dockerfile. */
export interface JobSourceDocker {
  /** A git repository. */
  gitRepository?: JobSourceDockerGitRepository;
  /** Path of the Dockerfile in the repository. */
  dockerfilePath?: string;
  /** The Dockerfile itself, when it is not in the repository. */
  dockerfileRaw?: string;
  /** Target build stage of the Dockerfile. */
  dockerTargetBuildStage?: string;
}

/** A git repository. */
export interface JobSourceDockerGitRepository {
  /** URL of the repository. */
  url: string;
  /** Git provider; may be left out where the host of the URL shows it. */
  provider: "GITHUB" | "GITLAB" | "BITBUCKET";
  /** Branch to build. */
  branch?: string;
  /** Folder to build in. Default: `"/"`. */
  rootPath?: string;
  /** Git token that gives access to the repository, by name or id. */
  gitToken?: Reference;
}

/** When it runs: `cronjob`, or any of `onStart`, `onStop`, `onDelete`. */
export interface JobSchedule {
  /** Runs on a schedule. */
  cronjob?: JobScheduleCronjob;
  /** Runs when the environment starts. */
  onStart?: JobScheduleOnStart;
  /** Runs when the environment stops. */
  onStop?: JobScheduleOnStop;
  /** Runs when the environment is deleted. */
  onDelete?: JobScheduleOnDelete;
  /** What a lifecycle job is used for. */
  lifecycleType?: "GENERIC" | "TERRAFORM" | "CLOUDFORMATION";
}

/** Runs on a schedule. */
export interface JobScheduleCronjob {
  /** Cron expression of five fields, without seconds. */
  scheduledAt: string;
  /** Time zone in which the expression is read, such as `Europe/Paris`. */
  timezone?: string;
  /** Arguments of the container's command. Default: `[]`. */
  arguments?: string[];
  /** Entrypoint of the container. */
  entrypoint?: string;
}

/** Runs when the environment starts. */
export interface JobScheduleOnStart {
  /** Arguments of the container's command. Default: `[]`. */
  arguments?: string[];
  /** Entrypoint of the container. */
  entrypoint?: string;
}

/** Runs when the environment stops. */
export interface JobScheduleOnStop {
  /** Arguments of the container's command. Default: `[]`. */
  arguments?: string[];
  /** Entrypoint of the container. */
  entrypoint?: string;
}

/** Runs when the environment is deleted. */
export interface JobScheduleOnDelete {
  /** Arguments of the container's command. Default: `[]`. */
  arguments?: string[];
  /** Entrypoint of the container. */
  entrypoint?: string;
}

/** Health checks. */
export interface JobHealthchecks {
  /** Tells whether it can take traffic. */
  readinessProbe?: JobHealthchecksReadinessProbe;
  /** Tells whether it has to be restarted. */
  livenessProbe?: JobHealthchecksLivenessProbe;
}

/** Tells whether it can take traffic. */
export interface JobHealthchecksReadinessProbe {
  /** How to probe: one of `tcp`, `http`, `exec`, `grpc`. */
  type?: JobHealthchecksReadinessProbeType;
  /** Seconds before the first probe. Default: `30`. */
  initialDelaySeconds?: number;
  /** Seconds between probes. Default: `10`. */
  periodSeconds?: number;
  /** Seconds until a probe counts as failed. Default: `5`. */
  timeoutSeconds?: number;
  /** Successes in a row that make it healthy. Default: `1`. */
  successThreshold?: number;
  /** Failures in a row that make it unhealthy. Default: `9`. */
  failureThreshold?: number;
}

/** How to probe: one of `tcp`, `http`, `exec`, `grpc`. */
export interface JobHealthchecksReadinessProbeType {
  /** Succeeds when the port accepts a connection. */
  tcp?: JobHealthchecksReadinessProbeTypeTcp;
  /** Succeeds when a GET answers with success. */
  http?: JobHealthchecksReadinessProbeTypeHttp;
  /** Succeeds when the command exits with status 0. */
  exec?: JobHealthchecksReadinessProbeTypeExec;
  /** Succeeds when the gRPC health check says so. */
  grpc?: JobHealthchecksReadinessProbeTypeGrpc;
}

/** Succeeds when the port accepts a connection. */
export interface JobHealthchecksReadinessProbeTypeTcp {
  /** Port to probe. */
  port?: number;
  /** Host to connect to. */
  host?: string;
}

/** Succeeds when a GET answers with success. */
export interface JobHealthchecksReadinessProbeTypeHttp {
  /** Path to get. Default: `"/"`. */
  path?: string;
  /** `HTTP` or `HTTPS`. Default: `"HTTP"`. */
  scheme?: string;
  /** Port to probe. */
  port?: number;
}

/** Succeeds when the command exits with status 0. */
export interface JobHealthchecksReadinessProbeTypeExec {
  /** The executable, then its arguments. */
  command: string[];
}

/** Succeeds when the gRPC health check says so. */
export interface JobHealthchecksReadinessProbeTypeGrpc {
  /** Service to ask for. */
  service?: string;
  /** Port to probe. */
  port?: number;
}

/** Tells whether it has to be restarted. */
export interface JobHealthchecksLivenessProbe {
  /** How to probe: one of `tcp`, `http`, `exec`, `grpc`. */
  type?: JobHealthchecksLivenessProbeType;
  /** Seconds before the first probe. Default: `30`. */
  initialDelaySeconds?: number;
  /** Seconds between probes. Default: `10`. */
  periodSeconds?: number;
  /** Seconds until a probe counts as failed. Default: `5`. */
  timeoutSeconds?: number;
  /** Successes in a row that make it healthy. Default: `1`. */
  successThreshold?: number;
  /** Failures in a row that make it unhealthy. Default: `9`. */
  failureThreshold?: number;
}

/** How to probe: one of `tcp`, `http`, `exec`, `grpc`. */
export interface JobHealthchecksLivenessProbeType {
  /** Succeeds when the port accepts a connection. */
  tcp?: JobHealthchecksLivenessProbeTypeTcp;
  /** Succeeds when a GET answers with success. */
  http?: JobHealthchecksLivenessProbeTypeHttp;
  /** Succeeds when the command exits with status 0. */
  exec?: JobHealthchecksLivenessProbeTypeExec;
  /** Succeeds when the gRPC health check says so. */
  grpc?: JobHealthchecksLivenessProbeTypeGrpc;
}

/** Succeeds when the port accepts a connection. */
export interface JobHealthchecksLivenessProbeTypeTcp {
  /** Port to probe. */
  port?: number;
  /** Host to connect to. */
  host?: string;
}

/** Succeeds when a GET answers with success. */
export interface JobHealthchecksLivenessProbeTypeHttp {
  /** Path to get. Default: `"/"`. */
  path?: string;
  /** `HTTP` or `HTTPS`. Default: `"HTTP"`. */
  scheme?: string;
  /** Port to probe. */
  port?: number;
}

/** Succeeds when the command exits with status 0. */
export interface JobHealthchecksLivenessProbeTypeExec {
  /** The executable, then its arguments. */
  command: string[];
}

/** Succeeds when the gRPC health check says so. */
export interface JobHealthchecksLivenessProbeTypeGrpc {
  /** Service to ask for. */
  service?: string;
  /** Port to probe. */
  port?: number;
}

/** An entry of this map: Secrets by their keys; only those that are stated are written, and their values are never shown. */
export interface JobSecret {
  /** Its value. `KEY: text` is short for `KEY: { value: text }`. */
  value?: string;
  /** infrasync writes the secret again when this changes, and stores it in the description. Default: `""`. */
  version?: string;
  /** Whether it overrides a secret with the same key of a parent. Default: `false`. */
  overrides?: boolean;
}

/** An entry of this map: Variables by their keys; only those that are stated are changed. */
export interface JobVariable {
  /** Its value. `KEY: text` is short for `KEY: { value: text }`. */
  value?: string;
  /** A file to mount; its path is the value of the variable. */
  file?: JobVariableFile;
  /** Key of the variable of which this one is an alias. */
  aliasOf?: string;
  /** A secret of an external secret manager. */
  external?: JobVariableExternal;
  /** Whether it overrides a variable with the same key of a parent. Default: `false`. */
  overrides?: boolean;
  /** What it is for. Default: `""`. */
  description?: string;
  /** Whether other variables are inserted into the text of the file. Default: `false`. */
  interpolate?: boolean;
  /** The resource whose output this is, as `KIND:NAME`, in the same environment. */
  from?: string;
  /** The output of that resource, such as its host or its port. */
  output?: string;
}

/** A file to mount; its path is the value of the variable. */
export interface JobVariableFile {
  /** Where the file is mounted in the container. */
  mountPath: string;
  /** The text of the file. */
  text?: string;
}

/** A secret of an external secret manager. */
export interface JobVariableExternal {
  /** Id of a secret manager access of the cluster. */
  secretManager: string;
  /** Name of the secret in that manager. */
  reference: string;
  /** Where it is mounted as a file. */
  mountPath?: string;
}

/** An element of this list: Which commits deploy it automatically; only those that are stated are written. */
export interface JobDeploymentRestriction {
  /** `MATCH`: only commits that change something there deploy it; `EXCLUDE`: commits that change only something there do not. */
  mode: "MATCH" | "EXCLUDE";
  /** What `value` is: a path in the repository. Default: `"PATH"`. */
  type?: "PATH";
  /** The path, such as `docs/`. */
  value: string;
}

const outputs = {
  names: ["description", "source", "schedule", "cpu", "memory", "gpu", "ephemeralStorageInGib", "cpuArchitecture", "healthchecks", "autoDeploy", "annotationsGroups", "labelsGroups", "iconUri", "maxNbRestart", "maxDurationSeconds", "autoPreview", "port", "deploymentStage", "secrets", "variables", "advancedSettings", "deploymentRestrictions", "name", "environment", "jobType", "serviceType", "maximumCpu", "maximumMemory", "maximumGpu", "createdAt"],
  references: ["source.image.registry", "source.docker.gitRepository.gitToken", "annotationsGroups", "labelsGroups"],
};

/** A job runs on a schedule (a cron job) or when its environment starts, stops or is deleted (a lifecycle job). */
export class Job extends ApiResource {
  /** What the resource is for. Default: `""`. */
  declare readonly description: pulumi.Output<string>;
  /** What it runs: `image` or `docker`. */
  declare readonly source: pulumi.Output<JobSource>;
  /** When it runs: `cronjob`, or any of `onStart`, `onStop`, `onDelete`. */
  declare readonly schedule: pulumi.Output<JobSchedule>;
  /** CPU in millicores: 1000 is one CPU. Default: `500`. */
  declare readonly cpu: pulumi.Output<number>;
  /** Memory in MB. Default: `512`. */
  declare readonly memory: pulumi.Output<number>;
  /** Number of GPUs. Default: `0`. */
  declare readonly gpu: pulumi.Output<number>;
  /** Ephemeral storage in GiB; the platform's default when left out. */
  declare readonly ephemeralStorageInGib: pulumi.Output<number | undefined>;
  /** CPU architecture; the cluster's default when left out. */
  declare readonly cpuArchitecture: pulumi.Output<"AMD64" | "ARM64" | undefined>;
  /** Health checks. Default: `{}`. */
  declare readonly healthchecks: pulumi.Output<JobHealthchecks>;
  /** Whether a new commit or image tag deploys it automatically. */
  declare readonly autoDeploy: pulumi.Output<boolean | undefined>;
  /** Annotation groups of the organization, by name or id. Default: `[]`. */
  declare readonly annotationsGroups: pulumi.Output<Reference[]>;
  /** Label groups of the organization, by name or id. Default: `[]`. */
  declare readonly labelsGroups: pulumi.Output<Reference[]>;
  /** Icon, as a URI. */
  declare readonly iconUri: pulumi.Output<string | undefined>;
  /** Restarts before a run counts as failed. Default: `0`. */
  declare readonly maxNbRestart: pulumi.Output<number>;
  /** Seconds after which a run is killed and counts as failed. */
  declare readonly maxDurationSeconds: pulumi.Output<number | undefined>;
  /** Whether a preview environment is cloned automatically; the environment's value when left out. */
  declare readonly autoPreview: pulumi.Output<boolean | undefined>;
  /** Port for probes; it is never published. */
  declare readonly port: pulumi.Output<number | undefined>;
  /** The deployment stage that it belongs to: one of its environment, by name. */
  declare readonly deploymentStage: pulumi.Output<string | undefined>;
  /** Secrets by their keys; only those that are stated are written, and their values are never shown. Default: `{}`. */
  declare readonly secrets: pulumi.Output<Record<string, JobSecret>>;
  /** Variables by their keys; only those that are stated are changed. Default: `{}`. */
  declare readonly variables: pulumi.Output<Record<string, JobVariable>>;
  /** Advanced settings by their names, such as `build.timeout_max_sec`; only those that are stated are changed. Default: `{}`. */
  declare readonly advancedSettings: pulumi.Output<Record<string, unknown>>;
  /** Which commits deploy it automatically; only those that are stated are written. Default: `[]`. */
  declare readonly deploymentRestrictions: pulumi.Output<JobDeploymentRestriction[]>;
  /** Name. Names that differ only by case are the same. */
  declare readonly name: pulumi.Output<string>;
  /** Id of its Environment. A change replaces the resource. */
  declare readonly environment: pulumi.Output<string>;
  /** `CRON` or `LIFECYCLE`. */
  declare readonly jobType: pulumi.Output<string>;
  /** Type of the service. */
  declare readonly serviceType: pulumi.Output<string>;
  /** Maximum CPU, in millicores. */
  declare readonly maximumCpu: pulumi.Output<number>;
  /** Maximum memory, in MB. */
  declare readonly maximumMemory: pulumi.Output<number>;
  /** Maximum number of GPUs. */
  declare readonly maximumGpu: pulumi.Output<number>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * A job runs on a schedule (a cron job) or when its environment starts, stops or is deleted (a lifecycle job).
   *
   * @param name name of the resource in the program; that of the Job itself is among the inputs
   * @param args its inputs
   * @param options as of every Pulumi resource
   */
  constructor(name: string, args: JobArgs, options?: pulumi.CustomResourceOptions) {
    super("Job", name, args, outputs, options);
  }
}
