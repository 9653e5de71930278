import { expect, test } from "vitest";
import { parsePattern, type Policy } from "../../core/index.ts";
import { allow, openPolicy } from "../fixtures/policy.ts";
import { job, shop } from "../fixtures/manifests.ts";
import { anybody } from "../../reconciler/identity.ts";
import { setBackBy } from "./cycle-words.ts";
import { type Bench, startBench } from "./fixture.ts";

const minute = 60_000;
const policyFile = "infra/infrasync.reconcile.yaml";
const staging = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");
const production = `---
kind: Environment
project: shop
name: production
mode: PRODUCTION
manage: { prune: true }
`;
const both = staging + production;
const inProduction = (name: string, rest = "") => job(name, rest, "shop/production");

/** A bench whose operator lets drift be undone. */
const startUndoing = (policy: Partial<Policy> = {}) => startBench(policy, "admin", { onDrift: "apply" });

/** One cycle, with the writes among its requests. */
async function after(bench: Bench) {
  const { end, requests } = await bench.cycle();
  return { end, writes: requests.filter((request) => !request.startsWith("GET ")) };
}

test("a commit is applied where the policy says so, reported where it waits, and left alone where it is off", async () => {
  const bench = await startBench();
  const { repository, server } = bench;
  const off = "---\nkind: Environment\nproject: shop\nname: off\nmode: STAGING\n";
  const commit = repository.push({
    "infra/shop.yaml": both + off + job("a", "cpu: 500") + inProduction("a"),
    [policyFile]: "environments: { shop/production: { on_commit: report }, shop/off: { on_commit: off } }",
  });
  const { end, writes } = await after(bench);
  expect(end).toMatchObject({
    type: "partly",
    commit,
    waiting: [
      {
        environment: "shop/production",
        reason: "on_commit: report",
        changes: [
          { action: "create", address: "environment:shop/production" },
          { action: "create", address: "job:shop/production/a" },
        ],
      },
    ],
    changes: [],
  });
  expect(writes).toHaveLength(3);
  expect([...(await server.everything()).keys()]).toEqual(["shop", "shop/staging", "shop/staging/JOB a"]);

  // A person applies the rest by hand; what is off is not even looked at.
  await server.reconcile(both + job("a", "cpu: 500") + inProduction("a"));
  expect(await after(bench)).toMatchObject({ end: { type: "synced" }, writes: [] });
  // What was applied has drifted; the environment that waits is in step.
  await server.reconcile(both + job("a", "cpu: 750"));
  expect(await after(bench)).toMatchObject({
    end: { type: "drift", changes: [{ address: "job:shop/staging/a", fields: ["cpu 500 -> 750"] }] },
    writes: [],
  });
});

test("drift is undone where the policy says so, and reported elsewhere with both values and its author", async () => {
  const bench = await startUndoing();
  const { repository, server } = bench;
  const documents = both + job("a", "cpu: 500") + inProduction("a", "cpu: 500\nvariables: { LEVEL: info }");
  repository.push({
    "infra/shop.yaml": documents,
    [policyFile]: "{ on_drift: report, environments: { shop/staging: { on_drift: apply } } }",
  });
  expect((await after(bench)).end.type).toBe("applied");
  await server.reconcile(
    both + job("a", "cpu: 750") + inProduction("a", "cpu: 640\nvariables: { LEVEL: debug }"),
  );
  const { end, writes } = await after(bench);
  expect(end).toMatchObject({
    type: "undone",
    outcomes: [{ status: "done" }],
    changes: [
      {
        address: "job:shop/production/a",
        fields: ["cpu 500 -> 640", "variables.LEVEL info -> debug"],
        by: expect.stringContaining(", API, "),
      },
    ],
  });
  expect(setBackBy(end)).toEqual([
    expect.objectContaining({
      action: "update",
      address: "job:shop/staging/a",
      fields: ["cpu 500 -> 750"],
      by: expect.stringContaining(", API, "),
    }),
  ]);
  expect(writes).toEqual(["PUT /job/{id}"]);
  expect((await server.everything()).get("shop/staging/JOB a")).toMatchObject({ cpu: 500 });
});

