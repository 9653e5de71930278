import { beforeEach, describe, expect, test } from "vitest";
import { parsePattern } from "../../../../core/index.ts";
import { dump } from "../../../../core/import/live/index.ts";
import type { Fields, Json } from "../../../../core/values/json.ts";
import { summary } from "../../../fixtures/harness.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";
import { allow } from "../../../fixtures/policy.ts";
import { secretEnvironment } from "../../../fixtures/random-parts.ts";

const consent = { infrastructure: ["paris", "keys", "others", "google"] };
const first = { from_env: "SHOP_FIRST" };
const paris = { kind: "Cluster", name: "paris", region: "eu-west-3", cloud_provider: "AWS" };
const keys = {
  kind: "AwsCredentials",
  name: "keys",
  type: "AWS_STATIC",
  access_key_id: "A",
  secret_access_key: first,
};
const others = { kind: "AwsCredentials", name: "others", type: "AWS_ROLE", role_arn: "arn:1" };
const cloudflare = {
  provider: "CLOUDFLARE",
  domain: "acme.example",
  email: "ops@acme.example",
  api_token: first,
  proxied: true,
};
const route53 = {
  provider: "ROUTE53",
  domain: "acme.example",
  credentials: { aws_access_key_id: "AKIA", aws_secret_access_key: { from_env: "SHOP_SECOND" } },
  aws_region: "eu-west-3",
};
const argo = { argocd_url: "https://argo.acme.example", argocd_token: { from_env: "SHOP_SECOND" } };
const own = "https://kubernetes.default.svc";
const whole = {
  ...paris,
  cloud_provider_credentials: { credentials: "keys" },
  dns_provider: cloudflare,
  argo_cd: argo,
  argo_cd_mappings: { [own]: {}, "https://west.acme.example": { cluster: "eu-west" } },
};

const harness = useHarness();

const root = () => `/organization/${harness.organization.id}`;
const idOf = async (name: string) =>
  String((await harness.results(`${root()}/cluster`)).find((each) => each["name"] === name)?.["id"]);
const info = async () => harness.api("GET", `${root()}/cluster/${await idOf("paris")}/cloudProviderInfo`);
const dns = async () => harness.api("GET", `/cluster/${await idOf("paris")}/dnsProvider`);
const instances = async () => harness.results(`${root()}/argoCdDestinationClusterMapping`);
const problemsOf = async (documents: Fields[], policy = {}, goal: "reconcile" | "destroy" = "reconcile") =>
  (await harness.plan(documents, { ...consent, ...policy }, goal)).problems.map(
    ({ code, message }) => `${code}: ${message}`,
  );

test("a cluster gets credentials that the same run makes, its DNS provider, and its Argo CD with mappings", async () => {
  await harness.forgetRequests();
  const plan = await harness.reconcile([whole, keys], consent);
  expect(plan.actions.find(({ address }) => address.kind.name === "Cluster")?.after).toEqual([
    "create awscredentials:keys",
  ]);
  const writes = (await harness.writes()).map(({ method, path }) => `${method} ${path.split("/").at(-1)}`);
  expect(writes.toSorted()).toEqual([
    "POST argoCdConfig",
    "POST argoCdDestinationClusterMapping",
    "POST argoCdDestinationClusterMapping",
    "POST cloudProviderInfo",
    "POST cluster",
    "POST credentials",
    "PUT dnsProvider",
  ]);
  expect(writes.indexOf("POST credentials")).toBeLessThan(writes.indexOf("POST cluster"));
  expect(await info()).toMatchObject({ credentials: { name: "keys" } });
  expect(await dns()).toMatchObject({ dns_provider: { provider: "CLOUDFLARE", domain: "acme.example" } });
  expect(await instances()).toMatchObject([
    { argocd_url: "https://argo.acme.example", linked_clusters: [{}, {}] },
  ]);
  expect(summary(await harness.plan([whole, keys], consent))).toEqual([]);
});

