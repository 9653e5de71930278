// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
import type { Reference } from "../reference.ts";
import { ApiResource } from "../dynamic/resource.ts";

/** Inputs of a Container. */
export interface ContainerArgs {
  /** Id of its Environment. A change replaces the resource. */
  environment: pulumi.Input<string>;
  /** Name. Names that differ only by case are the same. */
  name: pulumi.Input<string>;
  /** Id of the Container to clone when it is created; the other inputs override fields of the clone. A later change has no effect. */
  cloneFrom?: pulumi.Input<string>;
  /** Whether a creation adopts an existing Container of that name instead of failing. */
  adopt?: pulumi.Input<boolean>;
  /** Id of an existing Container that a creation adopts. */
  adoptId?: pulumi.Input<string>;
  /** What the resource is for. Default: `""`. */
  description?: pulumi.Input<string>;
  /** Image name; its form depends on the registry: `repository` (ECR), `namespace/image` (Scaleway), `image` or `repository/image` (Docker Hub), `registry_alias/repository` (public ECR). */
  imageName?: pulumi.Input<string>;
  /** Image tag. */
  tag?: pulumi.Input<string>;
  /** Container registry, by name or id. */
  registry?: pulumi.Input<string>;
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
  healthchecks?: pulumi.Input<ContainerHealthchecksArgs>;
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
  ports?: pulumi.Input<pulumi.Input<ContainerPortArgs>[]>;
  /** Persistent storage, each identified by its `mountPoint`. Default: `[]`. */
  storage?: pulumi.Input<pulumi.Input<ContainerStorageArgs>[]>;
  /** Arguments of the container's command. Default: `[]`. */
  arguments?: pulumi.Input<pulumi.Input<string>[]>;
  /** Entrypoint of the container. */
  entrypoint?: pulumi.Input<string>;
  /** Autoscaling by KEDA. */
  autoscaling?: pulumi.Input<ContainerAutoscalingArgs>;
  /** The deployment stage that it belongs to: one of its environment, by name. */
  deploymentStage?: pulumi.Input<string>;
  /** Secrets by their keys; only those that are stated are written, and their values are never shown. Default: `{}`. */
  secrets?: pulumi.Input<Record<string, pulumi.Input<string | ContainerSecretArgs>>>;
  /** Variables by their keys; only those that are stated are changed. Default: `{}`. */
  variables?: pulumi.Input<Record<string, pulumi.Input<string | ContainerVariableArgs>>>;
  /** Custom domains by their names; only those that are stated are changed. Default: `{}`. */
  customDomains?: pulumi.Input<Record<string, pulumi.Input<ContainerCustomDomainArgs>>>;
  /** Advanced settings by their names, such as `build.timeout_max_sec`; only those that are stated are changed. Default: `{}`. */
  advancedSettings?: pulumi.Input<Record<string, pulumi.Input<unknown>>>;
  /** Network settings of the service; those of its ingress are among the advanced settings. Default: `{}`. */
  network?: pulumi.Input<ContainerNetworkArgs>;
}

/** Health checks. */
export interface ContainerHealthchecksArgs {
  /** Tells whether it can take traffic. */
  readinessProbe?: pulumi.Input<ContainerHealthchecksReadinessProbeArgs>;
  /** Tells whether it has to be restarted. */
  livenessProbe?: pulumi.Input<ContainerHealthchecksLivenessProbeArgs>;
}

