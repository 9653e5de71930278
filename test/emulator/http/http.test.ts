import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createEmulator } from "../../../emulator/index.ts";
import { Client } from "../../fixtures/client.ts";
import { startWorld } from "../start-world.ts";
import type { TestWorld } from "../start-world.ts";

/** A request that no well-meaning client would send. */
async function send({ emulator }: TestWorld, method: string, path: string, body?: string, type?: string) {
  const response = await fetch(emulator.url + path, {
    method,
    headers: {
      authorization: `Token ${emulator.tokens.admin}`,
      ...(type !== undefined && { "content-type": type }),
    },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

/** Checks a response against the error body of the specification. */
function expectError({ status, text, headers }: Awaited<ReturnType<typeof send>>, desired: number): void {
  expect(status).toBe(desired);
  expect(headers.get("content-type")).toContain("application/json");
  const body = JSON.parse(text) as object;
  expect(Object.keys(body)).toEqual(["status", "error", "message"]);
  expect(body).toMatchObject({ status: desired });
}

test.for([
  ["broken JSON", "{", "application/json", 400],
  ["no JSON object", "[]", "application/json", 400],
  ["null", "null", "application/json", 400],
  ["no JSON at all", "name=x", "application/x-www-form-urlencoded", 415],
  ["text", "{}", "text/plain", 415],
  ["an empty body", "", "application/json", 400],
  ["no body", undefined, undefined, 400],
  ["too much", `"${"x".repeat(11 * 1024 * 1024)}"`, "application/json", 413],
] as const)("%s gets the error body", async ([, body, type, status]) => {
  const world = await startWorld();
  expectError(await send(world, "POST", `${world.organizationPath}/project`, body, type), status);
});

test.for([
  "application/x-www-form-urlencoded",
  "text/plain",
  "multipart/form-data; boundary=x",
  "application/x-yaml",
  "no type at all",
])("a POST without a body is served, also with the content type %s", async (type) => {
  const world = await startWorld({ behaviour: { deploy_delay_ms: 0 } });
  const { id } = await world.client.post(`/environment/${world.environmentId}/job`, world.job("report"));
  for (const action of ["deploy", "stop", "redeploy"]) {
    expect(await send(world, "POST", `/job/${id}/${action}`, "", type)).toMatchObject({ status: 202 });
  }
});

test("an empty body in chunks is no body either", async () => {
  const world = await startWorld({ behaviour: { deploy_delay_ms: 0 } });
  const { id } = await world.client.post(`/environment/${world.environmentId}/job`, world.job("report"));
  const response = await fetch(`${world.emulator.url}/job/${id}/redeploy`, {
    method: "POST",
    headers: { ...world.client.headers, "content-type": "application/x-www-form-urlencoded" },
    body: new ReadableStream({ start: (controller) => controller.close() }),
    duplex: "half",
  });
  expect(response.status).toBe(202);
});

test("a big body is accepted", async () => {
  const { client, job, environmentId } = await startWorld();
  const dockerfile = `FROM scratch\n${"# a comment\n".repeat(200_000)}`;
  const source = { docker: { dockerfile_raw: dockerfile } };
  const made = await client.post(`/environment/${environmentId}/job`, job("big", { source }));
  expect(made["source"]).toEqual(source);
});

test("members with a meaning in JavaScript, such as __proto__, are dropped", async () => {
  const world = await startWorld();
  const body =
    '{"name": "x", "__proto__": {"description": "polluted"}, "constructor": {"prototype": {"a": 1}}}';
  const answer = await send(world, "POST", `${world.organizationPath}/project`, body, "application/json");
  expect(answer.status).toBe(200);
  expect(answer.text).not.toContain("polluted");
});

test("an unknown path is 404, an unknown method 405 with the allowed methods", async () => {
  const world = await startWorld();
  expectError(await send(world, "GET", "/no/such/path"), 404);
  expectError(await send(world, "GET", "/api/v1/organization"), 404);
  for (const method of ["PATCH", "PUT", "OPTIONS"]) {
    const answer = await send(world, method, "/organization");
    expectError(answer, 405);
    expect(answer.headers.get("allow")).toBe("GET, POST");
  }
  expectError(await send(world, "GET", "/variable/import"), 405);
  expectError(await send(world, "GET", "/organization/%zz"), 400);
  expectError(await send(world, "GET", `/job/${"x".repeat(2000)}`), 404);
});

test("HEAD is GET without the body; a trailing slash and unknown parameters are ignored", async () => {
  const world = await startWorld();
  const path = `${world.organizationPath}/project`;
  const whole = await send(world, "GET", path);
  const head = await send(world, "HEAD", path);
  expect([head.status, head.text]).toEqual([200, ""]);
  expect(head.headers.get("content-length")).toBe(String(whole.text.length));
  expect((await send(world, "GET", `${path}/`)).text).toBe(whole.text);
  expect((await send(world, "GET", `${path}?colour=red&colour=blue`)).text).toBe(whole.text);
});

test("an action without a body may have a content type", async () => {
  const world = await startWorld();
  const { client, job, environmentId } = world;
  const { id } = await client.post(`/environment/${environmentId}/job`, job("a"));
  expect((await send(world, "POST", `/job/${id}/deploy`, "", "application/json")).status).toBe(202);
  expect((await send(world, "DELETE", `/job/${id}`, "", "application/json")).status).toBe(204);
});

test("invalid HTTP gets the error body too", async () => {
  const { emulator } = await startWorld();
  const socket = connect(Number(new URL(emulator.url).port), "127.0.0.1");
  socket.end("HELLO\r\n\r\n");
  const [answer] = (await once(socket, "data")) as [Buffer];
  const [, body = ""] = answer.toString().split("\r\n\r\n");
  expect(JSON.parse(body)).toMatchObject({ status: 400, error: "Bad Request" });
});

test("of many simultaneous creations with the same name one succeeds", async () => {
  const { client, job, environmentId } = await startWorld();
  const make = (at: Client) => at.call("POST", `/environment/${environmentId}/job`, job("same"));
  const answers = await Promise.all(Array.from({ length: 20 }, () => make(client)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(19).fill(409)]);
  expect(await client.list(`/environment/${environmentId}/job`)).toHaveLength(1);
});

test("the latency delays every response", async () => {
  const emulator = await createEmulator({ behaviour: { latency_ms: 3_600_000 } });
  onTestFinished(() => emulator.close());
  const client = new Client(emulator.url, emulator.tokens.admin);
  const control = new Client(emulator.url, "none");
  const slow = client.call("GET", "/organization").catch(() => "cut off when the emulator ends");
  const journal = async () => control.get<{ total: number }>("/_emulator/requests");
  await expect.poll(journal).toMatchObject({ total: 1 });
  expect(await Promise.race([slow, journal().then(() => "still waiting")])).toBe("still waiting");
});

test("an idle connection stays open, because a busy client would send its next request into a closed one", async () => {
  const { client } = await startWorld();
  const answer = await fetch(`${client.url}/organization`, { headers: client.headers });
  // A server that closes it says when: `timeout=72`.
  expect(answer.headers.get("keep-alive")).toBeNull();
});

test("the journal contains all requests in order, and the log one line for each", async () => {
  const lines: string[] = [];
  const { client, control, emulator } = await startWorld({ log: (line) => lines.push(line) });
  await client.delete("/_emulator/requests");
  await client.list("/organization?page=1");
  await client.call("POST", "/organization", {});
  await control.call("GET", "/organization");
  expect(await control.get<object>("/_emulator/requests")).toEqual({
    total: 3,
    requests: [
      { method: "GET", path: "/organization", query: "page=1", status: 200 },
      { method: "POST", path: "/organization", status: 400 },
      { method: "GET", path: "/organization", status: 401 },
    ],
  });
  expect(lines.slice(-3)).toEqual([
    expect.stringMatching(/^GET \/organization\?page=1 200 \d+ ms$/),
    expect.stringMatching(/^POST \/organization 400 \d+ ms$/),
    expect.stringMatching(/^GET \/organization 401 \d+ ms$/),
  ]);
  expect(lines.join("\n")).not.toContain(emulator.tokens.admin);
});

test("a reset restores the state at the start", async () => {
  const { client, control, organizationPath, emulator, advance } = await startWorld({
    behaviour: { rate_limit: 20 },
  });
  await advance(1_000_000);
  await control.post("/_emulator/faults", [{ status: 500, times: 1, path: "/never" }]);
  const registries = await client.list(`${organizationPath}/containerRegistry`);
  await control.post("/_emulator/reset");
  expect(await client.list(`${organizationPath}/project`)).toEqual([]);
  expect(await client.list(`${organizationPath}/containerRegistry`)).toEqual(registries);
  expect(await control.get<object>("/_emulator/clock")).toMatchObject({ offset_ms: 0, frozen: true });
  expect(await control.list("/_emulator/faults")).toEqual([]);
  const { headers } = await client.call("GET", "/organization");
  expect(headers.get("x-ratelimit-remaining")).toBe("17");
  expect(await control.get<object>("/_emulator/requests")).toMatchObject({ total: 3 });
  expect(emulator.tokens.admin).toMatch(/^[0-9a-f]{48}$/);
});