test("nothing is pruned in an environment whose prune the policy takes back", async () => {
  const bench = await startBench({ prune: true });
  const { repository, server } = bench;
  repository.push({ "infra/shop.yaml": both, "infra/jobs.yaml": job("a") + inProduction("a") });
  await bench.cycle();
  repository.push({
    "infra/jobs.yaml": undefined,
    [policyFile]: "environments: { shop/production: { prune: false } }",
  });
  expect(await after(bench)).toMatchObject({ end: { type: "applied" }, writes: ["DELETE /job/{id}"] });
  expect((await server.everything()).has("shop/production/JOB a")).toBe(true);
});

test("a commit cannot allow to prune, nor to undo drift, where the operator has said nothing", async () => {
  const bench = await startBench({ prune: false }, "admin", {});
  const { repository, server } = bench;
  repository.push({
    "infra/shop.yaml": both,
    "infra/a.yaml": job("a", "cpu: 500"),
    "infra/b.yaml": job("b"),
  });
  await bench.cycle();
  repository.push({ "infra/b.yaml": undefined, [policyFile]: "{ prune: true, on_drift: apply }" });
  expect(await after(bench)).toMatchObject({ end: { type: "synced" }, writes: [] });
  await server.reconcile(both + job("a", "cpu: 750") + job("b"));
  expect(await after(bench)).toMatchObject({ end: { type: "drift" }, writes: [] });
});

test("a policy with a mistake leaves the last good commit in force, with its policy", async () => {
  const bench = await startUndoing();
  const { repository, server } = bench;
  repository.push({ "infra/shop.yaml": staging + job("a", "cpu: 500"), [policyFile]: "on_drift: apply" });
  await bench.cycle();
  repository.push({ "infra/b.yaml": job("b"), [policyFile]: "on_drift: aply" });
  await server.reconcile(staging + job("a", "cpu: 750"));
  expect(await after(bench)).toMatchObject({
    end: {
      type: "invalid",
      problems: [{ code: "invalid", position: { file: policyFile, line: 1, column: 11 } }],
      outcomes: [{ status: "done" }],
      changes: [],
    },
    writes: ["PUT /job/{id}"],
  });
  repository.push({ [policyFile]: undefined, "infra/more/infrasync.reconcile.yaml": "on_drift: apply" });
  expect(await after(bench)).toMatchObject({
    end: { type: "invalid", problems: [{ message: expect.stringContaining("would be ignored") }] },
  });
});

test("undoing a field three times in a day is a drift loop: it pauses longer each time, alone, until another document of its resource", async () => {
  const bench = await startUndoing();
  const { repository, server, clock } = bench;
  const documents = (cpu: number, memory = 512) =>
    staging + job("a", `cpu: ${cpu}`) + job("b", `memory: ${memory}`);
  repository.push({ "infra/shop.yaml": documents(500), [policyFile]: "on_drift: apply" });
  await bench.cycle();
  const reverted = async (memory?: number) => {
    await server.reconcile(documents(750, memory));
    return after(bench);
  };
  for (let times = 0; times < 3; times += 1) expect((await reverted()).end.type).toBe("undone");

  // The fourth time waits, and only for this field.
  const first = await reverted(640);
  expect(first).toMatchObject({
    end: {
      type: "undone",
      changes: [{ address: "job:shop/staging/a", fields: ["cpu 500 -> 750"] }],
      driftLoops: [
        {
          address: "job:shop/staging/a",
          fields: ["cpu"],
          until: new Date(clock.now() + 5 * minute).toISOString(),
        },
      ],
    },
    writes: ["PUT /job/{id}"],
  });
  // Also after a restart.
  bench.reconciler = bench.restart();
  expect(await after(bench)).toMatchObject({ end: { type: "drift", driftLoops: [{}] }, writes: [] });
  clock.advance(5 * minute);
  expect((await after(bench)).end.type).toBe("undone");
  await server.reconcile(documents(750));
  clock.advance(9 * minute);
  expect(await after(bench)).toMatchObject({ end: { type: "drift", driftLoops: [{}] }, writes: [] });
  repository.push({ "infra/c.yaml": "# a comment is a change of the folder\n" + job("c") });
  expect(await after(bench)).toMatchObject({
    end: {
      environments: expect.arrayContaining([
        expect.objectContaining({ environment: "shop/staging", state: "drift_loop" }),
      ]),
    },
    writes: ["POST /environment/{id}/job"],
  });
  repository.push({ "infra/shop.yaml": documents(550) });
  expect((await after(bench)).end.type).toBe("applied");
  await server.reconcile(documents(750) + job("c"));
  expect((await after(bench)).end.type).toBe("undone");
});

