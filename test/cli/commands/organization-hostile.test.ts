import { describe, expect, test } from "vitest";
import { useFixture } from "../fixture.ts";

const fixture = useFixture();

const canary = "c4n4ry-plain-value";

/** Documents that a server accepts, for cases that are about live state. */
const web = `kind: Project
name: shop2
---
kind: Environment
project: shop2
name: staging
mode: STAGING
cluster: eu-west
---
kind: Container
environment: shop2/staging
name: web
registry: docker-hub
image_name: acme/web
tag: 1.0.0
labels_groups: [team-labels]
`;
const registry = (more: string) =>
  `kind: ContainerRegistry\nname: hub\ntype: GENERIC_CR\nurl: https://r.example.com\n${more}`;
const token = (more: string) => `kind: GitToken\nname: bot\ntype: GITHUB\n${more}`;
const cluster = (more = "") => `kind: Cluster\nname: paris\nregion: eu-west-3\ncloud_provider: AWS\n${more}`;
const role = (more: string) => `kind: CustomRole\nname: deployers\n${more}`;
const labels = "kind: LabelsGroup\nname: team\nlabels: [{ key: team, value: shop }]\n";
const both = ["--allow-infrastructure", "--confirm", "paris"];

interface Case {
  manifest: string;
  /** The command and its flags; default: apply. */
  command?: string[];
  variables?: Record<string, string>;
  /** What is applied before. */
  before?: string;
  /** A part of the message: the place first where the file alone shows the mistake. */
  says: string;
  advises: string;
}

