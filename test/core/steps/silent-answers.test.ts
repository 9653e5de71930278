import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Fields } from "../../../core/values/json.ts";
import { application, clone, environment, job, project, shop } from "../../fixtures/documents.ts";
import { steppingClock } from "../../fixtures/fast-clock.ts";
import { FaultyServer } from "../../fixtures/faulty-server.ts";
import { Hostile, type Passing } from "../../fixtures/hostile-server.ts";
import { run, type RunOptions } from "../../fixtures/plan-and-apply.ts";

let stage: FaultyServer;
beforeAll(async () => {
  stage = await FaultyServer.open();
});
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(() => stage.reset());

interface Write {
  method: string;
  path: RegExp;
}

/** Answers one sort of write with success and without the resource; `isDone`: after it was carried out. */
async function silently(
  { method, path }: Write,
  { status, body, isDone }: { status: number; body: string; isDone: boolean },
  documents: readonly Fields[],
  options: RunOptions = {},
) {
  const sent: string[] = [];
  const treat = async (passing: Passing) => {
    sent.push(passing.method);
    if (passing.method !== method || !path.test(passing.path)) return undefined;
    if (isDone) await passing.pass();
    return { status, body };
  };
  await using hostile = await Hostile.open(stage.connection.url, treat);
  const { report } = await run({ ...stage.connection, url: hostile.url }, documents, {
    clock: steppingClock(),
    ...options,
  });
  const writes = sent.filter((each) => each === method).length;
  return { outcome: report.outcomes.find(({ type }) => type !== "none"), writes, sent };
}

const api = (more: Fields = {}) => [...shop, application("shop/staging/api", more)];
const stages = [
  { kind: "DeploymentStage", environment: "shop/staging", name: "late" },
  { kind: "DeploymentStage", environment: "shop/staging", name: "early" },
];

const writes: [name: string, write: Write, before: Fields[], after: Fields[], options?: RunOptions][] = [
  [
    "an update",
    { method: "PUT", path: /^\/application\/[^/]+$/ },
    api({ cpu: 250 }),
    api({ cpu: 750, memory: 1024 }),
  ],
  [
    "a link",
    { method: "PUT", path: /^\/deploymentStage\/[^/]+\/service\// },
    [...api(), ...stages],
    [...api({ deployment_stage: "late" }), ...stages],
  ],
  [
    "a part that is written as a whole",
    { method: "PUT", path: /\/advancedSettings$/ },
    api(),
    api({ advanced_settings: { "build.timeout_max_sec": 900 } }),
  ],
  [
    "a variable",
    { method: "PUT", path: /^\/variable\// },
    api({ variables: { A: { value: "1" } } }),
    api({ variables: { A: { value: "2" } } }),
  ],
  [
    "the removal of a variable",
    { method: "DELETE", path: /^\/variable\// },
    api({ variables: { A: { value: "1" } } }),
    api({ variables: { A: null } }),
  ],
  [
    "a deletion",
    { method: "DELETE", path: /^\/application\/[^/]+$/ },
    api(),
    [project(), environment("shop/staging", { manage: { prune: true } })],
    { policy: { prune: true }, limits: { deletion: 5_000 } },
  ],
];

const answers: [name: string, answer: { status: number; body: string }][] = [
  ["200 and nothing", { status: 200, body: "" }],
  ["204", { status: 204, body: "" }],
  ["206 and nothing", { status: 206, body: "" }],
  ["200 and an empty object", { status: 200, body: "{}" }],
];

describe.each(writes)("%s", (_name, write, before, after, options) => {
  beforeEach(() => stage.succeed(before));

  test.each(answers)("answered with %s and not carried out is pending", async (_answer, answer) => {
    const { outcome, writes: sent } = await silently(write, { ...answer, isDone: false }, after, options);
    expect(outcome).toMatchObject({ status: "pending", code: "pending" });
    expect(sent).toBe(1);
  });

  test.each(answers)("answered with %s after it was carried out is done", async (_answer, answer) => {
    const { outcome, writes: sent } = await silently(write, { ...answer, isDone: true }, after, options);
    expect(outcome).toMatchObject({ status: "done" });
    expect(outcome?.normalized).toBeUndefined();
    expect(sent).toBe(1);
  });
});

describe.each([
  ["a creation", { method: "POST", path: /\/application$/ }, [...shop], api()],
  [
    "a clone",
    { method: "POST", path: /\/clone$/ },
    [...shop, job("shop/staging/a")],
    [...shop, job("shop/staging/a"), clone("Job", "shop/staging/b", "shop/staging/a")],
  ],
])("%s", (_name, write, before, after) => {
  beforeEach(() => stage.succeed(before));

  test.each(answers)("answered with %s and not carried out is not done", async (_answer, answer) => {
    const { outcome } = await silently(write, { ...answer, isDone: false }, after);
    expect(outcome?.status).not.toBe("done");
  });

  test.each(answers)("answered with %s after it was carried out is done", async (_answer, answer) => {
    const { outcome, writes: sent } = await silently(write, { ...answer, isDone: true }, after);
    expect(outcome).toMatchObject({ status: "done" });
    expect(sent).toBe(1);
  });
});

test("an update whose answer shows the resource takes one read and one write", async () => {
  await stage.succeed(api({ cpu: 250 }));
  await stage.requests();
  const { plan } = await stage.succeed(api({ cpu: 750 }));
  expect((await stage.requests()).slice(plan.spent)).toEqual([
    "GET /application/{id}",
    "PUT /application/{id}",
  ]);
});

test("an update whose answer shows nothing takes one more read", async () => {
  await stage.succeed(api({ cpu: 250 }));
  const { sent } = await silently(
    { method: "PUT", path: /^\/application\/[^/]+$/ },
    { status: 204, body: "", isDone: true },
    api({ cpu: 750 }),
  );
  expect(sent.slice(-3)).toEqual(["GET", "PUT", "GET"]);
});

test("a server that keeps another value, and shows it in a read only, has carried out the update", async () => {
  await stage.succeed(api({ cpu: 250 }));
  await using hostile = await Hostile.open(stage.connection.url, async ({ method, body, pass }) => {
    if (method !== "PUT") return undefined;
    await pass(JSON.stringify({ ...(JSON.parse(body) as Fields), memory: 512 }));
    return { status: 204, body: "" };
  });
  const { report } = await run({ ...stage.connection, url: hostile.url }, api({ cpu: 750, memory: 500 }));
  expect(report.outcomes.at(-1)).toMatchObject({
    status: "done",
    normalized: [{ path: ["memory"], sent: 500, kept: 512 }],
  });
});
