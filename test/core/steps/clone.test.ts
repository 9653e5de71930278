import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { encodePlan } from "../../../core/index.ts";
import { isFields } from "../../../core/values/json.ts";
import { application, clone, environment, job, shop } from "../../fixtures/documents.ts";
import type { FaultRequest } from "../../../emulator/control/faults.ts";
import type { EmulatorOptions } from "../../../emulator/index.ts";
import { FaultyServer } from "../../fixtures/faulty-server.ts";
import {
  clientFor,
  doneAndLimited,
  doneAndUnclear,
  notDoneAndUnclear,
} from "../../fixtures/unclear-answers.ts";

const source = [...shop, job("shop/staging/a", { cpu: 750 }), application("shop/staging/api")];
const target = environment("shop/target");
const jobCopy = clone("Job", "shop/target/copy", "shop/staging/a", { memory: 1024 });
const environmentCopy = [
  clone("Environment", "shop/copy", "shop/staging", { mode: "PREVIEW" }),
  job("shop/copy/a", { cpu: 250 }),
];
const madeByAnother = "created_by_another";
const andChanged = "fields_changed";
const cameWithClone = "came_with_clone";
const clonesOfJob = { method: "POST", path: "/job/*/clone" };

const servers: [name: string, options: EmulatorOptions][] = [
  ["that reserves names", { behaviour: { clone_delay_ms: 30 } }],
  ["that carries out a repeated request twice", { behaviour: { duplicate_names: true } }],
];

