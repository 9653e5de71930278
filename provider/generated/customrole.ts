// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
import type { Reference } from "../reference.ts";
import { ApiResource } from "../dynamic/resource.ts";

/** Inputs of a CustomRole. */
export interface CustomRoleArgs {
  /** Name. Names that differ only by case are the same. */
  name: pulumi.Input<string>;
  /** Whether a creation adopts an existing CustomRole of that name instead of failing. */
  adopt?: pulumi.Input<boolean>;
  /** Id of an existing CustomRole that a creation adopts. */
  adoptId?: pulumi.Input<string>;
  /** What the resource is for. Default: `""`. */
  description?: pulumi.Input<string>;
  /** Permissions for clusters. Default: `[]`. */
  clusterPermissions?: pulumi.Input<pulumi.Input<CustomRoleClusterPermissionArgs>[]>;
  /** Permissions for projects. Default: `[]`. */
  projectPermissions?: pulumi.Input<pulumi.Input<CustomRoleProjectPermissionArgs>[]>;
}

/** An element of this list: Permissions for clusters. */
export interface CustomRoleClusterPermissionArgs {
  /** The cluster, by name or id. */
  cluster: pulumi.Input<string>;
  /** What the role may do with it. Default: `"VIEWER"`. */
  permission?: pulumi.Input<"VIEWER" | "ENV_CREATOR" | "ADMIN">;
}

/** An element of this list: Permissions for projects. */
export interface CustomRoleProjectPermissionArgs {
  /** The project, by name or id. */
  project: pulumi.Input<string>;
  /** Whether the role may do everything in it. Default: `false`. */
  isAdmin?: pulumi.Input<boolean>;
  /** Permissions by the mode of environments. Default: `[]`. */
  permissions?: pulumi.Input<pulumi.Input<CustomRoleProjectPermissionPermissionArgs>[]>;
}

/** An element of this list: Permissions by the mode of environments. */
export interface CustomRoleProjectPermissionPermissionArgs {
  /** Mode of environments. */
  environmentType: pulumi.Input<"DEVELOPMENT" | "PREVIEW" | "PRODUCTION" | "STAGING">;
  /** What the role may do in them. Default: `"NO_ACCESS"`. */
  permission?: pulumi.Input<"NO_ACCESS" | "VIEWER" | "DEPLOYER" | "MANAGER">;
}

/** An element of this list: Permissions for clusters. */
export interface CustomRoleClusterPermission {
  /** The cluster, by name or id. */
  cluster: Reference;
  /** What the role may do with it. Default: `"VIEWER"`. */
  permission?: "VIEWER" | "ENV_CREATOR" | "ADMIN";
}

/** An element of this list: Permissions for projects. */
export interface CustomRoleProjectPermission {
  /** The project, by name or id. */
  project: Reference;
  /** Whether the role may do everything in it. Default: `false`. */
  isAdmin?: boolean;
  /** Permissions by the mode of environments. Default: `[]`. */
  permissions?: CustomRoleProjectPermissionPermission[];
}

/** An element of this list: Permissions by the mode of environments. */
export interface CustomRoleProjectPermissionPermission {
  /** Mode of environments. */
  environmentType: "DEVELOPMENT" | "PREVIEW" | "PRODUCTION" | "STAGING";
  /** What the role may do in them. Default: `"NO_ACCESS"`. */
  permission?: "NO_ACCESS" | "VIEWER" | "DEPLOYER" | "MANAGER";
}

const outputs = {
  names: ["description", "clusterPermissions", "projectPermissions", "name", "organization", "createdAt"],
  references: ["clusterPermissions.cluster", "projectPermissions.project"],
};

/** A role of the organization, with permissions for clusters and projects. What it does not mention it may only view, or not see. */
export class CustomRole extends ApiResource {
  /** What the resource is for. Default: `""`. */
  declare readonly description: pulumi.Output<string>;
  /** Permissions for clusters. Default: `[]`. */
  declare readonly clusterPermissions: pulumi.Output<CustomRoleClusterPermission[]>;
  /** Permissions for projects. Default: `[]`. */
  declare readonly projectPermissions: pulumi.Output<CustomRoleProjectPermission[]>;
  /** Name. Names that differ only by case are the same. */
  declare readonly name: pulumi.Output<string>;
  /** Id of its organization. */
  declare readonly organization: pulumi.Output<string>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * A role of the organization, with permissions for clusters and projects. What it does not mention it may only view, or not see.
   *
   * @param name name of the resource in the program; that of the CustomRole itself is among the inputs
   * @param args its inputs
   * @param options as of every Pulumi resource
   */
  constructor(name: string, args: CustomRoleArgs, options?: pulumi.CustomResourceOptions) {
    super("CustomRole", name, args, outputs, options);
  }
}
