// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
import type { Reference } from "../reference.ts";
import { ApiResource } from "../dynamic/resource.ts";

/** Inputs of a DeploymentRule. */
export interface DeploymentRuleArgs {
  /** Id of its Project. A change replaces the resource. */
  project: pulumi.Input<string>;
  /** Name. Names that differ only by case are the same. */
  name: pulumi.Input<string>;
  /** Whether a creation adopts an existing DeploymentRule of that name instead of failing. */
  adopt?: pulumi.Input<boolean>;
  /** Id of an existing DeploymentRule that a creation adopts. */
  adoptId?: pulumi.Input<string>;
  /** What the resource is for. Default: `""`. */
  description?: pulumi.Input<string>;
  /** Mode of the environments that it fits. */
  mode?: pulumi.Input<"DEVELOPMENT" | "PREVIEW" | "PRODUCTION" | "STAGING">;
  /** Cluster of the environments that it fits, by name or id. */
  cluster?: pulumi.Input<string>;
  /** Names of the environments that it fits: `*` stands for any characters; none: all names. Default: `""`. */
  wildcard?: pulumi.Input<string>;
  /** Whether environments are stopped and started by themselves. Default: `false`. */
  autoStop?: pulumi.Input<boolean>;
  /** Time zone of the times. */
  timezone?: pulumi.Input<string>;
  /** When environments start: the time of day counts. */
  startTime?: pulumi.Input<string>;
  /** When environments stop: the time of day counts. */
  stopTime?: pulumi.Input<string>;
  /** The days on which this happens. Default: `[]`. */
  weekdays?: pulumi.Input<pulumi.Input<"MONDAY" | "TUESDAY" | "WEDNESDAY" | "THURSDAY" | "FRIDAY" | "SATURDAY" | "SUNDAY">[]>;
  /** Another rule of the project, by name: this one is considered later. The first one that fits an environment counts. */
  after?: pulumi.Input<string>;
}

const outputs = {
  names: ["description", "mode", "cluster", "wildcard", "autoStop", "timezone", "startTime", "stopTime", "weekdays", "after", "name", "project", "priorityIndex", "createdAt"],
  references: ["cluster"],
};

/** A rule of a project about its new environments: when those that it fits are started and stopped. */
export class DeploymentRule extends ApiResource {
  /** What the resource is for. Default: `""`. */
  declare readonly description: pulumi.Output<string>;
  /** Mode of the environments that it fits. */
  declare readonly mode: pulumi.Output<"DEVELOPMENT" | "PREVIEW" | "PRODUCTION" | "STAGING">;
  /** Cluster of the environments that it fits, by name or id. */
  declare readonly cluster: pulumi.Output<Reference>;
  /** Names of the environments that it fits: `*` stands for any characters; none: all names. Default: `""`. */
  declare readonly wildcard: pulumi.Output<string>;
  /** Whether environments are stopped and started by themselves. Default: `false`. */
  declare readonly autoStop: pulumi.Output<boolean>;
  /** Time zone of the times. */
  declare readonly timezone: pulumi.Output<string>;
  /** When environments start: the time of day counts. */
  declare readonly startTime: pulumi.Output<string>;
  /** When environments stop: the time of day counts. */
  declare readonly stopTime: pulumi.Output<string>;
  /** The days on which this happens. Default: `[]`. */
  declare readonly weekdays: pulumi.Output<"MONDAY" | "TUESDAY" | "WEDNESDAY" | "THURSDAY" | "FRIDAY" | "SATURDAY" | "SUNDAY"[]>;
  /** Another rule of the project, by name: this one is considered later. The first one that fits an environment counts. */
  declare readonly after: pulumi.Output<string | undefined>;
  /** Name. Names that differ only by case are the same. */
  declare readonly name: pulumi.Output<string>;
  /** Id of its Project. A change replaces the resource. */
  declare readonly project: pulumi.Output<string>;
  /** Its place in the order of the rules, from 0. */
  declare readonly priorityIndex: pulumi.Output<number>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * A rule of a project about its new environments: when those that it fits are started and stopped.
   *
   * @param name name of the resource in the program; that of the DeploymentRule itself is among the inputs
   * @param args its inputs
   * @param options as of every Pulumi resource
   */
  constructor(name: string, args: DeploymentRuleArgs, options?: pulumi.CustomResourceOptions) {
    super("DeploymentRule", name, args, outputs, options);
  }
}
