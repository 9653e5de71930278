import { copyFile, mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { documentOf } from "../captured.ts";
import { steady, useFixture, withoutRequests, writesOf } from "../fixture.ts";
import { cronJob, lifecycleJob, shop } from "../../fixtures/manifests.ts";

const fixture = useFixture();

const destroy = (...args: string[]) => fixture.run(["destroy", fixture.folder, "--yes", ...args]);

test("destroy deletes the managed resources, contents before parents", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly-report"));
  await fixture.run(["apply", fixture.folder, "--yes"]);
  const { code, stdout } = await destroy();
  expect(code).toBe(0);
  expect(`\n${withoutRequests(stdout)}`).toMatchInlineSnapshot(`
    "
    infrasync will make these changes in acme:

      - Job shop/staging/nightly-report  deleted with Environment shop/staging
      - Environment shop/staging
      - Project shop

    Plan: 3 to delete.
    Requests: 10 spent on planning, 13 to apply; 982 of 1000 left, resets in N min.

    Done: 3 deleted.
    Requests: …
    "
  `);
  const { results } = (await fixture.request(
    "GET",
    `/organization/${fixture.emulator.organization.id}/project`,
  )) as { results: unknown[] };
  expect(results).toEqual([]);
  expect((await destroy()).stdout).toMatch(
    /^Nothing to delete: acme contains no resource that the manifests declare\.\nRequests: 3 spent on planning;/,
  );
});

test("destroy without consent deletes no resource that is in no manifest", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly-report") + lifecycleJob("other"));
  await fixture.run(["apply", fixture.folder, "--yes"]);
  await fixture.write("shop.yaml", shop + cronJob("nightly-report"));
  await fixture.takeRequests();
  const { code, stderr } = await destroy();
  expect({ code, writes: writesOf(await fixture.takeRequests()) }).toEqual({ code: 3, writes: [] });
  expect(stderr).toMatchInlineSnapshot(`
    "
    shop.yaml:6:7: error: Environment shop/staging: it contains 1 resource that no document declares and that would be deleted with it: other
      6 | name: staging
        |       ^
      declare them or move them away, or allow it with --prune and \`manage: { prune: true }\` in its document
    "
  `);
});

test("destroy ADDRESS deletes that resource with all that is in it, unless a document protects it", async () => {
  const both = shop + cronJob("nightly-report") + lifecycleJob("other");
  await fixture.write("shop.yaml", both);
  await fixture.run(["apply", fixture.folder, "--yes"]);
  await fixture.write("shop.yaml", shop + cronJob("nightly-report"));
  expect((await destroy("job:shop/staging/other")).stdout).toContain("Done: 1 deleted.");
  await fixture.write("shop.yaml", shop.replace("mode: STAGING", "mode: STAGING\nmanage: { protect: true }"));
  expect(await destroy("shop/staging")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("protected by manage.protect of environment:shop/staging"),
  });
  await fixture.write("shop.yaml", shop);
  await fixture.takeRequests();
  expect((await destroy("shop/staging")).stdout).toContain(
    "- Job shop/staging/nightly-report  deleted with Environment shop/staging\n  - Environment shop/staging\n",
  );
  expect((await fixture.takeRequests()).filter((request) => request.endsWith("/statuses"))).toEqual([]);
  expect((await destroy("shop/staging")).stderr).toContain('"shop/staging" matches no live resource');
});

test("destroy ADDRESS deletes nothing where manifests that may protect it cannot be read", async () => {
  const declared = await fixture.write("outside/shop.yaml", shop);
  await fixture.run(["apply", declared, "--yes"]);
  await mkdir(join(fixture.folder, "here"));
  await symlink(join(fixture.folder, "outside"), join(fixture.folder, "here/manifests"));
  await fixture.takeRequests();
  const before = process.cwd();
  process.chdir(join(fixture.folder, "here"));
  try {
    const { code, stderr } = await fixture.run(["destroy", "shop/staging", "--yes"]);
    expect(code).toBe(3);
    expect(stderr).toContain("manifests is a symbolic link that leaves the folder");
    await fixture.write("here/compose.yaml", "services: {}\n");
    await rm(join(fixture.folder, "here/manifests"));
    const { stderr: other } = await fixture.run(["destroy", "shop/staging", "--yes"]);
    expect(other).toMatch(
      /To read other manifests instead, name them after the address\.[^]*this is a file of docker compose/,
    );
  } finally {
    process.chdir(before);
  }
  expect(writesOf(await fixture.takeRequests())).toEqual([]);
});

