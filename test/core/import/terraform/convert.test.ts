import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  convert,
  type Conversion,
  type ConvertOptions,
  readState,
} from "../../../../core/import/terraform/index.ts";
import { dump, type DumpedDocument } from "../../../../core/import/live/index.ts";
import { statedParts } from "../../../../core/parts/index.ts";
import { type Fields, mapFields } from "../../../../core/json.ts";
import { formatManifest } from "../../../../core/manifest/index.ts";
import { summary } from "../../../fixtures/harness.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";
import { organizationPolicy, wholeOrganization } from "../../../fixtures/organization.ts";
import { manifests } from "../../../fixtures/random-documents.ts";
import { secretEnvironment } from "../../../fixtures/random-parts.ts";
import { asFile, asShown, canary, type StateEntry, stateOf } from "../../../fixtures/terraform-state.ts";
import { tries } from "../../../fixtures/random-cases.ts";

const harness = useHarness();

const converted = (
  entries: readonly StateEntry[],
  form = asFile,
  options: ConvertOptions = {},
): Promise<Conversion> =>
  convert(
    harness.context(),
    harness.organization,
    readState(Buffer.from(form(entries)), "terraform.tfstate"),
    options,
  );

const textOf = ({ documents }: Conversion) =>
  documents.map((document) => formatManifest(document)).join("---\n");

/** The actions of a plan of the manifests, in which every stated field counts. */
const planned = async (conversion: Conversion) =>
  summary(await harness.plan(textOf(conversion), { strict: true }));

const addressesOf = ({ converted: resources }: Conversion) => resources.map(({ address }) => address);

/** Fails when a value of a secret is anywhere in a conversion. */
function expectNoSecrets(conversion: Conversion): void {
  const seen = `${JSON.stringify(conversion)} ${textOf(conversion)}`;
  for (const value of [canary, ...Object.values(secretEnvironment)]) expect(seen).not.toContain(value);
}

const secret = { from_env: "SHOP_FIRST" };
const shop: Fields[] = [
  { kind: "Project", name: "shop", variables: { REGION: "eu" }, secrets: { KEY: secret } },
  {
    kind: "Environment",
    project: "shop",
    name: "staging",
    mode: "STAGING",
    cluster: "eu-west",
    secrets: { KEY: secret },
  },
  { kind: "DeploymentStage", environment: "shop/staging", name: "late" },
  {
    kind: "Job",
    environment: "shop/staging",
    name: "nightly",
    source: { image: { registry: "docker-hub", image_name: "a", tag: "1" } },
    schedule: { cronjob: { scheduled_at: "0 3 * * *" } },
    deployment_stage: "late",
    secrets: { KEY: secret, OTHER: secret },
    variables: { ALIAS: { alias_of: "KEY" } },
    advanced_settings: { "deployment.termination_grace_period_seconds": 90 },
  },
  {
    kind: "Terraform",
    environment: "shop/staging",
    name: "network",
    terraform_files_source: {
      git_repository: { url: "https://github.com/acme/network.git", branch: "main", root_path: "/" },
    },
    terraform_variables_source: { tf_vars: [{ key: "password", secret: true, ...secret }] },
    backend: { kubernetes: {} },
    engine: "TERRAFORM",
    provider_version: { explicit_version: "1.9.8" },
    job_resources: { cpu_milli: 500, ram_mib: 512, storage_gib: 1 },
  },
  {
    kind: "Database",
    environment: "shop/staging",
    name: "db",
    type: "POSTGRESQL",
    version: "16",
    mode: "CONTAINER",
  },
];

async function shopState(): Promise<StateEntry[]> {
  await harness.reconcile(shop);
  return (await stateOf(harness)).filter(({ type }) => inProjects.has(type));
}

const inProjects = new Set(
  ["project", "environment", "deployment_stage", "job", "terraform_service", "database"].map(
    (type) => `qovery_${type}`,
  ),
);

const entryOf = (entries: readonly StateEntry[], type: string): StateEntry => {
  const found = entries.find((entry) => entry.type === `qovery_${type}`);
  if (!found) throw new Error(`the state has no ${type}`);
  return found;
};

