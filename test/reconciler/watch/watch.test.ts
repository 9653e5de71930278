import { expect, test } from "vitest";
import { isSoak } from "../../fixtures/fault-kinds.ts";
import { job, shop } from "../../fixtures/manifests.ts";
import { anybody } from "../../../reconciler/identity.ts";
import { type Bench, startBench, startTimedBench } from "../fixture.ts";

const minute = 60_000;

/** 20 environments in 4 projects, with a job in each. */
const organization = Array.from({ length: 4 }, (_, project) =>
  [
    `---\nkind: Project\nname: p${project}\n`,
    ...Array.from(
      { length: 5 },
      (_each, index) =>
        `---\nkind: Environment\nproject: p${project}\nname: e${index}\nmode: STAGING\n` +
        job("a", "cpu: 500", `p${project}/e${index}`),
    ),
  ].join(""),
).join("");

/** Runs a cycle each minute; gives the requests of all, without ids. */
async function minutes(bench: Bench, count: number): Promise<string[]> {
  return (await pathsOf(bench, count)).map((request) => request.replaceAll(/[0-9a-f-]{36}/g, "{id}"));
}

/** Runs a cycle each minute; gives the requests of all. @param onCycle gets how many there were until then */
async function pathsOf(
  { server, clock, reconciler }: Bench,
  count: number,
  onCycle: (requests: number) => void = () => undefined,
): Promise<string[]> {
  await server.forgetRequests();
  for (let cycle = 0; cycle < count; cycle += 1) {
    clock.advance(minute);
    await server.api("POST", "/_emulator/clock", { advance_ms: minute });
    onCycle((await reconciler.cycle()).spent);
  }
  return (await server.seen()).map(({ method, path }) => `${method} ${path}`);
}

/** A bench whose commit is applied and has settled, with a clock of the server that goes with the test's. */
async function settledBench(manifests: string, rateLimit = 1000, ahead = 0): Promise<Bench> {
  const { bench } = await startTimedBench(rateLimit);
  bench.clock.advance(ahead);
  bench.repository.push({ "infra/all.yaml": manifests });
  await bench.cycle();
  await minutes(bench, 3);
  return bench;
}

test("20 environments in 4 projects cost at most 150 requests an hour, and each is read in full within one", async () => {
  const bench = await settledBench(organization);
  // The first look has its share of the first window.
  await minutes(bench, 60);
  const spent: number[] = [];
  const requests = await pathsOf(bench, 60, (count) => spent.push(count));
  expect(requests.length).toBe(spent.reduce((sum, each) => sum + each, 0));
  // When each environment was read, as the number of the cycle.
  const cycles = spent.flatMap((count, cycle) => Array<number>(count).fill(cycle));
  const read = new Map<string, number>();
  let longest = 0;
  for (const [index, request] of requests.entries()) {
    if (!/^GET \/environment\/[^/]+\/services$/.test(request)) continue;
    const cycle = cycles[index] ?? 0;
    longest = Math.max(longest, cycle - (read.get(request) ?? -1));
    read.set(request, cycle);
  }
  expect(read.size).toBe(20);
  expect(longest).toBeLessThanOrEqual(60);

  const kinds = requests.map((request) => request.replaceAll(/[0-9a-f-]{36}/g, "{id}"));
  expect(kinds.length).toBeLessThanOrEqual(150);
  const count = (request: string) => kinds.filter((each) => each === request).length;
  expect(count("GET /organization/{id}/events")).toBe(60);
  for (const list of ["project", "environments", "services"])
    expect(count(`GET /organization/{id}/${list}`)).toBe(12);
  // Each has its turn a little earlier than once an hour.
  const inTurn = [count("GET /project/{id}/environment"), count("GET /environment/{id}/services")];
  expect(inTurn).toEqual([expect.toBeOneOf([4, 5]), expect.toBeOneOf([20, 21, 22])]);
  inTurn.push(count("GET /environment/{id}/statuses"));
  expect(inTurn.at(-1)).toBeOneOf([20, 21, 22]);
  expect(kinds.length).toBe(96 + inTurn.reduce((sum, each) => sum + each, 0));
});

test("the hour after 2,000 events costs less than twice a quiet one, and one reading of what they name", async () => {
  const bench = await settledBench(organization, 5000);
  const { server } = bench;
  await minutes(bench, 60);
  const quiet = await minutes(bench, 60);
  const named = ["p0/e0", "p1/e0", "p2/e0"];
  const ids = await Promise.all(named.map((name) => server.idOf(name)));
  for (let turn = 0; turn < 2_000; turn += 1) {
    const index = turn % named.length;
    await server.api("PUT", `/environment/${ids[index]}`, { name: "e0", mode: "STAGING" });
  }
  const after = await minutes(bench, 60);
  // A list of its project, its services and its statuses.
  const reading = 3 * named.length;
  const isEvents = (request: string) => request === "GET /organization/{id}/events";
  const lists = (all: string[]) => all.filter((request) => !isEvents(request)).length;
  expect(lists(after)).toBeLessThanOrEqual(lists(quiet) + reading);
  expect(after.length).toBeLessThan(2 * quiet.length + reading);
  expect(quiet.length).toBeLessThanOrEqual(150);
});