test("an environment that needs a project which has to wait waits too", async () => {
  const bench = await startBench();
  bench.repository.push({
    "infra/shop.yaml": staging,
    [policyFile]: "{ on_commit: report, environments: { shop/staging: { on_commit: apply } } }",
  });
  expect(await after(bench)).toMatchObject({
    end: {
      type: "partly",
      outcomes: [],
      waiting: [
        { environment: "shop", reason: "on_commit: report" },
        { environment: "shop/staging", reason: "it needs shop, which is not applied" },
      ],
    },
    writes: [],
  });
});

test("a commit of which a part was applied is not dropped by a rewritten branch if that deletes", async () => {
  const bench = await startBench({ prune: true });
  const { repository } = bench;
  const base = repository.push({
    "infra/shop.yaml": both,
    [policyFile]: "environments: { shop/production: { on_commit: report } }",
  });
  repository.push({ "infra/b.yaml": job("b") });
  const { end } = await after(bench);
  expect(end.type).toBe("partly");
  repository.git("reset", "--quiet", "--hard", base);
  repository.push({ "infra/c.yaml": job("c") });
  bench.reconciler = bench.restart();
  expect(await after(bench)).toMatchObject({ end: { type: "held" }, writes: [] });
});

const lifecycle = job("a").replace(/schedule: .*/, "schedule: { on_start: {} }");

test("drift is undone with the same consents as a commit: a resource is replaced with the consent to replace it", async () => {
  const bench = await startUndoing(allow("job:shop/staging/*"));
  const { repository, server } = bench;
  repository.push({ "infra/shop.yaml": staging + job("a") });
  await bench.cycle();
  await server.reconcile(staging + lifecycle, allow("**"));
  expect(await after(bench)).toMatchObject({
    end: { type: "undone", changes: [] },
    writes: ["DELETE /job/{id}", "POST /environment/{id}/job"],
  });
});

test("a new name does not escape the rules for the old one", async () => {
  const bench = await startBench({ prune: true });
  const { repository, server } = bench;
  const id = async () => server.idOf("shop/production");
  await server.reconcile(both + inProduction("a") + inProduction("b"));
  const renamed = (how: string) =>
    production
      .replace("name: production", "name: harmless")
      .replace("manage: { prune: true }", `manage: { prune: true, ${how} }`);
  for (const how of ["renamed_from: production", `id: ${await id()}`]) {
    repository.push({
      "infra/shop.yaml": staging + renamed(how) + job("a", "", "shop/harmless"),
      [policyFile]: "environments: { shop/production: { on_commit: report } }",
    });
    const { end, writes } = await after(bench);
    expect(writes).toEqual([]);
    expect(end).toMatchObject({ waiting: [{ environment: "shop/harmless", reason: "on_commit: report" }] });
  }
});

test("a new name does not escape a suspension by the operator", async () => {
  const bench = await startBench();
  const { repository, server, clock, requests } = bench;
  await server.reconcile(both);
  await requests.open();
  const [at, until] = [clock.now(), clock.now() + 60 * minute];
  const pause = { pattern: "shop/production", until, reason: "an audit", by: anybody, at };
  await requests.change({ pauses: () => [pause] }, anybody, at);
  const renamed = production
    .replace("name: production", "name: harmless")
    .replace("manage: { prune: true }", "manage: { renamed_from: production }");
  repository.push({ "infra/shop.yaml": staging + renamed });
  expect(await after(bench)).toMatchObject({
    end: { waiting: [{ environment: "shop/harmless", reason: expect.stringContaining("an audit") }] },
    writes: [],
  });
});