describe("the plan of the manifests is empty, and they are those of the state", () => {
  test("for an organization with one of each kind", async () => {
    await harness.reconcile(wholeOrganization, organizationPolicy);
    const entries = await stateOf(harness);
    const conversion = await converted(entries);
    expect(await planned(conversion)).toEqual([]);
    expect(conversion.converted).toHaveLength(entries.length);
    expect(new Set(conversion.leftOut.map(({ attribute }) => attribute))).toEqual(new Set(["plan"]));
    expect(textOf(conversion)).toContain("load_balancer.size: lb-l");
    expect(textOf(conversion)).toContain("target: pcx-1");
    expect(textOf(conversion)).toContain("argocd_url: https://argo.acme.example");
    const cluster = conversion.secrets.filter(({ address }) => address === "cluster:paris");
    expect(
      cluster.map(({ field, state, attribute }) => [field, state.replace(/_\d+$/, ""), attribute]),
    ).toEqual([
      ["dns_provider.api_token", "qovery_cluster_dns_provider.dns", "cloudflare.api_token"],
      ["argo_cd.argocd_token", "qovery_argocd_credentials.argo", "argocd_token"],
    ]);
    expectNoSecrets(conversion);
  });

  test("with the same fields as a dump of the same resources", async () => {
    await harness.reconcile(wholeOrganization, organizationPolicy);
    await expectAsDumped((await converted(await stateOf(harness))).documents);
  });

  test("for a service with what the platform says of its database: it names the database", async () => {
    const of = (output: string) => ({ from: "database:orders", output });
    const database = { environment: "shop/staging", name: "orders", type: "POSTGRESQL", version: "16" };
    const worker: Fields = {
      kind: "Job",
      environment: "shop/staging",
      name: "worker",
      source: { image: { registry: "docker-hub", image_name: "a", tag: "1" } },
      schedule: { on_start: {} },
      variables: { HOST: of("host_internal"), PASSWORD: of("password") },
    };
    await harness.reconcile([
      { kind: "Project", name: "shop" },
      { kind: "Environment", project: "shop", name: "staging", cluster: "eu-west" },
      { kind: "Database", ...database, mode: "CONTAINER" },
      worker,
    ]);
    const conversion = await converted(await stateOf(harness));
    expect(await planned(conversion)).toEqual([]);
    const { fields } = conversion.documents.find(({ name }) => name === "worker") ?? {};
    expect(fields?.["variables"]).toEqual(worker["variables"]);
  });

  test.each([
    ["a state file", asFile],
    ["a state that is printed", asShown],
  ])("for random worlds of which the state has a part: %s", async (_name, form) => {
    await fc.assert(
      fc.asyncProperty(
        manifests,
        fc.infiniteStream(fc.nat(3)),
        fc.boolean(),
        async (documents, choices, configuration) => {
          await harness.api("POST", "/_emulator/reset");
          await harness.reconcile(documents);
          const all = (await stateOf(harness)).filter(({ type }) => !/organization|token|cluster/.test(type));
          const entries = all.filter(() => choices.next().value !== 0);
          const conversion = await converted(entries, form, { configuration });
          expect(conversion.converted).toHaveLength(entries.length);
          expect(conversion.documents).toHaveLength(entries.length);
          if (entries.length > 0) expect(await planned(conversion)).toEqual([]);
          expectNoSecrets(conversion);
          if (configuration) await expectAsDumped(conversion.documents);
        },
      ),
      { numRuns: tries(3) },
    );
  });
});

test("an override of a secret, and that of a variable, are stated as overrides", async () => {
  const overriding = {
    secrets: { KEY: { ...secret, overrides: true } },
    variables: { REGION: { value: "us", overrides: true } },
  };
  await harness.reconcile(shop.map((each) => (each["kind"] === "Job" ? { ...each, ...overriding } : each)));
  const conversion = await converted(await stateOf(harness));
  const job = conversion.documents.find(({ kind }) => kind.name === "Job");
  expect(job?.fields).toMatchObject({
    secrets: { KEY: { from_env: "SHOP_STAGING_JOB_NIGHTLY_KEY", overrides: true } },
    variables: { REGION: { value: "us", overrides: true } },
  });
  expect(await planned(conversion)).toEqual([]);
});

