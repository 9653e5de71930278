// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
import type { Reference } from "../reference.ts";
import { ApiResource } from "../dynamic/resource.ts";

/** Inputs of a Cluster. */
export interface ClusterArgs {
  /** Name. Names that differ only by case are the same. */
  name: pulumi.Input<string>;
  /** Whether a creation adopts an existing Cluster of that name instead of failing. */
  adopt?: pulumi.Input<boolean>;
  /** Id of an existing Cluster that a creation adopts. */
  adoptId?: pulumi.Input<string>;
  /** What the resource is for. Default: `""`. */
  description?: pulumi.Input<string>;
  /** Region. A change replaces the resource: a cluster cannot be moved to another region. */
  region?: pulumi.Input<string>;
  /** Cloud provider. A change replaces the resource: a cluster cannot be moved to another provider. */
  cloudProvider?: pulumi.Input<"AWS" | "SCW" | "GCP" | "DO" | "AZURE" | "OVH" | "CIVO" | "HETZNER" | "ORACLE" | "IBM" | "ON_PREMISE">;
  /** Who manages Kubernetes. Default: `"MANAGED"`. A change replaces the resource: who manages the Kubernetes of a cluster cannot be changed. */
  kubernetes?: pulumi.Input<"MANAGED" | "SELF_MANAGED" | "PARTIALLY_MANAGED">;
  /** Whether it is for production. */
  production?: pulumi.Input<boolean>;
  /** Nodes that always run. Default: `1`. */
  minRunningNodes?: pulumi.Input<number>;
  /** Nodes that run at most. Default: `1`. */
  maxRunningNodes?: pulumi.Input<number>;
  /** Type of the nodes. */
  instanceType?: pulumi.Input<string>;
  /** Disk of a node in GB. */
  diskSize?: pulumi.Input<number>;
  /** Input and output operations of a disk in a second. */
  diskIops?: pulumi.Input<number>;
  /** Throughput of a disk in MiB a second. */
  diskThroughput?: pulumi.Input<number>;
  /** SSH keys that may log in to nodes. Default: `[]`. */
  sshKeys?: pulumi.Input<pulumi.Input<string>[]>;
  /** KEDA, which scales services by events. */
  keda?: pulumi.Input<ClusterKedaArgs>;
  /** Label groups of the organization, by name or id. Default: `[]`. */
  labelsGroups?: pulumi.Input<pulumi.Input<string>[]>;
  /** Features, each with its value. An update keeps them all. Default: `[]`. */
  features?: pulumi.Input<pulumi.Input<ClusterFeatureArgs>[]>;
  /** Metrics of the cluster. */
  metricsParameters?: pulumi.Input<ClusterMetricsParametersArgs>;
  /** Parameters of the charts that run the cluster. */
  infrastructureChartsParameters?: pulumi.Input<ClusterInfrastructureChartsParametersArgs>;
  /** Secret managers that services on the cluster can read. Default: `[]`. */
  secretManagerAccesses?: pulumi.Input<pulumi.Input<ClusterSecretManagerAccesseArgs>[]>;
  /** Advanced settings by their names, such as `build.timeout_max_sec`; only those that are stated are changed. Default: `{}`. */
  advancedSettings?: pulumi.Input<Record<string, pulumi.Input<unknown>>>;
  /** How the API logs in to the provider of the cluster. */
  cloudProviderCredentials?: pulumi.Input<ClusterCloudProviderCredentialsArgs>;
  /** The DNS provider of the cluster. */
  dnsProvider?: pulumi.Input<ClusterDnsProviderArgs>;
  /** The Argo CD that runs in the cluster. */
  argoCd?: pulumi.Input<ClusterArgoCdArgs>;
  /** The destinations of Argo CD by their URLs, each with its cluster; only those that are stated are changed. Default: `{}`. */
  argoCdMappings?: pulumi.Input<Record<string, pulumi.Input<ClusterArgoCdMappingArgs>>>;
  /** Routes by their destinations; only those that are stated are changed. Default: `{}`. */
  routingTable?: pulumi.Input<Record<string, pulumi.Input<ClusterRoutingTableArgs>>>;
}

/** KEDA, which scales services by events. */
export interface ClusterKedaArgs {
  /** Whether KEDA runs. */
  enabled?: pulumi.Input<boolean>;
}

