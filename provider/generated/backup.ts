// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
import { ApiResource } from "../dynamic/resource.ts";

/** Inputs of a Backup. */
export interface BackupArgs {
  /** Id of its Database. A change replaces the resource. */
  database: pulumi.Input<string>;
  /** Name. Names that differ only by case are the same. */
  name: pulumi.Input<string>;
  /** Whether a creation adopts an existing Backup of that name instead of failing. */
  adopt?: pulumi.Input<boolean>;
  /** Id of an existing Backup that a creation adopts. */
  adoptId?: pulumi.Input<string>;
  /** What it is for. Default: `""`. A change replaces the resource: the API makes a backup once, and changes none. */
  message?: pulumi.Input<string>;
}

const outputs = {
  names: ["message", "name", "database", "status", "createdAt"],
  references: [],
};

/** A backup of a database, made on demand: a run that finds no backup of that name makes one. It is made once, never changed, and deleted only with its database or because a person asks for it. */
export class Backup extends ApiResource {
  /** What it is for. Default: `""`. A change replaces the resource: the API makes a backup once, and changes none. */
  declare readonly message: pulumi.Output<string>;
  /** Name. Names that differ only by case are the same. */
  declare readonly name: pulumi.Output<string>;
  /** Id of its Database. A change replaces the resource. */
  declare readonly database: pulumi.Output<string>;
  /** Its state: `state` is `READY` when it is complete. */
  declare readonly status: pulumi.Output<Record<string, unknown>>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * A backup of a database, made on demand: a run that finds no backup of that name makes one. It is made once, never changed, and deleted only with its database or because a person asks for it.
   *
   * @param name name of the resource in the program; that of the Backup itself is among the inputs
   * @param args its inputs
   * @param options as of every Pulumi resource
   */
  constructor(name: string, args: BackupArgs, options?: pulumi.CustomResourceOptions) {
    super("Backup", name, args, outputs, options);
  }
}