describe("requests", () => {
  const requests = async () =>
    (await harness.seen())
      .map(({ method, path }) => `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, "{id}")}`)
      .toSorted();

  test("are one for each list, as those of a dump, and one for the variables of each resource that has some", async () => {
    const entries = await shopState();
    await harness.forgetRequests();
    await converted(entries);
    expect(await requests()).toEqual([
      "GET /environment/{id}/deploymentStage",
      "GET /environment/{id}/services",
      "GET /organization/{id}/project",
      "GET /project/{id}/environment",
      // The project, the environment and the job: the state has no variable of the Terraform service.
      ...Array.from({ length: 3 }, () => "GET /variable"),
    ]);
  });

  test("are one for each sort of the organization", async () => {
    await harness.reconcile(wholeOrganization, organizationPolicy);
    const entries = await stateOf(harness);
    await harness.forgetRequests();
    await converted(entries);
    const seen = await requests();
    const lists = seen.filter((request) => /^GET \/organization\/\{id\}(?:\/[\w/]+)?$/.test(request));
    expect(lists).toHaveLength(new Set(lists).size);
  });

  test("are fewer where the state has less, and need no more where it tells the parents", async () => {
    const entries = await shopState();
    const [job, environment] = [entryOf(entries, "job"), entryOf(entries, "environment")];
    await harness.forgetRequests();
    await converted([job, { ...environment, mode: "data" }]);
    const known = await requests();
    expect(known).toEqual([
      "GET /environment/{id}/deploymentStage",
      "GET /environment/{id}/services",
      "GET /organization/{id}/project",
      "GET /project/{id}/environment",
      "GET /variable",
    ]);
    await harness.forgetRequests();
    await converted([job]);
    // The environment says which project it is in.
    expect(await requests()).toEqual([...known, "GET /environment/{id}"].toSorted());
  });

  test("are none for a resource without documents", async () => {
    await harness.forgetRequests();
    await converted([{ type: "qovery_deployment", name: "all", attributes: { id: "x" } }]);
    expect(await harness.seen()).toEqual([]);
  });
});

describe("parents that the state does not manage", () => {
  test("get no document: the manifest names them, and they stay out", async () => {
    const entries = await shopState();
    const conversion = await converted([entryOf(entries, "job")]);
    expect(addressesOf(conversion)).toEqual(["job:shop/staging/nightly"]);
    expect(conversion.documents[0]?.parent).toBe("shop/staging");
    expect(conversion.unmanaged).toEqual([
      "database:shop/staging/db",
      "environment:shop/staging",
      "project:shop",
      "terraform:shop/staging/network",
    ]);
    expect(await planned(conversion)).toEqual([]);
  });
});

describe("resources that do not exist any more", () => {
  const gone = "7e2a1f0c-3b51-4c2e-9a75-0d6f3f5f1a2b";
  const lost = ({ leftOut }: Conversion) =>
    leftOut.map(
      ({ state, why, isGone }) => `${state}: ${why.replaceAll(/[0-9a-f-]{36}/g, "{id}")} ${isGone}`,
    );

  test("is listed with its address in the state, and nothing else is lost", async () => {
    const entries = await shopState();
    const ghost = { ...entryOf(entries, "job"), name: "ghost", key: "a" };
    const conversion = await converted([
      ...entries,
      { ...ghost, attributes: { ...ghost.attributes, id: gone } },
    ]);
    expect(lost(conversion)).toEqual(['qovery_job.ghost["a"]: no Job of the id {id} is live true']);
    expect(conversion.converted).toHaveLength(entries.length);
  });

  test("takes with it what was in it", async () => {
    const job = entryOf(await shopState(), "job");
    const conversion = await converted([{ ...job, attributes: { ...job.attributes, environment_id: gone } }]);
    expect(lost(conversion)).toEqual([
      `qovery_job.${job.name}: its Environment is not there: no Environment of the id {id} is live true`,
    ]);
    const data: StateEntry = {
      type: "qovery_environment",
      name: "e",
      mode: "data",
      attributes: { id: gone, project_id: gone },
    };
    const told = await converted([data, { ...job, attributes: { ...job.attributes, environment_id: gone } }]);
    expect(lost(told)).toEqual([
      `qovery_job.${job.name}: its Environment is not there: its Project is not there: no Project of the id {id} is live in the organization acme true`,
    ]);
  });

  test.each(["..", "", "/../../project", "a".repeat(5000), "7", "\u0000", "\uD800"])(
    "is a resource with the parent %j, and no request is sent for that",
    async (parentId) => {
      const job = entryOf(await shopState(), "job");
      await harness.forgetRequests();
      const conversion = await converted([
        { ...job, attributes: { ...job.attributes, environment_id: parentId } },
      ]);
      expect(conversion.leftOut.map(({ isGone }) => isGone)).toEqual([true]);
      expect(await harness.seen()).toEqual([]);
    },
  );

  test("is a secret whose key is not live; the others have a source", async () => {
    const entries = await shopState();
    const job = entryOf(entries, "job");
    const secrets = [...(job.attributes["secrets"] as Fields[]), { key: "ABSENT", value: canary }];
    const conversion = await converted([{ ...job, attributes: { ...job.attributes, secrets } }]);
    expect(conversion.leftOut).toEqual([
      expect.objectContaining({
        attribute: 'secrets["ABSENT"].value',
        why: "no secret ABSENT of the Job is live",
        isGone: true,
      }),
    ]);
    expect(await planned(conversion)).toEqual([]);
  });
});

