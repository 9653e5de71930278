// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
import { ApiResource } from "../dynamic/resource.ts";

/** Inputs of a ContainerRegistry. */
export interface ContainerRegistryArgs {
  /** Name. Names that differ only by case are the same. */
  name: pulumi.Input<string>;
  /** Whether a creation adopts an existing ContainerRegistry of that name instead of failing. */
  adopt?: pulumi.Input<boolean>;
  /** Id of an existing ContainerRegistry that a creation adopts. */
  adoptId?: pulumi.Input<string>;
  /** What the resource is for. Default: `""`. */
  description?: pulumi.Input<string>;
  /** Type of the registry. */
  type?: pulumi.Input<"ECR" | "SCALEWAY_CR" | "DOCKER_HUB" | "GITHUB_CR" | "GITHUB_ENTERPRISE_CR" | "GITLAB_CR" | "PUBLIC_ECR" | "DOCR" | "GENERIC_CR" | "GCP_ARTIFACT_REGISTRY" | "AZURE_CR">;
  /** URL of the registry. */
  url?: pulumi.Input<string>;
  /** How it is reached: the members that its type needs. Default: `{}`. */
  config?: pulumi.Input<ContainerRegistryConfigArgs>;
}

/** How it is reached: the members that its type needs. */
export interface ContainerRegistryConfigArgs {
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
  /** The key of a Google service account, as JSON. */
  jsonCredentials?: pulumi.Input<string>;
  /** How Google credentials are had without a key. */
  gcpCredentialsType?: pulumi.Input<"workload_identity_federation">;
  /** Google project. */
  projectId?: pulumi.Input<string>;
  /** Google service account. */
  serviceAccountEmail?: pulumi.Input<string>;
  /** Google workload identity provider. */
  workloadIdentityProviderResource?: pulumi.Input<string>;
  /** Seconds for which a Google token is valid. */
  tokenLifetimeSeconds?: pulumi.Input<number>;
  /** Azure tenant. */
  azureTenantId?: pulumi.Input<string>;
  /** Azure subscription. */
  azureSubscriptionId?: pulumi.Input<string>;
}

/** How it is reached: the members that its type needs. */
export interface ContainerRegistryConfig {
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
  /** The key of a Google service account, as JSON. */
  jsonCredentials?: string;
  /** How Google credentials are had without a key. */
  gcpCredentialsType?: "workload_identity_federation";
  /** Google project. */
  projectId?: string;
  /** Google service account. */
  serviceAccountEmail?: string;
  /** Google workload identity provider. */
  workloadIdentityProviderResource?: string;
  /** Seconds for which a Google token is valid. */
  tokenLifetimeSeconds?: number;
  /** Azure tenant. */
  azureTenantId?: string;
  /** Azure subscription. */
  azureSubscriptionId?: string;
}

const outputs = {
  names: ["description", "type", "url", "config", "name", "organization", "createdAt"],
  references: [],
};

/** A container registry from which services get their images. */
export class ContainerRegistry extends ApiResource {
  /** What the resource is for. Default: `""`. */
  declare readonly description: pulumi.Output<string>;
  /** Type of the registry. */
  declare readonly type: pulumi.Output<"ECR" | "SCALEWAY_CR" | "DOCKER_HUB" | "GITHUB_CR" | "GITHUB_ENTERPRISE_CR" | "GITLAB_CR" | "PUBLIC_ECR" | "DOCR" | "GENERIC_CR" | "GCP_ARTIFACT_REGISTRY" | "AZURE_CR">;
  /** URL of the registry. */
  declare readonly url: pulumi.Output<string | undefined>;
  /** How it is reached: the members that its type needs. Default: `{}`. */
  declare readonly config: pulumi.Output<ContainerRegistryConfig>;
  /** Name. Names that differ only by case are the same. */
  declare readonly name: pulumi.Output<string>;
  /** Id of its organization. */
  declare readonly organization: pulumi.Output<string>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * A container registry from which services get their images.
   *
   * @param name name of the resource in the program; that of the ContainerRegistry itself is among the inputs
   * @param args its inputs
   * @param options as of every Pulumi resource
   */
  constructor(name: string, args: ContainerRegistryArgs, options?: pulumi.CustomResourceOptions) {
    super("ContainerRegistry", name, args, outputs, options);
  }
}