/** An element of this list: Features, each with its value. An update keeps them all. */
export interface ClusterFeatureArgs {
  /** Name of the feature, such as KARPENTER or STATIC_IP, or its id. */
  id: pulumi.Input<string>;
  /** Its value: a text, true or false, or the object of an existing network, of Karpenter (node pools, disks) or of a NAT gateway. */
  value?: pulumi.Input<unknown>;
}

/** Metrics of the cluster. */
export interface ClusterMetricsParametersArgs {
  /** Whether metrics are collected. */
  enabled?: pulumi.Input<boolean>;
  /** How; its `kind` is `MANAGED_BY_QOVERY`. */
  configuration?: pulumi.Input<Record<string, unknown>>;
}

/** Parameters of the charts that run the cluster. */
export interface ClusterInfrastructureChartsParametersArgs {
  /** Nginx. */
  nginxParameters?: pulumi.Input<ClusterInfrastructureChartsParametersNginxParametersArgs>;
  /** The manager of certificates. */
  certManagerParameters?: pulumi.Input<ClusterInfrastructureChartsParametersCertManagerParametersArgs>;
  /** MetalLB. */
  metalLbParameters?: pulumi.Input<ClusterInfrastructureChartsParametersMetalLbParametersArgs>;
  /** EKS Anywhere: the git repository, the path of the YAML file in it, and the backup of the cluster. */
  eksAnywhereParameters?: pulumi.Input<Record<string, unknown>>;
}

/** Nginx. */
export interface ClusterInfrastructureChartsParametersNginxParametersArgs {
  /** Number of replicas. */
  replicaCount?: pulumi.Input<number>;
  /** The certificate that it shows by default. */
  defaultSslCertificate?: pulumi.Input<string>;
  /** The address that it publishes. */
  publishStatusAddress?: pulumi.Input<string>;
  /** Addresses of the load balancer. */
  annotationMetalLbLoadBalancerIps?: pulumi.Input<string>;
  /** Target of external DNS. */
  annotationExternalDnsKubernetesTarget?: pulumi.Input<string>;
}

/** The manager of certificates. */
export interface ClusterInfrastructureChartsParametersCertManagerParametersArgs {
  /** The namespace that it is in. */
  kubernetesNamespace?: pulumi.Input<string>;
}

/** MetalLB. */
export interface ClusterInfrastructureChartsParametersMetalLbParametersArgs {
  /** Pools of addresses. */
  ipAddressPools?: pulumi.Input<pulumi.Input<string>[]>;
}

/** An element of this list: Secret managers that services on the cluster can read. */
export interface ClusterSecretManagerAccesseArgs {
  /** Its name. */
  name: pulumi.Input<string>;
  /** Where it is. */
  endpoint?: pulumi.Input<ClusterSecretManagerAccesseEndpointArgs>;
  /** How the cluster logs in. */
  authentication?: pulumi.Input<ClusterSecretManagerAccesseAuthenticationArgs>;
}

/** Where it is. */
export interface ClusterSecretManagerAccesseEndpointArgs {
  /** The secret manager. */
  mode?: pulumi.Input<"AWS_SECRET_MANAGER" | "AWS_PARAMETER_STORE" | "GCP_SECRET_MANAGER">;
  /** Region. */
  region?: pulumi.Input<string>;
  /** Project, at Google Cloud. */
  projectId?: pulumi.Input<string>;
}

/** How the cluster logs in. */
export interface ClusterSecretManagerAccesseAuthenticationArgs {
  /** How the cluster logs in. */
  mode?: pulumi.Input<"AUTOMATICALLY_CONFIGURED" | "AWS_ROLE_ARN" | "AWS_STATIC_CREDENTIALS" | "GCP_JSON_CREDENTIALS">;
  /** AWS role. */
  roleArn?: pulumi.Input<string>;
  /** Region. */
  region?: pulumi.Input<string>;
  /** Id of an AWS access key. */
  accessKey?: pulumi.Input<string>;
  /** The AWS access key. */
  secretKey?: pulumi.Input<string>;
  /** The key of a service account, as JSON. */
  jsonCredentials?: pulumi.Input<string>;
}

/** How the API logs in to the provider of the cluster. */
export interface ClusterCloudProviderCredentialsArgs {
  /** The credentials with which the API manages the cluster, by name or id. */
  credentials?: pulumi.Input<string>;
}

