// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
import type { Reference } from "../reference.ts";
import { ApiResource } from "../dynamic/resource.ts";

/** Inputs of a Terraform. */
export interface TerraformArgs {
  /** Id of its Environment. A change replaces the resource. */
  environment: pulumi.Input<string>;
  /** Name. Names that differ only by case are the same. */
  name: pulumi.Input<string>;
  /** Id of the Terraform to clone when it is created; the other inputs override fields of the clone. A later change has no effect. */
  cloneFrom?: pulumi.Input<string>;
  /** Whether a creation adopts an existing Terraform of that name instead of failing. */
  adopt?: pulumi.Input<boolean>;
  /** Id of an existing Terraform that a creation adopts. */
  adoptId?: pulumi.Input<string>;
  /** What the resource is for. Default: `""`. */
  description?: pulumi.Input<string>;
  /** Where the files are. */
  terraformFilesSource?: pulumi.Input<TerraformTerraformFilesSourceArgs>;
  /** Terraform variables. Default: `{}`. */
  terraformVariablesSource?: pulumi.Input<TerraformTerraformVariablesSourceArgs>;
  /** Where the state is kept: `kubernetes`, `userProvided` or `blueprint`. */
  backend?: pulumi.Input<TerraformBackendArgs>;
  /** The engine that runs the files. */
  engine?: pulumi.Input<"TERRAFORM" | "OPEN_TOFU">;
  /** Version of the engine. */
  providerVersion?: pulumi.Input<TerraformProviderVersionArgs>;
  /** CPU, memory and storage of a Terraform run. */
  jobResources?: pulumi.Input<TerraformJobResourcesArgs>;
  /** What happens on a new commit. Default: `{}`. */
  autoDeployConfig?: pulumi.Input<TerraformAutoDeployConfigArgs>;
  /** Seconds until a run counts as failed. Default: `600`. */
  timeoutSec?: pulumi.Input<number>;
  /** Whether runs have the credentials of the cluster. */
  useClusterCredentials?: pulumi.Input<boolean>;
  /** Arguments added to Terraform commands, by command: `plan: [-parallelism=5]`. Default: `{}`. */
  actionExtraArguments?: pulumi.Input<Record<string, unknown>>;
  /** Lines that are added to the Dockerfile of the engine. */
  dockerfileFragment?: pulumi.Input<TerraformDockerfileFragmentArgs>;
  /** Icon, as a URI. */
  iconUri?: pulumi.Input<string>;
  /** Id of the blueprint that it is created from. */
  blueprintId?: pulumi.Input<string>;
  /** The deployment stage that it belongs to: one of its environment, by name. */
  deploymentStage?: pulumi.Input<string>;
  /** Secrets by their keys; only those that are stated are written, and their values are never shown. Default: `{}`. */
  secrets?: pulumi.Input<Record<string, pulumi.Input<string | TerraformSecretArgs>>>;
  /** Variables by their keys; only those that are stated are changed. Default: `{}`. */
  variables?: pulumi.Input<Record<string, pulumi.Input<string | TerraformVariableArgs>>>;
  /** Advanced settings by their names, such as `build.timeout_max_sec`; only those that are stated are changed. Default: `{}`. */
  advancedSettings?: pulumi.Input<Record<string, pulumi.Input<unknown>>>;
  /** Which commits deploy it automatically; only those that are stated are written. Default: `[]`. */
  deploymentRestrictions?: pulumi.Input<pulumi.Input<TerraformDeploymentRestrictionArgs>[]>;
}

/** Where the files are. */
export interface TerraformTerraformFilesSourceArgs {
  /** A git repository. */
  gitRepository?: pulumi.Input<TerraformTerraformFilesSourceGitRepositoryArgs>;
}

/** A git repository. */
export interface TerraformTerraformFilesSourceGitRepositoryArgs {
  /** URL of the repository. */
  url?: pulumi.Input<string>;
  /** Branch to build. */
  branch?: pulumi.Input<string>;
  /** Folder to build in. Default: `"/"`. */
  rootPath?: pulumi.Input<string>;
  /** Git token that gives access to the repository, by name or id. */
  gitToken?: pulumi.Input<string>;
}

/** Terraform variables. */
export interface TerraformTerraformVariablesSourceArgs {
  /** Paths of `.tfvars` files in the repository. Default: `[]`. */
  tfVarFilePaths?: pulumi.Input<pulumi.Input<string>[]>;
  /** Variables, each identified by its `key`. Default: `[]`. */
  tfVars?: pulumi.Input<pulumi.Input<TerraformTerraformVariablesSourceTfVarArgs>[]>;
}