// With 10,000: npm run soak -- --only grids
test("an hour of quiet with a hundred jobs costs the same requests as with a few, and no document is read again", async () => {
  const jobs = Array.from({ length: isSoak ? 100 : 10 }, (_, index) => `job-${index}`);
  const documents = (environment: string) =>
    `---\nkind: Environment\nproject: shop\nname: ${environment}\nmode: STAGING\n` +
    jobs.map((name) => job(name, "", `shop/${environment}`)).join("");
  const environments = Array.from({ length: isSoak ? 100 : 10 }, (_, index) => `e${index}`);
  const bench = await startBench({}, "admin", {}, { clock: "frozen", behaviour: { rate_limit: 0 } });
  const { server, repository } = bench;
  // A clone takes one request for all jobs of an environment.
  await server.reconcile(`kind: Project\nname: shop\n${documents("e0")}`);
  const first = await server.idOf("shop/e0");
  const cluster = (await server.everything()).get("shop/e0")?.["cluster_id"];
  for (const name of environments.slice(1))
    await server.api("POST", `/environment/${first}/clone`, { name, cluster_id: cluster, mode: "STAGING" });
  repository.push({
    "infra/shop.yaml": "kind: Project\nname: shop\n",
    ...Object.fromEntries(environments.map((name) => [`infra/${name}.yaml`, documents(name)])),
  });
  await server.api("POST", "/_emulator/clock", { advance_ms: minute });
  expect((await bench.cycle()).end).toMatchObject({
    type: "synced",
    resources: 1 + environments.length * (1 + jobs.length),
  });
  // The many events of the clones are read back as long as others may come late: ten minutes.
  await minutes(bench, 11);
  const parsed = (await bench.source.newest()).resources;
  const requests = await minutes(bench, 60);
  const count = (request: string) => requests.filter((each) => each === request).length;
  expect(count("GET /organization/{id}/events")).toBe(60);
  for (const list of ["project", "environments", "services"])
    expect(count(`GET /organization/{id}/${list}`)).toBe(12);
  // Each environment has its turn a little earlier than once an hour, and the project too.
  const turns = Math.ceil(environments.length * 1.1);
  expect(count("GET /environment/{id}/services")).toBeLessThanOrEqual(turns);
  expect(requests.length).toBeLessThanOrEqual(60 + 3 * 12 + 2 * turns + 2);
  expect((await bench.source.newest()).resources).toBe(parsed);
});

test.each([
  ["DELETE", "/job/*"],
  ["POST", "/job/*/clone"],
])("an audit finds within five minutes what a %s without an event has done", async (method, path) => {
  const bench = await settledBench(organization);
  const { server } = bench;
  await server.api("POST", "/_emulator/faults", [{ method, path, events: "missing", times: 1 }]);
  if (method === "DELETE") await server.api("DELETE", `/job/${await server.idOf("p1/e1/JOB a")}`);
  else {
    const [, response] = [...(await server.everything())].find(([name]) => name === "p1/e1/JOB a") ?? [];
    await server.api("POST", `/job/${String(response?.["id"])}/clone`, {
      name: "b",
      environment_id: await server.idOf("p1/e1"),
    });
  }
  const requests = await minutes(bench, 5);
  expect(requests.filter((request) => request === "GET /environment/{id}/services").length).toBeGreaterThan(
    0,
  );
  const { end } = await bench.cycle();
  expect(end.type).toBe(method === "DELETE" ? "drift" : "synced");
});

test("a changed field without an event is found within an hour", async () => {
  const bench = await settledBench(organization);
  await minutes(bench, 60);
  const { server } = bench;
  await server.api("POST", "/_emulator/faults", [
    { method: "PUT", path: "/job/*", events: "missing", times: 1 },
  ]);
  await server.api("PUT", `/job/${await server.idOf("p3/e4/JOB a")}`, {
    ...(await server.everything()).get("p3/e4/JOB a"),
    cpu: 750,
  });
  await minutes(bench, 60);
  expect((await bench.cycle()).end).toMatchObject({
    type: "drift",
    changes: [{ fields: ["cpu 500 -> 750"] }],
  });
});