test("a plan reads them only where a document declares them", async () => {
  await harness.reconcile([whole, keys], consent);
  await harness.forgetRequests();
  expect(summary(await harness.plan([paris], consent))).toEqual([]);
  expect(await harness.seen()).toHaveLength(1);
});

describe("a destroy is refused while a cluster stays that uses", () => {
  beforeEach(() => harness.reconcile([whole, keys, others], consent));
  const refused = (address: string) => [`in_use: ${address} cannot be deleted: cluster:paris refers to it`];

  test("credentials", async () => {
    await harness.forgetRequests();
    expect(await problemsOf([keys], {}, "destroy")).toEqual(refused("awscredentials:keys"));
    const seen = (await harness.seen()).map(({ path }) => path.split("/").at(-1));
    expect(seen.filter((path) => path === "cloudProviderInfo")).toHaveLength(3);
    expect(await problemsOf([others], {}, "destroy")).toEqual([]);
    expect(await problemsOf([keys, whole], {}, "destroy")).toEqual([]);
  });

  test("another cluster as the destination of its Argo CD", async () => {
    const west = { kind: "Cluster", name: "eu-west", region: "eu-west-3", cloud_provider: "AWS" };
    const problems = await problemsOf([west], { infrastructure: ["eu-west"] }, "destroy");
    expect(problems).toEqual(refused("cluster:eu-west"));
  });
});

describe("a change", () => {
  beforeEach(() => harness.reconcile([whole, keys, others], consent));

  test.each<[string, Fields, Fields[], string[]]>([
    [
      "of the credentials",
      { cloud_provider_credentials: { credentials: "others" } },
      [],
      ["cloud_provider_credentials.credentials", '"name":"others"'],
    ],
    [
      "of the domain",
      { dns_provider: { ...cloudflare, domain: "other.example" } },
      [],
      ['dns_provider.domain "acme.example" -> "other.example"'],
    ],
    ["of the DNS provider", { dns_provider: route53 }, [], ["dns_provider"]],
    [
      "of the URL of Argo CD",
      { argo_cd: { ...argo, argocd_url: "https://cd.acme.example" } },
      [],
      ["argo_cd.argocd_url"],
    ],
    [
      "of a mapping",
      { argo_cd_mappings: { [own]: { cluster: "us-east" } } },
      [],
      [`argo_cd_mappings.${own}.cluster`],
    ],
    ["of the end of a mapping", { argo_cd_mappings: { [own]: null } }, [], [`argo_cd_mappings.${own}`]],
  ])("%s is planned, takes the consents, and converges", async (_name, change, more, shown) => {
    const changed = [{ ...whole, ...change }, keys, others, ...more];
    expect(await problemsOf(changed, { infrastructure: [] })).toEqual([
      expect.stringContaining("infrastructure: cluster:paris would be updated"),
    ]);
    const [line = ""] = summary(await harness.reconcile(changed, consent));
    for (const each of shown) expect(line).toContain(each);
    expect(summary(await harness.plan(changed, consent))).toEqual([]);
  });

  test("of another field keeps all of them", async () => {
    const before = [await info(), await dns(), await instances()];
    await harness.reconcile([{ ...paris, max_running_nodes: 4 }, keys, others], consent);
    expect([await info(), await dns(), await instances()]).toEqual(before);
  });

  test("of the DNS provider without its secret is refused, one of another field is not", async () => {
    const { api_token: _token, ...bare } = cloudflare;
    expect(
      await problemsOf([{ ...whole, dns_provider: { ...bare, domain: "other.example" } }, keys]),
    ).toEqual([
      "impossible: Cluster paris: dns_provider.api_token is a secret that the API does not show, and this change would lose it",
    ]);
    expect(await problemsOf([{ ...whole, max_running_nodes: 4, dns_provider: bare }, keys])).toEqual([]);
  });

  test("that removes Argo CD removes its mappings", async () => {
    const bare = { ...paris, argo_cd: { argocd_url: null } };
    expect(
      (await harness.plan([bare, keys, others], consent)).problems.map(({ message }) => message),
    ).toEqual(["cluster:paris would lose the secret argo_cd.argocd_token, which cannot be restored"]);
    await harness.reconcile([bare, keys, others], { ...consent, ...allow("cluster:paris") });
    expect(await instances()).toEqual([]);
    expect(summary(await harness.plan([bare, keys, others], consent))).toEqual([]);
  });

  test("secrets are written again where the run is told to", async () => {
    const [line = ""] = summary(
      await harness.reconcile([whole, keys, others], { ...consent, rotate: [parsePattern("cluster:paris")] }),
    );
    expect(line).toContain("dns_provider.api_token.rotate false -> true");
    expect(line).toContain("argo_cd.argocd_token.rotate false -> true");
  });
});

