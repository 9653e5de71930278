// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
import type { Reference } from "../reference.ts";
import { ApiResource } from "../dynamic/resource.ts";

/** Inputs of an Environment. */
export interface EnvironmentArgs {
  /** Id of the Project that holds it. A change replaces the resource. */
  project: pulumi.Input<string>;
  /** Name. Names that differ only by case are the same. */
  name: pulumi.Input<string>;
  /** Id of the Environment to clone when it is created; the other inputs are laid over the clone. A later change does nothing. */
  cloneFrom?: pulumi.Input<string>;
  /** When it is created: take over the Environment of that name, if there is one, instead of failing on it. */
  adopt?: pulumi.Input<boolean>;
  /** When it is created: take over the Environment of that id. */
  adoptId?: pulumi.Input<string>;
  /** What it is used for. `PREVIEW` only for an environment that is one already, or is cloned as one. */
  mode?: pulumi.Input<"DEVELOPMENT" | "STAGING" | "PRODUCTION" | "PREVIEW">;
  /** Cluster that it runs on, by name or id. A change replaces the resource: an environment cannot be moved to another cluster. */
  cluster?: pulumi.Input<string>;
}

const outputs = {
  names: ["mode", "cluster", "name", "project", "clusterId", "clusterName", "createdAt"],
  references: ["cluster"],
};

/** An environment of a project holds services and runs on a cluster. */
export class Environment extends ApiResource {
  /** What it is used for. `PREVIEW` only for an environment that is one already, or is cloned as one. */
  declare readonly mode: pulumi.Output<"DEVELOPMENT" | "STAGING" | "PRODUCTION" | "PREVIEW" | undefined>;
  /** Cluster that it runs on, by name or id. A change replaces the resource: an environment cannot be moved to another cluster. */
  declare readonly cluster: pulumi.Output<Reference | undefined>;
  /** Name. Names that differ only by case are the same. */
  declare readonly name: pulumi.Output<string>;
  /** Id of the Project that holds it. A change replaces the resource. */
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