/** The DNS provider of the cluster. */
export interface ClusterDnsProviderArgs {
  /** Who serves the domain. Default: `"QOVERY"`. */
  provider?: pulumi.Input<"QOVERY" | "CLOUDFLARE" | "ROUTE53">;
  /** The domain of the cluster. */
  domain: pulumi.Input<string>;
  /** Address of email of the account, at Cloudflare. */
  email?: pulumi.Input<string>;
  /** Token of Cloudflare. */
  apiToken?: pulumi.Input<string>;
  /** Whether Cloudflare is a proxy in between. */
  proxied?: pulumi.Input<boolean>;
  /** Access to Route 53. */
  credentials?: pulumi.Input<ClusterDnsProviderCredentialsArgs>;
  /** AWS region, at Route 53. */
  awsRegion?: pulumi.Input<string>;
  /** Hosted zone, at Route 53. */
  hostedZoneId?: pulumi.Input<string>;
}

/** Access to Route 53. */
export interface ClusterDnsProviderCredentialsArgs {
  /** How the cluster logs in. */
  type?: pulumi.Input<"STATIC">;
  /** Id of an AWS access key. */
  awsAccessKeyId?: pulumi.Input<string>;
  /** The AWS access key. */
  awsSecretAccessKey?: pulumi.Input<string>;
}

/** The Argo CD that runs in the cluster. */
export interface ClusterArgoCdArgs {
  /** URL of Argo CD. `null` removes Argo CD with its mappings. */
  argocdUrl?: pulumi.Input<string>;
  /** The token with which the API reads Argo CD. */
  argocdToken?: pulumi.Input<string>;
}

/** An entry of this map: The destinations of Argo CD by their URLs, each with its cluster; only those that are stated are changed. */
export interface ClusterArgoCdMappingArgs {
  /** The cluster of the organization that it is, by name or id; left out: the one that Argo CD runs in. */
  cluster?: pulumi.Input<string>;
}

/** An entry of this map: Routes by their destinations; only those that are stated are changed. */
export interface ClusterRoutingTableArgs {
  /** Where the packets go: the id of a gateway or of a peering. */
  target?: pulumi.Input<string>;
  /** What the route is for. Default: `""`. */
  description?: pulumi.Input<string>;
}

/** KEDA, which scales services by events. */
export interface ClusterKeda {
  /** Whether KEDA runs. */
  enabled: boolean;
}

/** An element of this list: Features, each with its value. An update keeps them all. */
export interface ClusterFeature {
  /** Name of the feature, such as KARPENTER or STATIC_IP, or its id. */
  id: string;
  /** Its value: a text, true or false, or the object of an existing network, of Karpenter (node pools, disks) or of a NAT gateway. */
  value?: unknown;
}

/** Metrics of the cluster. */
export interface ClusterMetricsParameters {
  /** Whether metrics are collected. */
  enabled?: boolean;
  /** How; its `kind` is `MANAGED_BY_QOVERY`. */
  configuration?: Record<string, unknown>;
}

/** Parameters of the charts that run the cluster. */
export interface ClusterInfrastructureChartsParameters {
  /** Nginx. */
  nginxParameters?: ClusterInfrastructureChartsParametersNginxParameters;
  /** The manager of certificates. */
  certManagerParameters?: ClusterInfrastructureChartsParametersCertManagerParameters;
  /** MetalLB. */
  metalLbParameters?: ClusterInfrastructureChartsParametersMetalLbParameters;
  /** EKS Anywhere: the git repository, the path of the YAML file in it, and the backup of the cluster. */
  eksAnywhereParameters?: Record<string, unknown>;
}

/** Nginx. */
export interface ClusterInfrastructureChartsParametersNginxParameters {
  /** Number of replicas. */
  replicaCount?: number;
  /** The certificate that it shows by default. */
  defaultSslCertificate?: string;
  /** The address that it publishes. */
  publishStatusAddress?: string;
  /** Addresses of the load balancer. */
  annotationMetalLbLoadBalancerIps?: string;
  /** Target of external DNS. */
  annotationExternalDnsKubernetesTarget?: string;
}

/** The manager of certificates. */
export interface ClusterInfrastructureChartsParametersCertManagerParameters {
  /** The namespace that it is in. */
  kubernetesNamespace?: string;
}