/** An element of this list: Variables, each identified by its `key`. */
export interface TerraformTerraformVariablesSourceTfVarArgs {
  /** Name of the variable. */
  key: pulumi.Input<string>;
  /** Its value. */
  value?: pulumi.Input<string>;
  /** Whether the API never shows the value again. Default: `false`. */
  secret?: pulumi.Input<boolean>;
}

/** Where the state is kept: `kubernetes`, `userProvided` or `blueprint`. */
export interface TerraformBackendArgs {
  /** The state is kept in the cluster; write `{}`. */
  kubernetes?: pulumi.Input<Record<string, unknown>>;
  /** The Terraform files configure the backend; write `{}`. */
  userProvided?: pulumi.Input<Record<string, unknown>>;
  /** The backend of a blueprint. */
  blueprint?: pulumi.Input<TerraformBackendBlueprintArgs>;
}

/** The backend of a blueprint. */
export interface TerraformBackendBlueprintArgs {
  /** Type of the backend. */
  type?: pulumi.Input<string>;
  /** Its configuration. */
  config?: pulumi.Input<Record<string, unknown>>;
}

/** Version of the engine. */
export interface TerraformProviderVersionArgs {
  /** Version of the engine. */
  explicitVersion?: pulumi.Input<string>;
  /** Whether the files say which version. */
  readFromTerraformBlock?: pulumi.Input<boolean>;
}

/** CPU, memory and storage of a Terraform run. */
export interface TerraformJobResourcesArgs {
  /** CPU in millicores: 1000 is one CPU. */
  cpuMilli?: pulumi.Input<number>;
  /** Memory in MiB. */
  ramMib?: pulumi.Input<number>;
  /** Number of GPUs. Default: `0`. */
  gpu?: pulumi.Input<number>;
  /** Storage in GiB. */
  storageGib?: pulumi.Input<number>;
}

/** What happens on a new commit. */
export interface TerraformAutoDeployConfigArgs {
  /** Whether a new commit deploys it automatically. Default: `false`. */
  autoDeploy?: pulumi.Input<boolean>;
  /** What an automatic deployment does. Default: `"DEFAULT"`. */
  terraformAction?: pulumi.Input<"DEFAULT" | "PLAN" | "NOOP">;
}

/** Lines that are added to the Dockerfile of the engine. */
export interface TerraformDockerfileFragmentArgs {
  /** Where the lines are: `file` or `inline`. */
  type?: pulumi.Input<"file" | "inline">;
  /** Path of the file in the repository, for `file`. */
  path?: pulumi.Input<string>;
  /** The lines, for `inline`. */
  content?: pulumi.Input<string>;
}

/** An entry of this map: Secrets by their keys; only those that are stated are written, and their values are never shown. */
export interface TerraformSecretArgs {
  /** Its value. `KEY: text` is short for `KEY: { value: text }`. */
  value?: pulumi.Input<string>;
  /** infrasync writes the secret again when this changes, and stores it in the description. Default: `""`. */
  version?: pulumi.Input<string>;
  /** Whether it overrides a secret with the same key of a parent. Default: `false`. */
  overrides?: pulumi.Input<boolean>;
}

