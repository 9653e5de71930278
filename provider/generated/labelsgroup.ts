// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
import { ApiResource } from "../dynamic/resource.ts";

/** Inputs of a LabelsGroup. */
export interface LabelsGroupArgs {
  /** Name. Names that differ only by case are the same. */
  name: pulumi.Input<string>;
  /** Whether a creation adopts an existing LabelsGroup of that name instead of failing. */
  adopt?: pulumi.Input<boolean>;
  /** Id of an existing LabelsGroup that a creation adopts. */
  adoptId?: pulumi.Input<string>;
  /** Labels, each identified by its `key`. Default: `[]`. */
  labels?: pulumi.Input<pulumi.Input<LabelsGroupLabelArgs>[]>;
}

/** An element of this list: Labels, each identified by its `key`. */
export interface LabelsGroupLabelArgs {
  /** Key of the label. */
  key: pulumi.Input<string>;
  /** Its value. */
  value?: pulumi.Input<string>;
  /** Whether resources of the cloud provider get it too. Default: `false`. */
  propagateToCloudProvider?: pulumi.Input<boolean>;
}

/** An element of this list: Labels, each identified by its `key`. */
export interface LabelsGroupLabel {
  /** Key of the label. */
  key: string;
  /** Its value. */
  value: string;
  /** Whether resources of the cloud provider get it too. Default: `false`. */
  propagateToCloudProvider?: boolean;
}

const outputs = {
  names: ["labels", "name", "organization", "createdAt"],
  references: [],
};

/** A group of labels that services and clusters of the organization get. */
export class LabelsGroup extends ApiResource {
  /** Labels, each identified by its `key`. Default: `[]`. */
  declare readonly labels: pulumi.Output<LabelsGroupLabel[]>;
  /** Name. Names that differ only by case are the same. */
  declare readonly name: pulumi.Output<string>;
  /** Id of its organization. */
  declare readonly organization: pulumi.Output<string>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * A group of labels that services and clusters of the organization get.
   *
   * @param name name of the resource in the program; that of the LabelsGroup itself is among the inputs
   * @param args its inputs
   * @param options as of every Pulumi resource
   */
  constructor(name: string, args: LabelsGroupArgs, options?: pulumi.CustomResourceOptions) {
    super("LabelsGroup", name, args, outputs, options);
  }
}