/** MetalLB. */
export interface ClusterInfrastructureChartsParametersMetalLbParameters {
  /** Pools of addresses. */
  ipAddressPools?: string[];
}

/** An element of this list: Secret managers that services on the cluster can read. */
export interface ClusterSecretManagerAccesse {
  /** Its name. */
  name: string;
  /** Where it is. */
  endpoint: ClusterSecretManagerAccesseEndpoint;
  /** How the cluster logs in. */
  authentication: ClusterSecretManagerAccesseAuthentication;
}

/** Where it is. */
export interface ClusterSecretManagerAccesseEndpoint {
  /** The secret manager. */
  mode: "AWS_SECRET_MANAGER" | "AWS_PARAMETER_STORE" | "GCP_SECRET_MANAGER";
  /** Region. */
  region: string;
  /** Project, at Google Cloud. */
  projectId?: string;
}

/** How the cluster logs in. */
export interface ClusterSecretManagerAccesseAuthentication {
  /** How the cluster logs in. */
  mode: "AUTOMATICALLY_CONFIGURED" | "AWS_ROLE_ARN" | "AWS_STATIC_CREDENTIALS" | "GCP_JSON_CREDENTIALS";
  /** AWS role. */
  roleArn?: string;
  /** Region. */
  region?: string;
  /** Id of an AWS access key. */
  accessKey?: string;
  /** The AWS access key. */
  secretKey?: string;
  /** The key of a service account, as JSON. */
  jsonCredentials?: string;
}

/** How the API logs in to the provider of the cluster. */
export interface ClusterCloudProviderCredentials {
  /** The credentials with which the API manages the cluster, by name or id. */
  credentials?: Reference;
}

/** The DNS provider of the cluster. */
export interface ClusterDnsProvider {
  /** Who serves the domain. Default: `"QOVERY"`. */
  provider?: "QOVERY" | "CLOUDFLARE" | "ROUTE53";
  /** The domain of the cluster. */
  domain: string;
  /** Address of email of the account, at Cloudflare. */
  email?: string;
  /** Token of Cloudflare. */
  apiToken?: string;
  /** Whether Cloudflare is a proxy in between. */
  proxied?: boolean;
  /** Access to Route 53. */
  credentials?: ClusterDnsProviderCredentials;
  /** AWS region, at Route 53. */
  awsRegion?: string;
  /** Hosted zone, at Route 53. */
  hostedZoneId?: string;
}

/** Access to Route 53. */
export interface ClusterDnsProviderCredentials {
  /** How the cluster logs in. */
  type?: "STATIC";
  /** Id of an AWS access key. */
  awsAccessKeyId: string;
  /** The AWS access key. */
  awsSecretAccessKey?: string;
}

/** The Argo CD that runs in the cluster. */
export interface ClusterArgoCd {
  /** URL of Argo CD. `null` removes Argo CD with its mappings. */
  argocdUrl?: string;
  /** The token with which the API reads Argo CD. */
  argocdToken?: string;
}

/** An entry of this map: The destinations of Argo CD by their URLs, each with its cluster; only those that are stated are changed. */
export interface ClusterArgoCdMapping {
  /** The cluster of the organization that it is, by name or id; left out: the one that Argo CD runs in. */
  cluster?: Reference;
}

/** An entry of this map: Routes by their destinations; only those that are stated are changed. */
export interface ClusterRoutingTable {
  /** Where the packets go: the id of a gateway or of a peering. */
  target: string;
  /** What the route is for. Default: `""`. */
  description?: string;
}

const outputs = {
  names: ["description", "region", "cloudProvider", "kubernetes", "production", "minRunningNodes", "maxRunningNodes", "instanceType", "diskSize", "diskIops", "diskThroughput", "sshKeys", "keda", "labelsGroups", "features", "metricsParameters", "infrastructureChartsParameters", "secretManagerAccesses", "advancedSettings", "cloudProviderCredentials", "dnsProvider", "argoCd", "argoCdMappings", "routingTable", "name", "status", "version", "isDefault", "organization", "createdAt"],
  references: ["labelsGroups", "cloudProviderCredentials.credentials"],
};

