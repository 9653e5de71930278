import { copyFile, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Command } from "commander";
import { declarationOf, declareInputs } from "../../../cli/commands/declaration.ts";
import { helpTopics } from "../../../cli/help.ts";
import { spawnInfrasync } from "../child.ts";
import { useFixture, writesOf } from "../fixture.ts";
import { cronJob, job, shop } from "../../fixtures/manifests.ts";

const fixture = useFixture();
const file = () => join(fixture.folder, "plan.json");
const manifests = () => join(fixture.folder, "shop.yaml");

/** Saves the plan for documents. */
async function save(documents: string, ...flags: string[]): Promise<void> {
  await fixture.write("shop.yaml", documents);
  expect(await fixture.run(["plan", manifests(), "--out", file(), ...flags])).toMatchObject({ code: 0 });
  await fixture.takeRequests();
}

const applySaved = (...flags: string[]) => fixture.run(["apply", "--plan", file(), "--yes", ...flags]);

const line = new Command("apply");
declareInputs(line, declarationOf("apply"));
const shapingGroups = new Set([helpTopics["manifests"], helpTopics["planning"]]);
const shaping = line.options.filter(
  ({ helpGroupHeading, long }) => shapingGroups.has(helpGroupHeading) && long !== "--plan",
);

test("each flag that shapes a plan is refused beside --plan: the saved plan says itself what it is made of", async () => {
  await save(shop + cronJob("a"));
  for (const { long = "", required } of shaping) {
    const { code, stderr } = await applySaved(long, ...(required ? ["10"] : []));
    expect([long, code, stderr]).toEqual([
      long,
      3,
      expect.stringContaining(`it cannot be combined with ${long}`),
    ]);
  }
  expect(await fixture.takeRequests()).toEqual([]);
});

test("the consents to change a cluster or credentials are among the flags that the plan stores", () => {
  expect(shaping.map(({ long }) => long)).toEqual(
    expect.arrayContaining(["--allow-infrastructure", "--confirm", "--allow-replace", "--prune", "--set"]),
  );
});

test("a saved plan is used once, also when somebody has undone what it did", async () => {
  await save(shop + cronJob("a"));
  expect(await applySaved()).toMatchObject({ code: 0 });
  expect(await fixture.run(["destroy", manifests(), "--yes"])).toMatchObject({ code: 0 });
  await fixture.takeRequests();
  const { code, stderr } = await applySaved();
  expect({ code, requests: await fixture.takeRequests() }).toEqual({ code: 3, requests: [] });
  expect(stderr).toMatch(/plan\.json was applied at \S+, and a saved plan is used once\n {2}plan again/);
  const shown = await fixture.run(["show", file()]);
  expect(shown).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/Applied at \S+; a saved plan is used once\.\n$/),
  });
  expect(shown.stderr).not.toContain("To apply");
});

test("the report of an incomplete run for one plan says to plan again", async () => {
  await save(shop + cronJob("a"));
  const { stdout } = await fixture.run(["plan", manifests()]);
  const digest = /^Digest: (\w+)$/m.exec(stdout)?.[1] ?? "";
  const fault = {
    method: "POST",
    path: "/environment/*/job",
    status: 400,
    body: { message: "no" },
    times: 2,
  };
  await fixture.fault(fault);
  const advice = "Plan again and apply the new plan to continue.";
  expect((await fixture.run(["apply", manifests(), "--yes", "--expect", digest])).stdout).toContain(advice);
  expect(await fixture.run(["destroy", manifests(), "--yes"])).toMatchObject({ code: 0 });
  expect((await applySaved()).stdout).toContain(advice);
});