test.each<[string, Fields, string]>([
  [
    "unknown credentials",
    { cloud_provider_credentials: { credentials: "kees" } },
    'reference: Cluster paris: there is no credentials "kees"',
  ],
  [
    "a DNS provider without its secret",
    { dns_provider: { provider: "CLOUDFLARE", domain: "a.example", email: "a@a.example" } },
    "impossible: Cluster paris: the provider CLOUDFLARE needs api_token",
  ],
  [
    "a DNS provider without its region",
    { dns_provider: { ...route53, aws_region: undefined as never } },
    "impossible: Cluster paris: the provider ROUTE53 needs aws_region",
  ],
  [
    "Argo CD without its token",
    { argo_cd: { argocd_url: "https://a.example" } },
    "impossible: Cluster paris: it needs argocd_token, which the API does not show",
  ],
  [
    "mappings without Argo CD",
    { argo_cd_mappings: { [own]: {} } },
    "impossible: Cluster paris: they need argo_cd, which the cluster does not have",
  ],
  [
    "a mapping to no cluster",
    { argo_cd: argo, argo_cd_mappings: { [own]: { cluster: "rome" } } },
    'reference: Cluster paris: there is no cluster "rome"',
  ],
])("%s is refused, and nothing is written", async (_name, fields, message) => {
  await harness.forgetRequests();
  const declared = JSON.parse(JSON.stringify({ ...paris, ...fields })) as Fields;
  expect(await problemsOf([declared, keys])).toEqual([expect.stringContaining(message)]);
  expect(await harness.writes()).toEqual([]);
});

test("no value of a secret is in a plan, a report or what is known of the server", async () => {
  const plan = await harness.plan([whole, keys], consent);
  const report = await harness.apply(plan);
  const again = await harness.plan([{ ...whole, dns_provider: route53 }, keys], consent);
  const text = JSON.stringify([plan, report, again], (_key, value: Json | Map<string, Json>) =>
    value instanceof Map ? [...value] : value,
  );
  for (const canary of Object.values(secretEnvironment)) expect(text).not.toContain(canary);
});

test("credentials that a cluster uses are deleted after it", async () => {
  await harness.reconcile([whole, keys], consent);
  const plan = await harness.plan([whole, keys], consent, "destroy");
  expect(plan.problems).toEqual([]);
  expect((await harness.apply(plan)).outcomes.map(({ status }) => status)).toEqual(["done", "done"]);
});

test("a dump with settings has them, with sources for secrets, and shows no change", async () => {
  await harness.reconcile([whole, keys], consent);
  const { documents } = await dump(harness.context(), harness.organization, undefined, {
    configuration: true,
  });
  const found = documents.find(({ kind, name }) => kind.name === "Cluster" && name === "paris");
  expect(found?.fields).toMatchObject({
    cloud_provider_credentials: { credentials: "keys" },
    dns_provider: { provider: "CLOUDFLARE", api_token: { from_env: "CLUSTER_PARIS_DNS_PROVIDER_API_TOKEN" } },
    argo_cd: { argocd_token: { from_env: "CLUSTER_PARIS_ARGO_CD_ARGOCD_TOKEN" } },
    argo_cd_mappings: { [own]: {}, "https://west.acme.example": { cluster: "eu-west" } },
  });
  const bare = documents.find(({ kind, name }) => kind.name === "Cluster" && name === "us-east");
  expect(Object.keys(bare?.fields ?? {})).not.toContain("argo_cd");
});
