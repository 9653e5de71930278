import { expect, test } from "vitest";
import { documentOf } from "../captured.ts";
import { useFixture, withoutRequests, writesOf } from "../fixture.ts";
import { cronJob, lifecycleJob, shop } from "../../fixtures/manifests.ts";

const fixture = useFixture();

const twoEnvironments = `${shop}---
kind: Environment
project: shop
name: production
mode: PRODUCTION
cluster: eu-west
${lifecycleJob("migrate", "", "shop/production")}${cronJob("nightly-report", "", "shop/production")}`;

const prepare = async () => {
  await fixture.write("shop.yaml", twoEnvironments);
  await fixture.run(["apply", fixture.folder, "--yes"]);
  await fixture.takeRequests();
};

test("clone of a job with overrides shows the plan and prints the manifest of the clone", async () => {
  await prepare();
  const { code, stdout, stderr } = await fixture.run([
    "clone",
    "job",
    "shop/production/migrate",
    "--to",
    "shop/staging",
    "--set",
    "cpu=250",
    "--set",
    "source.image.tag=2.1.0",
    "--yes",
  ]);
  expect(code).toBe(0);
  expect(`\n${withoutRequests(stderr)}`).toMatchInlineSnapshot(`
    "
    infrasync will make these changes in acme:

      + Job shop/staging/migrate  cloned from shop/production/migrate
          source.image.tag  2.0.0 -> 2.1.0
          cpu               500m -> 250m

    Plan: 1 to clone.
    Requests: 6 spent on planning, 4 to apply; 984 of 1000 left, resets in N min.

    [1/1] cloned   Job shop/staging/migrate

    Done: 1 cloned.
    Not deployed yet: Job shop/staging/migrate. To deploy:
      infrasync deploy job:shop/staging/migrate
    Requests: …
    "
  `);
  expect(`\n${stdout}`).toMatchInlineSnapshot(`
    "
    kind: Job
    environment: shop/staging
    name: migrate
    source:
      image:
        image_name: acme/migrate
        tag: 2.1.0
        registry: docker-hub
    schedule:
      on_start:
        arguments:
          - --up
      lifecycle_type: GENERIC
    cpu: 250
    memory: 512
    auto_deploy: true
    max_nb_restart: 0
    auto_preview: false
    "
  `);
  await fixture.write("clone.yaml", stdout);
  expect(await fixture.run(["plan", fixture.folder, "--detailed-exitcode"])).toMatchObject({ code: 0 });
});

test("clone of an environment creates the clone in the same project, with all services", async () => {
  await prepare();
  const ran = await fixture.run([
    "clone",
    "environment",
    "shop/production",
    "--to",
    "shop",
    "--name",
    "preview-42",
    "--set",
    "mode=DEVELOPMENT",
    "--yes",
    "--output",
    "json",
  ]);
  expect(ran.code).toBe(0);
  expect(documentOf(ran)).toMatchObject({
    ok: true,
    plan: { counts: { clone: 1 } },
    report: { complete: true },
    documents: [
      { kind: "Environment", project: "shop", name: "preview-42", mode: "DEVELOPMENT", cluster: "eu-west" },
      { kind: "Job", environment: "shop/preview-42", name: "migrate" },
      { kind: "Job", environment: "shop/preview-42", name: "nightly-report" },
    ],
  });
});

