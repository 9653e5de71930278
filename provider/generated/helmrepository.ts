// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
import { ApiResource } from "../dynamic/resource.ts";

/** Inputs of a HelmRepository. */
export interface HelmRepositoryArgs {
  /** Name. Names that differ only by case are the same. */
  name: pulumi.Input<string>;
  /** Whether a creation adopts an existing HelmRepository of that name instead of failing. */
  adopt?: pulumi.Input<boolean>;
  /** Id of an existing HelmRepository that a creation adopts. */
  adoptId?: pulumi.Input<string>;
  /** What the resource is for. Default: `""`. */
  description?: pulumi.Input<string>;
  /** Type of the repository. */
  type?: pulumi.Input<"HTTPS" | "OCI_ECR" | "OCI_SCALEWAY_CR" | "OCI_DOCKER_HUB" | "OCI_PUBLIC_ECR" | "OCI_GENERIC_CR" | "OCI_GITHUB_CR" | "OCI_GITLAB_CR">;
  /** URL of the repository. */
  url?: pulumi.Input<string>;
  /** Whether its certificate is not verified. Default: `false`. */
  skipTlsVerification?: pulumi.Input<boolean>;
  /** How it is reached: the members that its type needs. Default: `{}`. */
  config?: pulumi.Input<HelmRepositoryConfigArgs>;
}

/** How it is reached: the members that its type needs. */
export interface HelmRepositoryConfigArgs {
  /** Region. */
  region?: pulumi.Input<string>;
  /** User name. */
  username?: pulumi.Input<string>;
  /** Password. */
  password?: pulumi.Input<string>;
  /** Id of an AWS access key. */
  accessKeyId?: pulumi.Input<string>;
  /** The AWS access key. */
  secretAccessKey?: pulumi.Input<string>;
  /** AWS role to assume. */
  roleArn?: pulumi.Input<string>;
  /** Id of a Scaleway access key. */
  scalewayAccessKey?: pulumi.Input<string>;
  /** The Scaleway access key. */
  scalewaySecretKey?: pulumi.Input<string>;
  /** Scaleway project. */
  scalewayProjectId?: pulumi.Input<string>;
  /** Azure tenant. */
  azureTenantId?: pulumi.Input<string>;
  /** Azure subscription. */
  azureSubscriptionId?: pulumi.Input<string>;
}

/** How it is reached: the members that its type needs. */
export interface HelmRepositoryConfig {
  /** Region. */
  region?: string;
  /** User name. */
  username?: string;
  /** Password. */
  password?: string;
  /** Id of an AWS access key. */
  accessKeyId?: string;
  /** The AWS access key. */
  secretAccessKey?: string;
  /** AWS role to assume. */
  roleArn?: string;
  /** Id of a Scaleway access key. */
  scalewayAccessKey?: string;
  /** The Scaleway access key. */
  scalewaySecretKey?: string;
  /** Scaleway project. */
  scalewayProjectId?: string;
  /** Azure tenant. */
  azureTenantId?: string;
  /** Azure subscription. */
  azureSubscriptionId?: string;
}

const outputs = {
  names: ["description", "type", "url", "skipTlsVerification", "config", "name", "organization", "createdAt"],
  references: [],
};

/** A repository from which Helm services get their charts. */
export class HelmRepository extends ApiResource {
  /** What the resource is for. Default: `""`. */
  declare readonly description: pulumi.Output<string>;
  /** Type of the repository. */
  declare readonly type: pulumi.Output<"HTTPS" | "OCI_ECR" | "OCI_SCALEWAY_CR" | "OCI_DOCKER_HUB" | "OCI_PUBLIC_ECR" | "OCI_GENERIC_CR" | "OCI_GITHUB_CR" | "OCI_GITLAB_CR">;
  /** URL of the repository. */
  declare readonly url: pulumi.Output<string | undefined>;
  /** Whether its certificate is not verified. Default: `false`. */
  declare readonly skipTlsVerification: pulumi.Output<boolean>;
  /** How it is reached: the members that its type needs. Default: `{}`. */
  declare readonly config: pulumi.Output<HelmRepositoryConfig>;
  /** Name. Names that differ only by case are the same. */
  declare readonly name: pulumi.Output<string>;
  /** Id of its organization. */
  declare readonly organization: pulumi.Output<string>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * A repository from which Helm services get their charts.
   *
   * @param name name of the resource in the program; that of the HelmRepository itself is among the inputs
   * @param args its inputs
   * @param options as of every Pulumi resource
   */
  constructor(name: string, args: HelmRepositoryArgs, options?: pulumi.CustomResourceOptions) {
    super("HelmRepository", name, args, outputs, options);
  }
}
