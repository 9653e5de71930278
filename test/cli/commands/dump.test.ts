import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kindsOnDemand } from "../../../core/state/live/index.ts";
import { documentOf } from "../captured.ts";
import { steady, useFixture } from "../fixture.ts";
import { cronJob, lifecycleJob, shop } from "../../fixtures/manifests.ts";
import { withArgocdApp } from "../../argocd.ts";

const fixture = useFixture();

const prepare = async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly-report") + lifecycleJob("migrate"));
  await fixture.run(["apply", fixture.folder, "--yes"]);
};

test("dump writes an environment with all its contents, and the plan of the dump is empty", async () => {
  await prepare();
  const { code, stdout, stderr } = await fixture.run(["dump", "shop/staging"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(`\n${stdout}`).toMatchInlineSnapshot(`
    "
    kind: Environment
    project: shop
    name: staging
    mode: STAGING
    cluster: eu-west
    ---
    kind: Job
    environment: shop/staging
    name: nightly-report
    source:
      image:
        image_name: acme/report
        tag: 1.4.2
        registry: docker-hub
    schedule:
      cronjob:
        scheduled_at: 0 3 * * *
        timezone: Europe/Paris
    cpu: 500
    memory: 512
    auto_deploy: true
    max_nb_restart: 0
    auto_preview: false
    ---
    kind: Job
    environment: shop/staging
    name: migrate
    source:
      image:
        image_name: acme/migrate
        tag: 2.0.0
        registry: docker-hub
    schedule:
      on_start:
        arguments:
          - --up
      lifecycle_type: GENERIC
    cpu: 500
    memory: 512
    auto_deploy: true
    max_nb_restart: 0
    auto_preview: false
    "
  `);
  const adopted = await fixture.write("adopted/staging.yaml", stdout);
  expect((await fixture.run(["plan", adopted])).stdout).toContain("No changes to make: 3 resources");
});

test("dump cuts a long name of emoji between characters for the file name", async () => {
  const name = `x${"😀".repeat(60)}`;
  await fixture.write("shop.yaml", shop.replaceAll("shop", name));
  expect(await fixture.run(["apply", fixture.folder, "--yes"])).toMatchObject({ code: 0 });
  const out = join(fixture.folder, "dumped");
  expect(await fixture.run(["dump", name, "--out", out])).toEqual({
    code: 0,
    stdout: "",
    stderr: "2 documents written to 2 files in dumped.\n",
  });
  expect((await fixture.run(["plan", out])).stdout).toContain("No changes to make: 2 resources");
});

test("dump --out writes one file for each resource, and the plan of the folder is empty", async () => {
  await prepare();
  const out = join(fixture.folder, "adopted");
  expect(steady((await fixture.run(["dump", "shop", "--out", out])).stderr)).toMatchInlineSnapshot(`
    "4 documents written to 4 files in adopted.
    "
  `);
  expect(
    (await readdir(out, { recursive: true })).filter((name) => name.endsWith(".yaml")).toSorted(),
  ).toEqual([
    "shop/project.yaml",
    "shop/staging/environment.yaml",
    "shop/staging/job-migrate.yaml",
    "shop/staging/job-nightly-report.yaml",
  ]);
  expect((await fixture.run(["plan", out])).stdout).toContain("No changes to make: 4 resources");
});

test("dump accepts addresses and references and writes each resource once", async () => {
  await prepare();
  const { stdout } = await fixture.run([
    "dump",
    "job:shop/staging/Migrate",
    "shop/staging/migrate",
    "shop/staging/nightly-report",
    "--output",
    "json",
  ]);
  expect(documentOf({ stdout })).toMatchObject({
    ok: true,
    documents: [
      { kind: "Job", environment: "shop/staging", name: "migrate" },
      { kind: "Job", name: "nightly-report" },
    ],
    left_out: [],
  });
});

/** What every organization of the emulator has from the start, as `dump` names it. */
const founding = [
  "AnnotationsGroup team-annotations",
  "ApiToken admin",
  "ApiToken read",
  "ApiToken deploy",
  "ApiToken write",
  "AwsCredentials example-aws",
  "Cluster eu-west",
  "Cluster us-east",
  "ContainerRegistry docker-hub",
  "ContainerRegistry ecr-production",
  "GitToken github-main",
  "LabelsGroup team-labels",
  "Member ada@acme.example",
  "Organization acme",
];

test("dump without an address reads the whole organization: a request for each of its lists, project and resource, two for each environment", async () => {
  await prepare();
  await fixture.write(
    "crm.yaml",
    "kind: Project\nname: crm\n---\nkind: Environment\nproject: crm\nname: live\ncluster: eu-west\n---\nkind: Project\nname: empty\n",
  );
  await fixture.run(["apply", fixture.folder, "--yes"]);
  const out = join(fixture.folder, "adopted");
  await fixture.takeRequests();
  const count = 7 + founding.length;
  expect(await fixture.run(["dump", "--out", out])).toEqual({
    code: 0,
    stdout: "",
    stderr: `${count} documents written to ${count} files in adopted.\n`,
  });
  const requests = await fixture.takeRequests();
  // The roles that the API gives have names only, so no document describes them.
  const kindsInDumps = kindsOnDemand(undefined).filter(({ use }) => use !== "reference");
  const lists = kindsInDumps.map((kind) => `GET ${kind.listing.path("{id}").replace("%7Bid%7D", "{id}")}`);
  expect(requests.toSorted()).toEqual(
    [
      ...lists,
      // Those who are invited are members too.
      "GET /organization/{id}/inviteMember",
      // A list may lack what was created a moment ago.
      "GET /organization/{id}/events",
      "GET /environment/{id}/deploymentStage",
      "GET /environment/{id}/deploymentStage",
      "GET /environment/{id}/services",
      "GET /environment/{id}/services",
      "GET /organization",
      "GET /organization/{id}/project",
      ...Array.from({ length: 3 }, () => "GET /project/{id}/deploymentRule"),
      ...Array.from({ length: 3 }, () => "GET /project/{id}/environment"),
      ...Array.from({ length: 7 }, () => "GET /variable"),
    ].toSorted(),
  );
  expect((await fixture.run(["plan", out])).stdout).toContain(`No changes to make: ${count} resources`);
});

test("dump names a source for each secret, and leaves out lists that the token may not read", async () => {
  await fixture.fault({ method: "GET", path: "/organization/*/customRole", status: 403, times: 1 });
  const { code, stdout, stderr } = await fixture.run(["dump"]);
  expect(code).toBe(0);
  const heads = stdout
    .split("---\n")
    .map((text) => /kind: (.*)\nname: (.*)\n/.exec(text)?.slice(1).join(" "));
  expect(heads).toEqual(founding);
  expect(stdout).toContain("token:\n  from_env: GITTOKEN_GITHUB_MAIN_TOKEN\n");
  expect(stdout).toContain("from_env: CONTAINERREGISTRY_ECR_PRODUCTION_CONFIG_SECRET_ACCESS_KEY\n");
  expect(stderr).toBe("Left out: CustomRole customrole:*, because the token may not read this list.\n");
});

test("dump leaves out two resources with the same address", async () => {
  const path = `/organization/${fixture.emulator.organization.id}/project`;
  await fixture.request("POST", path, { name: "shop" });
  await fixture.request("POST", path, { name: "blog" });
  const twin = { method: "GET", path: "/organization/*/project", status: 200, times: 1 };
  const { results } = (await fixture.request("GET", path)) as { results: { id: string; name: string }[] };
  const [shopProject] = results;
  await fixture.fault({
    ...twin,
    body: {
      results: [...results, { ...shopProject, id: "00000000-0000-4000-8000-000000000000", name: "SHOP" }],
    },
  });
  const { code, stdout, stderr } = await fixture.run(["dump"]);
  expect(code).toBe(0);
  expect(stdout).toContain("kind: Project\nname: blog\n");
  expect(stdout).not.toContain("shop");
  expect(stderr).toBe(
    `Left out: PROJECT shop, because the API has two resources with this name: ${shopProject?.id} and 00000000-0000-4000-8000-000000000000.\n`,
  );
});

test("dump reports an organization that does not exist", async () => {
  const id = "00000000-0000-4000-8000-000000000000";
  expect(await fixture.run(["dump", "--organization", id])).toMatchObject({
    code: expect.toBeOneOf([1, 3]),
    stdout: "",
    stderr: expect.stringContaining(id),
  });
});

test("dump mentions services of types without a manifest", async () => {
  await prepare();
  const env = { INFRASYNC_BASE_URL: await withArgocdApp(fixture.emulator.url, "web") };
  const { code, stderr } = await fixture.run(["dump", "shop", "shop/staging"], { env });
  expect(code).toBe(0);
  expect(stderr).toMatchInlineSnapshot(`
    "Left out: ARGOCD_APP shop/staging/web, because infrasync does not manage this type.
    "
  `);
  expect(await fixture.run(["dump", "shop/staging/web"], { env })).toMatchObject({
    code: 3,
    stdout: "",
    stderr: expect.stringContaining(
      "there is no manifest for ARGOCD_APP shop/staging/web, because infrasync does not manage this type",
    ),
  });
});

test.for([
  ["shop/stagin"],
  ["shop/staging/nightly"],
  ["jop:shop/staging/migrate"],
  ["job:shop/staging"],
  ["a/b/c/d/e"],
  ["shop//migrate"],
])("dump reports an address that does not exist: %s", async ([address = ""]) => {
  await prepare();
  const { code, stdout, stderr } = await fixture.run(["dump", address]);
  expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
  expect(stderr).toMatchSnapshot();
});

test("dump replaces names with a special meaning in the file system", async () => {
  const names = [".hidden", "a/b", "node_modules", "..", "ä ß"];
  await fixture.write("shop.yaml", shop + names.map((name) => cronJob(JSON.stringify(name))).join(""));
  expect(await fixture.run(["apply", fixture.folder, "--yes"])).toMatchObject({ code: 0 });
  const out = join(fixture.folder, "adopted");
  await fixture.run(["dump", "shop", "--out", out]);
  expect((await readdir(join(out, "shop/staging"))).toSorted()).toMatchInlineSnapshot(`
    [
      "environment.yaml",
      "job-%2E..yaml",
      "job-%2Ehidden.yaml",
      "job-%6Eode_modules.yaml",
      "job-a%2Fb.yaml",
      "job-ä ß.yaml",
    ]
  `);
  expect((await fixture.run(["plan", out])).stdout).toContain("No changes to make: 7 resources");
});

test("dump escapes control characters and loses none", async () => {
  const description = "\u001b[2Jfirst\nsecond\u202egnp.exe\u0085";
  await fixture.write(
    "shop.yaml",
    `kind: Project\nname: shop\ndescription: ${JSON.stringify(description)}\n`,
  );
  expect(await fixture.run(["apply", fixture.folder, "--yes"])).toMatchObject({ code: 0 });
  const { stdout } = await fixture.run(["dump", "shop"]);
  for (const character of "\u001B\u202E\u0085") expect(stdout).not.toContain(character);
  expect(stdout).toContain("gnp.exe");
  const adopted = await fixture.write("adopted/shop.yaml", stdout);
  expect((await fixture.run(["plan", adopted])).stdout).toContain("No changes");
});

test("a registry without a URL is dumped without one, which is a valid manifest", async () => {
  const registry =
    "kind: ContainerRegistry\nname: hub\ntype: ECR\nconfig: { region: eu-west-3, role_arn: a }\n";
  const file = await fixture.write("hub.yaml", registry);
  expect(await fixture.run(["apply", file, "--yes"])).toMatchObject({ code: 0 });
  const { stdout } = await fixture.run(["dump", "containerregistry:hub"]);
  expect(stdout).not.toContain("url");
  await fixture.write("hub.yaml", stdout);
  expect(await fixture.run(["plan", file, "--detailed-exitcode"])).toMatchObject({ code: 0 });
});
