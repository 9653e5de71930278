// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
import type { Reference } from "../reference.ts";
import { ApiResource } from "../dynamic/resource.ts";

/** Inputs of an Application. */
export interface ApplicationArgs {
  /** Id of its Environment. A change replaces the resource. */
  environment: pulumi.Input<string>;
  /** Name. Names that differ only by case are the same. */
  name: pulumi.Input<string>;
  /** Id of the Application to clone when it is created; the other inputs override fields of the clone. A later change has no effect. */
  cloneFrom?: pulumi.Input<string>;
  /** Whether a creation adopts an existing Application of that name instead of failing. */
  adopt?: pulumi.Input<boolean>;
  /** Id of an existing Application that a creation adopts. */
  adoptId?: pulumi.Input<string>;
  /** What the resource is for. Default: `""`. */
  description?: pulumi.Input<string>;
  /** A git repository. */
  gitRepository?: pulumi.Input<ApplicationGitRepositoryArgs>;
  /** How it is built. Default: `"DOCKER"`. */
  buildMode?: pulumi.Input<"DOCKER">;
  /** Path of the Dockerfile in the repository. */
  dockerfilePath?: pulumi.Input<string>;
  /** Target build stage of the Dockerfile. */
  dockerTargetBuildStage?: pulumi.Input<string>;
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
  healthchecks?: pulumi.Input<ApplicationHealthchecksArgs>;
  /** Whether a new commit or image tag deploys it automatically. */
  autoDeploy?: pulumi.Input<boolean>;
  /** Annotation groups of the organization, by name or id. Default: `[]`. */
  annotationsGroups?: pulumi.Input<pulumi.Input<string>[]>;
  /** Label groups of the organization, by name or id. Default: `[]`. */
  labelsGroups?: pulumi.Input<pulumi.Input<string>[]>;
  /** Icon, as a URI. */
  iconUri?: pulumi.Input<string>;
  /** Instances that always run. Default: `1`. */
  minRunningInstances?: pulumi.Input<number>;
  /** Instances that run at most; -1: no limit. Default: `1`. */
  maxRunningInstances?: pulumi.Input<number>;
  /** Whether a preview environment is cloned automatically; the environment's value when left out. */
  autoPreview?: pulumi.Input<boolean>;
  /** Ports, each identified by its `internalPort` and `protocol`. Default: `[]`. */
  ports?: pulumi.Input<pulumi.Input<ApplicationPortArgs>[]>;
  /** Persistent storage, each identified by its `mountPoint`. Default: `[]`. */
  storage?: pulumi.Input<pulumi.Input<ApplicationStorageArgs>[]>;
  /** Arguments of the container's command. Default: `[]`. */
  arguments?: pulumi.Input<pulumi.Input<string>[]>;
  /** Entrypoint of the container. */
  entrypoint?: pulumi.Input<string>;
  /** Autoscaling by KEDA. */
  autoscaling?: pulumi.Input<ApplicationAutoscalingArgs>;
  /** The deployment stage that it belongs to: one of its environment, by name. */
  deploymentStage?: pulumi.Input<string>;
  /** Secrets by their keys; only those that are stated are written, and their values are never shown. Default: `{}`. */
  secrets?: pulumi.Input<Record<string, pulumi.Input<string | ApplicationSecretArgs>>>;
  /** Variables by their keys; only those that are stated are changed. Default: `{}`. */
  variables?: pulumi.Input<Record<string, pulumi.Input<string | ApplicationVariableArgs>>>;
  /** Custom domains by their names; only those that are stated are changed. Default: `{}`. */
  customDomains?: pulumi.Input<Record<string, pulumi.Input<ApplicationCustomDomainArgs>>>;
  /** Advanced settings by their names, such as `build.timeout_max_sec`; only those that are stated are changed. Default: `{}`. */
  advancedSettings?: pulumi.Input<Record<string, pulumi.Input<unknown>>>;
  /** Which commits deploy it automatically; only those that are stated are written. Default: `[]`. */
  deploymentRestrictions?: pulumi.Input<pulumi.Input<ApplicationDeploymentRestrictionArgs>[]>;
  /** Network settings of the service; those of its ingress are among the advanced settings. Default: `{}`. */
  network?: pulumi.Input<ApplicationNetworkArgs>;
}