describe.each(servers)("POST clone with an unclear outcome, on a server %s", (_server, options) => {
  let stage: FaultyServer;
  beforeAll(async () => {
    stage = await FaultyServer.open(options);
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  // Any 202 means that the clone has been requested, whatever the body.
  const answers = [...doneAndUnclear, doneAndLimited, ...notDoneAndUnclear].filter(
    ([, { body }]) => !Array.isArray(body),
  );
  test.each(answers)("%s: one complete clone", async (_name, fault) => {
    await stage.reset();
    await stage.succeed(source);
    await stage.breaks({ method: "POST", path: "/{kind}/*/clone", times: 2, ...fault });
    await stage.succeed([...source, target, jobCopy, ...environmentCopy], { client: clientFor(fault) });
    expect(await stage.mend()).toBe(2);
    expect(await stage.names()).toEqual([
      "shop",
      "shop/copy",
      "shop/copy/APPLICATION api",
      "shop/copy/JOB a",
      "shop/staging",
      "shop/staging/APPLICATION api",
      "shop/staging/JOB a",
      "shop/target",
      "shop/target/JOB copy",
    ]);
    expect(await stage.answer("shop/target/JOB copy")).toMatchObject({ cpu: 750, memory: 1024 });
    expect(await stage.answer("shop/copy")).toMatchObject({ mode: "PREVIEW" });
    expect(await stage.answer("shop/copy/JOB a")).toMatchObject({ cpu: 250 });
  });
});

let stage: FaultyServer;
beforeAll(async () => {
  stage = await FaultyServer.open({ behaviour: { duplicate_names: true } });
});
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(async () => {
  await stage.reset();
  await stage.succeed(source);
});

test("the copy of an environment without services is read by no list of services", async () => {
  await stage.succeed([...source, target]);
  await stage.requests();
  await stage.succeed([...source, target, clone("Environment", "shop/copy", "shop/target")]);
  const requests = await stage.requests();
  const made = requests.findIndex((request) => request.startsWith("POST"));
  expect(requests.slice(made).filter((each) => each.endsWith("/services"))).toEqual([]);
});

/** Does something of which the events then tell nothing. */
async function untold(act: Promise<unknown>): Promise<void> {
  await act;
  await stage.breaks({ method: "GET", path: "/organization/*/events", status: 403 });
}

describe("POST clone, 409", () => {
  test("the run waits for another operation", async () => {
    await stage.breaks({ ...clonesOfJob, status: 409, times: 3 });
    await stage.succeed([...source, target, jobCopy]);
    expect(await stage.mend()).toBe(3);
  });

  test("a clone of that name that another run has requested meanwhile is left alone, and the report names who has", async () => {
    await stage.succeed([...source, target]);
    const { report } = await stage.run([...source, target, jobCopy], {
      planned: async () => {
        await stage.succeed([...source, target, clone("Job", "shop/target/COPY", "shop/staging/a")]);
        await stage.breaks({ ...clonesOfJob, status: 409 });
      },
    });
    expect(report.outcomes.at(-1)).toMatchObject({
      status: "failed",
      code: "exists",
      message: expect.stringMatching(
        /^a Job named "COPY" \([0-9a-f-]{36}\) stays unchanged: another run has created it: infrasync, by \w+/,
      ),
    });
    expect(await stage.answer("shop/target/JOB COPY")).toMatchObject({ memory: 512 });
    await stage.mend();
    await stage.succeed([...source, target, jobCopy]);
    expect(await stage.answer("shop/target/JOB COPY")).toMatchObject({ memory: 1024 });
  });

  test("of two runs that clone to one name at once, one writes, and the other says whose it is", async () => {
    await using server = await FaultyServer.open({ clock: "real", behaviour: { clone_delay_ms: 50 } });
    await server.succeed([...source, target]);
    const planned = [Promise.withResolvers<true>(), Promise.withResolvers<true>()];
    const runs = await Promise.all(
      [1000, 2000].map(async (memory, index) =>
        server.run([...source, target, clone("Job", "shop/target/copy", "shop/staging/a", { memory })], {
          planned: () => {
            planned[index]?.resolve(true);
            return Promise.all(planned.map(({ promise }) => promise));
          },
        }),
      ),
    );
    const last = runs.map(({ report }) => report.outcomes.at(-1));
    expect(last.map((outcome) => outcome?.status).toSorted()).toEqual(["done", "failed"]);
    expect(last.find((outcome) => outcome?.status === "failed")).toMatchObject({
      code: "exists",
      message: expect.stringContaining("stays unchanged: another run has created it: infrasync"),
    });
    const winner = last.findIndex((outcome) => outcome?.status === "done");
    expect(await server.answer("shop/target/JOB copy")).toMatchObject({ memory: [1000, 2000][winner] });
  });

  test.each([
    ["409", { status: 409 }, "busy", /^another operation has been in progress for 1 s: 409 on/],
    [
      "500",
      { status: 500 },
      "unclear",
      /^the resource may or may not have been created, and no resource with that name appeared within 1 s: 500 on POST .*the server failed/,
    ],
  ])("a permanent %s ends at the time limit with the reason", async (_name, fault, code, message) => {
    await stage.breaks({ ...clonesOfJob, ...fault });
    const { report } = await stage.run([...source, target, jobCopy], { limits: { clone: 1000 } });
    expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code });
    expect(report.outcomes.at(-1)?.message).toMatch(message);
  });

  test("two clones of that name are refused, with both ids", async () => {
    await stage.succeed([...source, target]);
    const { report } = await stage.run([...source, target, jobCopy], {
      planned: async () => {
        await copyJob("copy");
        await copyJob("Copy");
        await stage.breaks({ ...clonesOfJob, status: 409 });
      },
    });
    expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code: "twins" });
    expect(report.outcomes.at(-1)?.message).toMatch(
      /^the API has 2 resources of the kind Job with the name "copy": [0-9a-f-]{36}, [0-9a-f-]{36}$/,
    );
  });
});

