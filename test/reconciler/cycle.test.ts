import { renameSync } from "node:fs";
import { expect, test } from "vitest";
import type { Fields } from "../../core/values/json.ts";
import { job, shop } from "../fixtures/manifests.ts";
import { openPolicy } from "../fixtures/policy.ts";
import { startBench } from "./fixture.ts";
import { inWords } from "./cycle-words.ts";

const events = "GET /organization/{id}/events";
/** A look at the events, and at what exists. */
const audit = [
  "GET /organization/{id}/environments",
  events,
  "GET /organization/{id}/project",
  "GET /organization/{id}/services",
];
const pruning = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");
const minute = 60_000;

test("a commit is applied once; what differs from it later is drift, which is reported and not undone", async () => {
  const bench = await startBench();
  const { repository, server } = bench;
  const commit = repository.push({ "infra/shop.yaml": shop, "infra/a.yaml": job("a", "cpu: 500") });
  expect((await bench.cycle()).end).toMatchObject({ type: "applied", commit });
  expect((await bench.cycle()).end).toMatchObject({ type: "synced", resources: 3 });

  await server.reconcile(shop + job("a", "cpu: 750"));
  const { end, requests } = await bench.cycle();
  expect(end).toMatchObject({
    type: "drift",
    commit,
    changes: [{ action: "update", address: "job:shop/staging/a", fields: ["cpu 500 -> 750"] }],
  });
  expect(requests.filter((request) => !request.startsWith("GET "))).toEqual([]);

  // The next commit does what it says, and the drift stays.
  repository.push({ "infra/b.yaml": job("b") });
  const next = await bench.cycle();
  expect(next.end).toMatchObject({ type: "applied", outcomes: [{ status: "done" }] });
  expect(next.requests.filter((request) => !request.startsWith("GET "))).toEqual([
    "POST /environment/{id}/job",
  ]);
  expect((await bench.cycle()).end).toMatchObject({
    type: "drift",
    changes: [{ address: "job:shop/staging/a", cause: "drift" }],
  });
  // A commit that changes the document of the job applies the document as a whole.
  repository.push({ "infra/a.yaml": job("a", "cpu: 500\nmemory: 640") });
  expect((await bench.cycle()).end).toMatchObject({ type: "applied" });
  expect((await server.everything()).get("shop/staging/JOB a")).toMatchObject({ cpu: 500, memory: 640 });
});

test("a quiet cycle costs one request, and every five minutes three more, whatever the number of resources", async () => {
  const bench = await startBench();
  const { repository, clock } = bench;
  repository.push({
    "infra/shop.yaml": shop,
    "infra/jobs.yaml": Array.from({ length: 30 }, (_, index) => job(`job-${index}`)).join(""),
  });
  await bench.cycle();
  // What the reconciler itself has done comes back as events: it is read again until it has settled.
  clock.advance(minute);
  await bench.cycle();
  clock.advance(minute);
  await bench.cycle();
  // Once for a server: whether it cuts its lists.
  const firstAudit = [...audit, "GET /organization/{id}/services"].toSorted();
  for (let quiet = 0; quiet < 9; quiet += 1) {
    clock.advance(minute);
    const requests = { 2: firstAudit, 7: audit }[quiet] ?? [events];
    expect(await bench.cycle()).toMatchObject({ requests, end: { type: "synced", spent: requests.length } });
  }
});

test.each([
  ["right", 0],
  ["a day late", -24 * 60 * minute],
  ["a day early", 24 * 60 * minute],
])(
  "with a clock that is %s a change by another is found in the next cycle, with two requests for its environment",
  async (_clock, off) => {
    const bench = await startBench();
    const { repository, server, clock } = bench;
    clock.advance(off);
    bench.reconciler = bench.restart();
    const production = "---\nkind: Environment\nproject: shop\nname: production\nmode: PRODUCTION\n";
    repository.push({
      "infra/shop.yaml": shop + production + job("a", "cpu: 500") + job("b", "", "shop/production"),
    });
    for (let cycle = 0; cycle < 6; cycle += 1) {
      await bench.cycle();
      clock.advance(minute);
    }
    await server.api("PUT", `/job/${await server.idOf("shop/staging/JOB a")}`, {
      ...(await server.everything()).get("shop/staging/JOB a"),
      description: "unimportant",
      cpu: 640,
    });
    const first = await bench.cycle();
    expect(first).toMatchObject({
      end: {
        type: "drift",
        changes: [{ fields: ["cpu 500 -> 640"], by: expect.stringMatching(/^\S+, API, 2\d{3}-\S+Z$/) }],
      },
      requests: ["GET /environment/{id}/services", "GET /environment/{id}/statuses", events],
    });
    // It is read once more when it has settled, and then no more.
    clock.advance(minute);
    expect((await bench.cycle()).requests).toEqual([
      "GET /environment/{id}/services",
      "GET /environment/{id}/statuses",
      events,
    ]);
    clock.advance(minute);
    expect(await bench.cycle()).toMatchObject({ end: { type: "drift" }, requests: [events] });
  },
);

