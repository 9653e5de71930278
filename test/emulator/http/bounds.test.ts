import { expect, test } from "vitest";
import { Journal } from "../../../emulator/http/journal.ts";
import { startWorld } from "../start-world.ts";

// These tests end only if the work grows with the length of what is sent: with its square, they would take hours.

test("a fault path with many wildcards is matched", async () => {
  const { client, control } = await startWorld();
  for (const path of [`${"/**a".repeat(20)}b`, `/${"*a".repeat(20)}b`, `/${"{x}a".repeat(100)}**b`]) {
    await control.post("/_emulator/faults", [{ path, status: 418 }]);
  }
  const path = `/${"a".repeat(3_000)}`;
  expect((await client.call("GET", path)).status).toBe(404);
});

test("a repository URL with many slashes is accepted", async () => {
  const { client, environmentId } = await startWorld();
  const url = `https://github.com/acme/web${"/".repeat(5_000_000)}x`;
  const body = { name: "web", git_repository: { url } };
  expect(await client.post(`/environment/${environmentId}/application`, body)).toMatchObject({ name: "web" });
});

test.for([
  ["https://github.com/acme/web.git", "acme", "web"],
  ["https://gitlab.com/acme/group/web/", "acme/group", "web"],
  ["https://gitlab.com/acme/web.git//", "acme", "web"],
  ["git@github.com:acme/web.git", "acme", "web"],
] as const)("the repository %s has an owner and a name", async ([url, owner, name]) => {
  const { client, environmentId } = await startWorld();
  const body = { name: "web", git_repository: { url } };
  const made = await client.post(`/environment/${environmentId}/application`, body);
  expect(made["git_repository"]).toMatchObject({ owner, name });
});

test("the clock cannot pass the last valid date, and writes still work", async () => {
  const { client, control, organizationPath, advance } = await startWorld();
  const answer = await control.fails("POST", "/_emulator/clock", { advance_ms: Number.MAX_SAFE_INTEGER });
  expect(answer.status).toBe(400);
  const advice =
    /advance_ms: the clock stops at the end of the year 9998; send (\d+) or less; POST \/_emulator\/reset/;
  expect(answer.message).toMatch(advice);
  const project = await client.post(`${organizationPath}/project`, { name: "now" });
  await advance(Number(advice.exec(answer.message)?.[1]));
  const { created_at } = await client.post(`${organizationPath}/project`, { name: "last" });
  expect(created_at).toBe("9999-01-01T00:00:00.000Z");
  expect((await control.fails("POST", "/_emulator/clock", { advance_ms: 1 })).message).toContain("send 0 or");
  await control.post("/_emulator/reset");
  expect((await client.call("GET", `/project/${project.id}`)).status).toBe(404);
});

test("the journal of 40,000 requests with long queries stays small, and counts all requests", () => {
  const journal = new Journal();
  for (let index = 0; index < 40_000; index += 1) {
    journal.open("GET", `/organization?q=${index}${"x".repeat(12_000)}`);
  }
  const { total, requests } = journal.report();
  expect(total).toBe(40_000);
  expect(requests.at(-1)?.query).toMatch(/^q=39999x/);
  expect(requests.length).toBeGreaterThan(1_000);
  const characters = requests.reduce((sum, { path, query = "" }) => sum + path.length + query.length, 0);
  expect(characters).toBeLessThan(20_000_000);
});

test("the journal keeps 100,000 requests of usual length", () => {
  const journal = new Journal();
  const path = `/environment/${"0".repeat(36)}/services`;
  for (let index = 0; index < 120_000; index += 1) journal.open("GET", path);
  expect(journal.report().total).toBe(120_000);
  expect(journal.report().requests.length).toBeGreaterThanOrEqual(100_000);
  expect(journal.report().requests.length).toBeLessThanOrEqual(110_000);
});

test.for([
  [
    "POST",
    "/_emulator/faults",
    [{ status: 500, staus: 1, dely_ms: 3 }],
    "[0].staus is unknown; the known members are method,",
  ],
  ["POST", "/_emulator/faults", [{ status: 500, staus: 1, dely_ms: 3 }], "[0].dely_ms is unknown"],
  [
    "POST",
    "/_emulator/clock",
    { advance_ms: 1, advance: 2 },
    "advance is unknown; the known members are advance_ms",
  ],
  ["POST", "/_emulator/reset", { hard: true }, "hard is unknown; no members are allowed"],
  ["GET", "/_emulator/requests?limit=1", undefined, "the control surface has no query parameter limit"],
  ["DELETE", "/_emulator/faults?id=1", undefined, "the control surface has no query parameter id"],
] as const)(
  "%s %s with %j is refused with the name of the unknown member",
  async ([method, path, body, message]) => {
    const world = await startWorld();
    const answer = await world.control.fails(method, path, body);
    expect(answer.status).toBe(400);
    expect(answer.message).toContain(message);
    expect(await world.control.list("/_emulator/faults")).toEqual([]);
  },
);

