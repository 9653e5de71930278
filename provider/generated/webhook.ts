// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
import { ApiResource } from "../dynamic/resource.ts";

/** Inputs of a Webhook. */
export interface WebhookArgs {
  /** Name. Names that differ only by case are the same. */
  name: pulumi.Input<string>;
  /** Whether a creation adopts an existing Webhook of that name instead of failing. */
  adopt?: pulumi.Input<boolean>;
  /** Id of an existing Webhook that a creation adopts. */
  adoptId?: pulumi.Input<string>;
  /** Form of the messages. */
  type?: pulumi.Input<"STANDARD" | "SLACK">;
  /** URL that gets the messages. */
  targetUrl?: pulumi.Input<string>;
  /** The secret with which messages are signed. */
  targetSecret?: pulumi.Input<string>;
  /** Whether messages are sent. Default: `true`. */
  enabled?: pulumi.Input<boolean>;
  /** The events that are reported. Default: `[]`. */
  events?: pulumi.Input<pulumi.Input<"DEPLOYMENT_STARTED" | "DEPLOYMENT_CANCELLED" | "DEPLOYMENT_FAILURE" | "DEPLOYMENT_SUCCESSFUL">[]>;
  /** Names of projects; none: all projects. Default: `[]`. */
  projectNamesFilter?: pulumi.Input<pulumi.Input<string>[]>;
  /** Modes of environments; none: all modes. Default: `[]`. */
  environmentTypesFilter?: pulumi.Input<pulumi.Input<"DEVELOPMENT" | "PREVIEW" | "PRODUCTION" | "STAGING">[]>;
}

const outputs = {
  names: ["type", "targetUrl", "targetSecret", "enabled", "events", "projectNamesFilter", "environmentTypesFilter", "name", "organization", "createdAt"],
  references: [],
};

/** A webhook: the API reports deployments to a URL. The API has no names for webhooks: the name is the description. */
export class Webhook extends ApiResource {
  /** Form of the messages. */
  declare readonly type: pulumi.Output<"STANDARD" | "SLACK">;
  /** URL that gets the messages. */
  declare readonly targetUrl: pulumi.Output<string>;
  /** The secret with which messages are signed. */
  declare readonly targetSecret: pulumi.Output<string | undefined>;
  /** Whether messages are sent. Default: `true`. */
  declare readonly enabled: pulumi.Output<boolean>;
  /** The events that are reported. Default: `[]`. */
  declare readonly events: pulumi.Output<"DEPLOYMENT_STARTED" | "DEPLOYMENT_CANCELLED" | "DEPLOYMENT_FAILURE" | "DEPLOYMENT_SUCCESSFUL"[]>;
  /** Names of projects; none: all projects. Default: `[]`. */
  declare readonly projectNamesFilter: pulumi.Output<string[]>;
  /** Modes of environments; none: all modes. Default: `[]`. */
  declare readonly environmentTypesFilter: pulumi.Output<"DEVELOPMENT" | "PREVIEW" | "PRODUCTION" | "STAGING"[]>;
  /** Name. Names that differ only by case are the same. */
  declare readonly name: pulumi.Output<string>;
  /** Id of its organization. */
  declare readonly organization: pulumi.Output<string>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * A webhook: the API reports deployments to a URL. The API has no names for webhooks: the name is the description.
   *
   * @param name name of the resource in the program; that of the Webhook itself is among the inputs
   * @param args its inputs
   * @param options as of every Pulumi resource
   */
  constructor(name: string, args: WebhookArgs, options?: pulumi.CustomResourceOptions) {
    super("Webhook", name, args, outputs, options);
  }
}