test("destroy ADDRESS below the folder of the settings file deletes nothing that manifests there protect", async () => {
  await mkdir(join(fixture.folder, ".git"));
  await fixture.write("infrasync.config.yaml", "max_deletes: 5\n");
  await fixture.write(
    "manifests/shop.yaml",
    shop.replace("mode: STAGING", "mode: STAGING\nmanage: { protect: true }"),
  );
  // The working directory has manifests of its own, which protect nothing.
  await fixture.write("other/deep/blog.yaml", "kind: Project\nname: blog\n");
  await fixture.run(["apply", join(fixture.folder, "manifests"), "--yes"]);
  await fixture.takeRequests();
  const before = process.cwd();
  process.chdir(join(fixture.folder, "other/deep"));
  try {
    expect(await fixture.run(["destroy", "shop/staging", "--yes"])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("protected by manage.protect of environment:shop/staging"),
    });
  } finally {
    process.chdir(before);
  }
  expect(writesOf(await fixture.takeRequests())).toEqual([]);
});

test("destroy ADDRESS where nothing could protect it wants the address typed, and without a terminal a flag", async () => {
  const declared = await fixture.write("outside/shop.yaml", shop);
  await fixture.run(["apply", declared, "--yes"]);
  await mkdir(join(fixture.folder, "here"));
  const before = process.cwd();
  process.chdir(join(fixture.folder, "here"));
  try {
    const note = "Note: no manifests and no settings file were found, so nothing is protected.";
    await fixture.takeRequests();
    expect(await fixture.run(["destroy", "shop/staging", "--yes"])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("to delete the resource anyway, add --without-manifests"),
    });
    const typed = (input: string) =>
      fixture.run(["destroy", "shop/staging", "--yes"], { columns: 80, stdin: input });
    expect(await typed("yes\n")).toMatchObject({ code: 3 });
    expect(writesOf(await fixture.takeRequests())).toEqual([]);
    expect(await typed("shop/staging\n")).toMatchObject({ code: 0 });
    await fixture.run(["apply", declared, "--yes"]);
    expect(await fixture.run(["destroy", "shop/staging", "--yes", "--without-manifests"])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(note),
    });
    await fixture.run(["apply", declared, "--yes"]);
    expect(await fixture.run(["destroy", "shop/staging", declared, "--yes"])).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining(note),
    });
  } finally {
    process.chdir(before);
  }
});

test("destroy ADDRESS trusts no manifests that are about something else", async () => {
  const declared = await fixture.write("outside/shop.yaml", shop);
  await fixture.run(["apply", declared, "--yes"]);
  await fixture.write("here/blog.yaml", "kind: Project\nname: blog\n");
  const before = process.cwd();
  process.chdir(join(fixture.folder, "here"));
  try {
    await fixture.takeRequests();
    expect(await fixture.run(["destroy", "shop/staging", "--yes"])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /the manifests here do not declare the resource[^]*add --without-manifests/,
      ),
    });
    const typed = (input: string) =>
      fixture.run(["destroy", "shop/staging", "--yes"], { columns: 80, stdin: input });
    expect(await typed("yes\n")).toMatchObject({ code: 3 });
    expect(writesOf(await fixture.takeRequests())).toEqual([]);
    expect(await typed("shop/staging\n")).toMatchObject({ code: 0 });
    await fixture.run(["apply", declared, "--yes"]);
    expect(await fixture.run(["destroy", "shop/staging", "--yes", "--without-manifests"])).toMatchObject({
      code: 0,
    });
  } finally {
    process.chdir(before);
  }
});

test("destroy ADDRESS refuses before it parses many manifests that do not name what is to be deleted", async () => {
  // Whoever parses them tells of the mistakes.
  const mistakes = "---\nkind: Project\nname: blog\ncolour: red\n".repeat(120_000);
  await fixture.write("here/blog.yaml", mistakes);
  const before = process.cwd();
  process.chdir(join(fixture.folder, "here"));
  try {
    const { code, stderr } = await fixture.run(["destroy", "shop/staging", "--yes"]);
    expect(code).toBe(3);
    expect(stderr).toContain("the manifests here do not declare the resource");
    expect(stderr).not.toContain("colour");
  } finally {
    process.chdir(before);
  }
});