test("faults are limited in number, size, delay and headers", async () => {
  const { control } = await startWorld();
  const refused = async (faults: object[]) => {
    const { status, message } = await control.fails("POST", "/_emulator/faults", faults);
    expect(status).toBe(400);
    return message;
  };
  await control.post(
    "/_emulator/faults",
    Array.from({ length: 990 }, () => ({ status: 500 })),
  );
  const eleven = Array.from({ length: 11 }, () => ({ status: 500 }));
  expect(await refused(eleven)).toMatch(/^at most 1000 faults .* DELETE \/_emulator\/faults removes/);
  await control.delete("/_emulator/faults");
  await control.post("/_emulator/faults", [{ body: "x".repeat(6_000_000) }]);
  expect(await refused([{ body: "x".repeat(6_000_000) }])).toMatch(/characters are kept/);
  expect(await refused([{ delay_ms: 2 ** 31 }])).toBe("[0].delay_ms must be <= 2147483647");
  expect(await refused([{ path: `/${"x".repeat(1_000)}` }])).toContain(
    "[0].path must NOT have more than 1000",
  );
  expect(await refused([{ headers: { "a b": "c" } }])).toBe(
    "[0].headers.a b: is not a header that HTTP can carry",
  );
  expect(await refused([{ headers: { a: "b\nc" } }])).toContain("[0].headers.a: is not a header");
});

test("a body that is nested too deep for a response is refused, and lists still work", async () => {
  const { client, environmentId, job } = await startWorld();
  await client.post(`/environment/${environmentId}/job`, job("a"));
  const nested = (depth: number) => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`) as unknown;
  const terraform = (backend: unknown) => ({
    name: "t",
    description: "",
    auto_deploy_config: { auto_deploy: false, terraform_action: "DEFAULT" },
    terraform_files_source: { git_repository: { url: "https://github.com/acme/infra" } },
    terraform_variables_source: { tf_var_file_paths: [], tf_vars: [] },
    backend: { kubernetes: backend },
    engine: "TERRAFORM",
    provider_version: { explicit_version: "1.9" },
    job_resources: { cpu_milli: 1, ram_mib: 1, storage_gib: 1 },
  });
  const path = `/environment/${environmentId}/terraform`;
  const text = JSON.stringify(terraform("NESTED")).replace(
    '"NESTED"',
    `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
  );
  const answer = await fetch(client.url + path, {
    method: "POST",
    headers: { ...client.headers, "content-type": "application/json" },
    body: text,
  });
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringContaining("the body is nested deeper than 64 levels"),
  ]);
  await client.post(path, terraform(nested(40)));
  expect(await client.list(`/environment/${environmentId}/services`)).toHaveLength(2);
});

test("a body with many mistakes gets a short response", async () => {
  const { control } = await startWorld();
  const many = Array.from({ length: 50_000 }, () => 1);
  const { message } = await control.fails("POST", "/_emulator/faults", many);
  expect(message).toMatch(/^\[0\] must be object; .*; and 49980 more$/);
  const more = Array.from({ length: 100_001 }, () => 1);
  expect((await control.fails("POST", "/_emulator/faults", more)).message).toBe(
    "the body has more than 100000 values",
  );
});

test("events keep the start of long names, and an environment keeps its latest deployments", async () => {
  const { client, organizationPath, projectId, environmentId, job, advance } = await startWorld({
    behaviour: { rate_limit: 0, deploy_delay_ms: 0 },
  });
  await client.put(`/project/${projectId}`, { name: "n".repeat(100_000) });
  const { events } = await client.get<{ events: { target_name: string; change: string }[] }>(
    `${organizationPath}/events?pageSize=1`,
  );
  expect(events[0]?.target_name).toBe(`${"n".repeat(256)}…`);
  expect(events[0]?.change.length).toBeLessThan(400);
  const { id } = await client.post(`/environment/${environmentId}/job`, job("a"));
  for (let count = 0; count < 205; count += 1) {
    await client.post(`/job/${id}/deploy`, {});
    await advance(1);
  }
  const history = await client.list(`/environment/${environmentId}/deploymentHistoryV2?pageSize=1000`);
  expect(history.length).toBeGreaterThanOrEqual(200);
  expect(history.length).toBeLessThanOrEqual(201);
});
