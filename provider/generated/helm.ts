// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
import type { Reference } from "../reference.ts";
import { ApiResource } from "../dynamic/resource.ts";

/** Inputs of a Helm. */
export interface HelmArgs {
  /** Id of its Environment. A change replaces the resource. */
  environment: pulumi.Input<string>;
  /** Name. Names that differ only by case are the same. */
  name: pulumi.Input<string>;
  /** Id of the Helm to clone when it is created; the other inputs override fields of the clone. A later change has no effect. */
  cloneFrom?: pulumi.Input<string>;
  /** Whether a creation adopts an existing Helm of that name instead of failing. */
  adopt?: pulumi.Input<boolean>;
  /** Id of an existing Helm that a creation adopts. */
  adoptId?: pulumi.Input<string>;
  /** What the resource is for. Default: `""`. */
  description?: pulumi.Input<string>;
  /** Where the chart is: `gitRepository` or `helmRepository`. */
  source?: pulumi.Input<HelmSourceArgs>;
  /** Values that override those of the chart. Default: `{}`. */
  valuesOverride?: pulumi.Input<HelmValuesOverrideArgs>;
  /** Arguments of the `helm` command. Default: `[]`. */
  arguments?: pulumi.Input<pulumi.Input<string>[]>;
  /** Ports of services of the chart that are published, each identified by its `internalPort`, its `protocol` and its service. Default: `[]`. */
  ports?: pulumi.Input<pulumi.Input<HelmPortArgs>[]>;
  /** Seconds until an installation counts as failed. Default: `600`. */
  timeoutSec?: pulumi.Input<number>;
  /** Whether the chart may create resources of the whole cluster. Default: `false`. */
  allowClusterWideResources?: pulumi.Input<boolean>;
  /** Whether a preview environment is cloned automatically; the environment's value when left out. */
  autoPreview?: pulumi.Input<boolean>;
  /** Whether a new commit deploys it automatically. Default: `false`. */
  autoDeploy?: pulumi.Input<boolean>;
  /** Icon, as a URI. */
  iconUri?: pulumi.Input<string>;
  /** Id of the blueprint that it is created from. */
  blueprintId?: pulumi.Input<string>;
  /** The deployment stage that it belongs to: one of its environment, by name. */
  deploymentStage?: pulumi.Input<string>;
  /** Secrets by their keys; only those that are stated are written, and their values are never shown. Default: `{}`. */
  secrets?: pulumi.Input<Record<string, pulumi.Input<string | HelmSecretArgs>>>;
  /** Variables by their keys; only those that are stated are changed. Default: `{}`. */
  variables?: pulumi.Input<Record<string, pulumi.Input<string | HelmVariableArgs>>>;
  /** Custom domains by their names; only those that are stated are changed. Default: `{}`. */
  customDomains?: pulumi.Input<Record<string, pulumi.Input<HelmCustomDomainArgs>>>;
  /** Advanced settings by their names, such as `build.timeout_max_sec`; only those that are stated are changed. Default: `{}`. */
  advancedSettings?: pulumi.Input<Record<string, pulumi.Input<unknown>>>;
  /** Which commits deploy it automatically; only those that are stated are written. Default: `[]`. */
  deploymentRestrictions?: pulumi.Input<pulumi.Input<HelmDeploymentRestrictionArgs>[]>;
}

/** Where the chart is: `gitRepository` or `helmRepository`. */
export interface HelmSourceArgs {
  /** A git repository. */
  gitRepository?: pulumi.Input<HelmSourceGitRepositoryArgs>;
  /** A chart of a Helm repository. */
  helmRepository?: pulumi.Input<HelmSourceHelmRepositoryArgs>;
}

/** A git repository. */
export interface HelmSourceGitRepositoryArgs {
  /** URL of the repository. */
  url?: pulumi.Input<string>;
  /** Branch to build. */
  branch?: pulumi.Input<string>;
  /** Folder to build in. Default: `"/"`. */
  rootPath?: pulumi.Input<string>;
  /** Git token that gives access to the repository, by name or id. */
  gitToken?: pulumi.Input<string>;
}

