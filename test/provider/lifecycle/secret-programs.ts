import { kinds } from "../../../core/model/kinds/index.ts";
import { declaredParts } from "../../../core/model/parts/index.ts";
import type { FieldSchema } from "../../../core/model/schema/field-schema.ts";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";

const environment = "3f0c5b0e-7a68-4c6e-9d3c-0d1f6a1f4a11";

/**
 * The paths of all fields of all kinds that programs can have, of some sort: `Terraform.backend.kubernetes`,
 * `Application.storage[].size`.
 *
 * @param parts whether the parts of that form belong to them as a whole, such as `secrets`
 */
export function pathsOf(
  isChosen: (field: FieldSchema) => boolean,
  parts: (part: ReturnType<typeof declaredParts>[number]) => boolean,
): string[] {
  const inside = (field: FieldSchema, path: string): string[] => [
    ...(isChosen(field) ? [path] : []),
    ...Object.entries(field.properties ?? {}).flatMap(([member, inner]) =>
      inside(inner, `${path}.${member}`),
    ),
    ...(field.items ? inside(field.items, `${path}[]`) : []),
  ];
  return kinds.flatMap((kind) => {
    const whole = new Set(declaredParts(kind).flatMap((part) => (parts(part) ? [part.member] : [])));
    return Object.entries(kind.fields.properties ?? {}).flatMap(([member, field]) =>
      whole.has(member) ? [`${kind.name}.${member}`] : inside(field, `${kind.name}.${member}`),
    );
  });
}

/** The paths of all inputs whose values the API never shows. */
export const secretPaths = pathsOf(
  ({ secret, hiddenWhen }) => secret === true || hiddenWhen !== undefined,
  ({ form }) => form.isWriteOnly === true,
);

const access = (authentication: Properties) => ({
  region: "eu-west-3",
  cloudProvider: "AWS",
  secretManagerAccesses: [
    { name: "secrets", endpoint: { mode: "AWS_SECRET_MANAGER", region: "eu-west-3" }, authentication },
  ],
});
const dns = (provider: Properties) => ({
  region: "eu-west-3",
  cloudProvider: "AWS",
  dnsProvider: { domain: "acme.example", ...provider },
});
const gitRepository = { url: "https://github.com/acme/app", branch: "main" };

/** Inputs with a value in a secret input, by its path; the parent is any id. */
export const secretPrograms: Record<string, (value: string) => Properties> = {
  "Project.secrets": (value) => ({ secrets: { KEY: value } }),
  "Environment.secrets": (value) => ({ project: environment, cluster: "eu-west", secrets: { KEY: value } }),
  "Application.secrets": (value) => ({ environment, gitRepository, secrets: { KEY: value } }),
  "Container.secrets": (value) => ({
    environment,
    registry: "docker-hub",
    imageName: "acme/web",
    tag: "1",
    secrets: { KEY: value },
  }),
  "Helm.secrets": (value) => ({ environment, source: { gitRepository }, secrets: { KEY: value } }),
  "Job.secrets": (value) => ({
    environment,
    source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1.4.2" } },
    schedule: { onStart: {} },
    secrets: { KEY: value },
  }),
  "Terraform.secrets": (value) => ({ ...terraform(), secrets: { KEY: value } }),
  "Terraform.terraform_variables_source.tf_vars[].value": (value) => ({
    ...terraform(),
    terraformVariablesSource: {
      tfVars: [
        { key: "size", value: "small", secret: false },
        { key: "KEY", value, secret: true },
      ],
    },
  }),
  "AwsCredentials.secret_access_key": (secretAccessKey) => ({
    type: "AWS_STATIC",
    accessKeyId: "A",
    secretAccessKey,
  }),
  "AwsCredentials.vsphere_password": (vspherePassword) => ({
    type: "EKS_ANYWHERE_VSPHERE_ROLE",
    roleArn: "arn:aws:iam::1:role/a",
    vsphereUser: "u",
    vspherePassword,
  }),
  "Cluster.secret_manager_accesses[].authentication.secret_key": (secretKey) =>
    access({ mode: "AWS_STATIC_CREDENTIALS", accessKey: "AKIA", secretKey }),
  "Cluster.secret_manager_accesses[].authentication.json_credentials": (jsonCredentials) =>
    access({ mode: "GCP_JSON_CREDENTIALS", jsonCredentials }),
  "Cluster.dns_provider.api_token": (apiToken) =>
    dns({ provider: "CLOUDFLARE", email: "ops@acme.example", apiToken }),
  "Cluster.dns_provider.credentials.aws_secret_access_key": (awsSecretAccessKey) =>
    dns({
      provider: "ROUTE53",
      awsRegion: "eu-west-3",
      credentials: { awsAccessKeyId: "A", awsSecretAccessKey },
    }),
  "Cluster.argo_cd.argocd_token": (argocdToken) => ({
    region: "eu-west-3",
    cloudProvider: "AWS",
    argoCd: { argocdUrl: "https://argo.acme.example", argocdToken },
  }),
  "ContainerRegistry.config.password": (password) => ({
    type: "DOCKER_HUB",
    config: { username: "ci", password },
  }),
  "ContainerRegistry.config.secret_access_key": (secretAccessKey) => ({
    type: "ECR",
    config: { region: "eu-west-3", accessKeyId: "A", secretAccessKey },
  }),
  "ContainerRegistry.config.scaleway_secret_key": (scalewaySecretKey) => ({
    type: "SCALEWAY_CR",
    config: { region: "fr-par", scalewayAccessKey: "A", scalewayProjectId: "p", scalewaySecretKey },
  }),
  "ContainerRegistry.config.json_credentials": (jsonCredentials) => ({
    type: "GCP_ARTIFACT_REGISTRY",
    config: { region: "europe-west9", jsonCredentials },
  }),
  "GcpCredentials.gcp_credentials": (gcpCredentials) => ({ gcpCredentials }),
  "GitToken.token": (token) => ({ type: "GITHUB", token }),
  "HelmRepository.config.password": (password) => ({
    type: "HTTPS",
    url: "https://charts.acme.example",
    config: { username: "ci", password },
  }),
  "HelmRepository.config.secret_access_key": (secretAccessKey) => ({
    type: "OCI_ECR",
    url: "oci://acme.example",
    config: { region: "eu-west-3", accessKeyId: "A", secretAccessKey },
  }),
  "HelmRepository.config.scaleway_secret_key": (scalewaySecretKey) => ({
    type: "OCI_SCALEWAY_CR",
    url: "oci://acme.example",
    config: { region: "fr-par", scalewayAccessKey: "A", scalewayProjectId: "p", scalewaySecretKey },
  }),
  "ScalewayCredentials.scaleway_secret_key": (scalewaySecretKey) => ({
    scalewayAccessKey: "A",
    scalewayProjectId: "p",
    scalewayOrganizationId: "o",
    scalewaySecretKey,
  }),
  "Webhook.target_secret": (targetSecret) => ({
    type: "STANDARD",
    targetUrl: "https://acme.example/hook",
    events: ["DEPLOYMENT_STARTED"],
    targetSecret,
  }),
};

/** Inputs of a Terraform service. */
export function terraform(): Properties {
  return {
    environment,
    terraformFilesSource: { gitRepository },
    backend: { kubernetes: {} },
    engine: "TERRAFORM",
    providerVersion: { explicitVersion: "1.9" },
    jobResources: { cpuMilli: 500, ramMib: 512, storageGib: 1 },
  };
}
