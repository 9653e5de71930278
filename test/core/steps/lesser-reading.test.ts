import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Fields, isFields } from "../../../core/values/json.ts";
import { application, shop } from "../../fixtures/documents.ts";
import { FaultyServer } from "../../fixtures/faulty-server.ts";
import { Hostile, type Treatment } from "../../fixtures/hostile-server.ts";
import { run, type RunOptions } from "../../fixtures/plan-and-apply.ts";

let stage: FaultyServer;
beforeAll(async () => {
  stage = await FaultyServer.open();
});
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(() => stage.reset());

const volume = { type: "FAST_SSD", size: 20, mount_point: "/data" };
const api = (more: Fields = {}) => [...shop, application("shop/staging/api", more)];
const whole = {
  storage: [volume],
  cpu: 250,
  description: "The API.",
  advanced_settings: { "build.timeout_max_sec": 900 },
};

/** A server whose answers to reads of one path are changed, while its lists show everything. */
const reading =
  (where: RegExp, change: (answer: Fields) => Fields): Treatment =>
  async ({ method, path, pass }) => {
    if (method !== "GET" || !where.test(path)) return undefined;
    const { status, body } = await pass();
    const answer: unknown = JSON.parse(body);
    return { status, body: JSON.stringify(isFields(answer) ? change(answer) : answer) };
  };

const single = /^\/application\/[^/]+$/;

async function against(treat: Treatment, documents: readonly Fields[], options: RunOptions = {}) {
  await using hostile = await Hostile.open(stage.connection.url, treat);
  await stage.requests();
  const { report } = await run({ ...stage.connection, url: hostile.url }, documents, options);
  const writes = (await stage.requests()).filter((request) => !request.startsWith("GET"));
  return { outcome: report.outcomes.at(-1), writes };
}

describe("a reading before a PUT that shows less than the plan saw", () => {
  beforeEach(() => stage.succeed(api(whole)));

  test.each<[string, (answer: Fields) => Fields, string]>([
    ["a volume", ({ storage: _storage, ...others }) => others, "storage"],
    ["the elements of a list", (answer) => ({ ...answer, storage: [] }), "storage"],
    [
      "a size",
      (answer) => ({ ...answer, storage: [{ ...(answer["storage"] as Fields[])[0], size: 10 }] }),
      "storage[/data].size",
    ],
    ["a number", (answer) => ({ ...answer, memory: 128 }), "memory"],
    ["a text", (answer) => ({ ...answer, description: "" }), "description"],
  ])("%s: nothing is sent", async (_name, change, path) => {
    const { outcome, writes } = await against(reading(single, change), api({ cpu: 750 }));
    expect(writes).toEqual([]);
    expect(outcome).toMatchObject({ status: "failed", code: "changed", remedies: [{ again: "plan" }] });
    expect(outcome?.message).toBe(
      `nothing was sent: a new read of the Application lacks values that the plan saw, in ${path}, and the request would delete these values`,
    );
    expect(await stage.answer("shop/staging/APPLICATION api")).toMatchObject({
      cpu: 250,
      storage: [{ size: 20 }],
    });
  });

  test("an element that the document itself removes does not stop the update", async () => {
    const { outcome } = await against(
      async () => undefined,
      api({ storage: [{ ...volume, size: 30 }], cpu: 100, ports: [] }),
    );
    expect(outcome).toMatchObject({ status: "done" });
  });

  test("elements that somebody has added or enlarged since the plan are kept", async () => {
    const { outcome, writes } = await against(async () => undefined, api({ cpu: 750 }), {
      planned: () =>
        stage.succeed(api({ memory: 2048, storage: [volume, { ...volume, mount_point: "/more" }] })),
    });
    expect(outcome).toMatchObject({ status: "done" });
    expect(writes).toContain("PUT /application/{id}");
    expect(await stage.answer("shop/staging/APPLICATION api")).toMatchObject({ cpu: 750, memory: 2048 });
  });

  test("a part that one request writes as a whole", async () => {
    let reads = 0;
    const { outcome, writes } = await against(
      // The plan sees all settings, the reading before the write does not.
      reading(/\/advancedSettings$/, ({ "build.timeout_max_sec": seconds = 0, ...others }) =>
        ++reads > 1 ? others : { ...others, "build.timeout_max_sec": seconds },
      ),
      api({ advanced_settings: { "network.ingress.proxy_body_size_mb": 50 } }),
    );
    expect(writes).toEqual([]);
    expect(outcome).toMatchObject({ status: "failed", code: "changed" });
    expect(outcome?.message).toContain("in advanced_settings.build.timeout_max_sec");
  });
});
