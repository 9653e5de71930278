// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
import { ApiResource } from "../dynamic/resource.ts";

/** Inputs of an AzureCredentials. */
export interface AzureCredentialsArgs {
  /** Name. Names that differ only by case are the same. */
  name: pulumi.Input<string>;
  /** Whether a creation adopts an existing AzureCredentials of that name instead of failing. */
  adopt?: pulumi.Input<boolean>;
  /** Id of an existing AzureCredentials that a creation adopts. */
  adoptId?: pulumi.Input<string>;
  /** Azure tenant. */
  azureTenantId?: pulumi.Input<string>;
  /** Azure subscription. */
  azureSubscriptionId?: pulumi.Input<string>;
}

const outputs = {
  names: ["azureTenantId", "azureSubscriptionId", "name", "organization", "createdAt"],
  references: [],
};

/** Credentials with which the API manages clusters at Azure. */
export class AzureCredentials extends ApiResource {
  /** Azure tenant. */
  declare readonly azureTenantId: pulumi.Output<string>;
  /** Azure subscription. */
  declare readonly azureSubscriptionId: pulumi.Output<string>;
  /** Name. Names that differ only by case are the same. */
  declare readonly name: pulumi.Output<string>;
  /** Id of its organization. */
  declare readonly organization: pulumi.Output<string>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * Credentials with which the API manages clusters at Azure.
   *
   * @param name name of the resource in the program; that of the AzureCredentials itself is among the inputs
   * @param args its inputs
   * @param options as of every Pulumi resource
   */
  constructor(name: string, args: AzureCredentialsArgs, options?: pulumi.CustomResourceOptions) {
    super("AzureCredentials", name, args, outputs, options);
  }
}
