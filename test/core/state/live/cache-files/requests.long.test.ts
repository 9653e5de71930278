import { expect, test } from "vitest";
import { summary } from "../../../../fixtures/harness.ts";
import { useHarness } from "../../../../fixtures/use-harness.ts";
import { jobs, KeptRuns, minute } from "./runs.ts";

const harness = useHarness();
const runs = new KeptRuns(harness);

test("a plan of 5 x 20 jobs with variables reads only the parts that have changed", async () => {
  const text = jobs(5, 20);
  await runs.settle(text);
  const first = await runs.plan(text);
  expect(summary(first.plan)).toEqual([]);
  expect(first.plan.cached).toBeUndefined();
  const second = await runs.plan(text);
  expect(summary(second.plan)).toEqual([]);
  expect(second.plan.cached).toMatchObject({ resources: 100, of: 100 });
  expect([first.requests, second.requests]).toEqual([108, 8]);

  await runs.changeVariable("j3", "NAME", "changed manually");
  await harness.advance(minute);
  const third = await runs.plan(text);
  expect(summary(third.plan)).toHaveLength(1);
  expect(third.plan.actions.flatMap(({ changes }) => changes)).toMatchObject([
    { before: "changed manually" },
  ]);
  expect(third.requests).toBe(9);

  await harness.reconcile(text);
  await harness.advance(minute);
  const edited = text.replace("value of e0/j0", "another value");
  const fourth = await runs.plan(edited);
  expect(fourth.plan.actions.flatMap(({ changes }) => changes)).toMatchObject([
    { before: "value of e0/j0", after: "another value" },
  ]);
  // One list for the job that changed by hand and was changed back, and one for the edited one.
  expect(fourth.requests).toBe(10);
});

test("a plan to destroy 5 x 20 jobs names their variables without reading them again", async () => {
  const text = jobs(5, 20);
  await runs.settle(text);
  const first = await runs.plan(text, {}, "destroy");
  const second = await runs.plan(text, {}, "destroy");
  expect(second.plan.actions).toEqual(first.plan.actions);
  expect(
    second.plan.actions.flatMap(({ losses }) => losses).filter(({ sort }) => sort === "part"),
  ).toHaveLength(200);
  // Once, page 2 of a list shows that the server counts lists. Four pages of events of the last five minutes tell what lists
  // may not show yet.
  expect([first.requests, second.requests]).toEqual([119 + 1 + 4, 14 + 4]);
});

test("domains, settings and restrictions of a service are remembered too", async () => {
  const text = `kind: Project
name: shop
---
kind: Environment
project: shop
name: e0
mode: STAGING
---
kind: Application
environment: shop/e0
name: api
git_repository: { url: https://github.com/acme/api.git, branch: main }
build_mode: DOCKER
dockerfile_path: Dockerfile
custom_domains: { api.example.com: {} }
advanced_settings: { build.timeout_max_sec: 1200 }
deployment_restrictions: [{ mode: EXCLUDE, value: docs/ }]
`;
  await runs.settle(text);
  const [first, second] = [await runs.plan(text), await runs.plan(text)];
  expect(summary(second.plan)).toEqual([]);
  expect([first.requests, second.requests]).toEqual([3 + 3 + 1, 3 + 1 + 1]);
});

/** The requests of a plan right after an apply, with what somebody else does meanwhile. */
async function afterApply(
  edited: string,
  meddle: { before?: () => Promise<void>; after?: () => Promise<void> } = {},
) {
  const { plan, run } = await runs.plan(edited);
  await meddle.before?.();
  await harness.apply(plan, run);
  await meddle.after?.();
  await run.live.parts.save({
    organizationId: harness.organization.id,
    end: run.client.serverTime,
    isOver: true,
  });
  return runs.plan(edited);
}