describe("a run that was killed after its clone request", () => {
  const run = [...source, target, jobCopy, ...environmentCopy];
  test("when the clone is not readable yet: the next run adopts it, with all its contents", async () => {
    await using slow = await FaultyServer.open({ behaviour: { clone_delay_ms: 20_000 } });
    await slow.succeed([...source, target]);
    await slow.run(run, { limits: { clone: 1 } });
    expect(await slow.names()).not.toContain("shop/copy");
    const { report } = await slow.succeed(run);
    // No 404 when the clone is readable by then.
    expect(report.spent.byOperation["POST /job/{id}/clone"] ?? 0).toBeLessThan(20);
    expect((await slow.names()).filter((name) => name.includes("copy"))).toEqual([
      "shop/copy",
      "shop/copy/APPLICATION api",
      "shop/copy/JOB a",
      "shop/target/JOB copy",
    ]);
    expect(await slow.answer("shop/copy/JOB a")).toMatchObject({ cpu: 250 });
    expect(await slow.answer("shop/target/JOB copy")).toMatchObject({ memory: 1024 });
  });

  test("when the clone becomes readable between plan and apply of the next run: no second clone is created", async () => {
    await stage.succeed([...source, target]);
    const { report } = await stage.succeed([...source, target, jobCopy], {
      planned: () => untold(copyJob("COPY")),
    });
    expect(report.outcomes.at(-1)).toMatchObject({ already: true, remarks: [madeByAnother, andChanged] });
    expect((await stage.names()).filter((name) => /copy/i.test(name))).toEqual(["shop/target/JOB COPY"]);
  });

  /** An environment that exists already, whose services no event names, and which this number of responses lack. */
  async function halfCopied(times: number): Promise<void> {
    const id = await copyEnvironment();
    const pagination = { page: 1, page_size: 100, total_count: 0, total_pages: 0 };
    const answer = { status: 200, body: { results: [], pagination } };
    await stage.breaks(
      { method: "GET", path: `/environment/${id}/services`, times, ...answer },
      { method: "GET", path: "/organization/*/events", status: 403 },
    );
  }

  test("a clone of an environment whose services appear later: the run waits and creates no duplicates", async () => {
    await halfCopied(4);
    const { plan, report } = await stage.succeed([...source, ...environmentCopy]);
    expect(encodePlan(plan).actions.at(-1)).toMatchObject({
      type: "create",
      may_come_with: { address: "environment:shop/copy" },
    });
    expect(report.outcomes.at(-1)).toMatchObject({ already: true, remarks: [cameWithClone, andChanged] });
    await stage.mend();
    expect(
      (await stage.requests()).filter((request) => request === "POST /environment/{id}/job"),
    ).toHaveLength(1);
    expect(await stage.answer("shop/copy/JOB a")).toMatchObject({ cpu: 250 });
  });

  test("a clone of a service inside it is not requested either", async () => {
    await halfCopied(4);
    const inside = clone("Job", "shop/copy/a", "shop/staging/a", { cpu: 250 });
    await stage.requests();
    const { report } = await stage.succeed([...source, environmentCopy[0] ?? {}, inside]);
    expect(report.outcomes.at(-1)).toMatchObject({ already: true, remarks: [cameWithClone, andChanged] });
    expect((await stage.requests()).filter((request) => request.startsWith("POST"))).toEqual([]);
  });

  test("services that do not appear before the time limit are created", async () => {
    await halfCopied(20);
    await stage.requests();
    await stage.run([...source, ...environmentCopy], { limits: { clone: 1 } });
    expect(await stage.requests()).toContain("POST /environment/{id}/job");
  });

  test("the run does not wait for services that were added to the source later", async () => {
    await stage.succeed([...source, ...environmentCopy]);
    await stage.harness.advance(1000);
    const more = [job("shop/staging/new"), job("shop/copy/new")];
    await stage.succeed([...source, more[0] ?? {}]);
    const { plan } = await stage.succeed([...source, ...environmentCopy, ...more]);
    expect(plan.actions.at(-1)).toMatchObject({ id: "create job:shop/copy/new" });
    expect(plan.actions.at(-1)?.pendingClone).toBeUndefined();
  });
});

