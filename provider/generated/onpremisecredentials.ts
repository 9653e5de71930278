// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
import { ApiResource } from "../dynamic/resource.ts";

/** Inputs of an OnPremiseCredentials. */
export interface OnPremiseCredentialsArgs {
  /** Name. Names that differ only by case are the same. */
  name: pulumi.Input<string>;
  /** Whether a creation adopts an existing OnPremiseCredentials of that name instead of failing. */
  adopt?: pulumi.Input<boolean>;
  /** Id of an existing OnPremiseCredentials that a creation adopts. */
  adoptId?: pulumi.Input<string>;
}

const outputs = {
  names: ["name", "organization", "createdAt"],
  references: [],
};

/** Credentials with which the API manages clusters on premise. */
export class OnPremiseCredentials extends ApiResource {
  /** Name. Names that differ only by case are the same. */
  declare readonly name: pulumi.Output<string>;
  /** Id of its organization. */
  declare readonly organization: pulumi.Output<string>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * Credentials with which the API manages clusters on premise.
   *
   * @param name name of the resource in the program; that of the OnPremiseCredentials itself is among the inputs
   * @param args its inputs
   * @param options as of every Pulumi resource
   */
  constructor(name: string, args: OnPremiseCredentialsArgs, options?: pulumi.CustomResourceOptions) {
    super("OnPremiseCredentials", name, args, outputs, options);
  }
}
