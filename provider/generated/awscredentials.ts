// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
import { ApiResource } from "../dynamic/resource.ts";

/** Inputs of an AwsCredentials. */
export interface AwsCredentialsArgs {
  /** Name. Names that differ only by case are the same. */
  name: pulumi.Input<string>;
  /** Whether a creation adopts an existing AwsCredentials of that name instead of failing. */
  adopt?: pulumi.Input<boolean>;
  /** Id of an existing AwsCredentials that a creation adopts. */
  adoptId?: pulumi.Input<string>;
  /** Type of the credentials. */
  type?: pulumi.Input<"AWS_STATIC" | "AWS_ROLE" | "EKS_ANYWHERE_VSPHERE_STATIC" | "EKS_ANYWHERE_VSPHERE_ROLE">;
  /** Id of an AWS access key. */
  accessKeyId?: pulumi.Input<string>;
  /** The AWS access key. */
  secretAccessKey?: pulumi.Input<string>;
  /** AWS role to assume. */
  roleArn?: pulumi.Input<string>;
  /** User of vSphere. */
  vsphereUser?: pulumi.Input<string>;
  /** Password of that user. */
  vspherePassword?: pulumi.Input<string>;
}

const outputs = {
  names: ["type", "accessKeyId", "secretAccessKey", "roleArn", "vsphereUser", "vspherePassword", "name", "organization", "createdAt"],
  references: [],
};

/** Credentials with which the API manages clusters at AWS. */
export class AwsCredentials extends ApiResource {
  /** Type of the credentials. */
  declare readonly type: pulumi.Output<"AWS_STATIC" | "AWS_ROLE" | "EKS_ANYWHERE_VSPHERE_STATIC" | "EKS_ANYWHERE_VSPHERE_ROLE">;
  /** Id of an AWS access key. */
  declare readonly accessKeyId: pulumi.Output<string | undefined>;
  /** The AWS access key. */
  declare readonly secretAccessKey: pulumi.Output<string | undefined>;
  /** AWS role to assume. */
  declare readonly roleArn: pulumi.Output<string | undefined>;
  /** User of vSphere. */
  declare readonly vsphereUser: pulumi.Output<string | undefined>;
  /** Password of that user. */
  declare readonly vspherePassword: pulumi.Output<string | undefined>;
  /** Name. Names that differ only by case are the same. */
  declare readonly name: pulumi.Output<string>;
  /** Id of its organization. */
  declare readonly organization: pulumi.Output<string>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * Credentials with which the API manages clusters at AWS.
   *
   * @param name name of the resource in the program; that of the AwsCredentials itself is among the inputs
   * @param args its inputs
   * @param options as of every Pulumi resource
   */
  constructor(name: string, args: AwsCredentialsArgs, options?: pulumi.CustomResourceOptions) {
    super("AwsCredentials", name, args, outputs, options);
  }
}
