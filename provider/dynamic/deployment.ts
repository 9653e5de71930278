import * as pulumi from "@pulumi/pulumi";
import { secretProperty } from "../lifecycle/internal.ts";
import { providerOf } from "./provider.ts";
import { secretPointers } from "./secrets.ts";
import { warnOfPlainToken } from "./warning.ts";

/** Inputs of a Deployment. */
export interface DeploymentArgs {
  /** The services to deploy: resources or their ids. A change deploys them again. */
  services: pulumi.Input<pulumi.Input<string | pulumi.CustomResource>[]>;
  /** Any values. When one of them changes, the services are deployed again. */
  triggers?: pulumi.Input<pulumi.Input<unknown>[]>;
  /**
   * Whether the creation waits, for 30 minutes at most, until all services are deployed, and fails if one of them cannot
   * be deployed. Default: `false`.
   */
  wait?: pulumi.Input<boolean>;
}

/**
 * Deploys services when it is created, and again when its services or triggers change: one request for each environment.
 * Its deletion changes nothing on the server: services stay deployed.
 */
export class Deployment extends pulumi.dynamic.Resource {
  /** Ids of the services. */
  declare readonly services: pulumi.Output<string[]>;
  /** The values whose change deploys the services again. */
  declare readonly triggers: pulumi.Output<unknown[] | undefined>;
  /** Whether the creation waits for the end of the deployment. */
  declare readonly wait: pulumi.Output<boolean | undefined>;
  /** Ids of the environments of the services. */
  declare readonly environments: pulumi.Output<string[]>;

  /**
   * Deploys services.
   *
   * @param name name of the resource in the program
   * @param args its inputs
   * @param options as of every Pulumi resource; `dependsOn` names what has to be done before the deployment
   */
  constructor(name: string, args: DeploymentArgs, options?: pulumi.CustomResourceOptions) {
    warnOfPlainToken();
    const services = pulumi
      .output(args.services)
      .apply((given) =>
        pulumi.all(given.map((service) => (typeof service === "string" ? service : service.id))),
      );
    super(
      providerOf("Deployment"),
      name,
      {
        environments: undefined,
        triggers: undefined,
        wait: undefined,
        ...args,
        services,
        [secretProperty]: secretPointers({ triggers: args.triggers }),
      },
      options,
      "infrasync",
      "Deployment",
    );
  }
}
