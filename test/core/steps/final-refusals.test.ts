import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Fields } from "../../../core/values/json.ts";
import { application, clone, environment, job, project, shop } from "../../fixtures/documents.ts";
import { steppingClock } from "../../fixtures/fast-clock.ts";
import { FaultyServer } from "../../fixtures/faulty-server.ts";

let stage: FaultyServer;
beforeAll(async () => {
  stage = await FaultyServer.open();
});
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(() => stage.reset());

const api = (more: Fields = {}) => [...shop, application("shop/staging/api", more)];
const withoutApi = [project(), environment("shop/staging", { manage: { prune: true } })];
const copied = [...shop, job("shop/staging/a"), clone("Job", "shop/staging/b", "shop/staging/a")];

/** Runs with an answer to all writes of one sort; the writes that were sent, and what became of the last action. */
async function refused(
  fault: { method: string; path: string; status: number; headers?: Record<string, string>; body?: unknown },
  before: readonly Fields[],
  after: readonly Fields[],
) {
  await stage.succeed(before);
  await stage.breaks(fault);
  await stage.requests();
  const clock = steppingClock();
  const started = clock.now();
  const { report } = await stage.run(after, { clock, policy: { prune: true } });
  const writes = (await stage.requests()).filter((request) => !request.startsWith("GET"));
  return {
    outcome: report.outcomes.find(({ type }) => type !== "none"),
    writes,
    took: clock.now() - started,
  };
}

describe.each([
  ["an update", "PUT", "/application/*", api({ cpu: 250 }), api({ cpu: 750 })],
  ["a creation", "POST", "/environment/*/application", [...shop], api()],
  ["a clone", "POST", "/job/*/clone", copied.slice(0, -1), copied],
  ["a deletion", "DELETE", "/application/*", api(), withoutApi],
  [
    "a variable",
    "PUT",
    "/variable/*",
    api({ variables: { A: { value: "1" } } }),
    api({ variables: { A: { value: "2" } } }),
  ],
] as const)("%s", (_name, method, path, before, after) => {
  test.each([301, 302, 303, 304, 307, 308])("ends at once after an answer %i", async (status) => {
    const headers = { location: "https://elsewhere.example/login" };
    const { outcome, writes, took } = await refused({ method, path, status, headers }, before, after);
    expect(writes).toHaveLength(1);
    expect(took).toBeLessThan(1000);
    expect(outcome).toMatchObject({ status: "failed", code: "unclear" });
    expect(outcome?.message).toContain(`${status} on ${method} `);
    expect(outcome?.message).toContain(
      status === 304
        ? "the answer of a cache; check whether a proxy in between caches answers"
        : "a redirect to https://elsewhere.example/login, which is not followed with the token; set the base URL to the URL of the API",
    );
  });

  test.each([
    "hub is used by job report, job other",
    "The resource is still in use",
    "it is referenced by 2 services",
    "the default stage cannot be deleted",
    "the cluster is locked by Grace: maintenance",
  ])("ends at once after a 409 whose reason does not pass: %s", async (message) => {
    const body = { status: 409, error: "Conflict", message };
    const { outcome, writes, took } = await refused({ method, path, status: 409, body }, before, after);
    expect(writes).toHaveLength(1);
    expect(took).toBeLessThan(1000);
    expect(outcome).toMatchObject({ status: "failed", code: "conflict" });
    expect(outcome?.message).toContain(`the server refuses the request, and another try will not help`);
    expect(outcome?.message).toContain(message);
  });

  test.each([
    [409, "another operation is in progress on the service"],
    [409, "used by a deployment that is in progress"],
    [409, ""],
    [423, ""],
    [425, ""],
  ])("waits after a %i that may pass: %j", async (status, message) => {
    const body = { status, error: "", message };
    const { outcome, writes } = await refused({ method, path, status, body }, before, after);
    expect(writes.length).toBeGreaterThan(3);
    expect(outcome).toMatchObject({ status: "failed", code: "busy" });
  });
});

test("a resource that somebody has begun to use since the plan is not deleted, and its deletion is requested once", async () => {
  const registry = { kind: "ContainerRegistry", name: "hub", type: "DOCKER_HUB", url: "https://hub.example" };
  const using = job("shop/staging/a", {
    source: { image: { registry: "hub", image_name: "acme/report", tag: "1" } },
  });
  await stage.succeed([...shop, registry]);
  const { report } = await stage.run([registry], {
    goal: "destroy",
    clock: steppingClock(),
    async planned() {
      await stage.succeed([...shop, registry, using]);
      await stage.requests();
    },
  });
  const deletions = (await stage.requests()).filter((request) => request.startsWith("DELETE"));
  expect(deletions).toHaveLength(1);
  expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code: "conflict" });
  expect(report.outcomes.at(-1)?.message).toContain("hub is used by job a");
});