test("after an event about no environment everything is read, and once more when it has settled", async () => {
  const bench = await startBench();
  const { repository, server, clock } = bench;
  repository.push({ "infra/shop.yaml": shop + job("a") });
  for (let cycle = 0; cycle < 6; cycle += 1) {
    await bench.cycle();
    clock.advance(minute);
  }
  await server.api("PUT", `/project/${await server.idOf("shop")}`, { name: "shop", description: "changed" });
  const whole = [
    "GET /environment/{id}/services",
    "GET /environment/{id}/statuses",
    events,
    "GET /organization/{id}/project",
    "GET /project/{id}/environment",
  ];
  expect((await bench.cycle()).requests).toEqual(whole);
  clock.advance(minute / 2);
  expect((await bench.cycle()).requests).toEqual(whole);
  clock.advance(minute);
  expect((await bench.cycle()).requests).toEqual([events]);
});

test("an event that has just come before the start of the process is read again when it has settled", async () => {
  const bench = await startBench();
  const { repository, server, clock } = bench;
  await server.reconcile(shop + job("a", "cpu: 500"));
  repository.push({ "infra/shop.yaml": shop + job("a", "cpu: 500") });
  await bench.cycle();
  clock.advance(minute);
  expect((await bench.cycle()).requests).toContain("GET /environment/{id}/services");
  clock.advance(minute);
  expect((await bench.cycle()).requests).toEqual([events]);
});

test("after a restart the last applied commit stays in force while the newest one has a mistake", async () => {
  const bench = await startBench();
  const { repository, server } = bench;
  repository.push({ "infra/shop.yaml": shop + job("a", "cpu: 500") });
  await bench.cycle();
  repository.push({ "infra/b.yaml": job("b", "colour: red") });
  await server.reconcile(shop + job("a", "cpu: 750"));
  bench.reconciler = bench.restart();
  expect((await bench.cycle()).end).toMatchObject({
    type: "invalid",
    problems: [{ position: { file: "infra/b.yaml" } }],
    changes: [{ address: "job:shop/staging/a", fields: ["cpu 500 -> 750"] }],
    environments: [{ state: "synced" }, { state: "drift" }],
  });
  repository.push({ "infra/b.yaml": job("b") });
  expect((await bench.cycle()).end.type).toBe("applied");
});

test("a change whose event never comes is found within an hour", async () => {
  const bench = await startBench();
  const { repository, server, clock } = bench;
  repository.push({ "infra/shop.yaml": shop + job("a") });
  for (let cycle = 0; cycle < 4; cycle += 1) {
    await bench.cycle();
    clock.advance(minute);
  }
  await server.api("POST", "/_emulator/faults", [
    { method: "DELETE", path: "/job/*", events: "missing", times: 1 },
  ]);
  await server.api("DELETE", `/job/${await server.idOf("shop/staging/JOB a")}`);
  expect((await bench.cycle()).end.type).toBe("synced");
  clock.advance(60 * minute);
  expect((await bench.cycle()).end).toMatchObject({ type: "drift", changes: [{ action: "create" }] });
});

test.each([
  ["answers 404", { status: 404 }],
  ["answers 403", { status: 403 }],
])("a server that %s for the events is read in full every five minutes", async (_what, answer) => {
  const bench = await startBench();
  const { repository, server, clock } = bench;
  repository.push({ "infra/shop.yaml": shop + job("a", "cpu: 500") });
  await bench.cycle();
  await server.api("POST", "/_emulator/faults", [
    { method: "GET", path: "/organization/*/events", ...answer, times: 1000 },
  ]);
  // What was read before the events were missing is read once more.
  for (const minutes of [5, 1]) {
    clock.advance(minutes * minute);
    expect((await bench.cycle()).end.type).toBe("synced");
  }
  await server.reconcile(shop + job("a", "cpu: 750"));
  clock.advance(minute);
  expect((await bench.cycle()).end.type).toBe("synced");
  clock.advance(4 * minute);
  expect((await bench.cycle()).end.type).toBe("drift");
});

