// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
import type { Reference } from "../reference.ts";
import { ApiResource } from "../dynamic/resource.ts";

/** Inputs of a Helm. */
export interface HelmArgs {
  /** Id of the Environment that holds it. A change replaces the resource. */
  environment: pulumi.Input<string>;
  /** Name. Names that differ only by case are the same. */
  name: pulumi.Input<string>;
  /** Id of the Helm to clone when it is created; the other inputs are laid over the clone. A later change does nothing. */
  cloneFrom?: pulumi.Input<string>;
  /** When it is created: take over the Helm of that name, if there is one, instead of failing on it. */
  adopt?: pulumi.Input<boolean>;
  /** When it is created: take over the Helm of that id. */
  adoptId?: pulumi.Input<string>;
  /** What the resource is for. Default: `""`. */
  description?: pulumi.Input<string>;
  /** Where the chart is: `gitRepository` or `helmRepository`. */
  source?: pulumi.Input<HelmSourceArgs>;
  /** Values that override those of the chart. Default: `{}`. */
  valuesOverride?: pulumi.Input<HelmValuesOverrideArgs>;
  /** Arguments of the `helm` command. Default: `[]`. */
  arguments?: pulumi.Input<pulumi.Input<string>[]>;
  /** Ports of services of the chart that are published, each known by its `internalPort`, its `protocol` and its service. Default: `[]`. */
  ports?: pulumi.Input<pulumi.Input<HelmPortArgs>[]>;
  /** Seconds until an installation counts as failed. Default: `600`. */
  timeoutSec?: pulumi.Input<number>;
  /** Whether the chart may create resources of the whole cluster. Default: `false`. */
  allowClusterWideResources?: pulumi.Input<boolean>;
  /** Whether a preview environment is cloned automatically; the environment's value when left out. */
  autoPreview?: pulumi.Input<boolean>;
  /** Whether it is deployed by itself on a new commit. Default: `false`. */
  autoDeploy?: pulumi.Input<boolean>;
  /** Icon, as a URI. */
  iconUri?: pulumi.Input<string>;
  /** Blueprint that it is made from, by id. */
  blueprintId?: pulumi.Input<string>;
  /** The deployment stage that it belongs to: one of its environment, by name. */
  deploymentStage?: pulumi.Input<string>;
  /** Secrets by their keys; only those that are stated are written, and their values are never shown. Default: `{}`. */
  secrets?: pulumi.Input<Record<string, pulumi.Input<string | HelmSecretArgs>>>;
  /** Variables by their keys; only those that are stated are changed. Default: `{}`. */
  variables?: pulumi.Input<Record<string, pulumi.Input<string | HelmVariableArgs>>>;
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
  /** Values, as of `helm --set`, each as `[KEY, VALUE]`. Default: `[]`. */
  set?: pulumi.Input<pulumi.Input<pulumi.Input<string>[]>[]>;
  /** Values that stay texts, as of `helm --set-string`, each as `[KEY, VALUE]`. Default: `[]`. */
  setString?: pulumi.Input<pulumi.Input<pulumi.Input<string>[]>[]>;
  /** Values in JSON, as of `helm --set-json`, each as `[KEY, VALUE]`. Default: `[]`. */
  setJson?: pulumi.Input<pulumi.Input<pulumi.Input<string>[]>[]>;
  /** Files of values. */
  file?: pulumi.Input<HelmValuesOverrideFileArgs>;
}

/** Files of values. */
export interface HelmValuesOverrideFileArgs {
  /** Files of values in a git repository. */
  git?: pulumi.Input<HelmValuesOverrideFileGitArgs>;
  /** Files of values as they are. */
  raw?: pulumi.Input<HelmValuesOverrideFileRawArgs>;
}

/** Files of values in a git repository. */
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

/** Files of values as they are. */
export interface HelmValuesOverrideFileRawArgs {
  /** Files, each known by its `name`. Default: `[]`. */
  values?: pulumi.Input<pulumi.Input<HelmValuesOverrideFileRawValueArgs>[]>;
}

export interface HelmValuesOverrideFileRawValueArgs {
  /** Name of the file. */
  name: pulumi.Input<string>;
  /** Its text. */
  content?: pulumi.Input<string>;
}

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

export interface HelmPortServiceSelectorArgs {
  /** Key of the label. */
  key: pulumi.Input<string>;
  /** Its value. */
  value: pulumi.Input<string>;
}

export interface HelmSecretArgs {
  /** Its value. A text in place of the object stands for this member alone. */
  value?: pulumi.Input<string>;
  /** It is written again when this changes. Kept in its description. Default: `""`. */
  version?: pulumi.Input<string>;
}

export interface HelmVariableArgs {
  /** Its value. A text in place of the mapping stands for this member alone. */
  value?: pulumi.Input<string>;
  /** A file that is mounted, and whose path is the value. */
  file?: pulumi.Input<HelmVariableFileArgs>;
  /** Key of another variable that it is another name for. */
  aliasOf?: pulumi.Input<string>;
  /** A secret of an external secret manager. */
  external?: pulumi.Input<HelmVariableExternalArgs>;
  /** Whether it overrides the variable of the same key of a scope above. Default: `false`. */
  overrides?: pulumi.Input<boolean>;
  /** What it is for. Default: `""`. */
  description?: pulumi.Input<string>;
  /** Whether other variables are inserted into the text of the file. Default: `false`. */
  interpolate?: pulumi.Input<boolean>;
}

