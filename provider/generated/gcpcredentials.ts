// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
import { ApiResource } from "../dynamic/resource.ts";

/** Inputs of a GcpCredentials. */
export interface GcpCredentialsArgs {
  /** Name. Names that differ only by case are the same. */
  name: pulumi.Input<string>;
  /** Whether a creation adopts an existing GcpCredentials of that name instead of failing. */
  adopt?: pulumi.Input<boolean>;
  /** Id of an existing GcpCredentials that a creation adopts. */
  adoptId?: pulumi.Input<string>;
  /** The key of a service account, as JSON. */
  gcpCredentials?: pulumi.Input<string>;
  /** Service account. */
  serviceAccountEmail?: pulumi.Input<string>;
  /** Workload identity provider. */
  workloadIdentityProviderResource?: pulumi.Input<string>;
}

const outputs = {
  names: ["gcpCredentials", "serviceAccountEmail", "workloadIdentityProviderResource", "name", "organization", "createdAt"],
  references: [],
};

/** Credentials with which the API manages clusters at Google Cloud. */
export class GcpCredentials extends ApiResource {
  /** The key of a service account, as JSON. */
  declare readonly gcpCredentials: pulumi.Output<string | undefined>;
  /** Service account. */
  declare readonly serviceAccountEmail: pulumi.Output<string | undefined>;
  /** Workload identity provider. */
  declare readonly workloadIdentityProviderResource: pulumi.Output<string | undefined>;
  /** Name. Names that differ only by case are the same. */
  declare readonly name: pulumi.Output<string>;
  /** Id of its organization. */
  declare readonly organization: pulumi.Output<string>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * Credentials with which the API manages clusters at Google Cloud.
   *
   * @param name name of the resource in the program; that of the GcpCredentials itself is among the inputs
   * @param args its inputs
   * @param options as of every Pulumi resource
   */
  constructor(name: string, args: GcpCredentialsArgs, options?: pulumi.CustomResourceOptions) {
    super("GcpCredentials", name, args, outputs, options);
  }
}
