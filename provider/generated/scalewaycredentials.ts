// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
import { ApiResource } from "../dynamic/resource.ts";

/** Inputs of a ScalewayCredentials. */
export interface ScalewayCredentialsArgs {
  /** Name. Names that differ only by case are the same. */
  name: pulumi.Input<string>;
  /** Whether a creation adopts an existing ScalewayCredentials of that name instead of failing. */
  adopt?: pulumi.Input<boolean>;
  /** Id of an existing ScalewayCredentials that a creation adopts. */
  adoptId?: pulumi.Input<string>;
  /** Id of a Scaleway access key. */
  scalewayAccessKey?: pulumi.Input<string>;
  /** The Scaleway access key. */
  scalewaySecretKey?: pulumi.Input<string>;
  /** Scaleway project. */
  scalewayProjectId?: pulumi.Input<string>;
  /** Scaleway organization. */
  scalewayOrganizationId?: pulumi.Input<string>;
}

const outputs = {
  names: ["scalewayAccessKey", "scalewaySecretKey", "scalewayProjectId", "scalewayOrganizationId", "name", "organization", "createdAt"],
  references: [],
};

/** Credentials with which the API manages clusters at Scaleway. */
export class ScalewayCredentials extends ApiResource {
  /** Id of a Scaleway access key. */
  declare readonly scalewayAccessKey: pulumi.Output<string>;
  /** The Scaleway access key. */
  declare readonly scalewaySecretKey: pulumi.Output<string>;
  /** Scaleway project. */
  declare readonly scalewayProjectId: pulumi.Output<string>;
  /** Scaleway organization. */
  declare readonly scalewayOrganizationId: pulumi.Output<string>;
  /** Name. Names that differ only by case are the same. */
  declare readonly name: pulumi.Output<string>;
  /** Id of its organization. */
  declare readonly organization: pulumi.Output<string>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * Credentials with which the API manages clusters at Scaleway.
   *
   * @param name name of the resource in the program; that of the ScalewayCredentials itself is among the inputs
   * @param args its inputs
   * @param options as of every Pulumi resource
   */
  constructor(name: string, args: ScalewayCredentialsArgs, options?: pulumi.CustomResourceOptions) {
    super("ScalewayCredentials", name, args, outputs, options);
  }
}