test("clone --dry-run shows the plan, prints a manifest with the clone request, and changes nothing", async () => {
  await prepare();
  const line = "clone job shop/production/migrate --to shop/staging --set cpu=250 --set gpu=null --dry-run";
  const { code, stdout, stderr } = await fixture.run(line.split(" "));
  expect({ code, writes: writesOf(await fixture.takeRequests()) }).toEqual({ code: 0, writes: [] });
  expect(stderr).toContain("+ Job shop/staging/migrate  cloned from shop/production/migrate");
  expect(`\n${stdout}`).toMatchInlineSnapshot(`
    "
    kind: Job
    environment: shop/staging
    name: migrate
    clone:
      from: shop/production/migrate
    cpu: 250
    gpu: null
    "
  `);
  const json = documentOf(await fixture.run([...line.split(" "), "--output", "json"]));
  expect(json).toMatchObject({
    ok: true,
    plan: { counts: { clone: 1 } },
    documents: [{ kind: "Job", name: "migrate", clone: { from: "shop/production/migrate" }, cpu: 250 }],
  });
  const manifest = await fixture.write("clone/migrate.yaml", stdout);
  expect(await fixture.run(["apply", manifest, "--yes"])).toMatchObject({ code: 0 });
  expect((await fixture.run(["plan", manifest])).stdout).toContain("No changes");
});

test("clone accepts addresses, as plans print them, for the source and the target", async () => {
  await prepare();
  const clone = (source: string, to: string) =>
    fixture.run(["clone", "job", source, "--to", to, "--dry-run"]);
  expect(await clone("job:shop/production/migrate", "environment:shop/staging")).toMatchObject({
    code: 0,
    stdout: (await clone("shop/production/migrate", "shop/staging")).stdout,
  });
  const { stdout } = await fixture.run(
    "clone cronjob:shop/production/migrate --to shop/staging --dry-run".split(" "),
  );
  expect(stdout).toBe((await clone("shop/production/migrate", "shop/staging")).stdout);
  expect((await clone("job:shop/production/migrate", "shop/production")).stderr).toContain(
    "the clone would have the same parent and name as its source",
  );
});

test("clone without --yes and without a terminal clones nothing and advises --yes", async () => {
  const line = "clone job shop/production/migrate --to shop/staging";
  const { code, stderr } = await fixture.run(line.split(" "));
  expect({ code, requests: await fixture.takeRequests() }).toEqual({ code: 3, requests: [] });
  expect(stderr).toMatchInlineSnapshot(`
    "error: clone cannot ask for confirmation, because there is no terminal
      add --yes to skip the confirmation; --dry-run shows the changes

    To allow all of this:
      infrasync clone job shop/production/migrate --to shop/staging --yes
    "
  `);
});

test("a repeated clone command creates no second clone", async () => {
  await prepare();
  const args = ["clone", "job", "shop/production/migrate", "--to", "shop/staging", "--yes"];
  await fixture.run(args);
  const { code, stdout, stderr } = await fixture.run(args);
  expect(code).toBe(0);
  expect(stderr).toContain("Job shop/staging/migrate: already exists, so nothing is cloned");
  expect(stdout).toContain("name: migrate");
});

test.for([["--yes"], ["--dry-run"]])(
  "clone refuses to change an existing target unless --update allows it: %s",
  async ([how = ""]) => {
    await prepare();
    const args = ["clone", "job", "shop/production/migrate", "--to", "shop/staging"];
    await fixture.run([...args, "--yes"]);
    await fixture.takeRequests();
    const changed = [...args, "--set", "cpu=999", how];
    const refused = await fixture.run(changed);
    expect({ ...refused, writes: writesOf(await fixture.takeRequests()) }).toEqual({
      code: 3,
      stdout: "",
      stderr: `error: Job shop/staging/migrate already exists, so it would be updated instead of cloned
  choose another name with --name, or allow the update with --update
`,
      writes: [],
    });
    expect(documentOf(await fixture.run([...changed, "--output", "json"]))).toMatchObject({
      ok: false,
      error: { code: "not_approved" },
    });
    const allowed = await fixture.run([...changed, "--update"]);
    expect(allowed).toMatchObject({ code: 0, stdout: expect.stringContaining("cpu: 999") });
    expect(writesOf(await fixture.takeRequests())).toEqual(how === "--yes" ? ["PUT /job/{id}"] : []);
  },
);