describe("the settings that an apply of a saved plan asks", () => {
  const pruned = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");
  /** Saves a plan that deletes a job, made of a folder of its own. */
  const saveDeletion = async (...flags: string[]) => {
    const folder = join(fixture.folder, "m");
    await fixture.write("m/shop.yaml", pruned + cronJob("a"));
    expect(await fixture.run(["apply", folder, "--yes"])).toMatchObject({ code: 0 });
    await fixture.write("m/shop.yaml", pruned);
    const plan = ["plan", folder, "--prune", "--max-deletes", "100,100%", "--out", file(), ...flags];
    expect(await fixture.run(plan)).toMatchObject({ code: 0 });
  };
  const refused = { code: 3, stderr: expect.stringContaining("job:shop/staging/a") };

  test("are those of the folder of the manifests, as they are now", async () => {
    await saveDeletion();
    await fixture.write("m/infrasync.config.yaml", "protect: [shop/staging/*]\n");
    expect(await applySaved()).toMatchObject(refused);
    await fixture.write("m/infrasync.config.yaml", "max_deletes: 0\n");
    expect(await applySaved()).toMatchObject({ code: 3, stderr: expect.stringContaining("the limit is 0") });
    await fixture.write("m/infrasync.config.yaml", "protect: []\n");
    expect(await applySaved()).toMatchObject({ code: 0 });
  });

  test("are also what the settings around the plan file forbid", async () => {
    await saveDeletion();
    await fixture.write("m/infrasync.config.yaml", "protect: []\n");
    await fixture.write("infrasync.config.yaml", "protect: [shop/staging/*]\n");
    expect(await applySaved()).toMatchObject(refused);
    await fixture.write("infrasync.config.yaml", "max_deletes: 0\n");
    expect(await applySaved()).toMatchObject({ code: 3, stderr: expect.stringContaining("the limit is 0") });
  });

  test("are also what the settings file forbids that the plan was made with", async () => {
    const config = await fixture.write("named.yaml", "protect: []\n");
    await saveDeletion("--config", config);
    await fixture.write("named.yaml", "protect: [shop/staging/*]\n");
    expect(await applySaved()).toMatchObject(refused);
  });

  test("allow what --max-deletes allowed when the plan was made, unless a settings file is stricter", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `j${index}`);
    await fixture.write("m/shop.yaml", pruned + names.map((name) => cronJob(name)).join(""));
    expect(await fixture.run(["apply", join(fixture.folder, "m"), "--yes"])).toMatchObject({ code: 0 });
    await saveDeletion();
    await fixture.write("m/infrasync.config.yaml", "max_deletes: 11\n");
    expect(await applySaved()).toMatchObject({ code: 3, stderr: expect.stringContaining("the limit is 11") });
    await rm(join(fixture.folder, "m/infrasync.config.yaml"));
    expect(await applySaved()).toMatchObject({ code: 0 });
  });

  const infrasync = (args: string[], cwd: string) =>
    spawnInfrasync(args, fixture.env, join(fixture.folder, cwd)).ended;

  test("are found in any folder in which the apply runs, wherever the plan file is", async () => {
    await fixture.write("repository/m/shop.yaml", pruned + cronJob("a"));
    await fixture.write("plans/nothing", "");
    await fixture.write("elsewhere/nothing", "");
    const plan = ["plan", "m", "--out", "../plans/plan.json"];
    expect(await infrasync(plan, "repository")).toMatchObject({ code: 0 });
    expect(JSON.parse(await readFile(join(fixture.folder, "plans/plan.json"), "utf8"))).toMatchObject({
      inputs: { folder: "../repository", sources: ["m"] },
    });
    await fixture.write("repository/m/infrasync.config.yaml", "max_requests: 1\n");
    const applyThere = (...flags: string[]) =>
      infrasync(["apply", "--plan", "../plans/plan.json", "--yes", ...flags], "elsewhere");
    expect(await applyThere()).toMatchObject({ code: 4 });
    // A copy in a checkout on another machine, which has the plan file somewhere else.
    await rename(join(fixture.folder, "plans/plan.json"), join(fixture.folder, "repository/plan.json"));
    expect(await infrasync(["apply", "--plan", "plan.json", "--yes"], "repository")).toMatchObject({
      code: 4,
    });
    await rename(join(fixture.folder, "repository/plan.json"), join(fixture.folder, "plans/plan.json"));

    await rename(join(fixture.folder, "repository"), join(fixture.folder, "gone"));
    await fixture.takeRequests();
    expect(await applyThere()).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("was made with m, and some of these files are missing"),
    });
    expect(await fixture.takeRequests()).toEqual([]);
    const config = await fixture.write("named.yaml", "protect: []\n");
    expect(await applyThere("--config", config)).toMatchObject({ code: 0 });
  });

  test("also say where the files of secrets and the commands are", async () => {
    await fixture.write("repository/m/token", "hidden");
    const secrets = "secrets: { FILE: { from_file: token }, COMMAND: { from_command: cat m/token } }";
    await fixture.write("repository/m/shop.yaml", pruned + cronJob("a", secrets));
    await fixture.write("elsewhere/nothing", "");
    expect(await infrasync(["plan", "m", "--out", "plan.json"], "repository")).toMatchObject({ code: 0 });
    const applying = ["apply", "--plan", "../repository/plan.json", "--yes", "--allow-commands"];
    expect(await infrasync(applying, "elsewhere")).toMatchObject({ code: 0 });
  });
});

