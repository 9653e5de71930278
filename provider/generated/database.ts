// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
import type { Reference } from "../reference.ts";
import { ApiResource } from "../dynamic/resource.ts";

/** Inputs of a Database. */
export interface DatabaseArgs {
  /** Id of its Environment. A change replaces the resource. */
  environment: pulumi.Input<string>;
  /** Name. Names that differ only by case are the same. */
  name: pulumi.Input<string>;
  /** Id of the Database to clone when it is created; the other inputs override fields of the clone. A later change has no effect. */
  cloneFrom?: pulumi.Input<string>;
  /** Whether a creation adopts an existing Database of that name instead of failing. */
  adopt?: pulumi.Input<boolean>;
  /** Id of an existing Database that a creation adopts. */
  adoptId?: pulumi.Input<string>;
  /** Whether a deletion or a replacement also deletes what the Database then still contains. Without it, such a deletion is refused. */
  deleteContents?: pulumi.Input<boolean>;
  /** What the resource is for. Default: `""`. */
  description?: pulumi.Input<string>;
  /** Database system. A change replaces the resource: a database cannot become one of another system. */
  type?: pulumi.Input<"MONGODB" | "MYSQL" | "POSTGRESQL" | "REDIS">;
  /** Version of the database system, such as `"16"`. */
  version?: pulumi.Input<string>;
  /** Where it runs: in a container, or managed by the cloud provider. A change replaces the resource: a database cannot move between a container and the cloud provider. */
  mode?: pulumi.Input<"CONTAINER" | "MANAGED">;
  /** Whether it can be reached from outside. Default: `"PRIVATE"`. */
  accessibility?: pulumi.Input<"PRIVATE" | "PUBLIC">;
  /** CPU in millicores: 1000 is one CPU. Default: `250`. */
  cpu?: pulumi.Input<number>;
  /** Memory in MB; the default depends on the database system. */
  memory?: pulumi.Input<number>;
  /** Storage in GB. Default: `10`. */
  storage?: pulumi.Input<number>;
  /** Instance type of the cloud provider, for a managed database. */
  instanceType?: pulumi.Input<string>;
  /** Type of disk of the cloud provider, for a managed database. */
  diskType?: pulumi.Input<"gp2" | "gp3">;
  /** Annotation groups of the organization, by name or id. Default: `[]`. */
  annotationsGroups?: pulumi.Input<pulumi.Input<string>[]>;
  /** Label groups of the organization, by name or id. Default: `[]`. */
  labelsGroups?: pulumi.Input<pulumi.Input<string>[]>;
  /** Icon, as a URI. */
  iconUri?: pulumi.Input<string>;
  /** The deployment stage that it belongs to: one of its environment, by name. */
  deploymentStage?: pulumi.Input<string>;
}

const outputs = {
  names: ["description", "type", "version", "mode", "accessibility", "cpu", "memory", "storage", "instanceType", "diskType", "annotationsGroups", "labelsGroups", "iconUri", "deploymentStage", "name", "environment", "serviceType", "maximumCpu", "maximumMemory", "host", "port", "diskEncrypted", "createdAt"],
  references: ["annotationsGroups", "labelsGroups"],
};

/** A database runs in a container, or is managed by the cloud provider. */
export class Database extends ApiResource {
  /** What the resource is for. Default: `""`. */
  declare readonly description: pulumi.Output<string>;
  /** Database system. A change replaces the resource: a database cannot become one of another system. */
  declare readonly type: pulumi.Output<"MONGODB" | "MYSQL" | "POSTGRESQL" | "REDIS">;
  /** Version of the database system, such as `"16"`. */
  declare readonly version: pulumi.Output<string>;
  /** Where it runs: in a container, or managed by the cloud provider. A change replaces the resource: a database cannot move between a container and the cloud provider. */
  declare readonly mode: pulumi.Output<"CONTAINER" | "MANAGED">;
  /** Whether it can be reached from outside. Default: `"PRIVATE"`. */
  declare readonly accessibility: pulumi.Output<"PRIVATE" | "PUBLIC">;
  /** CPU in millicores: 1000 is one CPU. Default: `250`. */
  declare readonly cpu: pulumi.Output<number>;
  /** Memory in MB; the default depends on the database system. */
  declare readonly memory: pulumi.Output<number | undefined>;
  /** Storage in GB. Default: `10`. */
  declare readonly storage: pulumi.Output<number>;
  /** Instance type of the cloud provider, for a managed database. */
  declare readonly instanceType: pulumi.Output<string | undefined>;
  /** Type of disk of the cloud provider, for a managed database. */
  declare readonly diskType: pulumi.Output<"gp2" | "gp3" | undefined>;
  /** Annotation groups of the organization, by name or id. Default: `[]`. */
  declare readonly annotationsGroups: pulumi.Output<Reference[]>;
  /** Label groups of the organization, by name or id. Default: `[]`. */
  declare readonly labelsGroups: pulumi.Output<Reference[]>;
  /** Icon, as a URI. */
  declare readonly iconUri: pulumi.Output<string | undefined>;
  /** The deployment stage that it belongs to: one of its environment, by name. */
  declare readonly deploymentStage: pulumi.Output<string | undefined>;
  /** Name. Names that differ only by case are the same. */
  declare readonly name: pulumi.Output<string>;
  /** Id of its Environment. A change replaces the resource. */
  declare readonly environment: pulumi.Output<string>;
  /** Type of the service. */
  declare readonly serviceType: pulumi.Output<string>;
  /** Maximum CPU, in millicores. */
  declare readonly maximumCpu: pulumi.Output<number>;
  /** Maximum memory, in MB. */
  declare readonly maximumMemory: pulumi.Output<number>;
  /** Host at which it is reached. */
  declare readonly host: pulumi.Output<string>;
  /** Port at which it is reached. */
  declare readonly port: pulumi.Output<number>;
  /** Whether its disk is encrypted. */
  declare readonly diskEncrypted: pulumi.Output<boolean>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * A database runs in a container, or is managed by the cloud provider.
   *
   * @param name name of the resource in the program; that of the Database itself is among the inputs
   * @param args its inputs
   * @param options as of every Pulumi resource
   */
  constructor(name: string, args: DatabaseArgs, options?: pulumi.CustomResourceOptions) {
    super("Database", name, args, outputs, options);
  }
}