/** A git repository. */
export interface ApplicationGitRepositoryArgs {
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

/** Health checks. */
export interface ApplicationHealthchecksArgs {
  /** Tells whether it can take traffic. */
  readinessProbe?: pulumi.Input<ApplicationHealthchecksReadinessProbeArgs>;
  /** Tells whether it has to be restarted. */
  livenessProbe?: pulumi.Input<ApplicationHealthchecksLivenessProbeArgs>;
}

/** Tells whether it can take traffic. */
export interface ApplicationHealthchecksReadinessProbeArgs {
  /** How to probe: one of `tcp`, `http`, `exec`, `grpc`. */
  type?: pulumi.Input<ApplicationHealthchecksReadinessProbeTypeArgs>;
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
export interface ApplicationHealthchecksReadinessProbeTypeArgs {
  /** Succeeds when the port accepts a connection. */
  tcp?: pulumi.Input<ApplicationHealthchecksReadinessProbeTypeTcpArgs>;
  /** Succeeds when a GET answers with success. */
  http?: pulumi.Input<ApplicationHealthchecksReadinessProbeTypeHttpArgs>;
  /** Succeeds when the command exits with status 0. */
  exec?: pulumi.Input<ApplicationHealthchecksReadinessProbeTypeExecArgs>;
  /** Succeeds when the gRPC health check says so. */
  grpc?: pulumi.Input<ApplicationHealthchecksReadinessProbeTypeGrpcArgs>;
}

/** Succeeds when the port accepts a connection. */
export interface ApplicationHealthchecksReadinessProbeTypeTcpArgs {
  /** Port to probe. */
  port?: pulumi.Input<number>;
  /** Host to connect to. */
  host?: pulumi.Input<string>;
}

/** Succeeds when a GET answers with success. */
export interface ApplicationHealthchecksReadinessProbeTypeHttpArgs {
  /** Path to get. Default: `"/"`. */
  path?: pulumi.Input<string>;
  /** `HTTP` or `HTTPS`. Default: `"HTTP"`. */
  scheme?: pulumi.Input<string>;
  /** Port to probe. */
  port?: pulumi.Input<number>;
}

/** Succeeds when the command exits with status 0. */
export interface ApplicationHealthchecksReadinessProbeTypeExecArgs {
  /** The executable, then its arguments. */
  command?: pulumi.Input<pulumi.Input<string>[]>;
}

/** Succeeds when the gRPC health check says so. */
export interface ApplicationHealthchecksReadinessProbeTypeGrpcArgs {
  /** Service to ask for. */
  service?: pulumi.Input<string>;
  /** Port to probe. */
  port?: pulumi.Input<number>;
}

/** Tells whether it has to be restarted. */
export interface ApplicationHealthchecksLivenessProbeArgs {
  /** How to probe: one of `tcp`, `http`, `exec`, `grpc`. */
  type?: pulumi.Input<ApplicationHealthchecksLivenessProbeTypeArgs>;
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
export interface ApplicationHealthchecksLivenessProbeTypeArgs {
  /** Succeeds when the port accepts a connection. */
  tcp?: pulumi.Input<ApplicationHealthchecksLivenessProbeTypeTcpArgs>;
  /** Succeeds when a GET answers with success. */
  http?: pulumi.Input<ApplicationHealthchecksLivenessProbeTypeHttpArgs>;
  /** Succeeds when the command exits with status 0. */
  exec?: pulumi.Input<ApplicationHealthchecksLivenessProbeTypeExecArgs>;
  /** Succeeds when the gRPC health check says so. */
  grpc?: pulumi.Input<ApplicationHealthchecksLivenessProbeTypeGrpcArgs>;
}

/** Succeeds when the port accepts a connection. */
export interface ApplicationHealthchecksLivenessProbeTypeTcpArgs {
  /** Port to probe. */
  port?: pulumi.Input<number>;
  /** Host to connect to. */
  host?: pulumi.Input<string>;
}

/** Succeeds when a GET answers with success. */
export interface ApplicationHealthchecksLivenessProbeTypeHttpArgs {
  /** Path to get. Default: `"/"`. */
  path?: pulumi.Input<string>;
  /** `HTTP` or `HTTPS`. Default: `"HTTP"`. */
  scheme?: pulumi.Input<string>;
  /** Port to probe. */
  port?: pulumi.Input<number>;
}

/** Succeeds when the command exits with status 0. */
export interface ApplicationHealthchecksLivenessProbeTypeExecArgs {
  /** The executable, then its arguments. */
  command?: pulumi.Input<pulumi.Input<string>[]>;
}

/** Succeeds when the gRPC health check says so. */
export interface ApplicationHealthchecksLivenessProbeTypeGrpcArgs {
  /** Service to ask for. */
  service?: pulumi.Input<string>;
  /** Port to probe. */
  port?: pulumi.Input<number>;
}

/** An element of this list: Ports, each identified by its `internalPort` and `protocol`. */
export interface ApplicationPortArgs {
  /** Port that the container listens on. */
  internalPort: pulumi.Input<number>;
  /** Port that it is reached at from outside. */
  externalPort?: pulumi.Input<number>;
  /** Protocol. Default: `"HTTP"`. */
  protocol?: pulumi.Input<"HTTP" | "GRPC" | "TCP" | "UDP">;
  /** Whether it can be reached from outside. */
  publiclyAccessible?: pulumi.Input<boolean>;
  /** Name of the port. */
  name?: pulumi.Input<string>;
  /** Whether it is the port of the default domain. */
  isDefault?: pulumi.Input<boolean>;
  /** Path under which it is published. */
  publicPath?: pulumi.Input<string>;
  /** What the public path is rewritten to. */
  publicPathRewrite?: pulumi.Input<string>;
}

/** An element of this list: Persistent storage, each identified by its `mountPoint`. */
export interface ApplicationStorageArgs {
  /** Path at which it is mounted. */
  mountPoint: pulumi.Input<string>;
  /** Size in GiB. */
  size?: pulumi.Input<number>;
  /** Kind of disk. */
  type?: pulumi.Input<"FAST_SSD">;
}

/** Autoscaling by KEDA. */
export interface ApplicationAutoscalingArgs {
  /** Autoscaler. */
  mode?: pulumi.Input<"KEDA">;
  /** Seconds between checks of the scalers. */
  pollingIntervalSeconds?: pulumi.Input<number>;
  /** Seconds before scaling down. */
  cooldownPeriodSeconds?: pulumi.Input<number>;
  /** Scalers. */
  scalers?: pulumi.Input<pulumi.Input<ApplicationAutoscalingScalerArgs>[]>;
}

/** An element of this list: Scalers. */
export interface ApplicationAutoscalingScalerArgs {
  /** Type of the KEDA scaler, such as `cpu`. */
  scalerType: pulumi.Input<string>;
  /** Role of the scaler. */
  role: pulumi.Input<"PRIMARY" | "SAFETY">;
  /** Whether it is in use. Default: `true`. */
  enabled?: pulumi.Input<boolean>;
  /** Configuration of the scaler, as an object. */
  configJson?: pulumi.Input<Record<string, unknown>>;
  /** Configuration of the scaler, as YAML. */
  configYaml?: pulumi.Input<string>;
  /** How the scaler authenticates. */
  triggerAuthentication?: pulumi.Input<ApplicationAutoscalingScalerTriggerAuthenticationArgs>;
}

/** How the scaler authenticates. */
export interface ApplicationAutoscalingScalerTriggerAuthenticationArgs {
  /** Name of the trigger authentication. */
  name: pulumi.Input<string>;
  /** Its configuration, as YAML. */
  configYaml?: pulumi.Input<string>;
}

/** An entry of this map: Secrets by their keys; only those that are stated are written, and their values are never shown. */
export interface ApplicationSecretArgs {
  /** Its value. `KEY: text` is short for `KEY: { value: text }`. */
  value?: pulumi.Input<string>;
  /** infrasync writes the secret again when this changes, and stores it in the description. Default: `""`. */
  version?: pulumi.Input<string>;
  /** Whether it overrides a secret with the same key of a parent. Default: `false`. */
  overrides?: pulumi.Input<boolean>;
}

/** An entry of this map: Variables by their keys; only those that are stated are changed. */
export interface ApplicationVariableArgs {
  /** Its value. `KEY: text` is short for `KEY: { value: text }`. */
  value?: pulumi.Input<string>;
  /** A file to mount; its path is the value of the variable. */
  file?: pulumi.Input<ApplicationVariableFileArgs>;
  /** Key of the variable of which this one is an alias. */
  aliasOf?: pulumi.Input<string>;
  /** A secret of an external secret manager. */
  external?: pulumi.Input<ApplicationVariableExternalArgs>;
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
export interface ApplicationVariableFileArgs {
  /** Where the file is mounted in the container. */
  mountPath: pulumi.Input<string>;
  /** The text of the file. */
  text?: pulumi.Input<string>;
}

/** A secret of an external secret manager. */
export interface ApplicationVariableExternalArgs {
  /** Id of a secret manager access of the cluster. */
  secretManager: pulumi.Input<string>;
  /** Name of the secret in that manager. */
  reference: pulumi.Input<string>;
  /** Where it is mounted as a file. */
  mountPath?: pulumi.Input<string>;
}

/** An entry of this map: Custom domains by their names; only those that are stated are changed. */
export interface ApplicationCustomDomainArgs {
  /** Whether the platform obtains a certificate for the domain. Default: `true`. */
  generateCertificate?: pulumi.Input<boolean>;
  /** Whether the domain is behind a CDN, so that it does not resolve to the cluster. Default: `false`. */
  useCdn?: pulumi.Input<boolean>;
}

/** An element of this list: Which commits deploy it automatically; only those that are stated are written. */
export interface ApplicationDeploymentRestrictionArgs {
  /** `MATCH`: only commits that change something there deploy it; `EXCLUDE`: commits that change only something there do not. */
  mode: pulumi.Input<"MATCH" | "EXCLUDE">;
  /** What `value` is: a path in the repository. Default: `"PATH"`. */
  type?: pulumi.Input<"PATH">;
  /** The path, such as `docs/`. */
  value: pulumi.Input<string>;
}

/** Network settings of the service; those of its ingress are among the advanced settings. */
export interface ApplicationNetworkArgs {
  /** Whether requests of one client always go to the same instance. Default: `false`. */
  stickySession?: pulumi.Input<boolean>;
}

/** A git repository. */
export interface ApplicationGitRepository {
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

/** Health checks. */
export interface ApplicationHealthchecks {
  /** Tells whether it can take traffic. */
  readinessProbe?: ApplicationHealthchecksReadinessProbe;
  /** Tells whether it has to be restarted. */
  livenessProbe?: ApplicationHealthchecksLivenessProbe;
}

/** Tells whether it can take traffic. */
export interface ApplicationHealthchecksReadinessProbe {
  /** How to probe: one of `tcp`, `http`, `exec`, `grpc`. */
  type?: ApplicationHealthchecksReadinessProbeType;
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
export interface ApplicationHealthchecksReadinessProbeType {
  /** Succeeds when the port accepts a connection. */
  tcp?: ApplicationHealthchecksReadinessProbeTypeTcp;
  /** Succeeds when a GET answers with success. */
  http?: ApplicationHealthchecksReadinessProbeTypeHttp;
  /** Succeeds when the command exits with status 0. */
  exec?: ApplicationHealthchecksReadinessProbeTypeExec;
  /** Succeeds when the gRPC health check says so. */
  grpc?: ApplicationHealthchecksReadinessProbeTypeGrpc;
}

/** Succeeds when the port accepts a connection. */
export interface ApplicationHealthchecksReadinessProbeTypeTcp {
  /** Port to probe. */
  port?: number;
  /** Host to connect to. */
  host?: string;
}

/** Succeeds when a GET answers with success. */
export interface ApplicationHealthchecksReadinessProbeTypeHttp {
  /** Path to get. Default: `"/"`. */
  path?: string;
  /** `HTTP` or `HTTPS`. Default: `"HTTP"`. */
  scheme?: string;
  /** Port to probe. */
  port?: number;
}

/** Succeeds when the command exits with status 0. */
export interface ApplicationHealthchecksReadinessProbeTypeExec {
  /** The executable, then its arguments. */
  command: string[];
}

/** Succeeds when the gRPC health check says so. */
export interface ApplicationHealthchecksReadinessProbeTypeGrpc {
  /** Service to ask for. */
  service?: string;
  /** Port to probe. */
  port?: number;
}

/** Tells whether it has to be restarted. */
export interface ApplicationHealthchecksLivenessProbe {
  /** How to probe: one of `tcp`, `http`, `exec`, `grpc`. */
  type?: ApplicationHealthchecksLivenessProbeType;
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
export interface ApplicationHealthchecksLivenessProbeType {
  /** Succeeds when the port accepts a connection. */
  tcp?: ApplicationHealthchecksLivenessProbeTypeTcp;
  /** Succeeds when a GET answers with success. */
  http?: ApplicationHealthchecksLivenessProbeTypeHttp;
  /** Succeeds when the command exits with status 0. */
  exec?: ApplicationHealthchecksLivenessProbeTypeExec;
  /** Succeeds when the gRPC health check says so. */
  grpc?: ApplicationHealthchecksLivenessProbeTypeGrpc;
}

/** Succeeds when the port accepts a connection. */
export interface ApplicationHealthchecksLivenessProbeTypeTcp {
  /** Port to probe. */
  port?: number;
  /** Host to connect to. */
  host?: string;
}

/** Succeeds when a GET answers with success. */
export interface ApplicationHealthchecksLivenessProbeTypeHttp {
  /** Path to get. Default: `"/"`. */
  path?: string;
  /** `HTTP` or `HTTPS`. Default: `"HTTP"`. */
  scheme?: string;
  /** Port to probe. */
  port?: number;
}

/** Succeeds when the command exits with status 0. */
export interface ApplicationHealthchecksLivenessProbeTypeExec {
  /** The executable, then its arguments. */
  command: string[];
}

/** Succeeds when the gRPC health check says so. */
export interface ApplicationHealthchecksLivenessProbeTypeGrpc {
  /** Service to ask for. */
  service?: string;
  /** Port to probe. */
  port?: number;
}

/** An element of this list: Ports, each identified by its `internalPort` and `protocol`. */
export interface ApplicationPort {
  /** Port that the container listens on. */
  internalPort: number;
  /** Port that it is reached at from outside. */
  externalPort?: number;
  /** Protocol. Default: `"HTTP"`. */
  protocol?: "HTTP" | "GRPC" | "TCP" | "UDP";
  /** Whether it can be reached from outside. */
  publiclyAccessible: boolean;
  /** Name of the port. */
  name?: string;
  /** Whether it is the port of the default domain. */
  isDefault?: boolean;
  /** Path under which it is published. */
  publicPath?: string;
  /** What the public path is rewritten to. */
  publicPathRewrite?: string;
}

/** An element of this list: Persistent storage, each identified by its `mountPoint`. */
export interface ApplicationStorage {
  /** Path at which it is mounted. */
  mountPoint: string;
  /** Size in GiB. */
  size: number;
  /** Kind of disk. */
  type: "FAST_SSD";
}

/** Autoscaling by KEDA. */
export interface ApplicationAutoscaling {
  /** Autoscaler. */
  mode: "KEDA";
  /** Seconds between checks of the scalers. */
  pollingIntervalSeconds?: number;
  /** Seconds before scaling down. */
  cooldownPeriodSeconds?: number;
  /** Scalers. */
  scalers: ApplicationAutoscalingScaler[];
}

/** An element of this list: Scalers. */
export interface ApplicationAutoscalingScaler {
  /** Type of the KEDA scaler, such as `cpu`. */
  scalerType: string;
  /** Role of the scaler. */
  role: "PRIMARY" | "SAFETY";
  /** Whether it is in use. Default: `true`. */
  enabled?: boolean;
  /** Configuration of the scaler, as an object. */
  configJson?: Record<string, unknown>;
  /** Configuration of the scaler, as YAML. */
  configYaml?: string;
  /** How the scaler authenticates. */
  triggerAuthentication?: ApplicationAutoscalingScalerTriggerAuthentication;
}

/** How the scaler authenticates. */
export interface ApplicationAutoscalingScalerTriggerAuthentication {
  /** Name of the trigger authentication. */
  name: string;
  /** Its configuration, as YAML. */
  configYaml?: string;
}

/** An entry of this map: Secrets by their keys; only those that are stated are written, and their values are never shown. */
export interface ApplicationSecret {
  /** Its value. `KEY: text` is short for `KEY: { value: text }`. */
  value?: string;
  /** infrasync writes the secret again when this changes, and stores it in the description. Default: `""`. */
  version?: string;
  /** Whether it overrides a secret with the same key of a parent. Default: `false`. */
  overrides?: boolean;
}

/** An entry of this map: Variables by their keys; only those that are stated are changed. */
export interface ApplicationVariable {
  /** Its value. `KEY: text` is short for `KEY: { value: text }`. */
  value?: string;
  /** A file to mount; its path is the value of the variable. */
  file?: ApplicationVariableFile;
  /** Key of the variable of which this one is an alias. */
  aliasOf?: string;
  /** A secret of an external secret manager. */
  external?: ApplicationVariableExternal;
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
export interface ApplicationVariableFile {
  /** Where the file is mounted in the container. */
  mountPath: string;
  /** The text of the file. */
  text?: string;
}

/** A secret of an external secret manager. */
export interface ApplicationVariableExternal {
  /** Id of a secret manager access of the cluster. */
  secretManager: string;
  /** Name of the secret in that manager. */
  reference: string;
  /** Where it is mounted as a file. */
  mountPath?: string;
}

/** An entry of this map: Custom domains by their names; only those that are stated are changed. */
export interface ApplicationCustomDomain {
  /** Whether the platform obtains a certificate for the domain. Default: `true`. */
  generateCertificate?: boolean;
  /** Whether the domain is behind a CDN, so that it does not resolve to the cluster. Default: `false`. */
  useCdn?: boolean;
}

/** An element of this list: Which commits deploy it automatically; only those that are stated are written. */
export interface ApplicationDeploymentRestriction {
  /** `MATCH`: only commits that change something there deploy it; `EXCLUDE`: commits that change only something there do not. */
  mode: "MATCH" | "EXCLUDE";
  /** What `value` is: a path in the repository. Default: `"PATH"`. */
  type?: "PATH";
  /** The path, such as `docs/`. */
  value: string;
}

/** Network settings of the service; those of its ingress are among the advanced settings. */
export interface ApplicationNetwork {
  /** Whether requests of one client always go to the same instance. Default: `false`. */
  stickySession?: boolean;
}

/** An entry of this map: Whether the platform has validated each custom domain, and to which name its DNS record has to lead. */
export interface ApplicationCustomDomainValidation {
  /** State of the validation, as the API has it: `VALIDATION_PENDING`. */
  status?: string;
  /** The name to which a DNS record of the domain has to lead. */
  validationDomain?: string;
}

const outputs = {
  names: ["description", "gitRepository", "buildMode", "dockerfilePath", "dockerTargetBuildStage", "cpu", "memory", "gpu", "ephemeralStorageInGib", "cpuArchitecture", "healthchecks", "autoDeploy", "annotationsGroups", "labelsGroups", "iconUri", "minRunningInstances", "maxRunningInstances", "autoPreview", "ports", "storage", "arguments", "entrypoint", "autoscaling", "deploymentStage", "secrets", "variables", "customDomains", "advancedSettings", "deploymentRestrictions", "network", "name", "environment", "serviceType", "maximumCpu", "maximumMemory", "customDomainValidation", "createdAt"],
  references: ["gitRepository.gitToken", "annotationsGroups", "labelsGroups"],
};

/** An application is built from a git repository and kept running. */
export class Application extends ApiResource {
  /** What the resource is for. Default: `""`. */
  declare readonly description: pulumi.Output<string>;
  /** A git repository. */
  declare readonly gitRepository: pulumi.Output<ApplicationGitRepository>;
  /** How it is built. Default: `"DOCKER"`. */
  declare readonly buildMode: pulumi.Output<"DOCKER">;
  /** Path of the Dockerfile in the repository. */
  declare readonly dockerfilePath: pulumi.Output<string | undefined>;
  /** Target build stage of the Dockerfile. */
  declare readonly dockerTargetBuildStage: pulumi.Output<string | undefined>;
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
  declare readonly healthchecks: pulumi.Output<ApplicationHealthchecks>;
  /** Whether a new commit or image tag deploys it automatically. */
  declare readonly autoDeploy: pulumi.Output<boolean | undefined>;
  /** Annotation groups of the organization, by name or id. Default: `[]`. */
  declare readonly annotationsGroups: pulumi.Output<Reference[]>;
  /** Label groups of the organization, by name or id. Default: `[]`. */
  declare readonly labelsGroups: pulumi.Output<Reference[]>;
  /** Icon, as a URI. */
  declare readonly iconUri: pulumi.Output<string | undefined>;
  /** Instances that always run. Default: `1`. */
  declare readonly minRunningInstances: pulumi.Output<number>;
  /** Instances that run at most; -1: no limit. Default: `1`. */
  declare readonly maxRunningInstances: pulumi.Output<number>;
  /** Whether a preview environment is cloned automatically; the environment's value when left out. */
  declare readonly autoPreview: pulumi.Output<boolean | undefined>;
  /** Ports, each identified by its `internalPort` and `protocol`. Default: `[]`. */
  declare readonly ports: pulumi.Output<ApplicationPort[]>;
  /** Persistent storage, each identified by its `mountPoint`. Default: `[]`. */
  declare readonly storage: pulumi.Output<ApplicationStorage[]>;
  /** Arguments of the container's command. Default: `[]`. */
  declare readonly arguments: pulumi.Output<string[]>;
  /** Entrypoint of the container. */
  declare readonly entrypoint: pulumi.Output<string | undefined>;
  /** Autoscaling by KEDA. */
  declare readonly autoscaling: pulumi.Output<ApplicationAutoscaling | undefined>;
  /** The deployment stage that it belongs to: one of its environment, by name. */
  declare readonly deploymentStage: pulumi.Output<string | undefined>;
  /** Secrets by their keys; only those that are stated are written, and their values are never shown. Default: `{}`. */
  declare readonly secrets: pulumi.Output<Record<string, ApplicationSecret>>;
  /** Variables by their keys; only those that are stated are changed. Default: `{}`. */
  declare readonly variables: pulumi.Output<Record<string, ApplicationVariable>>;
  /** Custom domains by their names; only those that are stated are changed. Default: `{}`. */
  declare readonly customDomains: pulumi.Output<Record<string, ApplicationCustomDomain>>;
  /** Advanced settings by their names, such as `build.timeout_max_sec`; only those that are stated are changed. Default: `{}`. */
  declare readonly advancedSettings: pulumi.Output<Record<string, unknown>>;
  /** Which commits deploy it automatically; only those that are stated are written. Default: `[]`. */
  declare readonly deploymentRestrictions: pulumi.Output<ApplicationDeploymentRestriction[]>;
  /** Network settings of the service; those of its ingress are among the advanced settings. Default: `{}`. */
  declare readonly network: pulumi.Output<ApplicationNetwork>;
  /** Name. Names that differ only by case are the same. */
  declare readonly name: pulumi.Output<string>;
  /** Id of its Environment. A change replaces the resource. */
  declare readonly environment: pulumi.Output<string>;
  /** Type of the service. */
  declare readonly serviceType: pulumi.Output<string>;
  /** Maximum CPU, in millicores. */
  declare readonly maximumCpu: pulumi.Output<number>;
  /** Maximum memory, in MB. */
  declare readonly maximumMemory: pulumi.Output<number>;
  /** Whether the platform has validated each custom domain, and to which name its DNS record has to lead. */
  declare readonly customDomainValidation: pulumi.Output<Record<string, ApplicationCustomDomainValidation>>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * An application is built from a git repository and kept running.
   *
   * @param name name of the resource in the program; that of the Application itself is among the inputs
   * @param args its inputs
   * @param options as of every Pulumi resource
   */
  constructor(name: string, args: ApplicationArgs, options?: pulumi.CustomResourceOptions) {
    super("Application", name, args, outputs, options);
  }
}