test("a saved plan without changes is used once too", async () => {
  await fixture.write("shop.yaml", shop);
  await fixture.run(["apply", manifests(), "--yes"]);
  await save(shop);
  expect(await applySaved()).toMatchObject({ code: 0 });
  expect(await applySaved()).toMatchObject({ code: 3, stderr: expect.stringContaining("is used once") });
});

test("of several applies of one plan file at the same moment, one starts", async () => {
  await fixture.write("shop.yaml", shop + cronJob("a"));
  await fixture.run(["apply", manifests(), "--yes"]);
  await save(shop + cronJob("a"), "--set", "job:shop/staging/a:cpu=750");
  // Each has planned before the first one writes.
  await fixture.fault({ method: "GET", path: "/job/*", times: 8, delay_ms: 500 });
  const all = await Promise.all([1, 2, 3, 4].map(() => applySaved()));
  expect(all.map(({ code }) => code).toSorted()).toEqual([0, 3, 3, 3]);
  expect(all.map(({ stderr }) => stderr).join("")).toContain("a saved plan is used once");
  expect(writesOf(await fixture.takeRequests())).toEqual(["PUT /job/{id}"]);
});

test("a claim that a killed apply has left stops the next one", async () => {
  await save(shop + cronJob("a"));
  await fixture.write("plan.json.claim", "");
  expect(await applySaved()).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("plan.json is being applied: plan.json.claim exists"),
  });
});

test("a copy of a plan that was applied is stale, also when what it changed is as it was before", async () => {
  await fixture.write("shop.yaml", shop + cronJob("a"));
  await fixture.run(["apply", manifests(), "--yes"]);
  await save(shop + cronJob("a"), "--set", "job:shop/staging/a:cpu=750");
  await copyFile(file(), join(fixture.folder, "copy.json"));
  expect(await applySaved()).toMatchObject({ code: 0 });
  await fixture.advance(1000);
  await fixture.run(["apply", manifests(), "--yes", "--set", "job:shop/staging/a:cpu=500"]);
  await fixture.takeRequests();
  const copied = await fixture.run(["apply", "--plan", join(fixture.folder, "copy.json"), "--yes"]);
  expect(copied).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(
      "the plan is stale: job:shop/staging/a, or something in it, has been changed since",
    ),
  });
  expect(writesOf(await fixture.takeRequests())).toEqual([]);
});

test("a plan that was refused can be applied later", async () => {
  await save(shop + cronJob("a"));
  expect(await applySaved("--max-requests", "4")).toMatchObject({ code: 4 });
  expect(await applySaved()).toMatchObject({ code: 0 });
});

test("a saved plan has what the command line has set, and needs no manifests", async () => {
  await save(shop + cronJob("a"), "--set", "job:shop/staging/a:cpu=750");
  await fixture.write("shop.yaml", "kind: nonsense");
  expect(await applySaved()).toMatchObject({ code: 0 });
  await fixture.write("shop.yaml", shop + cronJob("a"));
  const { stdout } = await fixture.run(["plan", manifests(), "--set", "job:shop/staging/a:cpu=750"]);
  expect(stdout).toContain("No changes");
});

test("an apply of a saved plan reads the way to what the plan changes, and nothing beside it", async () => {
  const [project = "", environment = ""] = shop.split("---");
  const names = ["one", "two", "three", "four", "five"];
  const documents = (memory: number) =>
    names
      .flatMap((name) => [
        environment.replace("staging", name),
        ...[0, 1, 2, 3].map((index) => job(`j${index}`, "", `shop/${name}`)),
      ])
      .reduce((text, each) => `${text}---${each.replace(/^---/, "")}`, project)
      .replace("name: j0\n", `name: j0\nmemory: ${memory}\n`);
  await fixture.write("shop.yaml", documents(512));
  await fixture.run(["apply", manifests(), "--yes"]);
  await save(documents(640));
  expect(await applySaved()).toMatchObject({ code: 0 });
  expect(await fixture.takeRequests()).toEqual([
    "GET /organization/{id}/project",
    "GET /project/{id}/environment",
    "GET /environment/{id}/services",
    "GET /job/{id}",
    "PUT /job/{id}",
  ]);
});