test.for([
  [
    "a field that does not exist, a wrong value, no assignment",
    "job shop/production/migrate --to shop/staging --set cpus=1 --set cpu=five --set memory",
  ],
  ["what cannot be cloned", "project shop --to acme"],
  ["an unknown kind", "jop shop/production/migrate --to shop/staging"],
  ["its own source", "job shop/staging/migrate --to shop/staging"],
  ["references of the wrong form", "job production/migrate --to shop/staging/x"],
  [
    "what has a flag of its own",
    "job shop/production/migrate --to shop/staging --set name=other --set __proto__.x=1",
  ],
  ["a value that is not YAML", "job shop/production/migrate --to shop/staging --set source=[1"],
] as const)("clone refuses before any request: %s", async ([, line]) => {
  const { code, stdout, stderr } = await fixture.run(["clone", ...line.split(" "), "--yes"]);
  expect({ code, stdout, requests: await fixture.takeRequests() }).toEqual({
    code: 3,
    stdout: "",
    requests: [],
  });
  expect(`\n${stderr}`).toMatchSnapshot();
});

test.for([
  ["job shop/production/migrat --to shop/staging", "shop/production/migrate"],
  ["job shop/production/migrate --to shop/stagign", "shop/staging"],
  ["job shop/production/migrate --to shpo/staging", "shop/staging"],
])("clone suggests a similar name: %s", async ([line = "", meant = ""]) => {
  await prepare();
  const { code, stderr } = await fixture.run(["clone", ...line.split(" "), "--yes"]);
  expect(code).toBe(3);
  expect(stderr).toContain(`did you mean ${meant}?`);
});

test("a wrong override that only the server detects is reported with its place on the command line", async () => {
  await prepare();
  const { code, stderr } = await fixture.run([
    "clone",
    "job",
    "shop/production/migrate",
    "--to",
    "shop/staging",
    "--set",
    "source.image.registry=nowhere",
    "--yes",
  ]);
  expect(code).toBe(3);
  expect(`\n${stderr}`).toMatchInlineSnapshot(`
    "
    command line:1:69: error: Job shop/staging/migrate: there is no container registry "nowhere"
      1 | infrasync clone job shop/production/migrate --to shop/staging --set source.image.registry=…
        |                                                                     ^
      the organization has: docker-hub, ecr-production
    "
  `);
});

test("a clone that takes longer than the time limit is pending, and the next run completes it", async () => {
  await prepare();
  const args = ["clone", "job", "shop/production/migrate", "--to", "shop/staging", "--yes"];
  await fixture.fault({
    method: "POST",
    path: "/job/*/clone",
    status: 409,
    body: { status: 409, error: "Conflict", message: "busy" },
  });
  const { code, stderr } = await fixture.run(args, {
    env: { ...fixture.env, INFRASYNC_CLONE_TIMEOUT: "1s" },
  });
  expect(code).toBe(1);
  expect(stderr).toContain("another operation has been in progress for 1 s");
});

test("the report says that a clone was requested when the clone cannot be read in time", async () => {
  await prepare();
  const id = "6b8c0c0e-7e5c-4b8c-9d52-1d5f3a1f0c11";
  await fixture.fault({ method: "POST", path: "/job/*/clone", status: 202, body: { id } });
  const { code, stderr } = await fixture.run(
    ["clone", "job", "shop/production/migrate", "--to", "shop/staging", "--yes"],
    { env: { ...fixture.env, INFRASYNC_CLONE_TIMEOUT: "1s" } },
  );
  expect(code).toBe(1);
  expect(`\n${withoutRequests(stderr).split("[1/1]")[1]}`).toMatchInlineSnapshot(`
    "
     pending  Job shop/staging/migrate

    Not finished:
      Job shop/staging/migrate: the clone has been requested, and could not be read completely within 1 s; run again to continue, which is safe, or set clone_timeout, or INFRASYNC_CLONE_TIMEOUT, to a longer time

    Not all changes could be made. Done so far: 1 clone requested and pending. Run again to continue.
    Requests: …
    "
  `);
});
