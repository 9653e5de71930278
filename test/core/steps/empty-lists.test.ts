import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Plan } from "../../../core/index.ts";
import type { PersistentText } from "../../../core/api/index.ts";
import { hasChanges } from "../../../core/planning/plan/index.ts";
import { environment, job, project } from "../../fixtures/documents.ts";
import { keptIn, type RunOptions } from "../../fixtures/plan-and-apply.ts";
import { allow } from "../../fixtures/policy.ts";
import { FaultyServer } from "../../fixtures/faulty-server.ts";
import { removeFolder } from "../../fixtures/remove-folder.ts";

let stage: FaultyServer;
beforeAll(async () => {
  stage = await FaultyServer.open({ behaviour: { duplicate_names: true } });
});
afterAll(() => stage[Symbol.asyncDispose]());
const documents = [project(), environment("shop/staging"), job("shop/staging/a"), job("shop/staging/b")];
let kept: string | undefined;
const pages: PersistentText = { read: async () => kept, write: async (text) => void (kept = text) };
/** A run of a machine that remembers the runs before. */
const run = (options: RunOptions = {}, its = documents) => stage.run(its, { client: { pages }, ...options });

beforeEach(async () => {
  await stage.reset();
  kept = undefined;
  await stage.succeed(documents);
  // Lists are complete by then: no record of the last minutes completes an empty one.
  await stage.harness.advance(10_800_000);
});

const empty = [
  { results: [] },
  { results: [], pagination: { total_count: 0, total_pages: 0, page: 1, page_size: 100 } },
];
const worlds = [1, 2, 3, Infinity].flatMap((times) => empty.map((body) => ({ times, body })));
const services = async () => `/environment/${String((await stage.answer("shop/staging")).id)}/services`;
const projects = async () => `/organization/${stage.connection.organization.id}/project`;
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
      what: "an environment with a new job",
      list: services,
      documents: [staging, job("shop/staging/c")],
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

  test.each(cases)("$what: $times times $body", async ({ list, documents: its, goal, times, body }) => {
    await stage.succeed([...documents, ...its.slice(1)]);
    const before = await stage.names();
    const fault = { method: "GET", path: await list(), status: 200, body };
    await stage.breaks({ ...fault, ...(times !== Infinity && { times }) });
    let announced = 0;
    const planned = async ({ actions }: Plan) => {
      for (const action of actions)
        if (action.type === "delete") announced += 1 + (action.contentIds?.length ?? 0);
    };
    const outcome = await stage
      .run(its, {
        goal,
        policy: {
          // What this run has read is not read again.
          isForThisRun: its.length > 1,
          ...(goal === "reconcile" && { prune: true, ...allow("environment:shop/staging") }),
        },
        planned,
      })
      .then(({ report }) => report.outcomes.flatMap(({ message = "" }) => message).join("\n"), String);
    expect(await stage.mend()).toBeGreaterThan(0);
    const lost = before.length - (await stage.names()).length;
    // A deployment stage is announced too.
    if (lost > 0) expect(announced).toBe(lost + 1);
    else
      expect(outcome).toMatch(
        /the list is empty: GET|contains resources that have appeared|contains \d resources that no document/,
      );
  });
});