const cases: Record<string, Case> = {
  // Secrets in plain text, and wrong sources.
  "a token in plain text": {
    manifest: token(`token: ${canary}\n`),
    says: "m.yaml:4:1: error: token has its value in plain text",
    advises: "name the source of the value, such as from_env",
  },
  "a password in plain text": {
    manifest: registry(`config: { username: me, password: ${canary} }\n`),
    says: "m.yaml:5:25: error: config.password has its value in plain text",
    advises: "name the source",
  },
  "a key of credentials in plain text": {
    manifest: `kind: AwsCredentials\nname: aws\ntype: AWS_STATIC\naccess_key_id: A\nsecret_access_key: ${canary}\n`,
    says: "m.yaml:5:1: error: secret_access_key has its value in plain text",
    advises: "name the source",
  },
  "a secret as a number": {
    manifest: token("token: 12345678\n"),
    says: "m.yaml:4:1: error: token has its value in plain text",
    advises: "name the source",
  },
  "a secret as a list": {
    manifest: token(`token: [${canary}]\n`),
    says: "m.yaml:4:1: error: token must be a mapping, not a list",
    advises: "write its members: from_env",
  },
  "a secret without a source": {
    manifest: token('token: { version: "1" }\n'),
    says: "token",
    advises: "from_env",
  },
  "two sources of a secret": {
    manifest: token("token: { from_env: A, from_file: b }\n"),
    says: "exclude each other",
    advises: "keep one of them",
  },
  "null for a secret": {
    manifest: token("token: null\n"),
    says: "m.yaml:4:1: error: token cannot be reset",
    advises: "declare a value, or leave the field out",
  },
  "a variable that is not set": {
    manifest: token("token: { from_env: NOT_THERE }\n"),
    says: "gittoken:bot: token: the environment variable NOT_THERE is not set",
    advises: "set it for this run",
  },
  "a member that a secret does not have": {
    manifest: `kind: ScalewayCredentials\nname: scw\nscaleway_access_key: A\nscaleway_secret_key: { from_env: A, vault: "1" }\nscaleway_project_id: p\nscaleway_organization_id: o\n`,
    says: 'scaleway_secret_key has no member "…"',
    advises: "it may have: from_env",
  },
  "a secret manager with its key in plain text": {
    manifest: cluster(
      `secret_manager_accesses:\n  - name: s\n    endpoint: { mode: AWS_SECRET_MANAGER, region: r }\n    authentication: { mode: AWS_STATIC_CREDENTIALS, secret_key: ${canary} }\n`,
    ),
    says: "secret_manager_accesses[0].authentication.secret_key has its value in plain text",
    advises: "name the source",
  },
  // Consents.
  "a cluster without a consent": {
    manifest: cluster(),
    says: "cluster:paris would be created: that costs money",
    advises: "--allow-infrastructure --confirm 'paris'",
  },
  "a cluster with the consent to all": {
    manifest: cluster(),
    command: ["apply", "--allow-infrastructure"],
    says: "cluster:paris would be created",
    advises: "--confirm 'paris'",
  },
  "a cluster with its name alone": {
    manifest: cluster(),
    command: ["apply", "--confirm", "paris"],
    says: "cluster:paris would be created",
    advises: "--allow-infrastructure",
  },
  "a cluster with the name of another": {
    manifest: cluster(),
    command: ["apply", "--allow-infrastructure", "--confirm", "london"],
    says: "cluster:paris would be created",
    advises: "--confirm 'paris'",
  },
  "credentials without a consent": {
    manifest: "kind: OnPremiseCredentials\nname: rack\n",
    says: "onpremisecredentials:rack would be created",
    advises: "--confirm 'rack'",
  },
  "a route without a consent": {
    before: cluster(),
    manifest: cluster('routing_table: { "10.0.0.0/16": { target: pcx-1 } }\n'),
    says: "cluster:paris would be updated",
    advises: "--confirm 'paris'",
  },
  "another region": {
    before: cluster(),
    manifest: cluster().replace("eu-west-3", "us-east-1"),
    command: ["apply", "--allow-infrastructure"],
    says: "cluster:paris must be replaced: a cluster cannot be moved to another region",
    advises: "--allow-replace 'cluster:paris'",
  },
  "a cluster that holds environments": {
    before: web,
    manifest: cluster().replace("paris", "eu-west"),
    command: ["destroy", "--allow-infrastructure", "--confirm", "eu-west"],
    says: "cluster:eu-west cannot be deleted: environment:shop2/staging refers to it",
    advises: "change these references first, or keep the resource",
  },
  "a token that the run has no place for": {
    manifest: "kind: ApiToken\nname: ci\nrole: Read\n",
    says: "apitoken:ci: the API shows its token only once",
    advises: "name a file for it with --secrets-out",
  },
  // What others refer to, and what has to stay.
  "a registry in use": {
    before: web,
    manifest: "kind: ContainerRegistry\nname: docker-hub\n",
    command: ["destroy"],
    says: "containerregistry:docker-hub cannot be deleted: container:shop2/staging/web refers to it",
    advises: "change these references first, or keep the resource",
  },
  "a group in use": {
    before: web,
    manifest: "kind: LabelsGroup\nname: team-labels\n",
    command: ["destroy"],
    says: "labelsgroup:team-labels cannot be deleted: container:shop2/staging/web refers to it",
    advises: "change these references",
  },
  "a role in use": {
    before: `${role("")}---\nkind: Member\nname: grace@acme.example\nrole: deployers\n`,
    manifest: role(""),
    command: ["destroy"],
    says: "customrole:deployers cannot be deleted: member:grace@acme.example refers to it",
    advises: "change these references",
  },
  "the last owner": {
    manifest: "kind: Member\nname: ada@acme.example\n",
    command: ["destroy"],
    says: "member:ada@acme.example cannot be deleted: it is the last owner of the organization",
    advises: "make another member an owner first",
  },
  "a last owner who becomes something else": {
    manifest: "kind: Member\nname: ada@acme.example\nrole: Read\n",
    says: "member:ada@acme.example cannot be changed so: it is the last owner",
    advises: "make another member an owner first",
  },
  "the token in use": {
    manifest: "kind: ApiToken\nname: admin\n",
    command: ["destroy"],
    variables: { INFRASYNC_TOKEN_NAME: "admin" },
    says: "apitoken:admin cannot be deleted: this run uses it",
    advises: "run with another token",
  },
  "a token that may be in use": {
    manifest: "kind: ApiToken\nname: read\n",
    command: ["destroy"],
    says: "apitoken:read cannot be deleted: this run may use this token",
    advises: "INFRASYNC_TOKEN_NAME",
  },
  "the role of an invitation": {
    before: "kind: Member\nname: grace@acme.example\nrole: Read\n",
    manifest: "kind: Member\nname: grace@acme.example\nrole: Admin\n",
    says: "the role of an invitation cannot be changed before it is accepted",
    advises: "delete the invitation",
  },
  "a secret that a change would lose": {
    before: registry("config: { username: me, password: { from_env: HOME } }\n"),
    manifest: registry("config: { username: you }\n"),
    says: "config.password is a secret that the API does not show, and this change would lose it",
    advises: "",
  },
  // Prune.
  "prune: true": {
    manifest: "kind: Organization\nname: acme\nmanage: { prune: true }\n",
    command: ["apply", "--prune"],
    says: "m.yaml:3:18: error: manage.prune must be a list, not true",
    advises: "write a list of kinds that are in an Organization: Project, AnnotationsGroup, ",
  },
  "prune of clusters": {
    manifest: "kind: Organization\nname: acme\nmanage: { prune: [Cluster] }\n",
    command: ["apply", "--prune"],
    says: "manage.prune[0] must be one of Project, AnnotationsGroup",
    advises: "",
  },
  "prune of a group in use": {
    before: web,
    manifest: "kind: Organization\nname: acme\nmanage: { prune: [LabelsGroup] }\n",
    command: ["apply", "--prune"],
    says: "labelsgroup:team-labels cannot be deleted: container:shop2/staging/web refers to it",
    advises: "change these references",
  },
  "prune of tokens": {
    manifest: "kind: Organization\nname: acme\nmanage: { prune: [ApiToken] }\n",
    command: ["apply", "--prune"],
    says: "cannot be deleted: this run may use this token",
    advises: "INFRASYNC_TOKEN_NAME",
  },
  "another organization": {
    manifest: "kind: Organization\nname: apex\n",
    says: "there is no Organization of that name, and infrasync creates none; this run works in acme",
    advises: "write that name",
  },
  // Names, duplicates, types.
  "an empty name": {
    manifest: labels.replace("team\n", '""\n'),
    says: 'm.yaml:2:7: error: name: "" is empty',
    advises: "write a name",
  },
  "a name that is not an address": {
    manifest: "kind: Member\nname: grace\nrole: Read\n",
    says: 'm.yaml:2:7: error: name: "grace" is not an e-mail address',
    advises: "write one such as ada@example.com",
  },
  "two documents of one thing": {
    manifest: `${labels}---\n${labels.replace("team\n", "Team\n")}`,
    says: "is declared twice, first at m.yaml:2:7",
    advises: "merge the two documents",
  },
  "one cluster twice, in another case": {
    manifest: role("cluster_permissions: [{ cluster: eu-west }, { cluster: EU-West, permission: ADMIN }]\n"),
    says: "m.yaml:3:45: error: cluster_permissions[1] has the same cluster as cluster_permissions[0]",
    advises: "write each element once",
  },
  "one group twice, in another case": {
    manifest: web.replace("[team-labels]", "[team-labels, Team-Labels]"),
    says: "labels_groups[1] is the same as labels_groups[0]",
    advises: "write each element once",
  },
  "a reference to nothing": {
    manifest: role("cluster_permissions: [{ cluster: eu-wset, permission: ADMIN }]\n"),
    says: 'there is no cluster "eu-wset"',
    advises: "did you mean eu-west?",
  },
  "the lowest permission for a cluster that does not exist": {
    manifest: role("cluster_permissions: [{ cluster: eu-wset, permission: VIEWER }]\n"),
    says: 'there is no cluster "eu-wset"',
    advises: "did you mean eu-west?",
  },
  "the default permission for a cluster that does not exist": {
    manifest: role("cluster_permissions: [{ cluster: eu-west }, { cluster: eu-wset }]\n"),
    says: 'm.yaml:3:1: error: CustomRole deployers: there is no cluster "eu-wset"',
    advises: "did you mean eu-west?",
  },
  "the lowest permission in a project that does not exist": {
    manifest: role(
      "project_permissions: [{ project: shpo, permissions: [{ environment_type: STAGING, permission: NO_ACCESS }] }]\n",
    ),
    says: 'there is no project "shpo"',
    advises: "the organization has",
  },
  "no permission in a project that does not exist": {
    manifest: role("project_permissions: [{ project: shpo }]\n"),
    says: 'there is no project "shpo"',
    advises: "the organization has",
  },
  "rules in a circle": {
    manifest: ["a", "b"]
      .map(
        (name) =>
          `kind: DeploymentRule\nproject: shop2\nname: ${name}\nafter: ${name === "a" ? "b" : "a"}\nmode: STAGING\ncluster: eu-west\ntimezone: UTC\nstart_time: "2026-01-01T08:00:00Z"\nstop_time: "2026-01-01T19:00:00Z"\nweekdays: [MONDAY]\n`,
      )
      .join("---\n"),
    says: "these depend on each other in a circle",
    advises: "remove after from one of them",
  },
  "a text for a list": {
    manifest: labels.replace("[{ key: team, value: shop }]", "shop"),
    says: "m.yaml:3:9: error: labels must be a list",
    advises: "write",
  },
  "a text for a number": {
    manifest: cluster('min_running_nodes: "3"\n'),
    command: ["apply", ...both],
    says: "min_running_nodes must be a whole number",
    advises: "write min_running_nodes: 3, without quotes",
  },
  "null for what is needed": {
    manifest: cluster().replace("AWS", "null"),
    command: ["apply", ...both],
    says: "cloud_provider cannot be reset",
    advises: "declare a value",
  },
  "an unknown member": {
    manifest: cluster("nodes: 3\n"),
    command: ["apply", ...both],
    says: 'Cluster has no field "nodes"',
    advises: "",
  },
  // Settings of clusters that have requests of their own, and backups.
  "a token of a DNS provider in plain text": {
    manifest: cluster(
      `dns_provider:\n  provider: CLOUDFLARE\n  domain: a.example\n  email: a@a.example\n  api_token: ${canary}\n`,
    ),
    command: ["apply", ...both],
    says: "m.yaml:9:3: error: dns_provider.api_token has its value in plain text",
    advises: "name the source",
  },
  "a token of Argo CD in plain text": {
    manifest: cluster(`argo_cd: { argocd_url: "https://a.example", argocd_token: ${canary} }\n`),
    command: ["apply", ...both],
    says: "error: argo_cd.argocd_token has its value in plain text",
    advises: "name the source",
  },
  "a DNS provider without its consent": {
    manifest: cluster("dns_provider: { domain: a.example }\n"),
    says: "cluster:paris would be created: that costs money",
    advises: "--allow-infrastructure --confirm 'paris'",
  },
  "a DNS provider without its token": {
    manifest: cluster("dns_provider: { provider: CLOUDFLARE, domain: a.example, email: a@a.example }\n"),
    command: ["apply", ...both],
    says: "the provider CLOUDFLARE needs api_token",
    advises: "",
  },
  "a DNS provider that does not exist": {
    manifest: cluster("dns_provider: { provider: CLOUDFLAER, domain: a.example }\n"),
    command: ["apply", ...both],
    says: "m.yaml:5:27: error: dns_provider.provider",
    advises: "CLOUDFLARE",
  },
  "two DNS providers": {
    manifest: cluster(
      "dns_provider: { provider: CLOUDFLARE, domain: a.example, email: a@a.example, aws_region: eu-west-3 }\n",
    ),
    command: ["apply", ...both],
    says: "error: dns_provider",
    advises: "",
  },
  "Argo CD without its token": {
    manifest: cluster('argo_cd: { argocd_url: "https://a.example" }\n'),
    command: ["apply", ...both],
    says: "it needs argocd_token, which the API does not show",
    advises: "",
  },
  "mappings without Argo CD": {
    manifest: cluster('argo_cd_mappings: { "https://kubernetes.default.svc": {} }\n'),
    command: ["apply", ...both],
    says: "they need argo_cd, which the cluster does not have",
    advises: "",
  },
  "a mapping of no URL": {
    manifest: cluster("argo_cd_mappings: { in-cluster: {} }\n"),
    command: ["apply", ...both],
    says: "is not the URL of a destination",
    advises: "https://kubernetes.default.svc",
  },
  "a mapping to a misspelt cluster": {
    manifest: cluster(
      'argo_cd: { argocd_url: "https://a.example", argocd_token: { from_env: HOME } }\nargo_cd_mappings: { "https://b.example": { cluster: eu-wets } }\n',
    ),
    command: ["apply", ...both],
    says: 'there is no cluster "eu-wets"',
    advises: "did you mean eu-west?",
  },
  "credentials that do not exist": {
    manifest: cluster("cloud_provider_credentials: { credentials: production }\n"),
    command: ["apply", ...both],
    says: 'there is no credentials "production"',
    advises: "the organization has",
  },
  "a variable of a DNS provider that is not set": {
    manifest: cluster(
      "dns_provider: { provider: CLOUDFLARE, domain: a.example, email: a@a.example, api_token: { from_env: NOT_SET } }\n",
    ),
    command: ["apply", ...both],
    says: "cluster:paris: dns_provider.api_token: ",
    advises: "NOT_SET",
  },
  "a backup of a database that does not exist": {
    manifest: "kind: Backup\ndatabase: shop2/staging/orders\nname: before\n",
    before: web,
    says: "shop2/staging/orders does not exist",
    advises: "add a document for the Database",
  },
  "a backup with another message": {
    manifest: "kind: Backup\ndatabase: shop2/staging/orders\nname: before\nmessage: other\n",
    before: `${web}---\nkind: Database\nenvironment: shop2/staging\nname: orders\ntype: POSTGRESQL\nversion: "16"\nmode: CONTAINER\n---\nkind: Backup\ndatabase: shop2/staging/orders\nname: before\n`,
    command: ["apply", "--allow-replace", "**"],
    says: "the API cannot change a backup",
    advises: "",
  },
  "a role without a member of its type": {
    manifest: "kind: AwsCredentials\nname: aws\ntype: AWS_ROLE\n",
    command: ["apply", "--allow-infrastructure", "--confirm", "aws"],
    says: "the type AWS_ROLE needs role_arn",
    advises: "",
  },
};

