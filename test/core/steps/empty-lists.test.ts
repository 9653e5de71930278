import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Plan } from "../../../core/index.ts";
import { environment, job, project } from "../../fixtures/documents.ts";
import { allow } from "../../fixtures/policy.ts";
import { FaultyServer } from "../../fixtures/faulty-server.ts";

let stage: FaultyServer;
beforeAll(async () => {
  stage = await FaultyServer.open();
});
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(async () => {
  await stage.reset();
  await stage.succeed([project(), environment("shop/staging"), job("shop/staging/a"), job("shop/staging/b")]);
  // Lists are complete by then: no record of the last minutes completes an empty one.
  await stage.harness.advance(10_800_000);
});

const everything = ["shop", "shop/staging", "shop/staging/JOB a", "shop/staging/JOB b"];
const empty = [
  { results: [] },
  { results: [], pagination: { total_count: 0, total_pages: 0, page: 1, page_size: 100 } },
];
const worlds = [1, 2, 3, Infinity].flatMap((times) => empty.map((body) => ({ times, body })));
const services = async () => `/environment/${String((await stage.answer("shop/staging")).id)}/services`;
const environments = async () => `/project/${String((await stage.answer("shop")).id)}/environment`;

describe("a list that the server shows without its elements lets nothing be deleted unseen", () => {
  const staging = environment("shop/staging");
  const pruned = { ...project(), manage: { prune: ["Environment"] } };
  const deletions = [
    {
      what: "an environment that is destroyed",
      list: services,
      documents: [staging],
      goal: "destroy" as const,
    },
    {
      what: "a project that is destroyed",
      list: environments,
      documents: [project()],
      goal: "destroy" as const,
    },
    {
      what: "an environment that is pruned",
      list: services,
      documents: [pruned],
      goal: "reconcile" as const,
    },
  ];
  const cases = deletions.flatMap((deletion) => worlds.map((world) => ({ ...deletion, ...world })));

  test.each(cases)("$what: $times times $body", async ({ list, documents, goal, times, body }) => {
    const fault = { method: "GET", path: await list(), status: 200, body };
    await stage.breaks({ ...fault, ...(times !== Infinity && { times }) });
    let announced = 0;
    const planned = async ({ actions }: Plan) => {
      for (const action of actions)
        if (action.type === "delete") announced += 1 + (action.contentIds?.length ?? 0);
    };
    const outcome = await stage
      .run(documents, {
        goal,
        policy: goal === "reconcile" ? { prune: true, ...allow("environment:shop/staging") } : {},
        planned,
      })
      .then(({ report }) => report.outcomes.flatMap(({ message = "" }) => message).join("\n"), String);
    expect(await stage.mend()).toBeGreaterThan(0);
    const lost = everything.length - (await stage.names()).length;
    if (lost > 0) expect(announced).toBe(lost);
    else expect(outcome).toMatch(/the list is empty, and GET|contains resources that have appeared/);
  });
});
