// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
import type { Reference } from "../reference.ts";
import { ApiResource } from "../dynamic/resource.ts";

/** Inputs of a Member. */
export interface MemberArgs {
  /** Name. Names that differ only by case are the same. */
  name: pulumi.Input<string>;
  /** Whether a creation adopts an existing Member of that name instead of failing. */
  adopt?: pulumi.Input<boolean>;
  /** Id of an existing Member that a creation adopts. */
  adoptId?: pulumi.Input<string>;
  /** The role, by name or id: `Admin`, or a role of the organization. */
  role?: pulumi.Input<string>;
}

const outputs = {
  names: ["role", "name", "invitationStatus", "organization", "createdAt"],
  references: ["role"],
};

/** A person in the organization, by the address of email. A new one is invited, and is a member once the person has accepted. */
export class Member extends ApiResource {
  /** The role, by name or id: `Admin`, or a role of the organization. */
  declare readonly role: pulumi.Output<Reference>;
  /** Name. Names that differ only by case are the same. */
  declare readonly name: pulumi.Output<string>;
  /** The state of the invitation, until it is accepted. */
  declare readonly invitationStatus: pulumi.Output<string>;
  /** Id of its organization. */
  declare readonly organization: pulumi.Output<string>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * A person in the organization, by the address of email. A new one is invited, and is a member once the person has accepted.
   *
   * @param name name of the resource in the program; that of the Member itself is among the inputs
   * @param args its inputs
   * @param options as of every Pulumi resource
   */
  constructor(name: string, args: MemberArgs, options?: pulumi.CustomResourceOptions) {
    super("Member", name, args, outputs, options);
  }
}