describe("resources of the state that are members of the manifest of a cluster", () => {
  const clusterState = async () => {
    const entries = await stateOf(harness);
    const cluster = entries.find(({ attributes }) => attributes["name"] === "eu-west");
    const organization_id = harness.organization.id;
    const id = cluster?.attributes["id"] ?? null;
    const mapping = { organization_id, agent_cluster_id: id, argocd_cluster_url: "https://a.example.com" };
    return [
      ...(cluster ? [cluster] : []),
      {
        type: "qovery_argocd_credentials",
        name: "argo",
        attributes: { id, cluster_id: id, argocd_token: canary },
      },
      {
        type: "qovery_argocd_destination_cluster_mapping",
        name: "mapping",
        attributes: { id: "m", ...mapping },
      },
    ];
  };

  test("are gone where the cluster has none", async () => {
    const conversion = await converted(await clusterState());
    expect(conversion.leftOut.map(({ state, why, isGone }) => [state, why, isGone])).toEqual([
      ["qovery_argocd_credentials.argo", "no argo_cd of the Cluster is live", true],
      [
        "qovery_argocd_destination_cluster_mapping.mapping",
        "no argo_cd_mappings of the Cluster is live",
        true,
      ],
    ]);
    expect(await planned(conversion)).toEqual([]);
  });

  test("are left out without their cluster, and the secrets that the state holds of them are listed", async () => {
    const [, ...members] = await clusterState();
    const conversion = await converted(members);
    expect(conversion.leftOut.map(({ why }) => why)).toEqual(
      members.map(() => "it is stated in the document of its Cluster, which the state does not manage"),
    );
    expect(conversion.held).toEqual([{ state: "qovery_argocd_credentials.argo", attribute: "argocd_token" }]);
    expectNoSecrets(conversion);
  });
});