test("a clock that is set back by half a day delays nothing: an audit follows at once, and turns go on", async () => {
  const ahead = 12 * 60 * minute;
  const bench = await settledBench(shop + job("a") + job("b", "cpu: 500"), 1000, ahead);
  const { server, clock } = bench;
  clock.advance(-ahead);
  await server.api("POST", "/_emulator/faults", [
    { method: "DELETE", path: "/job/*", events: "missing", times: 1 },
    { method: "PUT", path: "/job/*", events: "missing", times: 1 },
  ]);
  await server.api("DELETE", `/job/${await server.idOf("shop/staging/JOB a")}`);
  expect((await bench.cycle()).end).toMatchObject({ type: "drift", changes: [{ action: "create" }] });
  await server.api("PUT", `/job/${await server.idOf("shop/staging/JOB b")}`, {
    ...(await server.everything()).get("shop/staging/JOB b"),
    cpu: 750,
  });
  await minutes(bench, 60);
  expect((await bench.cycle()).end).toMatchObject({
    changes: [{ action: "create" }, { fields: ["cpu 500 -> 750"] }],
  });
});

test.each([
  ["answers 404", { status: 404 }],
  ["answers 403", { status: 403 }],
])("a server that %s for the lists of an audit is read in full instead", async (_what, answer) => {
  const bench = await settledBench(organization, 0);
  const { server } = bench;
  await server.api("POST", "/_emulator/faults", [
    { method: "GET", path: "/organization/*/services", ...answer, times: 1000 },
    { method: "DELETE", path: "/job/*", events: "missing", times: 1 },
  ]);
  await server.api("DELETE", `/job/${await server.idOf("p1/e1/JOB a")}`);
  await minutes(bench, 6);
  expect((await bench.cycle()).end).toMatchObject({ type: "drift", changes: [{ action: "create" }] });
});

test("a list that always differs from another one is not read again for each audit", async () => {
  const bench = await settledBench(organization);
  await bench.server.api("POST", "/_emulator/faults", [
    { method: "GET", path: "/organization/*/environments", status: 200, body: { results: [] }, times: 1000 },
  ]);
  await minutes(bench, 5);
  const requests = await minutes(bench, 15);
  expect(requests.filter((request) => request === "GET /project/{id}/environment").length).toBeLessThan(4);
});

test("a commit whose plan exceeds the share for applying waits for the next window", async () => {
  const bench = await settledBench(organization);
  const { rateBudget, repository, clock } = bench;
  rateBudget.applied(
    (rateBudget.view()?.applying.allowed ?? 0) - (rateBudget.view()?.applying.spent ?? 0),
    {},
  );
  repository.push({ "infra/more.yaml": job("more", "", "p0/e0") });
  const { end, requests } = await bench.cycle();
  expect(end).toMatchObject({ type: "unaffordable" });
  expect(requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
  const wait = 3_600_000;
  clock.advance(wait);
  await bench.server.api("POST", "/_emulator/clock", { advance_ms: wait });
  expect((await bench.cycle()).end.type).toBe("applied");
});

test("a restart late in a window reads what there is to read, instead of events about what it does not know", async () => {
  const bench = await settledBench(shop + job("a"));
  const { checking } = bench.rateBudget.view() ?? {};
  bench.rateBudget.looked((checking?.allowed ?? 0) - (checking?.spent ?? 0) - 70, {});
  bench.reconciler = bench.restart();
  const { environments = [] } = (await bench.cycle()).end;
  expect(new Set(environments.map(({ state }) => state))).toEqual(new Set(["synced"]));
  expect(bench.rateBudget.view()?.checking.spent).toBeLessThan(200);
});

test("a refresh that the share does not suffice for throws away nothing that is known, and comes when it does", async () => {
  const bench = await settledBench(organization);
  const id = (await bench.server.everything()).get("p0/e1")?.["id"];
  const states = async () => {
    const { environments = [] } = (await bench.cycle()).end;
    return new Set(environments.map(({ state }) => state));
  };
  const reads = async (count: number) =>
    (await pathsOf(bench, count)).filter((path) => path === `GET /environment/${String(id)}/services`).length;
  // Of the window, nothing but the events of its rest is left.
  const { checking } = bench.rateBudget.view() ?? {};
  bench.rateBudget.looked((checking?.allowed ?? 0) - (checking?.spent ?? 0) - 94, {});
  await bench.requests.change({ refresh: [] }, anybody, 0);
  expect(await states()).toEqual(new Set(["synced"]));
  await bench.requests.change({ refresh: ["p0", "e1"] }, anybody, 0);
  expect(await states()).toEqual(new Set(["synced"]));
  expect(await reads(1)).toBe(0);
  // Another window begins.
  await bench.server.api("POST", "/_emulator/clock", { advance_ms: 60 * minute });
  bench.clock.advance(60 * minute);
  expect(await reads(1)).toBe(1);
});
