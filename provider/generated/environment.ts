// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
import type { Reference } from "../reference.ts";
import { ApiResource } from "../dynamic/resource.ts";

/** Inputs of an Environment. */
export interface EnvironmentArgs {
  /** Id of its Project. A change replaces the resource. */
  project: pulumi.Input<string>;
  /** Name. Names that differ only by case are the same. */
  name: pulumi.Input<string>;
  /** Id of the Environment to clone when it is created; the other inputs override fields of the clone. A later change has no effect. */
  cloneFrom?: pulumi.Input<string>;
  /** Whether a creation adopts an existing Environment of that name instead of failing. */
  adopt?: pulumi.Input<boolean>;
  /** Id of an existing Environment that a creation adopts. */
  adoptId?: pulumi.Input<string>;
  /** Whether a deletion or a replacement also deletes what the Environment then still contains. Without it, such a deletion is refused. */
  deleteContents?: pulumi.Input<boolean>;
  /** What it is used for. `PREVIEW` only for an environment that is one already, or is cloned as one. */
  mode?: pulumi.Input<"DEVELOPMENT" | "STAGING" | "PRODUCTION" | "PREVIEW">;
  /** Cluster that it runs on, by name or id. A change replaces the resource: an environment cannot be moved to another cluster. */
  cluster?: pulumi.Input<string>;
  /** Secrets by their keys; only those that are stated are written, and their values are never shown. Default: `{}`. */
  secrets?: pulumi.Input<Record<string, pulumi.Input<string | EnvironmentSecretArgs>>>;
  /** Variables by their keys; only those that are stated are changed. Default: `{}`. */
  variables?: pulumi.Input<Record<string, pulumi.Input<string | EnvironmentVariableArgs>>>;
}

/** An entry of this map: Secrets by their keys; only those that are stated are written, and their values are never shown. */
export interface EnvironmentSecretArgs {
  /** Its value. `KEY: text` is short for `KEY: { value: text }`. */
  value?: pulumi.Input<string>;
  /** infrasync writes the secret again when this changes, and stores it in the description. Default: `""`. */
  version?: pulumi.Input<string>;
  /** Whether it overrides a secret with the same key of a parent. Default: `false`. */
  overrides?: pulumi.Input<boolean>;
}

/** An entry of this map: Variables by their keys; only those that are stated are changed. */
export interface EnvironmentVariableArgs {
  /** Its value. `KEY: text` is short for `KEY: { value: text }`. */
  value?: pulumi.Input<string>;
  /** A file to mount; its path is the value of the variable. */
  file?: pulumi.Input<EnvironmentVariableFileArgs>;
  /** Key of the variable of which this one is an alias. */
  aliasOf?: pulumi.Input<string>;
  /** A secret of an external secret manager. */
  external?: pulumi.Input<EnvironmentVariableExternalArgs>;
  /** Whether it overrides a variable with the same key of a parent. Default: `false`. */
  overrides?: pulumi.Input<boolean>;
  /** What it is for. Default: `""`. */
  description?: pulumi.Input<string>;
  /** Whether other variables are inserted into the text of the file. Default: `false`. */
  interpolate?: pulumi.Input<boolean>;
}

/** A file to mount; its path is the value of the variable. */
export interface EnvironmentVariableFileArgs {
  /** Where the file is mounted in the container. */
  mountPath: pulumi.Input<string>;
  /** The text of the file. */
  text?: pulumi.Input<string>;
}

/** A secret of an external secret manager. */
export interface EnvironmentVariableExternalArgs {
  /** Id of a secret manager access of the cluster. */
  secretManager: pulumi.Input<string>;
  /** Name of the secret in that manager. */
  reference: pulumi.Input<string>;
  /** Where it is mounted as a file. */
  mountPath?: pulumi.Input<string>;
}

/** An entry of this map: Secrets by their keys; only those that are stated are written, and their values are never shown. */
export interface EnvironmentSecret {
  /** Its value. `KEY: text` is short for `KEY: { value: text }`. */
  value?: string;
  /** infrasync writes the secret again when this changes, and stores it in the description. Default: `""`. */
  version?: string;
  /** Whether it overrides a secret with the same key of a parent. Default: `false`. */
  overrides?: boolean;
}

/** An entry of this map: Variables by their keys; only those that are stated are changed. */
export interface EnvironmentVariable {
  /** Its value. `KEY: text` is short for `KEY: { value: text }`. */
  value?: string;
  /** A file to mount; its path is the value of the variable. */
  file?: EnvironmentVariableFile;
  /** Key of the variable of which this one is an alias. */
  aliasOf?: string;
  /** A secret of an external secret manager. */
  external?: EnvironmentVariableExternal;
  /** Whether it overrides a variable with the same key of a parent. Default: `false`. */
  overrides?: boolean;
  /** What it is for. Default: `""`. */
  description?: string;
  /** Whether other variables are inserted into the text of the file. Default: `false`. */
  interpolate?: boolean;
}

/** A file to mount; its path is the value of the variable. */
export interface EnvironmentVariableFile {
  /** Where the file is mounted in the container. */
  mountPath: string;
  /** The text of the file. */
  text?: string;
}

/** A secret of an external secret manager. */
export interface EnvironmentVariableExternal {
  /** Id of a secret manager access of the cluster. */
  secretManager: string;
  /** Name of the secret in that manager. */
  reference: string;
  /** Where it is mounted as a file. */
  mountPath?: string;
}

const outputs = {
  names: ["mode", "cluster", "secrets", "variables", "name", "project", "clusterId", "clusterName", "createdAt"],
  references: ["cluster"],
};

/** An environment of a project holds services and runs on a cluster. */
export class Environment extends ApiResource {
  /** What it is used for. `PREVIEW` only for an environment that is one already, or is cloned as one. */
  declare readonly mode: pulumi.Output<"DEVELOPMENT" | "STAGING" | "PRODUCTION" | "PREVIEW" | undefined>;
  /** Cluster that it runs on, by name or id. A change replaces the resource: an environment cannot be moved to another cluster. */
  declare readonly cluster: pulumi.Output<Reference | undefined>;
  /** Secrets by their keys; only those that are stated are written, and their values are never shown. Default: `{}`. */
  declare readonly secrets: pulumi.Output<Record<string, EnvironmentSecret>>;
  /** Variables by their keys; only those that are stated are changed. Default: `{}`. */
  declare readonly variables: pulumi.Output<Record<string, EnvironmentVariable>>;
  /** Name. Names that differ only by case are the same. */
  declare readonly name: pulumi.Output<string>;
  /** Id of its Project. A change replaces the resource. */
  declare readonly project: pulumi.Output<string>;
  /** Id of the cluster. */
  declare readonly clusterId: pulumi.Output<string>;
  /** Name of the cluster. */
  declare readonly clusterName: pulumi.Output<string>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * An environment of a project holds services and runs on a cluster.
   *
   * @param name name of the resource in the program; that of the Environment itself is among the inputs
   * @param args its inputs
   * @param options as of every Pulumi resource
   */
  constructor(name: string, args: EnvironmentArgs, options?: pulumi.CustomResourceOptions) {
    super("Environment", name, args, outputs, options);
  }
}