describe("secrets", () => {
  test("get sources with names of their own, and are listed with the place of the value in the state", async () => {
    const entries = await shopState();
    const conversion = await converted(entries);
    expect(await planned(conversion)).toEqual([]);
    const [job, network] = [entryOf(entries, "job"), entryOf(entries, "terraform_service")];
    expect(conversion.secrets.map(({ variable, field, attribute }) => [variable, field, attribute])).toEqual([
      ["PROJECT_SHOP_KEY", "secrets.KEY", 'secrets["KEY"].value'],
      ["SHOP_ENVIRONMENT_STAGING_KEY", "secrets.KEY", 'secrets["KEY"].value'],
      ["SHOP_STAGING_JOB_NIGHTLY_KEY", "secrets.KEY", 'secrets["KEY"].value'],
      ["SHOP_STAGING_JOB_NIGHTLY_OTHER", "secrets.OTHER", 'secrets["OTHER"].value'],
      [
        "SHOP_STAGING_TERRAFORM_NETWORK_TERRAFORM_VARIABLES_SOURCE_TF_VARS_PASSWORD",
        "terraform_variables_source.tf_vars[password]",
        'variables["password"].value',
      ],
    ]);
    expect(conversion.secrets.map(({ state }) => state).slice(2)).toEqual([
      `qovery_job.${job.name}`,
      `qovery_job.${job.name}`,
      `qovery_terraform_service.${network.name}`,
    ]);
    expect(conversion.held).toEqual([
      { state: `qovery_database.${entryOf(entries, "database").name}`, attribute: "password" },
    ]);
    expectNoSecrets(conversion);
  });

  test("in variables become secrets to be supplied, in arguments they stay out, each with its place", async () => {
    const password = `${canary}-of-orders`;
    const worker = {
      ...shop.find(({ name }) => name === "nightly"),
      name: "worker",
      secrets: {},
      schedule: { on_start: { arguments: ["--password", password] } },
      variables: {
        DB_PASSWORD: password,
        DB_URL: `postgres://root:${password}@db/orders`,
        CONFIG: { file: { mount_path: "/a", text: `password: ${password}` } },
        LEVEL: "info",
        USER: "root",
      },
    };
    await harness.reconcile([...shop, worker]);
    const entries = (await stateOf(harness)).map((entry) =>
      entry.type === "qovery_database"
        ? { ...entry, attributes: { ...entry.attributes, password }, sensitive: ["login", "name"] }
        : entry,
    );
    const conversion = await converted(entries);
    expectNoSecrets(conversion);
    const { fields } = conversion.documents.find(({ name }) => name === "worker") ?? {};
    const open = { CONFIG: null, DB_PASSWORD: null, DB_URL: null };
    expect(fields?.["variables"]).toEqual({ ...open, LEVEL: "info", USER: "root" });
    expect(fields?.["secrets"]).toEqual({
      CONFIG: { from_env: "SHOP_STAGING_JOB_WORKER_CONFIG", mount_path: "/a" },
      DB_PASSWORD: { from_env: "SHOP_STAGING_JOB_WORKER_DB_PASSWORD" },
      DB_URL: { from_env: "SHOP_STAGING_JOB_WORKER_DB_URL" },
    });
    expect(conversion.secrets.map(({ field }) => field)).toEqual(
      expect.arrayContaining(Object.keys(open).map((key) => `secrets.${key}`)),
    );
    const why = expect.stringMatching(/^it has the password of qovery_database\.\S+ in it/);
    expect(conversion.leftOut.map(({ attribute, why: said }) => [attribute, said])).toEqual(
      expect.arrayContaining([["schedule", why]]),
    );
    expect(await planned(conversion)).toEqual([
      expect.stringMatching(/^update job:shop\/staging\/worker: secrets.CONFIG /),
    ]);
  });

  test.each([asFile, asShown])("are listed once, also where the state marks them", async (form) => {
    const entries = await shopState();
    const marked = entries.map((entry) => ({
      ...entry,
      sensitive: ["secrets", "name", "brand_new", "login"],
    }));
    const conversion = await converted(marked, form);
    const held = (type: string, ...attributes: string[]) =>
      attributes.map((attribute) => ({ state: `qovery_${type}.${entryOf(entries, type).name}`, attribute }));
    expect(conversion.held).toEqual(
      expect.arrayContaining([...held("job", "name"), ...held("database", "name", "login", "password")]),
    );
    expect(conversion.held).not.toEqual(expect.arrayContaining(held("job", "secrets")));
    expect(conversion.held).not.toEqual(expect.arrayContaining(held("job", "brand_new")));
  });

  test("of names that would be one variable get several", async () => {
    await harness.reconcile([
      { kind: "GitToken", name: "a-b", type: "GITHUB", token: secret },
      { kind: "GitToken", name: "a.b", type: "GITHUB", token: secret },
    ]);
    const tokens = (await stateOf(harness)).filter(({ type }) => type === "qovery_git_token");
    const conversion = await converted(tokens);
    expect(conversion.secrets.map(({ variable }) => variable)).toEqual([
      "GITTOKEN_A_B_TOKEN",
      "GITTOKEN_A_B_TOKEN_2",
      "GITTOKEN_GITHUB_MAIN_TOKEN",
    ]);
    expect(await planned(conversion)).toEqual([]);
  });

  test("that the state does not manage are left out, as in a dump", async () => {
    const job = entryOf(await shopState(), "job");
    const [first] = job.attributes["secrets"] as Fields[];
    const one = await converted([{ ...job, attributes: { ...job.attributes, secrets: [first ?? {}] } }]);
    expect(one.secrets.map(({ field }) => field)).toEqual([`secrets.${String(first?.["key"])}`]);
    expect(textOf(one).match(/from_env/g)).toHaveLength(1);
    const conversion = await converted([{ ...job, attributes: { ...job.attributes, secrets: [] } }]);
    expect(conversion.secrets).toEqual([]);
    expect(textOf(conversion)).not.toContain("secrets:");
  });
});