/** A file that is mounted, and whose path is the value. */
export interface HelmVariableFileArgs {
  /** Where the file is mounted in the container. */
  mountPath: pulumi.Input<string>;
  /** The text of the file. */
  text?: pulumi.Input<string>;
}

/** A secret of an external secret manager. */
export interface HelmVariableExternalArgs {
  /** Id of the access to a secret manager, of those of the cluster. */
  secretManager: pulumi.Input<string>;
  /** Name of the secret in that manager. */
  reference: pulumi.Input<string>;
  /** Where it is mounted as a file. */
  mountPath?: pulumi.Input<string>;
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
  /** Values, as of `helm --set`, each as `[KEY, VALUE]`. Default: `[]`. */
  set?: string[][];
  /** Values that stay texts, as of `helm --set-string`, each as `[KEY, VALUE]`. Default: `[]`. */
  setString?: string[][];
  /** Values in JSON, as of `helm --set-json`, each as `[KEY, VALUE]`. Default: `[]`. */
  setJson?: string[][];
  /** Files of values. */
  file?: HelmValuesOverrideFile;
}

/** Files of values. */
export interface HelmValuesOverrideFile {
  /** Files of values in a git repository. */
  git?: HelmValuesOverrideFileGit;
  /** Files of values as they are. */
  raw?: HelmValuesOverrideFileRaw;
}

/** Files of values in a git repository. */
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

/** Files of values as they are. */
export interface HelmValuesOverrideFileRaw {
  /** Files, each known by its `name`. Default: `[]`. */
  values?: HelmValuesOverrideFileRawValue[];
}

export interface HelmValuesOverrideFileRawValue {
  /** Name of the file. */
  name: string;
  /** Its text. */
  content: string;
}

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

export interface HelmPortServiceSelector {
  /** Key of the label. */
  key: string;
  /** Its value. */
  value: string;
}

export interface HelmSecret {
  /** Its value. A text in place of the object stands for this member alone. */
  value?: string;
  /** It is written again when this changes. Kept in its description. Default: `""`. */
  version?: string;
}

export interface HelmVariable {
  /** Its value. A text in place of the mapping stands for this member alone. */
  value?: string;
  /** A file that is mounted, and whose path is the value. */
  file?: HelmVariableFile;
  /** Key of another variable that it is another name for. */
  aliasOf?: string;
  /** A secret of an external secret manager. */
  external?: HelmVariableExternal;
  /** Whether it overrides the variable of the same key of a scope above. Default: `false`. */
  overrides?: boolean;
  /** What it is for. Default: `""`. */
  description?: string;
  /** Whether other variables are inserted into the text of the file. Default: `false`. */
  interpolate?: boolean;
}

/** A file that is mounted, and whose path is the value. */
export interface HelmVariableFile {
  /** Where the file is mounted in the container. */
  mountPath: string;
  /** The text of the file. */
  text?: string;
}

/** A secret of an external secret manager. */
export interface HelmVariableExternal {
  /** Id of the access to a secret manager, of those of the cluster. */
  secretManager: string;
  /** Name of the secret in that manager. */
  reference: string;
  /** Where it is mounted as a file. */
  mountPath?: string;
}

const outputs = {
  names: ["description", "source", "valuesOverride", "arguments", "ports", "timeoutSec", "allowClusterWideResources", "autoPreview", "autoDeploy", "iconUri", "blueprintId", "deploymentStage", "secrets", "variables", "name", "environment", "serviceType", "createdAt"],
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
  /** Ports of services of the chart that are published, each known by its `internalPort`, its `protocol` and its service. Default: `[]`. */
  declare readonly ports: pulumi.Output<HelmPort[]>;
  /** Seconds until an installation counts as failed. Default: `600`. */
  declare readonly timeoutSec: pulumi.Output<number>;
  /** Whether the chart may create resources of the whole cluster. Default: `false`. */
  declare readonly allowClusterWideResources: pulumi.Output<boolean>;
  /** Whether a preview environment is cloned automatically; the environment's value when left out. */
  declare readonly autoPreview: pulumi.Output<boolean | undefined>;
  /** Whether it is deployed by itself on a new commit. Default: `false`. */
  declare readonly autoDeploy: pulumi.Output<boolean>;
  /** Icon, as a URI. */
  declare readonly iconUri: pulumi.Output<string | undefined>;
  /** Blueprint that it is made from, by id. */
  declare readonly blueprintId: pulumi.Output<string | undefined>;
  /** The deployment stage that it belongs to: one of its environment, by name. */
  declare readonly deploymentStage: pulumi.Output<string | undefined>;
  /** Secrets by their keys; only those that are stated are written, and their values are never shown. Default: `{}`. */
  declare readonly secrets: pulumi.Output<Record<string, HelmSecret>>;
  /** Variables by their keys; only those that are stated are changed. Default: `{}`. */
  declare readonly variables: pulumi.Output<Record<string, HelmVariable>>;
  /** Name. Names that differ only by case are the same. */
  declare readonly name: pulumi.Output<string>;
  /** Id of the Environment that holds it. A change replaces the resource. */
  declare readonly environment: pulumi.Output<string>;
  /** Type of the service. */
  declare readonly serviceType: pulumi.Output<string>;
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
