import { spawnSync } from "node:child_process";
import { appendFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";
import { engineAddressIn } from "../../../provider/lifecycle/engine-process.ts";
import { RunLedger, ledgerOf } from "../../../provider/lifecycle/ledger.ts";
import { Lifecycle } from "../../../provider/lifecycle/lifecycle.ts";
import { quickClock } from "../../fixtures/quick-clock.ts";
import { useStaging } from "./staging.ts";
import { temporaryFolder } from "../../fixtures/temporary-folder.ts";

const staging = useStaging();
const { nightly } = staging;
let folder: string;
beforeEach(async () => {
  folder = temporaryFolder("ledger");
});

const job = (name: string) => `urn:pulumi:dev::shop::infrasync:index:Job::${name}`;

/** The ledger as each of several processes of a run has it. */
const processes = () => [0, 1].map(() => new RunLedger(join(folder, "run.jsonl")));

describe("a live resource stays when its earlier name is removed", () => {
  test.each(["made", "adopted", "written", "states"] as const)(
    "and another name has %s it, in another process",
    (did) => {
      const [one, two] = processes();
      one?.record({ did, id: "id", urn: job("new") });
      expect(two?.isHeld("id", job("old"))).toBe(true);
      expect(two?.isHeld("another", job("old"))).toBe(false);
    },
  );

  test.each([
    ["adopted", true],
    ["made", true],
    ["written", true],
    // A replacement deletes what the state has.
    ["states", false],
    ["replaces", false],
  ] as const)("and the same name has %s it: %s", (did, isHeld) => {
    const [one, two] = processes();
    one?.record({ did, id: "id", urn: job("same") });
    expect(two?.isHeld("id", job("same"))).toBe(isHeld);
  });
});

test("a live resource that a refresh has compared before it is replaced is deleted, also by a deletion without a name", () => {
  const replacements = [
    { did: "replaces", urn: job("same"), id: "id" },
    { did: "replaces", id: "id", state: "before" },
    { did: "expected", urn: job("same") },
  ] as const;
  for (const replacement of replacements) {
    const [one, two] = processes();
    one?.record({ did: "states", id: "id", urn: job("same"), state: "before" });
    expect(two?.isHeld("id", undefined, "before")).toBe(true);
    one?.record(replacement);
    expect(two?.isHeld("id", undefined, "before")).toBe(false);
    one?.record({ did: "states", id: "id", urn: job("other"), state: "other" });
    expect(two?.isHeld("id", job("same"), "before")).toBe(true);
    one?.record({ did: "began" });
  }
});

test("a name of an earlier version means the resource of that name under any parent, in its own stack", () => {
  const [one, two] = processes();
  one?.record({
    did: "states",
    id: "id",
    urn: "urn:pulumi:dev::shop::test:index:Group$infrasync:index:Job::nightly",
  });
  expect(two?.isOwn("id", "shop/dev/nightly")).toBe(true);
  for (const other of ["shop/prod/nightly", "shop/dev/weekly", undefined])
    expect(two?.isOwn("id", other)).toBe(false);
});

test("two processes that claim one name at once do not both get it", () => {
  const [one, two] = processes();
  expect(one?.claim("custom domain a", job("one"))).toBe(true);
  expect(two?.claim("custom domain a", job("two"))).toBe(false);
  expect(two?.claim("custom domain a", job("one"))).toBe(true);
});

test("losses count once, over all processes, without those of the resource itself and of those that are spared", () => {
  const [one, two] = processes();
  one?.record({ did: "lost", id: "a", what: "job a" });
  one?.record({ did: "lost", id: "a", what: "variable of a" });
  two?.record({ did: "lost", id: "a", what: "job a" });
  two?.record({ did: "lost", id: "b", what: "job b" });
  expect([one, two].map((ledger) => ledger?.lostBeside(undefined).size)).toEqual([3, 3]);
  expect(one?.lostBeside("a")).toEqual(new Set(["job b"]));
  one?.record({ did: "spared", id: "b" });
  expect(two?.lostBeside("a").size).toBe(0);
});

test("what an earlier run at the same address has noted is not obeyed, and of another run neither", async () => {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  const environment = { INFRASYNC_CACHE: folder };
  const line = { did: "adopted", id: "id", urn: job("of another branch") };
  const file = join(folder, "runs", "127.0.0.1-4000.jsonl");
  ledgerOf("127.0.0.1:4000", environment);
  await writeFile(
    file,
    [{ did: "joined", what: `${pid} 1` }, line].map((each) => `${JSON.stringify(each)}\n`).join(""),
  );
  const ledger = ledgerOf("127.0.0.1:4000", environment);
  expect(ledger.isHeld("id", job("mine"))).toBe(false);
  ledgerOf("127.0.0.1:5000", environment).record({ did: "adopted", id: "id", urn: job("in a preview") });
  expect(ledger.isHeld("id", job("mine"))).toBe(false);
  // This process runs, so that its lines count, and half a line does not.
  await appendFile(file, `${JSON.stringify(line)}\n{"did":"ado`);
  expect(ledgerOf("127.0.0.1:4000", environment).isHeld("id", job("mine"))).toBe(true);
  expect(await readdir(join(folder, "runs"))).toHaveLength(2);
});

test("a secret input does not get into the ledger", async () => {
  const { lifecycle, config } = await run();
  const { id, outs } = await lifecycle.create(
    "Job",
    { ...nightly(), secrets: { A: "c4nary" } },
    config,
    job("a"),
  );
  await lifecycle.diff("Job", id, outs, { ...nightly(), secrets: { A: "c4nary-2" } }, config, job("a"));
  const [file = ""] = await readdir(join(folder, "runs"));
  expect(await readFile(join(folder, "runs", file), "utf8")).not.toContain("c4nary");
});

test("the address of the engine is the argument that is one", () => {
  expect(
    engineAddressIn([
      "node",
      "main.js",
      "--logtostderr",
      "-v=9",
      "--tracing",
      "tcp://127.0.0.1:9",
      "127.0.0.1:41234",
    ]),
  ).toBe("127.0.0.1:41234");
  expect(engineAddressIn(["node", "main.js", "test.ts:3:4"])).toBeUndefined();
});

/** A process of a run. */
async function run(
  more: Record<string, string> = {},
  environment: NodeJS.ProcessEnv = { INFRASYNC_CACHE: folder },
) {
  const { url, tokens } = staging.server.emulator;
  const values: Record<string, string> = {
    "infrasync:baseUrl": url,
    "infrasync:token": tokens.admin,
    ...more,
  };
  const lifecycle = new Lifecycle(
    environment,
    () => {},
    quickClock(),
    () => "127.0.0.1:6000",
  );
  return { lifecycle, config: { get: (key: string) => values[key] } };
}

test("the process that deletes an earlier name of a resource sees that another process has adopted it", async () => {
  const made = await (await staging.pass()).create("Job", nightly());
  const [one, two] = [await run(), await run()];
  const inputs: Properties = { ...nightly(), adopt: true };
  await one.lifecycle.create("Job", inputs, one.config, job("new"));
  await two.lifecycle.remove("Job", made.id, made.outputs, two.config, job("old"));
  expect(await staging.services()).toHaveLength(1);
});

test("of two entries of a state for one live resource, which a kill after an adoption leaves, the deletion of one leaves the resource", async () => {
  const made = await (await staging.pass()).create("Job", nightly());
  const adopted = { ...made.outputs, adopt: true };
  const { lifecycle, config } = await run();
  await lifecycle.diff("Job", made.id, adopted, { ...nightly(), adopt: true }, config, job("same"));
  await lifecycle.remove("Job", made.id, made.outputs, config, job("same"));
  expect(await staging.services()).toHaveLength(1);
  await lifecycle.remove("Job", made.id, adopted, config, job("same"));
  expect(await staging.services()).toHaveLength(0);
});

test("without a folder that all processes of a run share, nothing is deleted", async () => {
  const made = await (await staging.pass()).create("Job", nightly());
  const file = join(folder, "file");
  await writeFile(file, "");
  const { lifecycle, config } = await run({}, { INFRASYNC_CACHE: folder });
  await lifecycle.check("Job", {}, nightly(), config);
  await rm(join(folder, "runs"), { recursive: true });
  await writeFile(join(folder, "runs"), "");
  await expect(lifecycle.remove("Job", made.id, made.outputs, config, job("a"))).rejects.toThrow(
    "nothing is deleted, because the processes of the provider need a common folder that only this user can write",
  );
  expect(await staging.services()).toHaveLength(1);
});
