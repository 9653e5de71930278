// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
import type { Reference } from "../reference.ts";
import { ApiResource } from "../dynamic/resource.ts";

/** Inputs of an ApiToken. */
export interface ApiTokenArgs {
  /** Name. Names that differ only by case are the same. */
  name: pulumi.Input<string>;
  /** Whether a creation adopts an existing ApiToken of that name instead of failing. */
  adopt?: pulumi.Input<boolean>;
  /** Id of an existing ApiToken that a creation adopts. */
  adoptId?: pulumi.Input<string>;
  /** What it is for. Default: `""`. A change replaces the resource: the API cannot change a token. */
  description?: pulumi.Input<string>;
  /** Its role, by name or id: `Admin`, or a role of the organization. A change replaces the resource: the API cannot change a token. */
  role?: pulumi.Input<string>;
}

const outputs = {
  names: ["description", "role", "token", "name", "organization", "createdAt"],
  references: ["role"],
  secret: ["token"],
};

/** A token of the API, with a role. The API shows its value once, when it makes the token, and changes none: another role makes another token. */
export class ApiToken extends ApiResource {
  /** What it is for. Default: `""`. A change replaces the resource: the API cannot change a token. */
  declare readonly description: pulumi.Output<string>;
  /** Its role, by name or id: `Admin`, or a role of the organization. A change replaces the resource: the API cannot change a token. */
  declare readonly role: pulumi.Output<Reference>;
  /** Its value, which is secret. The API shows it once, so it is missing where the ApiToken was taken over or imported. */
  declare readonly token: pulumi.Output<string | undefined>;
  /** Name. Names that differ only by case are the same. */
  declare readonly name: pulumi.Output<string>;
  /** Id of its organization. */
  declare readonly organization: pulumi.Output<string>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * A token of the API, with a role. The API shows its value once, when it makes the token, and changes none: another role makes another token.
   *
   * @param name name of the resource in the program; that of the ApiToken itself is among the inputs
   * @param args its inputs
   * @param options as of every Pulumi resource
   */
  constructor(name: string, args: ApiTokenArgs, options?: pulumi.CustomResourceOptions) {
    super("ApiToken", name, args, outputs, options);
  }
}
