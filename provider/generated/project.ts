// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
import { ApiResource } from "../dynamic/resource.ts";

/** Inputs of a Project. */
export interface ProjectArgs {
  /** Name. Names that differ only by case are the same. */
  name: pulumi.Input<string>;
  /** When it is created: take over the Project of that name, if there is one, instead of failing on it. */
  adopt?: pulumi.Input<boolean>;
  /** When it is created: take over the Project of that id. */
  adoptId?: pulumi.Input<string>;
  /** What the resource is for. Default: `""`. */
  description?: pulumi.Input<string>;
}

const outputs = {
  names: ["description", "name", "organization", "createdAt"],
  references: [],
};

/** A project holds environments. */
export class Project extends ApiResource {
  /** What the resource is for. Default: `""`. */
  declare readonly description: pulumi.Output<string>;
  /** Name. Names that differ only by case are the same. */
  declare readonly name: pulumi.Output<string>;
  /** Id of the organization that holds it. */
  declare readonly organization: pulumi.Output<string>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * A project holds environments.
   *
   * @param name name of the resource in the program; that of the Project itself is among the inputs
   * @param args its inputs
   * @param options as of every Pulumi resource
   */
  constructor(name: string, args: ProjectArgs, options?: pulumi.CustomResourceOptions) {
    super("Project", name, args, outputs, options);
  }
}
