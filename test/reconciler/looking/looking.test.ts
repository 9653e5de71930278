import { expect, test } from "vitest";
import { job } from "../../fixtures/manifests.ts";
import { type Bench, startBench } from "../fixture.ts";

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

/** Runs a cycle each minute; gives the requests of all. */
async function minutes(bench: Bench, count: number): Promise<string[]> {
  const requests: string[] = [];
  for (let cycle = 0; cycle < count; cycle += 1) {
    bench.clock.advance(minute);
    await bench.server.api("POST", "/_emulator/clock", { advance_ms: minute });
    requests.push(...(await bench.cycle()).requests);
  }
  return requests;
}

/** A bench whose commit is applied and has settled, with a clock of the server that goes with the test's. */
async function settledBench(manifests: string): Promise<Bench> {
  const bench = await startBench({}, "admin", {}, { clock: "frozen", rateLimit: 1000 });
  bench.repository.push({ "infra/all.yaml": manifests });
  await bench.cycle();
  await minutes(bench, 3);
  return bench;
}

test("20 environments in 4 projects cost at most 130 requests an hour with a look a minute", async () => {
  const bench = await settledBench(organization);
  for (let hour = 0; hour < 2; hour += 1) {
    const requests = await minutes(bench, 60);
    expect(requests.length).toBeLessThanOrEqual(130);
    const count = (request: string) => requests.filter((each) => each === request).length;
    expect(count("GET /organization/{id}/events")).toBe(60);
    for (const list of ["project", "environments", "services"])
      expect(count(`GET /organization/{id}/${list}`)).toBe(12);
    // Each has its turn a little earlier than once an hour.
    const inTurn = [count("GET /project/{id}/environment"), count("GET /environment/{id}/services")];
    expect(inTurn).toEqual([expect.toBeOneOf([4, 5]), expect.toBeOneOf([20, 21, 22])]);
    expect(requests.length).toBe(96 + inTurn.reduce((sum, each) => sum + each, 0));
  }
});

test("each environment is read in full at least once an hour", async () => {
  const bench = await settledBench(organization);
  const read = new Map<string, number>();
  let longest = 0;
  for (let cycle = 1; cycle <= 150; cycle += 1) {
    bench.clock.advance(minute);
    await bench.server.api("POST", "/_emulator/clock", { advance_ms: minute });
    await bench.server.forgetRequests();
    await bench.reconciler.cycle();
    for (const { path } of await bench.server.seen()) {
      if (!/^\/environment\/[^/]+\/services$/.test(path)) continue;
      longest = Math.max(longest, cycle - (read.get(path) ?? 0));
      read.set(path, cycle);
    }
  }
  expect(read.size).toBe(20);
  expect(longest).toBeLessThanOrEqual(60);
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
  expect(end.type).toBe(method === "DELETE" ? "drift" : "in_step");
});

test("a changed field without an event is found within an hour", async () => {
  const bench = await settledBench(organization);
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

test.each([
  ["answers 404", { status: 404 }],
  ["answers 403", { status: 403 }],
])("a server that %s for the lists of an audit is read in full instead", async (_what, answer) => {
  const bench = await settledBench(organization);
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
  const { allowance, repository, clock } = bench;
  allowance.applied((allowance.view()?.applying.allowed ?? 0) - (allowance.view()?.applying.spent ?? 0), {});
  repository.push({ "infra/more.yaml": job("more", "", "p0/e0") });
  const { end, requests } = await bench.cycle();
  expect(end).toMatchObject({ type: "unaffordable" });
  expect(requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
  const wait = allowance.applyingAgain - clock.now();
  clock.advance(wait);
  await bench.server.api("POST", "/_emulator/clock", { advance_ms: wait });
  expect((await bench.cycle()).end.type).toBe("applied");
});