/** An entry of this map: Variables by their keys; only those that are stated are changed. */
export interface TerraformVariableArgs {
  /** Its value. `KEY: text` is short for `KEY: { value: text }`. */
  value?: pulumi.Input<string>;
  /** A file to mount; its path is the value of the variable. */
  file?: pulumi.Input<TerraformVariableFileArgs>;
  /** Key of the variable of which this one is an alias. */
  aliasOf?: pulumi.Input<string>;
  /** A secret of an external secret manager. */
  external?: pulumi.Input<TerraformVariableExternalArgs>;
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
export interface TerraformVariableFileArgs {
  /** Where the file is mounted in the container. */
  mountPath: pulumi.Input<string>;
  /** The text of the file. */
  text?: pulumi.Input<string>;
}

/** A secret of an external secret manager. */
export interface TerraformVariableExternalArgs {
  /** Id of a secret manager access of the cluster. */
  secretManager: pulumi.Input<string>;
  /** Name of the secret in that manager. */
  reference: pulumi.Input<string>;
  /** Where it is mounted as a file. */
  mountPath?: pulumi.Input<string>;
}

/** An element of this list: Which commits deploy it automatically; only those that are stated are written. */
export interface TerraformDeploymentRestrictionArgs {
  /** `MATCH`: only commits that change something there deploy it; `EXCLUDE`: commits that change only something there do not. */
  mode: pulumi.Input<"MATCH" | "EXCLUDE">;
  /** What `value` is: a path in the repository. Default: `"PATH"`. */
  type?: pulumi.Input<"PATH">;
  /** The path, such as `docs/`. */
  value: pulumi.Input<string>;
}

/** Where the files are. */
export interface TerraformTerraformFilesSource {
  /** A git repository. */
  gitRepository: TerraformTerraformFilesSourceGitRepository;
}

/** A git repository. */
export interface TerraformTerraformFilesSourceGitRepository {
  /** URL of the repository. */
  url: string;
  /** Branch to build. */
  branch?: string;
  /** Folder to build in. Default: `"/"`. */
  rootPath?: string;
  /** Git token that gives access to the repository, by name or id. */
  gitToken?: Reference;
}

/** Terraform variables. */
export interface TerraformTerraformVariablesSource {
  /** Paths of `.tfvars` files in the repository. Default: `[]`. */
  tfVarFilePaths?: string[];
  /** Variables, each identified by its `key`. Default: `[]`. */
  tfVars?: TerraformTerraformVariablesSourceTfVar[];
}

/** An element of this list: Variables, each identified by its `key`. */
export interface TerraformTerraformVariablesSourceTfVar {
  /** Name of the variable. */
  key: string;
  /** Its value. */
  value?: string;
  /** Whether the API never shows the value again. Default: `false`. */
  secret?: boolean;
}

/** Where the state is kept: `kubernetes`, `userProvided` or `blueprint`. */
export interface TerraformBackend {
  /** The state is kept in the cluster; write `{}`. */
  kubernetes?: Record<string, unknown>;
  /** The Terraform files configure the backend; write `{}`. */
  userProvided?: Record<string, unknown>;
  /** The backend of a blueprint. */
  blueprint?: TerraformBackendBlueprint;
}

/** The backend of a blueprint. */
export interface TerraformBackendBlueprint {
  /** Type of the backend. */
  type: string;
  /** Its configuration. */
  config?: Record<string, unknown>;
}

/** Version of the engine. */
export interface TerraformProviderVersion {
  /** Version of the engine. */
  explicitVersion: string;
  /** Whether the files say which version. */
  readFromTerraformBlock?: boolean;
}

/** CPU, memory and storage of a Terraform run. */
export interface TerraformJobResources {
  /** CPU in millicores: 1000 is one CPU. */
  cpuMilli: number;
  /** Memory in MiB. */
  ramMib: number;
  /** Number of GPUs. Default: `0`. */
  gpu?: number;
  /** Storage in GiB. */
  storageGib: number;
}

/** What happens on a new commit. */
export interface TerraformAutoDeployConfig {
  /** Whether a new commit deploys it automatically. Default: `false`. */
  autoDeploy?: boolean;
  /** What an automatic deployment does. Default: `"DEFAULT"`. */
  terraformAction?: "DEFAULT" | "PLAN" | "NOOP";
}

/** Lines that are added to the Dockerfile of the engine. */
export interface TerraformDockerfileFragment {
  /** Where the lines are: `file` or `inline`. */
  type: "file" | "inline";
  /** Path of the file in the repository, for `file`. */
  path?: string;
  /** The lines, for `inline`. */
  content?: string;
}

/** An entry of this map: Secrets by their keys; only those that are stated are written, and their values are never shown. */
export interface TerraformSecret {
  /** Its value. `KEY: text` is short for `KEY: { value: text }`. */
  value?: string;
  /** infrasync writes the secret again when this changes, and stores it in the description. Default: `""`. */
  version?: string;
  /** Whether it overrides a secret with the same key of a parent. Default: `false`. */
  overrides?: boolean;
}

/** An entry of this map: Variables by their keys; only those that are stated are changed. */
export interface TerraformVariable {
  /** Its value. `KEY: text` is short for `KEY: { value: text }`. */
  value?: string;
  /** A file to mount; its path is the value of the variable. */
  file?: TerraformVariableFile;
  /** Key of the variable of which this one is an alias. */
  aliasOf?: string;
  /** A secret of an external secret manager. */
  external?: TerraformVariableExternal;
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
export interface TerraformVariableFile {
  /** Where the file is mounted in the container. */
  mountPath: string;
  /** The text of the file. */
  text?: string;
}

/** A secret of an external secret manager. */
export interface TerraformVariableExternal {
  /** Id of a secret manager access of the cluster. */
  secretManager: string;
  /** Name of the secret in that manager. */
  reference: string;
  /** Where it is mounted as a file. */
  mountPath?: string;
}

/** An element of this list: Which commits deploy it automatically; only those that are stated are written. */
export interface TerraformDeploymentRestriction {
  /** `MATCH`: only commits that change something there deploy it; `EXCLUDE`: commits that change only something there do not. */
  mode: "MATCH" | "EXCLUDE";
  /** What `value` is: a path in the repository. Default: `"PATH"`. */
  type?: "PATH";
  /** The path, such as `docs/`. */
  value: string;
}

const outputs = {
  names: ["description", "terraformFilesSource", "terraformVariablesSource", "backend", "engine", "providerVersion", "jobResources", "autoDeployConfig", "timeoutSec", "useClusterCredentials", "actionExtraArguments", "dockerfileFragment", "iconUri", "blueprintId", "deploymentStage", "secrets", "variables", "advancedSettings", "deploymentRestrictions", "name", "environment", "serviceType", "createdAt"],
  references: ["terraformFilesSource.gitRepository.gitToken"],
  hidden: [{ path: "terraformVariablesSource.tfVars.value", when: "secret" }],
};

/** A Terraform service runs the Terraform or OpenTofu files of a git repository. */
export class Terraform extends ApiResource {
  /** What the resource is for. Default: `""`. */
  declare readonly description: pulumi.Output<string>;
  /** Where the files are. */
  declare readonly terraformFilesSource: pulumi.Output<TerraformTerraformFilesSource>;
  /** Terraform variables. Default: `{}`. */
  declare readonly terraformVariablesSource: pulumi.Output<TerraformTerraformVariablesSource>;
  /** Where the state is kept: `kubernetes`, `userProvided` or `blueprint`. */
  declare readonly backend: pulumi.Output<TerraformBackend>;
  /** The engine that runs the files. */
  declare readonly engine: pulumi.Output<"TERRAFORM" | "OPEN_TOFU">;
  /** Version of the engine. */
  declare readonly providerVersion: pulumi.Output<TerraformProviderVersion>;
  /** CPU, memory and storage of a Terraform run. */
  declare readonly jobResources: pulumi.Output<TerraformJobResources>;
  /** What happens on a new commit. Default: `{}`. */
  declare readonly autoDeployConfig: pulumi.Output<TerraformAutoDeployConfig>;
  /** Seconds until a run counts as failed. Default: `600`. */
  declare readonly timeoutSec: pulumi.Output<number>;
  /** Whether runs have the credentials of the cluster. */
  declare readonly useClusterCredentials: pulumi.Output<boolean | undefined>;
  /** Arguments added to Terraform commands, by command: `plan: [-parallelism=5]`. Default: `{}`. */
  declare readonly actionExtraArguments: pulumi.Output<Record<string, unknown>>;
  /** Lines that are added to the Dockerfile of the engine. */
  declare readonly dockerfileFragment: pulumi.Output<TerraformDockerfileFragment | undefined>;
  /** Icon, as a URI. */
  declare readonly iconUri: pulumi.Output<string | undefined>;
  /** Id of the blueprint that it is created from. */
  declare readonly blueprintId: pulumi.Output<string | undefined>;
  /** The deployment stage that it belongs to: one of its environment, by name. */
  declare readonly deploymentStage: pulumi.Output<string | undefined>;
  /** Secrets by their keys; only those that are stated are written, and their values are never shown. Default: `{}`. */
  declare readonly secrets: pulumi.Output<Record<string, TerraformSecret>>;
  /** Variables by their keys; only those that are stated are changed. Default: `{}`. */
  declare readonly variables: pulumi.Output<Record<string, TerraformVariable>>;
  /** Advanced settings by their names, such as `build.timeout_max_sec`; only those that are stated are changed. Default: `{}`. */
  declare readonly advancedSettings: pulumi.Output<Record<string, unknown>>;
  /** Which commits deploy it automatically; only those that are stated are written. Default: `[]`. */
  declare readonly deploymentRestrictions: pulumi.Output<TerraformDeploymentRestriction[]>;
  /** Name. Names that differ only by case are the same. */
  declare readonly name: pulumi.Output<string>;
  /** Id of its Environment. A change replaces the resource. */
  declare readonly environment: pulumi.Output<string>;
  /** Type of the service. */
  declare readonly serviceType: pulumi.Output<string>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * A Terraform service runs the Terraform or OpenTofu files of a git repository.
   *
   * @param name name of the resource in the program; that of the Terraform itself is among the inputs
   * @param args its inputs
   * @param options as of every Pulumi resource
   */
  constructor(name: string, args: TerraformArgs, options?: pulumi.CustomResourceOptions) {
    super("Terraform", name, args, outputs, options);
  }
}