test.each<[string, Parameters<Awaited<ReturnType<typeof startBench>>["repository"]["push"]>[0]]>([
  ["an empty folder", { "infra/shop.yaml": undefined, "infra/a.yaml": undefined, "infra/README.md": "" }],
  ["a link in place of a folder", { "infra/a.yaml": undefined, "infra/more": { link: "../more" } }],
])("%s deletes nothing", async (_what, files) => {
  const bench = await startBench({ prune: true });
  bench.repository.push({ "infra/shop.yaml": pruning, "infra/a.yaml": job("a") });
  await bench.cycle();
  bench.repository.push(files);
  const { end, requests } = await bench.cycle();
  expect(end.type).toBe("invalid");
  expect(requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
});

test("while a folder, a branch or a repository is away, drift from the last good commit is undone, and nothing else", async () => {
  const bench = await startBench({ prune: true }, "admin", { onDrift: "apply" });
  const { repository, server, clock } = bench;
  const good = repository.push({ "infra/shop.yaml": pruning, "infra/a.yaml": job("a", "cpu: 500") });
  await bench.cycle();
  const id = await server.idOf("shop/staging/JOB a");
  const driftUndone = async (failure: string) => {
    const path = `/job/${id}`;
    await server.api("PUT", path, { ...((await server.api("GET", path)) as Fields), cpu: 640 });
    clock.advance(minute);
    const { end, requests } = await bench.cycle();
    expect(end).toMatchObject({ type: "undone", commit: good, repositoryFailure: { failure } });
    expect(requests.filter((request) => !request.startsWith("GET "))).toEqual(["PUT /job/{id}"]);
    expect(await server.api("GET", path)).toMatchObject({ cpu: 500 });
  };
  repository.push({ "infra/shop.yaml": undefined, "infra/a.yaml": undefined, "other.yaml": shop });
  await driftUndone("no_path");
  repository.atOrigin("update-ref", "-d", "refs/heads/main");
  await driftUndone("no_branch");
  renameSync(repository.origin, `${repository.origin}-away`);
  // A process that starts meanwhile has the last good commit in its copy.
  bench.reconciler = bench.restart();
  await driftUndone("unreachable");
  renameSync(`${repository.origin}-away`, repository.origin);
  const later = repository.push({ "infra/shop.yaml": pruning, "other.yaml": undefined });
  const { end } = await bench.cycle();
  expect(end).toMatchObject({ commit: later });
  expect(end.repositoryFailure).toBeUndefined();
});

test("a repository that nobody has read yet is an error", async () => {
  const bench = await startBench();
  renameSync(bench.repository.origin, `${bench.repository.origin}-away`);
  await expect(bench.cycle()).rejects.toMatchObject({ failure: "unreachable" });
});

test("a commit that drops the applied one is followed if it deletes nothing, and held otherwise", async () => {
  const bench = await startBench({ prune: true });
  const { repository, server } = bench;
  const base = repository.push({ "infra/shop.yaml": pruning, "infra/a.yaml": job("a") });
  const dropped = repository.push({ "infra/b.yaml": job("b") });
  await bench.cycle();
  repository.git("reset", "--quiet", "--hard", base);
  repository.push({ "infra/c.yaml": job("c") });
  // A restart in between: the applied commit is known from the data folder.
  bench.reconciler = bench.restart();
  const { end, requests } = await bench.cycle();
  expect(end).toMatchObject({
    type: "held",
    environments: expect.arrayContaining([
      expect.objectContaining({
        state: "held",
        reason: `it drops the applied commit ${dropped.slice(0, 7)}, and its plan deletes`,
      }),
    ]),
    changes: [{ action: "create" }, { action: "delete" }],
  });
  expect(requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
  repository.git("reset", "--quiet", "--hard", base);
  repository.push({ "infra/b.yaml": job("b"), "infra/d.yaml": job("d") });
  expect((await bench.cycle()).end.type).toBe("applied");
  expect((await server.everything()).has("shop/staging/JOB d")).toBe(true);
});

test("a commit that was overtaken while it was planned is not applied", async () => {
  const bench = await startBench();
  const { repository, server } = bench;
  repository.push({ "infra/shop.yaml": shop + job("a", "cpu: 640") });
  let newest: string | undefined;
  bench.reconciler = bench.restart("data", "infra", {
    // The reconciler has read the commit, and not yet planned.
    async policyFor() {
      newest ??= repository.push({ "infra/shop.yaml": shop + job("a", "cpu: 750") });
      return { policy: openPolicy, problems: [] };
    },
  });
  expect((await bench.cycle()).end.type).toBe("overtaken");
  expect(await server.writes()).toEqual([]);
  expect((await bench.cycle()).end).toMatchObject({ type: "applied", commit: newest });
});

test("of two reconcilers with data folders of their own, the one that lags behind writes nothing", async () => {
  const bench = await startBench({}, "admin", { onDrift: "apply" });
  const { repository, server } = bench;
  repository.push({ "infra/shop.yaml": shop + job("a", "cpu: 640") });
  const other = bench.restart("other");
  let newest: string | undefined;
  const lagging = bench.restart("data", "infra", {
    async policyFor() {
      if (newest === undefined) {
        newest = repository.push({ "infra/shop.yaml": shop + job("a", "cpu: 750") });
        expect(inWords(await other.cycle())).toMatchObject({ type: "applied", commit: newest });
        await server.forgetRequests();
      }
      return { policy: openPolicy, problems: [] };
    },
  });
  expect(inWords(await lagging.cycle()).type).toBe("overtaken");
  expect(inWords(await lagging.cycle())).toMatchObject({ type: "synced", commit: newest });
  expect(await server.writes()).toEqual([]);
});

test.each(["late", "reordered", "equal", "twice", "single"])(
  "a change whose event comes %s is found",
  async (how) => {
    const bench = await startBench();
    const { repository, server, clock } = bench;
    repository.push({ "infra/shop.yaml": shop + job("a", "cpu: 500") });
    for (let cycle = 0; cycle < 4; cycle += 1) {
      await bench.cycle();
      clock.advance(minute);
    }
    await server.reconcile(shop + job("a", "cpu: 750"));
    await server.api("POST", "/_emulator/faults", [
      { method: "GET", path: "/organization/*/events", events: how, times: how === "single" ? 100 : 1 },
    ]);
    expect((await bench.cycle()).end.type).toBe(how === "late" ? "synced" : "drift");
    expect((await bench.cycle()).end.type).toBe("drift");
  },
);

test("a resource that a person renames is neither created again nor pruned, whatever else has changed: the reconciler remembers its id", async () => {
  const bench = await startBench({ prune: true }, "admin", { onDrift: "apply" });
  const { repository, server } = bench;
  repository.push({ "infra/shop.yaml": pruning, "infra/a.yaml": job("orders", "cpu: 500") });
  expect((await bench.cycle()).end.type).toBe("applied");
  expect((await bench.cycle()).end.type).toBe("synced");
  const path = `/job/${await server.idOf("shop/staging/JOB orders")}`;
  const live = (await server.api("GET", path)) as Fields;
  await server.api("PUT", path, { ...live, name: "till", cpu: 750 });
  for (const reconciler of [bench.reconciler, bench.restart()]) {
    const end = inWords(await reconciler.cycle());
    expect(end).toMatchObject({
      type: "blocked",
      problems: [{ code: "perhaps_renamed", address: "job:shop/staging/orders" }],
    });
  }
  expect([...(await server.everything()).keys()]).toEqual(["shop", "shop/staging", "shop/staging/JOB till"]);
});

test("two manifests with names that are not UTF-8 are mistakes of the commit, and neither replaces the other", async () => {
  const bench = await startBench();
  bench.repository.push({ "infra/shop.yaml": "kind: Project\nname: shop\n" });
  await bench.cycle();
  bench.repository.script(String.raw`
    for byte in 376 377; do
      sed "s/name: shop/name: shop-$byte/" infra/shop.yaml > "$(printf "infra/\\$byte.yaml")"
    done`);
  bench.repository.push({});
  const { end, requests } = await bench.cycle();
  expect(end).toMatchObject({
    type: "invalid",
    problems: [{ code: "unreadable", message: "infra/\uFFFD.yaml has a name that is not UTF-8" }],
  });
  expect(requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
});

test("a data folder forgets the first organization when the service works in another one", async () => {
  const bench = await startBench();
  const { repository, server } = bench;
  repository.push({ "infra/shop.yaml": "kind: Project\nname: shop\n" });
  expect((await bench.cycle()).end.type).toBe("applied");
  const other = await server.api("POST", "/organization", { name: "other", plan: "FREE" });
  const { id = "" } = other as { id?: string };
  bench.reconciler = bench.restart("data", "infra", { organization: id });
  expect((await bench.cycle()).end.type).toBe("applied");
  expect(await server.results(`/organization/${id}/project`)).toMatchObject([{ name: "shop" }]);
});