/** A chart of a Helm repository. */
export interface HelmSourceHelmRepositoryArgs {
  /** Helm repository of the organization, by name or id. */
  repository?: pulumi.Input<string>;
  /** Name of the chart. */
  chartName?: pulumi.Input<string>;
  /** Version of the chart. */
  chartVersion?: pulumi.Input<string>;
}

/** Values that override those of the chart. */
export interface HelmValuesOverrideArgs {
  /** Values, like those of `helm --set`, each as `[KEY, VALUE]`. Default: `[]`. */
  set?: pulumi.Input<pulumi.Input<pulumi.Input<string>[]>[]>;
  /** Values that stay texts, like those of `helm --set-string`, each as `[KEY, VALUE]`. Default: `[]`. */
  setString?: pulumi.Input<pulumi.Input<pulumi.Input<string>[]>[]>;
  /** Values in JSON, like those of `helm --set-json`, each as `[KEY, VALUE]`. Default: `[]`. */
  setJson?: pulumi.Input<pulumi.Input<pulumi.Input<string>[]>[]>;
  /** Values files. */
  file?: pulumi.Input<HelmValuesOverrideFileArgs>;
}

/** Values files. */
export interface HelmValuesOverrideFileArgs {
  /** Values files in a git repository. */
  git?: pulumi.Input<HelmValuesOverrideFileGitArgs>;
  /** Values files whose text stands here. */
  raw?: pulumi.Input<HelmValuesOverrideFileRawArgs>;
}

/** Values files in a git repository. */
export interface HelmValuesOverrideFileGitArgs {
  /** A git repository. */
  gitRepository?: pulumi.Input<HelmValuesOverrideFileGitGitRepositoryArgs>;
  /** Paths of the files in it. */
  paths?: pulumi.Input<pulumi.Input<string>[]>;
}

