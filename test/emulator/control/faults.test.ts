import { expect, test } from "vitest";
import { startWorld } from "../start-world.ts";
import type { TestWorld } from "../start-world.ts";

async function fault({ control }: TestWorld, ...faults: object[]): Promise<void> {
  await control.post("/_emulator/faults", faults);
}

/** The code of the error of a request; fails when the request succeeds. */
async function broken(request: Promise<unknown>): Promise<string> {
  const error = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const reported = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return reported instanceof Error && "code" in reported
    ? String(reported.code)
    : `no reset: ${String(error)}`;
}

async function lastRequest({ control }: TestWorld) {
  const { requests } = await control.get<{ requests: object[] } & { id: string }>("/_emulator/requests");
  return requests.at(-1);
}

test("a fault with a status returns it and does not carry out the request", async () => {
  const world = await startWorld();
  const { client, organizationPath } = world;
  const path = `${organizationPath}/project`;
  await fault(world, { method: "post", path: "/organization/*/project", status: 503, times: 1 });
  expect(await client.fails("POST", path, { name: "x" })).toEqual({
    status: 503,
    message: "a fault was asked for",
  });
  expect(await lastRequest(world)).toEqual({ method: "POST", path, status: 503, fault: "answer" });
  expect(await client.list(path)).toHaveLength(1);
  await client.post(path, { name: "x" });
});

test("a fault can respond with any body, such as the HTML of a proxy", async () => {
  const world = await startWorld();
  const headers = { "content-type": "text/html", "retry-after": "7" };
  await fault(world, { status: 502, headers, body: "<h1>Bad gateway</h1>" }, { body: { odd: true } });
  const answer = await world.client.call<string>("GET", "/organization");
  expect([answer.status, answer.body]).toEqual([502, "<h1>Bad gateway</h1>"]);
  expect(answer.headers.get("retry-after")).toBe("7");
  expect(answer.headers.get("content-length")).toBe("20");
  expect(answer.headers.has("x-ratelimit-remaining")).toBe(true);
});

test("a fault with carry_out responds after the request is carried out", async () => {
  const world = await startWorld();
  const { client, organizationPath } = world;
  await fault(world, { method: "POST", status: 502, carry_out: true, times: 1 });
  const path = `${organizationPath}/project`;
  expect((await client.fails("POST", path, { name: "x" })).status).toBe(502);
  expect(await client.list(path)).toMatchObject([{ name: "shop" }, { name: "x" }]);
});

test("a fault resets the connection before or after the request is carried out", async () => {
  const lines: string[] = [];
  const world = await startWorld({ log: (line) => lines.push(line) });
  const { client, organizationPath } = world;
  const path = `${organizationPath}/project`;
  const names = async () => (await client.list(path)).map(({ name }) => name);
  await fault(world, { method: "POST", drop: "before", times: 1 });
  expect(await broken(client.post(path, { name: "a" }))).toBe("ECONNRESET");
  expect(await lastRequest(world)).toEqual({ method: "POST", path, status: null, fault: "drop before" });
  expect(await names()).toEqual(["shop"]);
  await fault(world, { method: "POST", drop: "after", times: 1 });
  expect(await broken(client.post(path, { name: "b" }))).toBe("ECONNRESET");
  expect(await lastRequest(world)).toEqual({ method: "POST", path, status: null, fault: "drop after" });
  expect(await names()).toEqual(["shop", "b"]);
  const faulted = lines.filter((line) => line.includes("fault"));
  expect(faulted).toEqual([
    expect.stringMatching(/^POST .* - \d+ ms \(fault: drop before\)$/),
    expect.stringMatching(/^POST .* - \d+ ms \(fault: drop after\)$/),
  ]);
});

test("a fault cuts a response after a number of bytes", async () => {
  const world = await startWorld();
  await fault(world, { method: "GET", path: "/organization", truncate: 10, times: 1 });
  const response = await fetch(`${world.emulator.url}/organization`, {
    headers: { authorization: `Token ${world.emulator.tokens.read}` },
  });
  expect(response.status).toBe(200);
  let seen = "";
  const reading = (async () => {
    for await (const chunk of response.body ?? []) seen += Buffer.from(chunk).toString();
  })();
  expect(await broken(reading)).toBe("ECONNRESET");
  expect(seen).toBe('{"results"');
  expect(await lastRequest(world)).toMatchObject({ status: 200, fault: "truncate" });
});

