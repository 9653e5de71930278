// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
import { ApiResource } from "../dynamic/resource.ts";

/** Inputs of a GitToken. */
export interface GitTokenArgs {
  /** Name. Names that differ only by case are the same. */
  name: pulumi.Input<string>;
  /** Whether a creation adopts an existing GitToken of that name instead of failing. */
  adopt?: pulumi.Input<boolean>;
  /** Id of an existing GitToken that a creation adopts. */
  adoptId?: pulumi.Input<string>;
  /** What the resource is for. Default: `""`. */
  description?: pulumi.Input<string>;
  /** The git provider. */
  type?: pulumi.Input<"BITBUCKET" | "GITHUB" | "GITLAB">;
  /** The token itself. */
  token?: pulumi.Input<string>;
  /** Workspace, for Bitbucket. */
  workspace?: pulumi.Input<string>;
  /** URL of the provider's API, for a server of its own. */
  gitApiUrl?: pulumi.Input<string>;
}

const outputs = {
  names: ["description", "type", "token", "workspace", "gitApiUrl", "name", "expiredAt", "associatedServicesCount", "organization", "createdAt"],
  references: [],
};

/** A token with which the API reads git repositories. */
export class GitToken extends ApiResource {
  /** What the resource is for. Default: `""`. */
  declare readonly description: pulumi.Output<string>;
  /** The git provider. */
  declare readonly type: pulumi.Output<"BITBUCKET" | "GITHUB" | "GITLAB">;
  /** The token itself. */
  declare readonly token: pulumi.Output<string>;
  /** Workspace, for Bitbucket. */
  declare readonly workspace: pulumi.Output<string | undefined>;
  /** URL of the provider's API, for a server of its own. */
  declare readonly gitApiUrl: pulumi.Output<string | undefined>;
  /** Name. Names that differ only by case are the same. */
  declare readonly name: pulumi.Output<string>;
  /** The day on which it expires. */
  declare readonly expiredAt: pulumi.Output<string>;
  /** Number of services that use it. */
  declare readonly associatedServicesCount: pulumi.Output<number>;
  /** Id of its organization. */
  declare readonly organization: pulumi.Output<string>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * A token with which the API reads git repositories.
   *
   * @param name name of the resource in the program; that of the GitToken itself is among the inputs
   * @param args its inputs
   * @param options as of every Pulumi resource
   */
  constructor(name: string, args: GitTokenArgs, options?: pulumi.CustomResourceOptions) {
    super("GitToken", name, args, outputs, options);
  }
}