test("a new name does not escape `prune: false` for the old one, also of the project", async () => {
  const bench = await startBench({ prune: true });
  const { repository, server } = bench;
  await server.reconcile(both + inProduction("a") + inProduction("b"));
  const renamed = `kind: Project
name: store
manage: { renamed_from: shop }
---
kind: Environment
project: store
name: live
mode: PRODUCTION
manage: { prune: true, renamed_from: production }
`;
  repository.push({
    "infra/shop.yaml": renamed + job("a", "", "store/live"),
    [policyFile]: "environments: { shop/live: { prune: false } }",
  });
  const { end } = await after(bench);
  expect(end.type).toBe("applied");
  expect([...(await server.everything()).keys()]).toContain("store/live/JOB b");
});

test("a rename ends no protection: a commit waits for the consent of its document to just that", async () => {
  const bench = await startBench({ prune: true, protect: [parsePattern("shop/production/**")] });
  const { repository, server } = bench;
  repository.push({ "infra/shop.yaml": both, "infra/a.yaml": inProduction("a") });
  expect((await after(bench)).end.type).toBe("applied");
  const renamed = (consent = "") => {
    const manage = `manage: { prune: true, renamed_from: production${consent} }`;
    return both
      .replace("name: production", "name: live")
      .replace(/manage: { prune: true }\n$/, `${manage}\n`);
  };
  repository.push({ "infra/shop.yaml": renamed(), "infra/a.yaml": job("a", "", "shop/live") });
  const refused = await after(bench);
  expect(refused).toMatchObject({ end: { type: "blocked", problems: [{ code: "protected" }] }, writes: [] });
  const [, declared = ""] = /"declared":"(unprotect-[0-9a-f]+)"/.exec(JSON.stringify(refused.end)) ?? [];
  repository.push({ "infra/shop.yaml": renamed(`, consent: ${declared}`) });
  expect(await after(bench)).toMatchObject({ end: { type: "applied" }, writes: ["PUT /environment/{id}"] });
  expect([...(await server.everything()).keys()]).toContain("shop/live/JOB a");
});

test("a commit that lifts a protection and deletes what it protected is blocked until it is mended", async () => {
  const protect = [parsePattern("job:shop/staging/a")];
  const pruning = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");
  const bench = await startBench({}, "admin", {}, {}, undefined, {
    policyFor: async ({ settings }) => ({
      policy: { ...openPolicy, prune: true, protect: settings ? protect : [] },
      problems: [],
    }),
  });
  const settings = "infra/infrasync.config.yaml";
  bench.repository.push({
    "infra/shop.yaml": pruning,
    "infra/a.yaml": job("a"),
    [settings]: "protect: ['job:shop/staging/a']",
  });
  await bench.cycle();
  bench.repository.push({ "infra/a.yaml": undefined, [settings]: undefined });
  for (let cycle = 0; cycle < 2; cycle++) {
    const { end } = await bench.cycle();
    expect(end).toMatchObject({
      type: "blocked",
      problems: [{ code: "protected", address: "job:shop/staging/a" }],
    });
  }
  expect((await bench.server.everything()).has("shop/staging/JOB a")).toBe(true);
});

test("the partial writes of a commit are no drift when the branch goes back to the commit before", async () => {
  const bench = await startUndoing();
  const { repository, server } = bench;
  const documents = (cpu: number) => both + job("a", `cpu: ${cpu}`) + inProduction("a", `cpu: ${cpu}`);
  repository.push({ "infra/shop.yaml": documents(500) });
  expect((await after(bench)).end.type).toBe("applied");
  // The next one is applied in one environment only, so the first one counts as applied still.
  await server.api("POST", "/_emulator/faults", [
    { method: "PUT", path: `/job/${await server.idOf("shop/production/JOB a")}`, status: 400 },
  ]);
  repository.push({ "infra/shop.yaml": documents(750) });
  expect((await after(bench)).end.type).toBe("incomplete");
  await server.api("DELETE", "/_emulator/faults");
  repository.atOrigin("update-ref", "refs/heads/main", "refs/heads/main~1");
  const { end, writes } = await after(bench);
  expect(writes).toEqual(["PUT /job/{id}"]);
  // It is a change of the commit, and nobody is named for it.
  expect(end).toMatchObject({ type: "applied" });
  expect(await after(bench)).toMatchObject({ end: { type: "synced" }, writes: [] });
});