test("a plan right after the first apply reads no list of variables again", async () => {
  const text = jobs(5, 20);
  await harness.advance(minute);
  const next = await afterApply(text);
  expect(summary(next.plan)).toEqual([]);
  expect(next.plan.cached).toMatchObject({ resources: 100 });
  // The lists of resources, once page 2 of one, and the events of 106 creations and their variables, a hundred a page.
  expect(next.requests).toBe(7 + 1 + 4);
});

test.each([
  [5, 4],
  [5, 250],
  [20, 130],
  [1, 300],
])(
  "a plan after an apply of %i jobs with %i variables each costs what one with --fresh costs, and two requests at most",
  async (count, variables) => {
    const many = Array.from({ length: variables }, (_none, index) => `V${index}: x`).join(", ");
    const text = jobs(1, count).replaceAll("LEVEL: info", many);
    await harness.advance(minute);
    const costs = [await afterApply(text), await runs.plan(text)].map(({ requests }) => requests);
    const { requests } = await runs.plan(text, { fresh: true });
    // The first one shows of two operations that they count their lists.
    expect(Math.max(...costs)).toBeLessThanOrEqual(requests + 2);
  },
);

test("the first plan half a minute after many writes reads their events, and the plans after it do not", async () => {
  const text = jobs(5, 20);
  await harness.advance(minute);
  await afterApply(text);
  await harness.advance(33_000);
  const costs: number[] = [];
  for (let count = 0; count < 3; count += 1) {
    const { run, requests } = await runs.plan(text);
    await run.live.parts.save();
    costs.push(requests);
  }
  // Four pages of events; then one that has nothing new.
  expect(costs).toEqual([7 + 4, 7 + 1, 7 + 1]);
});

test("a plan right after the apply of a change reads no list of variables again", async () => {
  const text = jobs(2, 10);
  await runs.settle(text);
  await runs.plan(text);
  const next = await afterApply(text.replace("value of e0/j3", "another value"));
  expect(summary(next.plan)).toEqual([]);
  expect(next.requests).toBe(4 + 1);
});

test.each(["before", "after"] as const)(
  "a change by another, %s a write of one's own within the same second, is seen by the next plan",
  async (when) => {
    const text = jobs(1, 3);
    await runs.settle(text);
    await runs.plan(text);
    const edited = text.replace("value of e0/j1", "another value");
    const next = await afterApply(edited, { [when]: () => runs.changeVariable("j1", "LEVEL", "manually") });
    // The apply is refused if the change came before it.
    const changes = next.plan.actions.flatMap((action) => action.changes);
    expect(changes).toContainEqual(expect.objectContaining({ before: "manually" }));
  },
);

test("a change by another of a new resource is seen, also if its event comes before those of its creation", async () => {
  const text = jobs(1, 3);
  const next = await afterApply(text, {
    after: async () => {
      await runs.changeVariable("j1", "LEVEL", "manually");
      await harness.api("POST", "/_emulator/faults", [
        { method: "GET", path: "/organization/*/events", events: "reordered" },
      ]);
    },
  });
  expect(next.plan.actions.flatMap(({ changes }) => changes)).toMatchObject([{ before: "manually" }]);
});

test("a run that was killed while it wrote is no run whose writes are known", async () => {
  const text = jobs(1, 3);
  await runs.settle(text);
  await runs.plan(text);
  const { plan, run } = await runs.plan(text.replace("value of e0/j1", "another value"));
  await harness.apply(plan, run);
  // It never came to its end; another plan wants what was there before.
  const next = await runs.plan(text);
  expect(next.plan.actions.flatMap(({ changes }) => changes)).toMatchObject([{ before: "another value" }]);
});

test("destroy reads what resources have once, right before it deletes them, also what a run has just made", async () => {
  const text = jobs(1, 3);
  await harness.advance(minute);
  await afterApply(text);
  const { plan, run, requests } = await runs.plan(text, {}, "destroy");
  // The lists of resources, of rules and of stages; the events since the apply, and those of the five minutes before it.
  expect(requests).toBe(3 + 2 + 2);
  await harness.forgetRequests();
  const { outcomes } = await harness.apply(plan, run);
  expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => "done"));
  expect((await harness.seen()).filter(({ path }) => path.startsWith("/variable"))).toHaveLength(1 + 1 + 3);
});