/** Tells whether it can take traffic. */
export interface ContainerHealthchecksReadinessProbeArgs {
  /** How to probe: one of `tcp`, `http`, `exec`, `grpc`. */
  type?: pulumi.Input<ContainerHealthchecksReadinessProbeTypeArgs>;
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
export interface ContainerHealthchecksReadinessProbeTypeArgs {
  /** Succeeds when the port accepts a connection. */
  tcp?: pulumi.Input<ContainerHealthchecksReadinessProbeTypeTcpArgs>;
  /** Succeeds when a GET answers with success. */
  http?: pulumi.Input<ContainerHealthchecksReadinessProbeTypeHttpArgs>;
  /** Succeeds when the command exits with status 0. */
  exec?: pulumi.Input<ContainerHealthchecksReadinessProbeTypeExecArgs>;
  /** Succeeds when the gRPC health check says so. */
  grpc?: pulumi.Input<ContainerHealthchecksReadinessProbeTypeGrpcArgs>;
}

/** Succeeds when the port accepts a connection. */
export interface ContainerHealthchecksReadinessProbeTypeTcpArgs {
  /** Port to probe. */
  port?: pulumi.Input<number>;
  /** Host to connect to. */
  host?: pulumi.Input<string>;
}

/** Succeeds when a GET answers with success. */
export interface ContainerHealthchecksReadinessProbeTypeHttpArgs {
  /** Path to get. Default: `"/"`. */
  path?: pulumi.Input<string>;
  /** `HTTP` or `HTTPS`. Default: `"HTTP"`. */
  scheme?: pulumi.Input<string>;
  /** Port to probe. */
  port?: pulumi.Input<number>;
}

/** Succeeds when the command exits with status 0. */
export interface ContainerHealthchecksReadinessProbeTypeExecArgs {
  /** The executable, then its arguments. */
  command?: pulumi.Input<pulumi.Input<string>[]>;
}

/** Succeeds when the gRPC health check says so. */
export interface ContainerHealthchecksReadinessProbeTypeGrpcArgs {
  /** Service to ask for. */
  service?: pulumi.Input<string>;
  /** Port to probe. */
  port?: pulumi.Input<number>;
}

/** Tells whether it has to be restarted. */
export interface ContainerHealthchecksLivenessProbeArgs {
  /** How to probe: one of `tcp`, `http`, `exec`, `grpc`. */
  type?: pulumi.Input<ContainerHealthchecksLivenessProbeTypeArgs>;
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
export interface ContainerHealthchecksLivenessProbeTypeArgs {
  /** Succeeds when the port accepts a connection. */
  tcp?: pulumi.Input<ContainerHealthchecksLivenessProbeTypeTcpArgs>;
  /** Succeeds when a GET answers with success. */
  http?: pulumi.Input<ContainerHealthchecksLivenessProbeTypeHttpArgs>;
  /** Succeeds when the command exits with status 0. */
  exec?: pulumi.Input<ContainerHealthchecksLivenessProbeTypeExecArgs>;
  /** Succeeds when the gRPC health check says so. */
  grpc?: pulumi.Input<ContainerHealthchecksLivenessProbeTypeGrpcArgs>;
}

/** Succeeds when the port accepts a connection. */
export interface ContainerHealthchecksLivenessProbeTypeTcpArgs {
  /** Port to probe. */
  port?: pulumi.Input<number>;
  /** Host to connect to. */
  host?: pulumi.Input<string>;
}

/** Succeeds when a GET answers with success. */
export interface ContainerHealthchecksLivenessProbeTypeHttpArgs {
  /** Path to get. Default: `"/"`. */
  path?: pulumi.Input<string>;
  /** `HTTP` or `HTTPS`. Default: `"HTTP"`. */
  scheme?: pulumi.Input<string>;
  /** Port to probe. */
  port?: pulumi.Input<number>;
}

/** Succeeds when the command exits with status 0. */
export interface ContainerHealthchecksLivenessProbeTypeExecArgs {
  /** The executable, then its arguments. */
  command?: pulumi.Input<pulumi.Input<string>[]>;
}

/** Succeeds when the gRPC health check says so. */
export interface ContainerHealthchecksLivenessProbeTypeGrpcArgs {
  /** Service to ask for. */
  service?: pulumi.Input<string>;
  /** Port to probe. */
  port?: pulumi.Input<number>;
}

/** An element of this list: Ports, each identified by its `internalPort` and `protocol`. */
export interface ContainerPortArgs {
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
export interface ContainerStorageArgs {
  /** Path at which it is mounted. */
  mountPoint: pulumi.Input<string>;
  /** Size in GiB. */
  size?: pulumi.Input<number>;
  /** Kind of disk. */
  type?: pulumi.Input<"FAST_SSD">;
}

/** Autoscaling by KEDA. */
export interface ContainerAutoscalingArgs {
  /** Autoscaler. */
  mode?: pulumi.Input<"KEDA">;
  /** Seconds between checks of the scalers. */
  pollingIntervalSeconds?: pulumi.Input<number>;
  /** Seconds before scaling down. */
  cooldownPeriodSeconds?: pulumi.Input<number>;
  /** Scalers. */
  scalers?: pulumi.Input<pulumi.Input<ContainerAutoscalingScalerArgs>[]>;
}

/** An element of this list: Scalers. */
export interface ContainerAutoscalingScalerArgs {
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
  triggerAuthentication?: pulumi.Input<ContainerAutoscalingScalerTriggerAuthenticationArgs>;
}

/** How the scaler authenticates. */
export interface ContainerAutoscalingScalerTriggerAuthenticationArgs {
  /** Name of the trigger authentication. */
  name: pulumi.Input<string>;
  /** Its configuration, as YAML. */
  configYaml?: pulumi.Input<string>;
}

/** An entry of this map: Secrets by their keys; only those that are stated are written, and their values are never shown. */
export interface ContainerSecretArgs {
  /** Its value. `KEY: text` is short for `KEY: { value: text }`. */
  value?: pulumi.Input<string>;
  /** infrasync writes the secret again when this changes, and stores it in the description. Default: `""`. */
  version?: pulumi.Input<string>;
  /** Whether it overrides a secret with the same key of a parent. Default: `false`. */
  overrides?: pulumi.Input<boolean>;
}

/** An entry of this map: Variables by their keys; only those that are stated are changed. */
export interface ContainerVariableArgs {
  /** Its value. `KEY: text` is short for `KEY: { value: text }`. */
  value?: pulumi.Input<string>;
  /** A file to mount; its path is the value of the variable. */
  file?: pulumi.Input<ContainerVariableFileArgs>;
  /** Key of the variable of which this one is an alias. */
  aliasOf?: pulumi.Input<string>;
  /** A secret of an external secret manager. */
  external?: pulumi.Input<ContainerVariableExternalArgs>;
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
export interface ContainerVariableFileArgs {
  /** Where the file is mounted in the container. */
  mountPath: pulumi.Input<string>;
  /** The text of the file. */
  text?: pulumi.Input<string>;
}

/** A secret of an external secret manager. */
export interface ContainerVariableExternalArgs {
  /** Id of a secret manager access of the cluster. */
  secretManager: pulumi.Input<string>;
  /** Name of the secret in that manager. */
  reference: pulumi.Input<string>;
  /** Where it is mounted as a file. */
  mountPath?: pulumi.Input<string>;
}

/** An entry of this map: Custom domains by their names; only those that are stated are changed. */
export interface ContainerCustomDomainArgs {
  /** Whether the platform obtains a certificate for the domain. Default: `true`. */
  generateCertificate?: pulumi.Input<boolean>;
  /** Whether the domain is behind a CDN, so that it does not resolve to the cluster. Default: `false`. */
  useCdn?: pulumi.Input<boolean>;
}

/** Network settings of the service; those of its ingress are among the advanced settings. */
export interface ContainerNetworkArgs {
  /** Whether requests of one client always go to the same instance. Default: `false`. */
  stickySession?: pulumi.Input<boolean>;
}

/** Health checks. */
export interface ContainerHealthchecks {
  /** Tells whether it can take traffic. */
  readinessProbe?: ContainerHealthchecksReadinessProbe;
  /** Tells whether it has to be restarted. */
  livenessProbe?: ContainerHealthchecksLivenessProbe;
}

/** Tells whether it can take traffic. */
export interface ContainerHealthchecksReadinessProbe {
  /** How to probe: one of `tcp`, `http`, `exec`, `grpc`. */
  type?: ContainerHealthchecksReadinessProbeType;
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
export interface ContainerHealthchecksReadinessProbeType {
  /** Succeeds when the port accepts a connection. */
  tcp?: ContainerHealthchecksReadinessProbeTypeTcp;
  /** Succeeds when a GET answers with success. */
  http?: ContainerHealthchecksReadinessProbeTypeHttp;
  /** Succeeds when the command exits with status 0. */
  exec?: ContainerHealthchecksReadinessProbeTypeExec;
  /** Succeeds when the gRPC health check says so. */
  grpc?: ContainerHealthchecksReadinessProbeTypeGrpc;
}

/** Succeeds when the port accepts a connection. */
export interface ContainerHealthchecksReadinessProbeTypeTcp {
  /** Port to probe. */
  port?: number;
  /** Host to connect to. */
  host?: string;
}

/** Succeeds when a GET answers with success. */
export interface ContainerHealthchecksReadinessProbeTypeHttp {
  /** Path to get. Default: `"/"`. */
  path?: string;
  /** `HTTP` or `HTTPS`. Default: `"HTTP"`. */
  scheme?: string;
  /** Port to probe. */
  port?: number;
}

/** Succeeds when the command exits with status 0. */
export interface ContainerHealthchecksReadinessProbeTypeExec {
  /** The executable, then its arguments. */
  command: string[];
}

/** Succeeds when the gRPC health check says so. */
export interface ContainerHealthchecksReadinessProbeTypeGrpc {
  /** Service to ask for. */
  service?: string;
  /** Port to probe. */
  port?: number;
}

/** Tells whether it has to be restarted. */
export interface ContainerHealthchecksLivenessProbe {
  /** How to probe: one of `tcp`, `http`, `exec`, `grpc`. */
  type?: ContainerHealthchecksLivenessProbeType;
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
export interface ContainerHealthchecksLivenessProbeType {
  /** Succeeds when the port accepts a connection. */
  tcp?: ContainerHealthchecksLivenessProbeTypeTcp;
  /** Succeeds when a GET answers with success. */
  http?: ContainerHealthchecksLivenessProbeTypeHttp;
  /** Succeeds when the command exits with status 0. */
  exec?: ContainerHealthchecksLivenessProbeTypeExec;
  /** Succeeds when the gRPC health check says so. */
  grpc?: ContainerHealthchecksLivenessProbeTypeGrpc;
}

/** Succeeds when the port accepts a connection. */
export interface ContainerHealthchecksLivenessProbeTypeTcp {
  /** Port to probe. */
  port?: number;
  /** Host to connect to. */
  host?: string;
}

/** Succeeds when a GET answers with success. */
export interface ContainerHealthchecksLivenessProbeTypeHttp {
  /** Path to get. Default: `"/"`. */
  path?: string;
  /** `HTTP` or `HTTPS`. Default: `"HTTP"`. */
  scheme?: string;
  /** Port to probe. */
  port?: number;
}

/** Succeeds when the command exits with status 0. */
export interface ContainerHealthchecksLivenessProbeTypeExec {
  /** The executable, then its arguments. */
  command: string[];
}

/** Succeeds when the gRPC health check says so. */
export interface ContainerHealthchecksLivenessProbeTypeGrpc {
  /** Service to ask for. */
  service?: string;
  /** Port to probe. */
  port?: number;
}

/** An element of this list: Ports, each identified by its `internalPort` and `protocol`. */
export interface ContainerPort {
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
export interface ContainerStorage {
  /** Path at which it is mounted. */
  mountPoint: string;
  /** Size in GiB. */
  size: number;
  /** Kind of disk. */
  type: "FAST_SSD";
}

/** Autoscaling by KEDA. */
export interface ContainerAutoscaling {
  /** Autoscaler. */
  mode: "KEDA";
  /** Seconds between checks of the scalers. */
  pollingIntervalSeconds?: number;
  /** Seconds before scaling down. */
  cooldownPeriodSeconds?: number;
  /** Scalers. */
  scalers: ContainerAutoscalingScaler[];
}

/** An element of this list: Scalers. */
export interface ContainerAutoscalingScaler {
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
  triggerAuthentication?: ContainerAutoscalingScalerTriggerAuthentication;
}

/** How the scaler authenticates. */
export interface ContainerAutoscalingScalerTriggerAuthentication {
  /** Name of the trigger authentication. */
  name: string;
  /** Its configuration, as YAML. */
  configYaml?: string;
}

/** An entry of this map: Secrets by their keys; only those that are stated are written, and their values are never shown. */
export interface ContainerSecret {
  /** Its value. `KEY: text` is short for `KEY: { value: text }`. */
  value?: string;
  /** infrasync writes the secret again when this changes, and stores it in the description. Default: `""`. */
  version?: string;
  /** Whether it overrides a secret with the same key of a parent. Default: `false`. */
  overrides?: boolean;
}

/** An entry of this map: Variables by their keys; only those that are stated are changed. */
export interface ContainerVariable {
  /** Its value. `KEY: text` is short for `KEY: { value: text }`. */
  value?: string;
  /** A file to mount; its path is the value of the variable. */
  file?: ContainerVariableFile;
  /** Key of the variable of which this one is an alias. */
  aliasOf?: string;
  /** A secret of an external secret manager. */
  external?: ContainerVariableExternal;
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
export interface ContainerVariableFile {
  /** Where the file is mounted in the container. */
  mountPath: string;
  /** The text of the file. */
  text?: string;
}

/** A secret of an external secret manager. */
export interface ContainerVariableExternal {
  /** Id of a secret manager access of the cluster. */
  secretManager: string;
  /** Name of the secret in that manager. */
  reference: string;
  /** Where it is mounted as a file. */
  mountPath?: string;
}

/** An entry of this map: Custom domains by their names; only those that are stated are changed. */
export interface ContainerCustomDomain {
  /** Whether the platform obtains a certificate for the domain. Default: `true`. */
  generateCertificate?: boolean;
  /** Whether the domain is behind a CDN, so that it does not resolve to the cluster. Default: `false`. */
  useCdn?: boolean;
}

/** Network settings of the service; those of its ingress are among the advanced settings. */
export interface ContainerNetwork {
  /** Whether requests of one client always go to the same instance. Default: `false`. */
  stickySession?: boolean;
}

/** An entry of this map: Whether the platform has validated each custom domain, and to which name its DNS record has to lead. */
export interface ContainerCustomDomainValidation {
  /** State of the validation, as the API has it: `VALIDATION_PENDING`. */
  status?: string;
  /** The name to which a DNS record of the domain has to lead. */
  validationDomain?: string;
}

const outputs = {
  names: ["description", "imageName", "tag", "registry", "cpu", "memory", "gpu", "ephemeralStorageInGib", "cpuArchitecture", "healthchecks", "autoDeploy", "annotationsGroups", "labelsGroups", "iconUri", "minRunningInstances", "maxRunningInstances", "autoPreview", "ports", "storage", "arguments", "entrypoint", "autoscaling", "deploymentStage", "secrets", "variables", "customDomains", "advancedSettings", "network", "name", "environment", "serviceType", "maximumCpu", "maximumMemory", "maximumGpu", "customDomainValidation", "createdAt"],
  references: ["registry", "annotationsGroups", "labelsGroups"],
};

/** A container runs an image of a registry and is kept running. */
export class Container extends ApiResource {
  /** What the resource is for. Default: `""`. */
  declare readonly description: pulumi.Output<string>;
  /** Image name; its form depends on the registry: `repository` (ECR), `namespace/image` (Scaleway), `image` or `repository/image` (Docker Hub), `registry_alias/repository` (public ECR). */
  declare readonly imageName: pulumi.Output<string>;
  /** Image tag. */
  declare readonly tag: pulumi.Output<string>;
  /** Container registry, by name or id. */
  declare readonly registry: pulumi.Output<Reference>;
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
  declare readonly healthchecks: pulumi.Output<ContainerHealthchecks>;
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
  declare readonly ports: pulumi.Output<ContainerPort[]>;
  /** Persistent storage, each identified by its `mountPoint`. Default: `[]`. */
  declare readonly storage: pulumi.Output<ContainerStorage[]>;
  /** Arguments of the container's command. Default: `[]`. */
  declare readonly arguments: pulumi.Output<string[]>;
  /** Entrypoint of the container. */
  declare readonly entrypoint: pulumi.Output<string | undefined>;
  /** Autoscaling by KEDA. */
  declare readonly autoscaling: pulumi.Output<ContainerAutoscaling | undefined>;
  /** The deployment stage that it belongs to: one of its environment, by name. */
  declare readonly deploymentStage: pulumi.Output<string | undefined>;
  /** Secrets by their keys; only those that are stated are written, and their values are never shown. Default: `{}`. */
  declare readonly secrets: pulumi.Output<Record<string, ContainerSecret>>;
  /** Variables by their keys; only those that are stated are changed. Default: `{}`. */
  declare readonly variables: pulumi.Output<Record<string, ContainerVariable>>;
  /** Custom domains by their names; only those that are stated are changed. Default: `{}`. */
  declare readonly customDomains: pulumi.Output<Record<string, ContainerCustomDomain>>;
  /** Advanced settings by their names, such as `build.timeout_max_sec`; only those that are stated are changed. Default: `{}`. */
  declare readonly advancedSettings: pulumi.Output<Record<string, unknown>>;
  /** Network settings of the service; those of its ingress are among the advanced settings. Default: `{}`. */
  declare readonly network: pulumi.Output<ContainerNetwork>;
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
  /** Maximum number of GPUs. */
  declare readonly maximumGpu: pulumi.Output<number>;
  /** Whether the platform has validated each custom domain, and to which name its DNS record has to lead. */
  declare readonly customDomainValidation: pulumi.Output<Record<string, ContainerCustomDomainValidation>>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * A container runs an image of a registry and is kept running.
   *
   * @param name name of the resource in the program; that of the Container itself is among the inputs
   * @param args its inputs
   * @param options as of every Pulumi resource
   */
  constructor(name: string, args: ContainerArgs, options?: pulumi.CustomResourceOptions) {
    super("Container", name, args, outputs, options);
  }
}