describe("a clone that was requested, and then", () => {
  const id = "[0-9a-f-]{36}";
  test.each<[name: string, fault: FaultRequest, message: RegExp, stopped: string | undefined]>([
    [
      "cannot be looked for",
      { method: "GET", path: "/environment/*/services", after: 3, status: 403 },
      new RegExp(`^the clone \\(${id}\\) has been requested, and the next step failed: 403 on GET .*`),
      "forbidden",
    ],
    [
      "cannot be changed as stated",
      { method: "PUT", status: 400 },
      new RegExp(`^the clone \\(${id}\\) has been requested, and the next step failed: 400 on PUT .*`),
      undefined,
    ],
    [
      "may not be waited for, as the quota is used up",
      { method: "PUT", status: 429 },
      new RegExp(
        `^the clone \\(${id}\\) has been requested, and the next step failed: PUT .* was not carried out`,
      ),
      "quota",
    ],
  ])("%s is pending, and the next run continues with it", async (_name, fault, message, stopped) => {
    await stage.succeed([...source, target]);
    await stage.breaks(fault);
    const { report } = await stage.run([...source, target, jobCopy]);
    expect(report.outcomes.at(-1)).toMatchObject({
      status: "pending",
      code: "pending",
      message: expect.stringMatching(message),
    });
    expect(report.stopped?.reason).toBe(stopped);
    await stage.mend();
    await stage.succeed([...source, target, jobCopy]);
    expect(await stage.answer("shop/target/JOB copy")).toMatchObject({ memory: 1024 });
  });
});

test("a clone of an environment whose services do not all appear in time is pending, and the next run continues", async () => {
  await using slow = await FaultyServer.open();
  await slow.succeed(source);
  const missing = {
    method: "GET",
    path: "/environment/*/services",
    after: 1,
    status: 200,
    body: { results: [] },
  };
  await slow.breaks(missing);
  const { report } = await slow.run([...source, ...environmentCopy], { limits: { clone: 1000 } });
  expect(report.outcomes.slice(-2)).toMatchObject([
    {
      status: "pending",
      code: "pending",
      message: expect.stringContaining("does not contain all that its source contains"),
    },
    { status: "skipped" },
  ]);
  await slow.mend();
  await slow.succeed([...source, ...environmentCopy]);
  expect(await slow.answer("shop/copy/JOB a")).toMatchObject({ cpu: 250 });
});

describe("a resource of the wanted name that somebody else has created since the plan", () => {
  test("is left as it is, if it is not a copy of the source", async () => {
    await stage.succeed([...source, target]);
    const theirs = job("shop/target/copy", { cpu: 333 });
    const { report } = await stage.run([...source, target, jobCopy], {
      planned: () => untold(stage.succeed([...source, target, theirs])),
    });
    expect(report.outcomes.at(-1)).toMatchObject({
      status: "failed",
      code: "exists",
      message: expect.stringMatching(
        /is not a copy of the source, and differs from the declared one in cpu$/,
      ),
    });
    expect(await stage.answer("shop/target/JOB copy")).toMatchObject({ cpu: 333, memory: 512 });
  });

  test("is soon refused, if it is an environment without anything of the source", async () => {
    const desired = clone("Environment", "shop/copy", "shop/staging", { mode: "STAGING" });
    let before = 0;
    const { report } = await stage.run([...source, desired], {
      planned: async () => {
        await untold(stage.succeed([...source, environment("shop/copy", { mode: "STAGING" })]));
        before = (await stage.requests()).length;
      },
      limits: { clone: 600_000 },
    });
    expect(report.outcomes.find(({ status }) => status === "failed")).toMatchObject({
      code: "exists",
      message: expect.stringMatching(/it contains nothing of the source, so it is not a copy$/),
    });
    expect(before).toBeGreaterThan(0);
    // In ten minutes it would look more than sixty times.
    const refreshes = (await stage.requests()).filter(
      (request) => request === "GET /environment/{id}/services",
    );
    expect(refreshes.length).toBeLessThan(20);
    expect(await stage.names()).not.toContain("shop/copy/JOB a");
  });

  test("keeps the variables that the plan removes from the copy", async () => {
    const withOld = [...shop, job("shop/staging/a", { variables: { OLD: "1" } })];
    await stage.succeed([...withOld, target]);
    const copy = clone("Job", "shop/target/copy", "shop/staging/a", {
      memory: 1024,
      variables: { OLD: null },
    });
    const { report } = await stage.run([...withOld, target, copy], {
      planned: () =>
        untold(stage.succeed([...withOld, target, clone("Job", "shop/target/copy", "shop/staging/a")])),
    });
    expect(report.outcomes.at(-1)).toMatchObject({ status: "done", remarks: [madeByAnother, andChanged] });
    expect(await stage.answer("shop/target/JOB copy")).toMatchObject({ memory: 1024 });
    expect(await keysOf("shop/target/JOB copy")).toContain("OLD");
  });

  test("keeps its services, if they are no copies of those of the source", async () => {
    const { report } = await stage.run([...source, ...environmentCopy], {
      planned: () =>
        untold(
          stage.succeed([
            ...source,
            clone("Environment", "shop/copy", "shop/staging", { mode: "PREVIEW" }),
            job("shop/copy/a", { cpu: 333 }),
          ]),
        ),
    });
    expect(report.outcomes.slice(-2)).toMatchObject([
      { status: "done", remarks: [madeByAnother] },
      { status: "failed", code: "exists" },
    ]);
    expect(await stage.answer("shop/copy/JOB a")).toMatchObject({ cpu: 333 });
  });
});