test.each([
  ["changes", (id: string) => harness.api("PUT", `/variable/${id}`, { key: "LEVEL", value: "manually" })],
  [
    "adds",
    async () => {
      const parent = await harness.idOf("shop/e0/JOB j1");
      const body = {
        key: "NEW",
        value: "x",
        is_secret: false,
        variable_scope: "JOB",
        variable_parent_id: parent,
      };
      await harness.api("POST", "/variable", body);
    },
  ],
])("destroy stops where somebody %s a variable of what was just made, after the plan", async (_, meddle) => {
  const text = jobs(1, 3);
  await harness.advance(minute);
  await afterApply(text);
  const { plan, run } = await runs.plan(text, {}, "destroy");
  await harness.advance(2_000);
  const parent = await harness.idOf("shop/e0/JOB j1");
  const variables = await harness.results(`/variable?parent_id=${parent}&scope=JOB`);
  await meddle(String(variables.find(({ key }) => key === "LEVEL")?.["id"]));
  const { outcomes } = await harness.apply(plan, run);
  expect(outcomes.map(({ status }) => status)).not.toContain("done");
  expect(outcomes.flatMap(({ message = [] }) => message).join()).toContain("since the plan was made");
});

test("once a deployment has settled, one plan reads the variables of what was deployed, and no other does", async () => {
  const text = [
    "kind: Project\nname: shop\n",
    "kind: Environment\nproject: shop\nname: e0\nmode: STAGING\n",
    ...Array.from(
      { length: 10 },
      (_, index) =>
        `kind: Container\nenvironment: shop/e0\nname: c${index}\nregistry: docker-hub\n` +
        `image_name: acme/api\ntag: "1"\nvariables: { LEVEL: info }\n`,
    ),
  ].join("---\n");
  await runs.settle(text);
  const once = async () => {
    const { run, requests } = await runs.plan(text);
    await run.live.parts.save();
    return requests;
  };
  await once();
  await harness.api("POST", `/environment/${await harness.idOf("shop/e0")}/deploy`);
  await harness.advance(5_000);
  const costs = [await once(), await once(), await once()];
  await harness.advance(minute);
  costs.push(await once(), await once());
  // A deployment settles half a minute; then what the platform tells of each container is read once.
  const [least = 0] = costs;
  expect(costs).toEqual([least, least, least, least + 10, least]);
});

test("a deployment makes no plan read the variables of siblings again", async () => {
  const text = jobs(2, 10);
  await runs.settle(text);
  await runs.plan(text);
  const id = await harness.idOf("shop/e0/JOB j3");
  await harness.api("POST", `/job/${id}/deploy`, {});
  await harness.advance(10 * minute);
  const { plan, requests } = await runs.plan(text);
  expect(summary(plan)).toEqual([]);
  // The lists of resources, and the events: the platform writes no variable when it deploys a job.
  expect(requests).toBe(4 + 1);
});

test("a person who plans seven times a day, an hour apart, has no hour in which everything is read again", async () => {
  const text = jobs(4, 50);
  await harness.advance(minute);
  await runs.settle(text);
  // The clock of the machine goes on too: at sixty minutes sharp, a list may be due or not.
  const hour = 61 * minute;
  const day = async () => {
    const spent: number[] = [];
    for (let turn = 0; turn < 7; turn += 1) {
      await harness.advance(hour);
      spent.push((await runs.plan(text)).requests);
    }
    return spent;
  };
  const first = await day();
  // A tenth of 200 lists, beside the lists of resources and the events.
  expect(first.slice(1)).toEqual(Array.from({ length: 6 }, () => 20 + 6 + 1));
  await harness.advance(17 * hour);
  const second = await day();
  // Fifteen people, each with a cache of their own.
  expect(15 * second.reduce((sum, requests) => sum + requests, 0)).toBeLessThan(4_000);
});