describe("a plan does not take for empty a list that the server shows without its elements", () => {
  const lists = [
    ["projects", projects],
    ["environments", environments],
    ["services", services],
    ["services, here and in the organization", async () => "/**/services"],
  ] as const;
  const cases = lists.flatMap(([what, list]) =>
    worlds.flatMap((world) =>
      ([true, false] as const).map((knows) => ({
        what,
        list,
        ...world,
        knows,
        of: knows ? "a run before" : "none",
      })),
    ),
  );
  /** Without a count, each run asks; a count of 0 is believed unless the parent, or a run before, says otherwise. */
  const suspicious = cases.filter(
    ({ what, body, knows }) => knows || what === "environments" || !("pagination" in body),
  );

  test.each(suspicious)(
    "$what, $times times $body, with the memory of $of",
    async ({ list, times, body, knows }) => {
      if (knows) await run();
      const path = await list();
      const fault = { method: "GET", path, status: 200, body };
      for (const goal of ["reconcile", "destroy"] as const) {
        await stage.breaks({ ...fault, ...(times !== Infinity && { times }) });
        const planned = async (plan: Plan) => {
          expect(hasChanges(plan)).toBe(goal === "destroy");
          throw new Error("planned");
        };
        const refusal = await run({ goal, planned }).catch(String);
        expect(await stage.mend()).toBeGreaterThan(0);
        expect(refusal).toMatch(/the list is empty: GET |is empty, and the list is not|Error: planned/);
        if (!knows) kept = undefined;
      }
    },
  );

  test.each(lists)(
    "%s, with a count of 0, hours after this machine has created them",
    async (_what, list) => {
      await stage.reset();
      await stage.succeed(documents, { client: { pages } });
      await stage.harness.advance(10_800_000);
      await stage.breaks({ method: "GET", path: await list(), status: 200, body: empty[1] });
      const planned = async (plan: Plan) => expect(hasChanges(plan)).toBe(false);
      expect(await run({ planned }).catch(String)).toMatch(/the list is empty: /);
    },
  );

  test("but one from which others have deleted everything, at the cost of a request for all such lists", async () => {
    await run();
    const plan = async () => await run({ planned: () => Promise.reject(new Error("planned")) }).catch(String);
    const before = await plan();
    for (const name of ["a", "b"])
      await stage.harness.api(
        "DELETE",
        `/job/${String((await stage.answer(`shop/staging/JOB ${name}`)).id)}`,
      );
    await stage.requests();
    expect(await plan()).toBe(before);
    const first = await stage.requests();
    await plan();
    expect(first.length - (await stage.requests()).length).toBe(1);
  });
});

describe("what this machine has created and another one has deleted excuses no list that lacks others", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "lists-"));
  });
  afterEach(() => removeFolder(folder));

  test("the eleven environments of a project, where pages have ten and no count", async () => {
    await using server = await FaultyServer.open({
      behaviour: { duplicate_names: true, fixed_page_size: 10, silent_pages: true },
    });
    const declared = [project(), ...Array.from({ length: 11 }, (_, index) => environment(`shop/e-${index}`))];
    await server.succeed(declared);
    await server.harness.advance(10_800_000);
    const options = { kept: keptIn(folder, server.connection) };
    await server.succeed([...declared, environment("shop/b")], options);
    await server.harness.api("DELETE", `/environment/${String((await server.answer("shop/b")).id)}`);
    await server.harness.advance(15_000);
    const { plan } = await server.succeed(declared, options);
    expect(hasChanges(plan)).toBe(false);
    await expect(server.run([project()], { ...options, goal: "destroy" })).rejects.toThrow(
      "it contains 11 resources that no document declares",
    );
  });

  test("the services of an environment, with a count of 0", async () => {
    const options = { client: { pages }, kept: keptIn(folder, stage.connection) };
    await stage.succeed([...documents, job("shop/staging/c")], options);
    for (const name of ["b", "c"])
      await stage.harness.api(
        "DELETE",
        `/job/${String((await stage.answer(`shop/staging/JOB ${name}`)).id)}`,
      );
    await stage.harness.advance(15_000);
    const its = documents.slice(0, 3);
    const { plan } = await run(options, its);
    expect(hasChanges(plan)).toBe(false);
    await stage.breaks({ method: "GET", path: await services(), status: 200, body: empty[1] });
    const refusal = await run(options, its).catch(String);
    expect(refusal).toMatch(/the list is empty: GET /);
    expect(await stage.mend()).toBeGreaterThan(0);
  });
});

test("an environment is not deleted with a job that somebody creates after the plan, where a list of the plan alone shows it empty", async () => {
  await using server = await FaultyServer.open({
    behaviour: {
      silent_pages: true,
      event_delay_ms: 600_000,
      missing_operations: ["GET /environment/{environmentId}/statuses"],
    },
  });
  const staging = environment("shop/staging");
  await server.succeed([project(), staging, environment("shop/other"), job("shop/other/a")]);
  await server.harness.advance(10_800_000);
  const { name: _name, id: _id, ...body } = await server.answer("shop/other/JOB a");
  const { id } = await server.answer("shop/staging");
  const planned = () =>
    server.harness.api("POST", `/environment/${String(id)}/job`, { name: "foreign", ...body });
  const { report } = await server.run([staging], {
    goal: "destroy",
    policy: { isForThisRun: true },
    planned,
  });
  expect(report.outcomes.map(({ message }) => message)).toEqual([
    expect.stringContaining("contains resources that have appeared since the plan was made (foreign)"),
  ]);
  expect(await server.names()).toContain("shop/staging/JOB foreign");
});