describe("settings that take requests of their own", () => {
  test("are in the manifest where the state manages them, or where they are asked for", async () => {
    const job = entryOf(await shopState(), "job");
    const set = { ...job, attributes: { ...job.attributes, advanced_settings_json: '{"a":1}' } };
    expect(textOf(await converted([job]))).not.toContain("advanced_settings");
    const wanted = "deployment.termination_grace_period_seconds: 90";
    expect(textOf(await converted([set]))).toContain(wanted);
    expect(textOf(await converted([job], asFile, { configuration: true }))).toContain(wanted);
  });
});

describe("a resource that no manifest can describe is listed with its address and a remedy", () => {
  const reasons = ({ leftOut }: Conversion) =>
    leftOut.map(({ state, attribute, why }) => [state, attribute, why.replaceAll(/[0-9a-f-]{36}/g, "{id}")]);

  test("types without documents", async () => {
    const types = ["deployment", "blueprint", "argocd_credentials", "constructor", "new"];
    const conversion = await converted(
      types.map((type) => ({ type: `qovery_${type}`, name: "x", attributes: { id: "1" } })),
    );
    expect(reasons(conversion)).toEqual([
      ["qovery_deployment.x", undefined, "it starts deployments, and is not a resource"],
      ["qovery_blueprint.x", undefined, "infrasync has no kind for blueprints"],
      ["qovery_constructor.x", undefined, "this version of infrasync does not know the type"],
      ["qovery_new.x", undefined, "this version of infrasync does not know the type"],
      [
        "qovery_argocd_credentials.x",
        undefined,
        "it is stated in the document of its Cluster, which the state does not manage",
      ],
    ]);
  });

  test("attributes without a member, and those that are not known", async () => {
    const job = entryOf(await shopState(), "job");
    const more = {
      secret_files: [{ key: "F", value: canary }],
      brand_new: 7,
      constructor: "x",
    };
    const conversion = await converted([{ ...job, attributes: { ...job.attributes, ...more } }]);
    const state = `qovery_job.${job.name}`;
    expect(reasons(conversion)).toEqual([
      [state, 'secret_files["F"].value', "no secret F of the Job is live"],
      [state, "brand_new", "this version of infrasync does not know the attribute"],
      [state, "constructor", "this version of infrasync does not know the attribute"],
    ]);
    expectNoSecrets(conversion);
  });

  test("deposed objects, other organizations, and the second of two entries of one resource", async () => {
    const entries = await shopState();
    const [job, project] = [entryOf(entries, "job"), entryOf(entries, "project")];
    const elsewhere = { ...project.attributes, organization_id: "7e2a1f0c-3b51-4c2e-9a75-0d6f3f5f1a2b" };
    const conversion = await converted([
      { ...job, name: "old", deposed: "ab12cd34" },
      { ...job, name: "first", status: "tainted" },
      { ...job, name: "second" },
      { ...project, name: "other", attributes: elsewhere },
    ]);
    expect(reasons(conversion)).toEqual([
      ["qovery_job.old", undefined, "Terraform has replaced it, and is going to delete it"],
      ["qovery_job.second", undefined, "it is the same resource as qovery_job.first"],
      ["qovery_project.other", undefined, "it belongs to the organization {id}"],
    ]);
    expect(addressesOf(conversion)).toEqual(["job:shop/staging/nightly"]);
  });

  test("a resource in a project of another organization, without a request", async () => {
    const entries = await shopState();
    const organization_id = "7e2a1f0c-3b51-4c2e-9a75-0d6f3f5f1a2b";
    const moved = entries.map((entry) =>
      entry.type === "qovery_project"
        ? { ...entry, mode: "data" as const, attributes: { ...entry.attributes, organization_id } }
        : entry,
    );
    await harness.forgetRequests();
    const conversion = await converted(moved);
    expect(new Set(conversion.leftOut.map(({ why, isGone }) => `${why} ${isGone}`))).toEqual(
      new Set([`it belongs to the organization ${organization_id} false`]),
    );
    expect(conversion.leftOut).toHaveLength(entries.length - 1);
    expect(await harness.seen()).toEqual([]);
  });

  test("two resources with one name", async () => {
    await harness.reconcile([{ kind: "LabelsGroup", name: "team", labels: [] }]);
    const path = `/organization/${harness.organization.id}/labelsGroups`;
    const first = (await harness.results(path)).find(({ name }) => name === "team");
    const twin = { ...first, name: "TEAM", id: "7e2a1f0c-3b51-4c2e-9a75-0d6f3f5f1a2b" };
    const groups = (await stateOf(harness)).filter(({ attributes }) => attributes["id"] === first?.["id"]);
    const body = { results: [first, twin] };
    await harness.api("POST", "/_emulator/faults", [{ method: "GET", path, status: 200, body }]);
    const conversion = await converted(groups);
    await harness.api("DELETE", "/_emulator/faults");
    expect(reasons(conversion)).toEqual([
      [
        groups[0] && `qovery_labels_group.${groups[0].name}`,
        undefined,
        "the API has 2 resources of the kind LabelsGroup with its name: {id} and {id}",
      ],
    ]);
  });

  test("resources that have a name that none may have", async () => {
    await harness.reconcile([{ kind: "Project", name: "shop" }]);
    const projectId = await harness.idOf("shop");
    const [cluster] = harness.emulator.clusters;
    const body = { mode: "STAGING", cluster_id: cluster?.id };
    await harness.api("POST", `/project/${projectId}/environment`, { ...body, name: "staging " });
    const odd = (await stateOf(harness)).filter(({ type }) => type === "qovery_environment");
    expect(reasons(await converted(odd))).toEqual([
      [expect.any(String), undefined, "the name of the Environment begins or ends with a space"],
    ]);
  });

  test("lists that the token may not read, and lists that the server lacks", async () => {
    await harness.reconcile([{ kind: "LabelsGroup", name: "team", labels: [] }, ...shop]);
    const entries = (await stateOf(harness)).filter(
      ({ type }) => type === "qovery_labels_group" || type === "qovery_git_token" || type === "qovery_job",
    );
    const path = (segment: string) => `/organization/${harness.organization.id}/${segment}`;
    await harness.api("POST", "/_emulator/faults", [
      { method: "GET", path: path("labelsGroups"), status: 403, times: 9 },
      { method: "GET", path: path("gitToken"), status: 404, times: 9 },
    ]);
    const conversion = await converted(entries);
    await harness.api("DELETE", "/_emulator/faults");
    expect(new Set(conversion.leftOut.map(({ why }) => why))).toEqual(
      new Set([
        "the token may not read the list that the LabelsGroup is in",
        "the server has no list of the kind GitToken",
      ]),
    );
    expect(addressesOf(conversion)).toEqual(["job:shop/staging/nightly"]);
  });
});

/** Each document has the same fields as that of a dump. Which variables the secrets come from, each says in names of its own. */
async function expectAsDumped(documents: readonly DumpedDocument[]): Promise<void> {
  const dumped = await dump(harness.context(), harness.organization, undefined, { configuration: true });
  const key = ({ kind, parent, name }: DumpedDocument) => `${kind.name} ${parent ?? ""} ${name}`;
  const others = new Map(dumped.documents.map((document) => [key(document), document.fields]));
  const text = (fields: Fields = {}) => JSON.stringify(fields).replaceAll(/"from_env":"\w*"/g, "");
  for (const document of documents) {
    const { kind, fields } = document;
    const parts = new Set(statedParts(kind).map(({ member }) => member));
    const hidden = new Set(
      statedParts(kind).flatMap(({ member, form }) => (form.isWriteOnly ? [member] : [])),
    );
    // A state manages some parts of a resource.
    const compared = (its: Fields = {}) =>
      mapFields(its, (value, member) =>
        hidden.has(member) || (parts.has(member) && !Object.hasOwn(fields, member)) ? undefined : value,
      );
    expect(text(compared(fields)), key(document)).toBe(text(compared(others.get(key(document)))));
  }
}