test("destroy ADDRESS deletes nothing in a project or an environment that only has the same name", async () => {
  const folder = join(fixture.folder, "m");
  const rule = `
---
kind: DeploymentRule
project: shop
name: staging
cluster: eu-west
mode: STAGING
timezone: UTC
start_time: 2026-01-01T08:00:00Z
stop_time: 2026-01-01T20:00:00Z
weekdays: [MONDAY]
`;
  const group = "---\nkind: LabelsGroup\nname: shop\nlabels: [{ key: a, value: b }]\n";
  await fixture.write("m/shop.yaml", shop + cronJob("nightly-report") + rule + group);
  expect(await fixture.run(["apply", folder, "--yes"])).toMatchObject({ code: 0 });
  for (const address of ["labelsgroup:shop", "deploymentrule:shop/staging"]) {
    await fixture.takeRequests();
    const { stdout } = await fixture.run(["destroy", address, folder, "--yes"]);
    expect(stdout).toContain("Plan: 1 to delete.");
    expect(writesOf(await fixture.takeRequests())).toHaveLength(1);
  }
  await fixture.run(["apply", folder, "--yes"]);
  expect((await fixture.run(["destroy", "environment:shop/staging", folder, "--yes"])).stdout).toContain(
    "Plan: 2 to delete.",
  );
});

test("destroy ADDRESS without a terminal names no preview, as there is none for addresses", async () => {
  const { stderr } = await fixture.run(["destroy", "shop/staging", fixture.folder]);
  expect(stderr).toContain("destroy cannot ask for confirmation, because there is no terminal\n");
  expect(stderr).not.toContain("plan --destroy");
});

test("destroy --target deletes the chosen resources only", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly-report") + lifecycleJob("migrate"));
  await fixture.run(["apply", fixture.folder, "--yes"]);
  expect(await destroy("--target", "job:shop/staging/migrate")).toMatchObject({ code: 0 });
  expect((await fixture.run(["plan", fixture.folder])).stdout).toContain("Plan: 1 to create; 3 unchanged.");
});

test("destroy --target with a pattern that chooses nothing is an error and sends no request", async () => {
  await fixture.write("shop.yaml", shop);
  const { code, stderr } = await destroy("--target", "job:shop/stagin/*");
  expect({ code, requests: await fixture.takeRequests() }).toEqual({ code: 3, requests: [] });
  expect(stderr).toMatchInlineSnapshot(`
    "error: the target "job:shop/stagin/*" matches no document
      a target is an address or a pattern, such as job:shop/staging/* or shop/**
    "
  `);
  // With --prune the pattern may choose an unmanaged resource, so the server has to be read.
  expect(await destroy("--target", "job:shop/stagin/*", "--prune")).toMatchObject({ code: 3, stderr });
});

test("plan --destroy shows the deletions and changes nothing; apply --plan carries them out", async () => {
  const file = join(fixture.folder, "destroy.json");
  const preview = (...args: string[]) => fixture.run(["plan", fixture.folder, "--destroy", ...args]);
  await fixture.write("shop.yaml", shop + cronJob("nightly-report") + lifecycleJob("migrate"));
  await fixture.run(["apply", fixture.folder, "--yes"]);
  await fixture.takeRequests();

  const { code, stdout } = await preview("--target", "job:**", "--out", file, "--detailed-exitcode");
  expect({ code, writes: writesOf(await fixture.takeRequests()) }).toEqual({ code: 2, writes: [] });
  const destroyed = await destroy("--target", "job:**", "--max-requests", "7");
  expect(destroyed).toMatchObject({ code: 4 });
  expect(steady(destroyed.stdout).replace(/\d+ of/, "N of")).toBe(steady(stdout).replace(/\d+ of/, "N of"));

  expect((await preview("--max-deletes", "2")).stdout).toContain(
    "4 resources would be deleted or replaced, and the limit is 2",
  );
  const copy = join(fixture.folder, "copy.json");
  await copyFile(file, copy);
  expect(await fixture.run(["apply", "--plan", file, "--yes"])).toMatchObject({ code: 0 });
  expect(await fixture.run(["apply", "--plan", file, "--yes"])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("and a saved plan is used once"),
  });
  expect(await fixture.run(["apply", "--plan", copy, "--yes"])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("the plan is stale: job:shop/staging/migrate has disappeared since"),
  });
  expect(documentOf(await preview("--output", "json"))).toMatchObject({
    goal: "destroy",
    counts: { delete: 2 },
  });
});

test.for(["--allow-replace=x", "--strict"])("plan --destroy refuses %s", async (flag) => {
  expect(await fixture.run(["plan", "--destroy", flag])).toMatchObject({
    code: 3,
    stderr: `error: option '--destroy' cannot be used with option '${flag.replace("=x", " <pattern>")}'\n  see --help\n`,
  });
});