/** A git repository. */
export interface HelmValuesOverrideFileGitGitRepositoryArgs {
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

/** Values files whose text stands here. */
export interface HelmValuesOverrideFileRawArgs {
  /** Files, each identified by its `name`. Default: `[]`. */
  values?: pulumi.Input<pulumi.Input<HelmValuesOverrideFileRawValueArgs>[]>;
}

/** An element of this list: Files, each identified by its `name`. */
export interface HelmValuesOverrideFileRawValueArgs {
  /** Name of the file. */
  name: pulumi.Input<string>;
  /** Its text. */
  content?: pulumi.Input<string>;
}

/** An element of this list: Ports of services of the chart that are published, each identified by its `internalPort`, its `protocol` and its service. */
export interface HelmPortArgs {
  /** Port that the container listens on. */
  internalPort: pulumi.Input<number>;
  /** Port that it is reached at from outside. */
  externalPort?: pulumi.Input<number>;
  /** Protocol. Default: `"HTTP"`. */
  protocol?: pulumi.Input<"HTTP" | "GRPC">;
  /** Name of the Kubernetes service that listens on it. */
  serviceName?: pulumi.Input<string>;
  /** Labels that choose the Kubernetes service that listens on it. Default: `[]`. */
  serviceSelectors?: pulumi.Input<pulumi.Input<HelmPortServiceSelectorArgs>[]>;
  /** Namespace of that service. */
  namespace?: pulumi.Input<string>;
  /** Name of the port. */
  name?: pulumi.Input<string>;
  /** Whether it is the port of the default domain. */
  isDefault?: pulumi.Input<boolean>;
}

/** An element of this list: Labels that choose the Kubernetes service that listens on it. */
export interface HelmPortServiceSelectorArgs {
  /** Key of the label. */
  key: pulumi.Input<string>;
  /** Its value. */
  value: pulumi.Input<string>;
}

/** An entry of this map: Secrets by their keys; only those that are stated are written, and their values are never shown. */
export interface HelmSecretArgs {
  /** Its value. `KEY: text` is short for `KEY: { value: text }`. */
  value?: pulumi.Input<string>;
  /** infrasync writes the secret again when this changes, and stores it in the description. Default: `""`. */
  version?: pulumi.Input<string>;
  /** Whether it overrides a secret with the same key of a parent. Default: `false`. */
  overrides?: pulumi.Input<boolean>;
}

/** An entry of this map: Variables by their keys; only those that are stated are changed. */
export interface HelmVariableArgs {
  /** Its value. `KEY: text` is short for `KEY: { value: text }`. */
  value?: pulumi.Input<string>;
  /** A file to mount; its path is the value of the variable. */
  file?: pulumi.Input<HelmVariableFileArgs>;
  /** Key of the variable of which this one is an alias. */
  aliasOf?: pulumi.Input<string>;
  /** A secret of an external secret manager. */
  external?: pulumi.Input<HelmVariableExternalArgs>;
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
export interface HelmVariableFileArgs {
  /** Where the file is mounted in the container. */
  mountPath: pulumi.Input<string>;
  /** The text of the file. */
  text?: pulumi.Input<string>;
}

/** A secret of an external secret manager. */
export interface HelmVariableExternalArgs {
  /** Id of a secret manager access of the cluster. */
  secretManager: pulumi.Input<string>;
  /** Name of the secret in that manager. */
  reference: pulumi.Input<string>;
  /** Where it is mounted as a file. */
  mountPath?: pulumi.Input<string>;
}

/** An entry of this map: Custom domains by their names; only those that are stated are changed. */
export interface HelmCustomDomainArgs {
  /** Whether the platform obtains a certificate for the domain. Default: `true`. */
  generateCertificate?: pulumi.Input<boolean>;
  /** Whether the domain is behind a CDN, so that it does not resolve to the cluster. Default: `false`. */
  useCdn?: pulumi.Input<boolean>;
}

/** An element of this list: Which commits deploy it automatically; only those that are stated are written. */
export interface HelmDeploymentRestrictionArgs {
  /** `MATCH`: only commits that change something there deploy it; `EXCLUDE`: commits that change only something there do not. */
  mode: pulumi.Input<"MATCH" | "EXCLUDE">;
  /** What `value` is: a path in the repository. Default: `"PATH"`. */
  type?: pulumi.Input<"PATH">;
  /** The path, such as `docs/`. */
  value: pulumi.Input<string>;
}

/** Where the chart is: `gitRepository` or `helmRepository`. */
export interface HelmSource {
  /** A git repository. */
  gitRepository?: HelmSourceGitRepository;
  /** A chart of a Helm repository. */
  helmRepository?: HelmSourceHelmRepository;
}

/** A git repository. */
export interface HelmSourceGitRepository {
  /** URL of the repository. */
  url: string;
  /** Branch to build. */
  branch?: string;
  /** Folder to build in. Default: `"/"`. */
  rootPath?: string;
  /** Git token that gives access to the repository, by name or id. */
  gitToken?: Reference;
}

/** A chart of a Helm repository. */
export interface HelmSourceHelmRepository {
  /** Helm repository of the organization, by name or id. */
  repository: Reference;
  /** Name of the chart. */
  chartName: string;
  /** Version of the chart. */
  chartVersion: string;
}

/** Values that override those of the chart. */
export interface HelmValuesOverride {
  /** Values, like those of `helm --set`, each as `[KEY, VALUE]`. Default: `[]`. */
  set?: string[][];
  /** Values that stay texts, like those of `helm --set-string`, each as `[KEY, VALUE]`. Default: `[]`. */
  setString?: string[][];
  /** Values in JSON, like those of `helm --set-json`, each as `[KEY, VALUE]`. Default: `[]`. */
  setJson?: string[][];
  /** Values files. */
  file?: HelmValuesOverrideFile;
}

/** Values files. */
export interface HelmValuesOverrideFile {
  /** Values files in a git repository. */
  git?: HelmValuesOverrideFileGit;
  /** Values files whose text stands here. */
  raw?: HelmValuesOverrideFileRaw;
}

/** Values files in a git repository. */
export interface HelmValuesOverrideFileGit {
  /** A git repository. */
  gitRepository: HelmValuesOverrideFileGitGitRepository;
  /** Paths of the files in it. */
  paths: string[];
}

/** A git repository. */
export interface HelmValuesOverrideFileGitGitRepository {
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

/** Values files whose text stands here. */
export interface HelmValuesOverrideFileRaw {
  /** Files, each identified by its `name`. Default: `[]`. */
  values?: HelmValuesOverrideFileRawValue[];
}

/** An element of this list: Files, each identified by its `name`. */
export interface HelmValuesOverrideFileRawValue {
  /** Name of the file. */
  name: string;
  /** Its text. */
  content: string;
}

/** An element of this list: Ports of services of the chart that are published, each identified by its `internalPort`, its `protocol` and its service. */
export interface HelmPort {
  /** Port that the container listens on. */
  internalPort: number;
  /** Port that it is reached at from outside. */
  externalPort?: number;
  /** Protocol. Default: `"HTTP"`. */
  protocol?: "HTTP" | "GRPC";
  /** Name of the Kubernetes service that listens on it. */
  serviceName?: string;
  /** Labels that choose the Kubernetes service that listens on it. Default: `[]`. */
  serviceSelectors?: HelmPortServiceSelector[];
  /** Namespace of that service. */
  namespace?: string;
  /** Name of the port. */
  name?: string;
  /** Whether it is the port of the default domain. */
  isDefault?: boolean;
}

/** An element of this list: Labels that choose the Kubernetes service that listens on it. */
export interface HelmPortServiceSelector {
  /** Key of the label. */
  key: string;
  /** Its value. */
  value: string;
}

/** An entry of this map: Secrets by their keys; only those that are stated are written, and their values are never shown. */
export interface HelmSecret {
  /** Its value. `KEY: text` is short for `KEY: { value: text }`. */
  value?: string;
  /** infrasync writes the secret again when this changes, and stores it in the description. Default: `""`. */
  version?: string;
  /** Whether it overrides a secret with the same key of a parent. Default: `false`. */
  overrides?: boolean;
}

/** An entry of this map: Variables by their keys; only those that are stated are changed. */
export interface HelmVariable {
  /** Its value. `KEY: text` is short for `KEY: { value: text }`. */
  value?: string;
  /** A file to mount; its path is the value of the variable. */
  file?: HelmVariableFile;
  /** Key of the variable of which this one is an alias. */
  aliasOf?: string;
  /** A secret of an external secret manager. */
  external?: HelmVariableExternal;
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
export interface HelmVariableFile {
  /** Where the file is mounted in the container. */
  mountPath: string;
  /** The text of the file. */
  text?: string;
}

/** A secret of an external secret manager. */
export interface HelmVariableExternal {
  /** Id of a secret manager access of the cluster. */
  secretManager: string;
  /** Name of the secret in that manager. */
  reference: string;
  /** Where it is mounted as a file. */
  mountPath?: string;
}

/** An entry of this map: Custom domains by their names; only those that are stated are changed. */
export interface HelmCustomDomain {
  /** Whether the platform obtains a certificate for the domain. Default: `true`. */
  generateCertificate?: boolean;
  /** Whether the domain is behind a CDN, so that it does not resolve to the cluster. Default: `false`. */
  useCdn?: boolean;
}

/** An element of this list: Which commits deploy it automatically; only those that are stated are written. */
export interface HelmDeploymentRestriction {
  /** `MATCH`: only commits that change something there deploy it; `EXCLUDE`: commits that change only something there do not. */
  mode: "MATCH" | "EXCLUDE";
  /** What `value` is: a path in the repository. Default: `"PATH"`. */
  type?: "PATH";
  /** The path, such as `docs/`. */
  value: string;
}

/** An entry of this map: Whether the platform has validated each custom domain, and to which name its DNS record has to lead. */
export interface HelmCustomDomainValidation {
  /** State of the validation, as the API has it: `VALIDATION_PENDING`. */
  status?: string;
  /** The name to which a DNS record of the domain has to lead. */
  validationDomain?: string;
}

const outputs = {
  names: ["description", "source", "valuesOverride", "arguments", "ports", "timeoutSec", "allowClusterWideResources", "autoPreview", "autoDeploy", "iconUri", "blueprintId", "deploymentStage", "secrets", "variables", "customDomains", "advancedSettings", "deploymentRestrictions", "name", "environment", "serviceType", "customDomainValidation", "createdAt"],
  references: ["source.gitRepository.gitToken", "source.helmRepository.repository", "valuesOverride.file.git.gitRepository.gitToken"],
};

/** A Helm service installs a chart of a Helm repository or of a git repository. */
export class Helm extends ApiResource {
  /** What the resource is for. Default: `""`. */
  declare readonly description: pulumi.Output<string>;
  /** Where the chart is: `gitRepository` or `helmRepository`. */
  declare readonly source: pulumi.Output<HelmSource>;
  /** Values that override those of the chart. Default: `{}`. */
  declare readonly valuesOverride: pulumi.Output<HelmValuesOverride>;
  /** Arguments of the `helm` command. Default: `[]`. */
  declare readonly arguments: pulumi.Output<string[]>;
  /** Ports of services of the chart that are published, each identified by its `internalPort`, its `protocol` and its service. Default: `[]`. */
  declare readonly ports: pulumi.Output<HelmPort[]>;
  /** Seconds until an installation counts as failed. Default: `600`. */
  declare readonly timeoutSec: pulumi.Output<number>;
  /** Whether the chart may create resources of the whole cluster. Default: `false`. */
  declare readonly allowClusterWideResources: pulumi.Output<boolean>;
  /** Whether a preview environment is cloned automatically; the environment's value when left out. */
  declare readonly autoPreview: pulumi.Output<boolean | undefined>;
  /** Whether a new commit deploys it automatically. Default: `false`. */
  declare readonly autoDeploy: pulumi.Output<boolean>;
  /** Icon, as a URI. */
  declare readonly iconUri: pulumi.Output<string | undefined>;
  /** Id of the blueprint that it is created from. */
  declare readonly blueprintId: pulumi.Output<string | undefined>;
  /** The deployment stage that it belongs to: one of its environment, by name. */
  declare readonly deploymentStage: pulumi.Output<string | undefined>;
  /** Secrets by their keys; only those that are stated are written, and their values are never shown. Default: `{}`. */
  declare readonly secrets: pulumi.Output<Record<string, HelmSecret>>;
  /** Variables by their keys; only those that are stated are changed. Default: `{}`. */
  declare readonly variables: pulumi.Output<Record<string, HelmVariable>>;
  /** Custom domains by their names; only those that are stated are changed. Default: `{}`. */
  declare readonly customDomains: pulumi.Output<Record<string, HelmCustomDomain>>;
  /** Advanced settings by their names, such as `build.timeout_max_sec`; only those that are stated are changed. Default: `{}`. */
  declare readonly advancedSettings: pulumi.Output<Record<string, unknown>>;
  /** Which commits deploy it automatically; only those that are stated are written. Default: `[]`. */
  declare readonly deploymentRestrictions: pulumi.Output<HelmDeploymentRestriction[]>;
  /** Name. Names that differ only by case are the same. */
  declare readonly name: pulumi.Output<string>;
  /** Id of its Environment. A change replaces the resource. */
  declare readonly environment: pulumi.Output<string>;
  /** Type of the service. */
  declare readonly serviceType: pulumi.Output<string>;
  /** Whether the platform has validated each custom domain, and to which name its DNS record has to lead. */
  declare readonly customDomainValidation: pulumi.Output<Record<string, HelmCustomDomainValidation>>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * A Helm service installs a chart of a Helm repository or of a git repository.
   *
   * @param name name of the resource in the program; that of the Helm itself is among the inputs
   * @param args its inputs
   * @param options as of every Pulumi resource
   */
  constructor(name: string, args: HelmArgs, options?: pulumi.CustomResourceOptions) {
    super("Helm", name, args, outputs, options);
  }
}