describe("the contents of the organization", () => {
  test.each(Object.entries(cases))("%s is refused before anything is written", async (_name, given) => {
    const { manifest, command = ["apply"], variables, before, says, advises } = given;
    if (before !== undefined) {
      const first = await fixture.write("before.yaml", before);
      const made = await fixture.run(["apply", first, "--yes", ...both], { env: { HOME: canary } });
      expect(made.code, made.stderr).toBe(0);
    }
    const file = await fixture.write("m.yaml", manifest);
    await fixture.takeRequests();
    const [name = "", ...flags] = command;
    const ran = await fixture.run([name, file, "--yes", ...flags], { env: { ...fixture.env, ...variables } });
    expect(ran.code, ran.stdout + ran.stderr).toBe(3);
    expect(ran.stderr).toContain(says);
    expect(ran.stderr).toContain(advises);
    // A place in the file, or the address of the resource.
    expect(ran.stderr).toMatch(/error: (\w+:\S|\w+ \S+:)|m\.yaml:\d+:\d+: error/);
    // Advice follows on a line of its own.
    expect(ran.stderr).toMatch(/\n {2}\S/);
    expect((await fixture.requests()).filter((request) => !request.startsWith("GET"))).toEqual([]);
    expect(ran.stdout + ran.stderr).not.toContain(canary);
  });
});