test("a fault can cut a response without a body", async () => {
  const world = await startWorld();
  const { client, projectId } = world;
  await fault(world, { method: "DELETE", truncate: 0, times: 1 });
  await client.call("DELETE", `/project/${projectId}`).catch(() => undefined);
  expect((await client.fails("GET", `/project/${projectId}`)).status).toBe(404);
});

test("a fault with a delay delays the response, not the change", async () => {
  const world = await startWorld();
  const { client, organizationPath } = world;
  const path = `${organizationPath}/project`;
  await fault(world, { method: "POST", delay_ms: 3_600_000, times: 1 });
  const slow = client.post(path, { name: "slow" }).catch(() => "cut off when the emulator ends");
  const projects = () => client.list(path);
  await expect.poll(projects, { interval: 5 }).toHaveLength(2);
  expect(await Promise.race([slow, projects().then(() => "still waiting")])).toBe("still waiting");
});

test("after skips requests, times limits the fault, and the list counts both", async () => {
  const world = await startWorld();
  const { client, control } = world;
  await fault(world, { path: "/organization/**", after: 2, times: 2, status: 500 });
  const statuses: number[] = [];
  for (let count = 0; count < 6; count += 1) {
    statuses.push((await client.call("GET", world.organizationPath)).status);
    await client.list("/organization");
  }
  expect(statuses).toEqual([200, 200, 500, 500, 200, 200]);
  expect(await control.list("/_emulator/faults")).toMatchObject([
    { path: "/organization/**", matches: 6, hits: 2, times: 2, after: 2 },
  ]);
  await control.delete("/_emulator/faults");
  expect(await control.list("/_emulator/faults")).toEqual([]);
});

test.for([
  ["/job/*", "/job/a", true],
  ["/job/*", "/job/a/deploy", false],
  ["/job/{jobId}", "/job/a", true],
  ["/job/**", "/job/a/deploy", true],
  ["**", "/anything", false],
  ["/**/deploy", "/job/a/deploy", true],
  ["/job.a", "/job.a", true],
  ["/job.a", "/jobxa", false],
] as const)("the fault path %s, for a request to %s", async ([pattern, path, hit]) => {
  const world = await startWorld();
  const answer = await world.control.call("POST", "/_emulator/faults", [{ path: pattern, status: 418 }]);
  expect(answer.status).toBe(pattern.startsWith("/") ? 201 : 400);
  expect((await world.client.call("GET", path)).status === 418).toBe(hit);
});

test("an invalid fault is refused with the name of the member", async () => {
  const { control } = await startWorld();
  expect(await control.fails("POST", "/_emulator/faults", [{ drop: "never", status: 1 }])).toEqual({
    status: 400,
    message: "[0].status must be >= 200; [0].drop must be one of before,after",
  });
});

test.each([
  ["a fault", "faults", [{ paht: "/organization", status: 500 }], "[0].paht"],
  ["the clock", "clock", { advance_ms: 1, hours: 2 }, "hours"],
  ["a reset", "reset", { all: true }, "all"],
])("%s with a member that the control surface does not know is refused", async (_, name, body, member) => {
  const { control } = await startWorld();
  const { status, message } = await control.fails("POST", `/_emulator/${name}`, body);
  expect(status).toBe(400);
  expect(message).toContain(member);
  expect(await control.call("GET", "/_emulator/faults")).toMatchObject({ body: { results: [] } });
});

test("the control surface needs no token, uses no budget and has no faults", async () => {
  const world = await startWorld({ behaviour: { rate_limit: 10 } });
  const { client, control } = world;
  const remaining = async () =>
    (await client.call("GET", "/organization")).headers.get("x-ratelimit-remaining");
  expect(await remaining()).toBe("7");
  await fault(world, { method: "PUT", status: 500 });
  await control.get("/_emulator/clock");
  expect(await remaining()).toBe("6");
});