/** A Kubernetes cluster on which environments run. */
export class Cluster extends ApiResource {
  /** What the resource is for. Default: `""`. */
  declare readonly description: pulumi.Output<string>;
  /** Region. A change replaces the resource: a cluster cannot be moved to another region. */
  declare readonly region: pulumi.Output<string>;
  /** Cloud provider. A change replaces the resource: a cluster cannot be moved to another provider. */
  declare readonly cloudProvider: pulumi.Output<"AWS" | "SCW" | "GCP" | "DO" | "AZURE" | "OVH" | "CIVO" | "HETZNER" | "ORACLE" | "IBM" | "ON_PREMISE">;
  /** Who manages Kubernetes. Default: `"MANAGED"`. A change replaces the resource: who manages the Kubernetes of a cluster cannot be changed. */
  declare readonly kubernetes: pulumi.Output<"MANAGED" | "SELF_MANAGED" | "PARTIALLY_MANAGED">;
  /** Whether it is for production. */
  declare readonly production: pulumi.Output<boolean | undefined>;
  /** Nodes that always run. Default: `1`. */
  declare readonly minRunningNodes: pulumi.Output<number>;
  /** Nodes that run at most. Default: `1`. */
  declare readonly maxRunningNodes: pulumi.Output<number>;
  /** Type of the nodes. */
  declare readonly instanceType: pulumi.Output<string | undefined>;
  /** Disk of a node in GB. */
  declare readonly diskSize: pulumi.Output<number | undefined>;
  /** Input and output operations of a disk in a second. */
  declare readonly diskIops: pulumi.Output<number | undefined>;
  /** Throughput of a disk in MiB a second. */
  declare readonly diskThroughput: pulumi.Output<number | undefined>;
  /** SSH keys that may log in to nodes. Default: `[]`. */
  declare readonly sshKeys: pulumi.Output<string[]>;
  /** KEDA, which scales services by events. */
  declare readonly keda: pulumi.Output<ClusterKeda | undefined>;
  /** Label groups of the organization, by name or id. Default: `[]`. */
  declare readonly labelsGroups: pulumi.Output<Reference[]>;
  /** Features, each with its value. An update keeps them all. Default: `[]`. */
  declare readonly features: pulumi.Output<ClusterFeature[]>;
  /** Metrics of the cluster. */
  declare readonly metricsParameters: pulumi.Output<ClusterMetricsParameters | undefined>;
  /** Parameters of the charts that run the cluster. */
  declare readonly infrastructureChartsParameters: pulumi.Output<ClusterInfrastructureChartsParameters | undefined>;
  /** Secret managers that services on the cluster can read. Default: `[]`. */
  declare readonly secretManagerAccesses: pulumi.Output<ClusterSecretManagerAccesse[]>;
  /** Advanced settings by their names, such as `build.timeout_max_sec`; only those that are stated are changed. Default: `{}`. */
  declare readonly advancedSettings: pulumi.Output<Record<string, unknown>>;
  /** How the API logs in to the provider of the cluster. */
  declare readonly cloudProviderCredentials: pulumi.Output<ClusterCloudProviderCredentials | undefined>;
  /** The DNS provider of the cluster. */
  declare readonly dnsProvider: pulumi.Output<ClusterDnsProvider | undefined>;
  /** The Argo CD that runs in the cluster. */
  declare readonly argoCd: pulumi.Output<ClusterArgoCd | undefined>;
  /** The destinations of Argo CD by their URLs, each with its cluster; only those that are stated are changed. Default: `{}`. */
  declare readonly argoCdMappings: pulumi.Output<Record<string, ClusterArgoCdMapping>>;
  /** Routes by their destinations; only those that are stated are changed. Default: `{}`. */
  declare readonly routingTable: pulumi.Output<Record<string, ClusterRoutingTable>>;
  /** Name. Names that differ only by case are the same. */
  declare readonly name: pulumi.Output<string>;
  /** Its state. */
  declare readonly status: pulumi.Output<string>;
  /** Version of Kubernetes. */
  declare readonly version: pulumi.Output<string>;
  /** Whether it is the default cluster. */
  declare readonly isDefault: pulumi.Output<boolean>;
  /** Id of its organization. */
  declare readonly organization: pulumi.Output<string>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * A Kubernetes cluster on which environments run.
   *
   * @param name name of the resource in the program; that of the Cluster itself is among the inputs
   * @param args its inputs
   * @param options as of every Pulumi resource
   */
  constructor(name: string, args: ClusterArgs, options?: pulumi.CustomResourceOptions) {
    super("Cluster", name, args, outputs, options);
  }
}
