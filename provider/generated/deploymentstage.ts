// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
import { ApiResource } from "../dynamic/resource.ts";

/** Inputs of a DeploymentStage. */
export interface DeploymentStageArgs {
  /** Id of its Environment. A change replaces the resource. */
  environment: pulumi.Input<string>;
  /** Name. Names that differ only by case are the same. */
  name: pulumi.Input<string>;
  /** Whether a creation adopts an existing DeploymentStage of that name instead of failing. */
  adopt?: pulumi.Input<boolean>;
  /** Id of an existing DeploymentStage that a creation adopts. */
  adoptId?: pulumi.Input<string>;
  /** What the resource is for. Default: `""`. */
  description?: pulumi.Input<string>;
  /** Another stage of the environment, by name: this one is deployed later. Stages in between are left where they are. */
  after?: pulumi.Input<string>;
}

const outputs = {
  names: ["description", "after", "name", "environment", "deploymentOrder", "createdAt"],
  references: [],
};

/** A deployment stage of an environment: its services are deployed when those of the stages before are. */
export class DeploymentStage extends ApiResource {
  /** What the resource is for. Default: `""`. */
  declare readonly description: pulumi.Output<string>;
  /** Another stage of the environment, by name: this one is deployed later. Stages in between are left where they are. */
  declare readonly after: pulumi.Output<string | undefined>;
  /** Name. Names that differ only by case are the same. */
  declare readonly name: pulumi.Output<string>;
  /** Id of its Environment. A change replaces the resource. */
  declare readonly environment: pulumi.Output<string>;
  /** Its place in the order of the stages, from 1. */
  declare readonly deploymentOrder: pulumi.Output<number>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * A deployment stage of an environment: its services are deployed when those of the stages before are.
   *
   * @param name name of the resource in the program; that of the DeploymentStage itself is among the inputs
   * @param args its inputs
   * @param options as of every Pulumi resource
   */
  constructor(name: string, args: DeploymentStageArgs, options?: pulumi.CustomResourceOptions) {
    super("DeploymentStage", name, args, outputs, options);
  }
}