test("a clone that differs from its source only in a removed variable is made without it", async () => {
  const withOld = [...shop, job("shop/staging/a", { variables: { OLD: "1" } }), target];
  await stage.succeed(withOld);
  const copy = clone("Job", "shop/target/copy", "shop/staging/a", { variables: { OLD: null } });
  await stage.succeed([...withOld, copy]);
  expect(await keysOf("shop/target/JOB copy")).not.toContain("OLD");
});

test.each(["in a run of its own", "in the run that makes the source"])(
  "a clone without a variable is made without its aliases, as the plan says: %s",
  async (when) => {
    const variables = { OLD: "1", SHORT: { alias_of: "OLD" }, KEPT: "2" };
    const withOld = [...shop, job("shop/staging/a", { variables }), target];
    await stage.succeed(when === "in a run of its own" ? withOld : [...shop, target]);
    const copies = [
      clone("Job", "shop/target/copy", "shop/staging/a", { variables: { OLD: null } }),
      clone("Environment", "shop/copy", "shop/staging"),
      job("shop/copy/a", { variables: { OLD: null } }),
    ];
    // Copies of services that are not there yet are no services of the source.
    const desired = when === "in a run of its own" ? copies : copies.slice(0, 1);
    const { plan } = await stage.succeed([...withOld, ...desired]);
    for (const action of plan.actions.slice(-desired.length).filter(({ type }) => type !== "none"))
      if ("expected" in action && "variables" in action.expected)
        expect(Object.keys(action.expected["variables"] ?? {})).toEqual(["KEPT"]);
    expect(await keysOf("shop/target/JOB copy")).toEqual(["KEPT"]);
    if (desired.length > 1) expect(await keysOf("shop/copy/JOB a")).toEqual(["KEPT"]);
  },
);

async function keysOf(path: string): Promise<unknown[]> {
  const { id } = await stage.answer(path);
  const listed = await stage.harness.results(`/variable?parent_id=${String(id)}&scope=JOB`);
  return listed.filter(({ scope }) => scope === "JOB").map(({ key }) => key);
}

async function copyJob(name: string): Promise<void> {
  const { id: environmentId } = await stage.answer("shop/target");
  const { id } = await stage.answer("shop/staging/JOB a");
  const body = { name, environment_id: environmentId };
  await stage.harness.api("POST", `/job/${String(id)}/clone`, body);
}

async function copyEnvironment(): Promise<string> {
  const { id } = await stage.answer("shop/staging");
  const body = { name: "copy", mode: "PREVIEW" };
  const answer = await stage.harness.api("POST", `/environment/${String(id)}/clone`, body);
  return isFields(answer) ? String(answer["id"]) : "";
}
