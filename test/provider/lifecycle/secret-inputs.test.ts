import { expect, onTestFinished, test } from "vitest";
import { programKinds } from "../../../core/kinds/index.ts";
import { statedParts } from "../../../core/parts/index.ts";
import type { FieldSchema } from "../../../core/schema/field-schema.ts";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";
import { Hostile } from "../../fixtures/hostile-server.ts";
import { useStaging } from "./staging.ts";

const staging = useStaging();

/** The fields of a kind whose values the API never shows: `config.password`, `terraform_variables_source.tf_vars[].value`. */
function secretPaths(schema: FieldSchema, path: string): string[] {
  if (schema.secret || schema.hiddenWhen !== undefined) return [path];
  const { properties = {}, items } = schema;
  return [
    ...Object.entries(properties).flatMap(([member, inner]) => secretPaths(inner, `${path}.${member}`)),
    ...(items ? secretPaths(items, `${path}[]`) : []),
  ];
}

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
const inEnvironment = () => ({ environment: staging.environment.id });
const gitRepository = { url: "https://github.com/acme/app", branch: "main" };

/** Inputs with one value in a secret input. */
const programs: Record<string, (value: string) => Properties> = {
  "Project.secrets": (value) => ({ secrets: { KEY: value } }),
  "Environment.secrets": (value) => ({
    project: String(staging.environment.outputs["project"]),
    cluster: "eu-west",
    secrets: { KEY: value },
  }),
  "Application.secrets": (value) => ({ ...inEnvironment(), gitRepository, secrets: { KEY: value } }),
  "Container.secrets": (value) => ({
    ...inEnvironment(),
    registry: "docker-hub",
    imageName: "acme/web",
    tag: "1",
    secrets: { KEY: value },
  }),
  "Helm.secrets": (value) => ({ ...inEnvironment(), source: { gitRepository }, secrets: { KEY: value } }),
  "Job.secrets": (value) => ({ ...staging.nightly(), secrets: { KEY: value } }),
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

function terraform(): Properties {
  return {
    ...inEnvironment(),
    terraformFilesSource: { gitRepository },
    backend: { kubernetes: {} },
    engine: "TERRAFORM",
    providerVersion: { explicitVersion: "1.9" },
    jobResources: { cpuMilli: 500, ramMib: 512, storageGib: 1 },
  };
}

test("the table has every secret input of every kind", () => {
  const paths = programKinds.flatMap((kind) => {
    const wholly = statedParts(kind).flatMap(({ member, form }) => (form.isWriteOnly ? [member] : []));
    const others = Object.entries(kind.fields.properties ?? {}).filter(
      ([member]) => !wholly.includes(member),
    );
    return [
      ...wholly.map((member) => `${kind.name}.${member}`),
      ...others.flatMap(([member, field]) => secretPaths(field, `${kind.name}.${member}`)),
    ];
  });
  expect(Object.keys(programs).toSorted()).toEqual(paths.toSorted());
});

test.each(Object.keys(programs))(
  "a changed value of %s shows in the preview and is sent, and then there is no change",
  async (path) => {
    const sent: string[] = [];
    await using proxy = await Hostile.open(staging.server.emulator.url, async ({ method, body }) => {
      if (method !== "GET") sent.push(body);
      return undefined;
    });
    const [kind = ""] = path.split(".");
    const pass = () =>
      staging.pass({ "infrasync:baseUrl": proxy.url, "infrasync:allowInfrastructure": "secret-owner" });
    const inputs = (value: string) => ({ name: "secret-owner", ...programs[path]?.(value) });
    const before = await (await pass()).create(kind, inputs("first-canary"));
    expect(sent.join("\n")).toContain("first-canary");
    expect((await pass()).diff(before, inputs("first-canary"))).toMatchObject({ changes: false });
    const refreshed = await (await pass()).refresh(before);
    if (!refreshed) throw new Error("it is gone");
    for (const entry of [before, refreshed])
      expect((await pass()).diff(entry, inputs("second-canary"))).toMatchObject({
        changes: true,
        replaces: [],
      });
    sent.length = 0;
    const after = await (await pass()).update(refreshed, inputs("second-canary"));
    expect(sent.join("\n")).toContain("second-canary");
    expect(sent.join("\n")).not.toContain("rotate");
    expect((await pass()).diff(after, inputs("second-canary"))).toMatchObject({ changes: false });
  },
);
