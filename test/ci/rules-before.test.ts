import { join } from "node:path";
import { inspect } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { planBase, planDescription } from "../../ci/status-text.ts";
import { policyForCommit } from "../../cli/repository/repository.ts";
import { GitRepository } from "../fixtures/git-repository.ts";
import { job, shop } from "../fixtures/manifests.ts";
import { startBench } from "../reconciler/fixture.ts";
import { useFixture } from "../cli/fixture.ts";
import { gitHub, startCiBench } from "./runners.ts";

// A change never lifts the rule that forbids it: each door asks the rules of the commit before it.

const fixture = useFixture();

type Files = Record<string, string | undefined>;

const settings = "infrasync.config.yaml";
const rules = "infrasync.reconcile.yaml";
const pruning = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");
const protecting = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true, protect: true }");
const start = { "shop.yaml": pruning, "a.yaml": job("a"), "b.yaml": job("b") };

/** A rule of a commit, and a commit that lifts it and does what it forbids. */
interface Case {
  before: Files;
  change: Files;
  says: string;
}

const forDeletions: Record<string, Case> = {
  "protect in the settings": {
    before: { [settings]: "protect: ['job:shop/staging/b']" },
    change: { [settings]: undefined, "b.yaml": undefined },
    says: 'protected by the pattern "job:shop/staging/b" in the settings of the commit',
  },
  "protect of an environment in the settings": {
    before: { [settings]: "protect: ['shop/staging/**']" },
    change: { [settings]: "protect: ['shop/production/**']", "b.yaml": undefined },
    says: 'protected by the pattern "shop/staging/**" in the settings of the commit',
  },
  "manage.protect of the document": {
    before: { "b.yaml": job("b", "manage: { protect: true }") },
    change: { "b.yaml": undefined },
    says: "protected by manage.protect of job:shop/staging/b in the commit",
  },
  "manage.protect of the environment": {
    before: { "shop.yaml": protecting },
    change: { "shop.yaml": pruning, "b.yaml": undefined },
    says: "protected by manage.protect of environment:shop/staging in the commit",
  },
  "manage.protect against a lost variable": {
    before: { "b.yaml": job("b", "manage: { protect: true }\nvariables: { LEVEL: info }") },
    change: { "b.yaml": job("b", "variables: { LEVEL: null }") },
    says: "protected by manage.protect of job:shop/staging/b in the commit",
  },
  max_deletes: {
    before: { [settings]: "max_deletes: 1" },
    change: { [settings]: undefined, "a.yaml": undefined, "b.yaml": undefined },
    says: "2 resources would be deleted or replaced, and the limit is 1",
  },
  policies: {
    before: { [settings]: "policies: [{ name: keep, actions: [delete], message: jobs stay }]" },
    change: { [settings]: undefined, "b.yaml": undefined },
    says: "policy keep: jobs stay",
  },
  "manage.prune": {
    before: { "shop.yaml": shop },
    change: { "shop.yaml": pruning, "b.yaml": undefined },
    says: "manage.prune of environment:shop/staging is not declared in the commit",
  },
  "manage.exclusive": {
    before: { "b.yaml": job("b", "variables: { LEVEL: info }") },
    change: { "b.yaml": job("b", "manage: { exclusive: [variables] }") },
    says: "manage.exclusive of job:shop/staging/b does not list variables in the commit",
  },
};

/** Rules that only the reconciler has. */
const ofReconciler: Record<string, Case> = {
  "a suspension": {
    before: {
      [rules]: "environments: { shop/staging: { suspend: { until: 2099-01-01T00:00:00Z, reason: frozen } } }",
    },
    change: { [rules]: undefined, "b.yaml": undefined },
    says: "suspended by the policy until 2099-01-01T00:00:00Z: frozen",
  },
  "on_commit: report": {
    before: { [rules]: "environments: { shop/staging: { on_commit: report } }" },
    change: { [rules]: "environments: { shop/staging: { on_commit: apply } }", "b.yaml": undefined },
    says: "on_commit: report",
  },
  "prune: false": {
    before: { [rules]: "environments: { shop/staging: { prune: false } }" },
    change: { [rules]: undefined, "b.yaml": undefined },
    says: "",
  },
  "max_deletes of a commit": {
    before: { [rules]: "max_deletes: { commit: 1, day: 1 }" },
    change: { [rules]: undefined, "a.yaml": undefined, "b.yaml": undefined },
    says: "1 a day are allowed",
  },
};

const inFolder = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([name, content]) => [`${folder}/${name}`, content]));

/** Whether the first commit has to be applied before the rule is there, which may forbid that too. */
const isForReconciler = (before: Files) => before[rules] !== undefined;

/** The end of a door: whether the job b is there still with its variable, and the words of the run. */
interface End {
  isKept: boolean;
  output: string;
}

/**
 * Runs `infrasync reconcile --once` with commits.
 *
 * @param data the data folder; undefined: none
 * @param isOne whether the change is one commit; otherwise it has one for each file
 */
async function once({ before, change }: Case, data?: string, isOne = true): Promise<End> {
  const repository = new GitRepository();
  onTestFinished(() => repository[Symbol.dispose]());
  const place = ["--repo", repository.origin, "--path", "infra", "--allow-local-repo"];
  const memory = data === undefined ? [] : ["--data", join(fixture.folder, data)];
  const run = () =>
    fixture.run(["reconcile", ...place, ...memory, "--once", "--yes", "--prune"], {
      env: { PATH: process.env["PATH"] },
    });
  repository.push(inFolder("infra", start));
  if (isForReconciler(before)) await run();
  repository.push(inFolder("infra", before));
  const first = await run();
  expect(first).toMatchObject({ code: 0 });
  const commits = isOne ? [change] : Object.entries(change).map(([name, content]) => ({ [name]: content }));
  for (const commit of commits) repository.push(inFolder("infra", commit));
  const { stdout, stderr } = await run();
  const requests = await fixture.requests();
  const isKept = !requests.some((line) => line.startsWith("DELETE ") || line.includes("variable/import"));
  return { isKept, output: stdout + stderr };
}

const words = (value: unknown) => inspect(value, { depth: 20, breakLength: Infinity, maxArrayLength: null });

/** Cycles of a service. @param data the data folder in which the change is found */
async function service({ before, change }: Case, data: string, onTop?: Files): Promise<End> {
  const operator = { protect: [], policies: [], maxDeletes: {}, strict: false } as never;
  const console = { io: { env: {}, stderr: {} } } as never;
  const bench = await startBench({}, "admin", {}, {}, undefined, {
    policyFor: (commit) => policyForCommit(commit, { prune: true }, operator, console),
  });
  const { repository, server } = bench;
  repository.push(inFolder("infra", start));
  if (isForReconciler(before)) await bench.cycle();
  repository.push(inFolder("infra", before));
  await bench.cycle();
  repository.push(inFolder("infra", change));
  if (onTop) repository.push(inFolder("infra", onTop));
  if (data !== "data") bench.reconciler = bench.restart(data);
  const ends = [await bench.cycle(), await bench.cycle()];
  const isLost = ends.some(({ requests }) => requests.some((line) => /^DELETE|variable\/import/.test(line)));
  const isThere = (await server.everything()).has("shop/staging/JOB b");
  return { isKept: isThere && !isLost, output: words(ends.map(({ end }) => end)) };
}

/** A pull request that a job plans, and whose merge a job applies as if its plan had been approved. */
async function ci({ before, change, says }: Case): Promise<End> {
  const bench = await startCiBench(gitHub, inFolder("manifests", start) as Record<string, string>);
  const declared = before["b.yaml"] ?? start["b.yaml"];
  await bench.server.reconcile(pruning + start["a.yaml"] + declared.replace(/manage:.*\n/, ""));
  const inputs = { prune: "true" };
  // Without the rule, the plan is possible.
  bench.open(2, inFolder("manifests", change));
  const { digest = "" } = (await bench.plan(2, { inputs })).outputs;
  expect(digest).not.toBe("");
  bench.open(3, inFolder("manifests", before));
  bench.merge(3);
  const head = bench.open(4, inFolder("manifests", change));
  const planned = await bench.plan(4, { inputs });
  expect(planned).toMatchObject({ code: 3, output: expect.stringContaining(says) as string });
  expect(bench.status(head)).toMatch(/^failure: .* \[no plan\]$/);
  const [status = {}] = bench.forge.statuses.get(head) ?? [];
  const record = { verdict: "apply", digest, base: planBase("main", "0".repeat(40)) } as const;
  bench.forge.statuses.set(head, [
    { ...status, state: "success", description: planDescription("Forged.", record, 140) },
  ]);
  await bench.server.forgetRequests();
  const { output } = await bench.apply(bench.merge(4), { inputs });
  return { isKept: (await bench.server.writes()).length === 0, output };
}

const forAll: Record<string, (given: Case) => Promise<End>> = { "ci plan and ci apply": ci };

const reconciling: Record<string, (given: Case) => Promise<End>> = {
  "reconcile --once without a data folder": (given) => once(given),
  "reconcile --once with a data folder": (given) => once(given, "data"),
  "reconcile with its data folder": (given) => service(given, "data"),
  "reconcile with a new data folder": (given) => service(given, "new"),
};

// The plan of a job without the rule needs another base for this one.
const { "manage.exclusive": _listed, ...forJobs } = forDeletions;

for (const [door, enter] of Object.entries({ ...forAll, ...reconciling }))
  test.each(Object.entries(Object.hasOwn(forAll, door) ? forJobs : forDeletions))(
    `${door} does nothing that a rule before forbids: %s`,
    async (_rule, given) => {
      const { isKept, output } = await enter(given);
      // A service with a new data folder prunes nothing that it has not applied itself, so there is nothing to refuse.
      const isPruned = "b.yaml" in given.change && given.change["b.yaml"] === undefined;
      if (!isPruned || !door.endsWith("a new data folder"))
        expect(output.replaceAll('\\"', '"')).toContain(given.says);
      expect(isKept).toBe(true);
    },
  );

/** What a job says of rules for the reconciler, to which it keeps as well. */
const saidByJobs = {
  "a suspension": "suspended by the policy until 2099-01-01T00:00:00Z: frozen",
  "max_deletes of a commit": "2 resources would be deleted or replaced, and the limit is 1",
};

for (const [door, enter] of Object.entries(forAll))
  test.each(Object.entries(saidByJobs))(
    `${door} keeps to a rule for the reconciler that the commit lifts: %s`,
    async (rule, says) => {
      const { [rule]: given = { before: {}, change: {}, says } } = ofReconciler;
      const { isKept, output } = await enter({ ...given, says });
      expect(output).toContain(says);
      expect(isKept).toBe(true);
    },
  );

for (const [door, enter] of Object.entries(reconciling))
  // A service with a new data folder deletes nothing at all that it has not applied itself.
  test.each(
    Object.entries(ofReconciler).map(
      ([rule, given]) => [rule, door.endsWith("a new data folder") ? { ...given, says: "" } : given] as const,
    ),
  )(`${door} keeps to a rule that the commit lifts: %s`, async (_rule, given) => {
    const { isKept, output } = await enter(given);
    expect(isKept).toBe(true);
    expect(output).toContain(given.says);
  });

test.each(["protect in the settings", "max_deletes", "policies"])(
  "reconcile --once with a data folder takes the commits since the applied one as one change: %s",
  async (rule) => {
    const { [rule]: given = expect.fail("no such rule") } = forDeletions;
    const { isKept, output } = await once(given, "data", false);
    expect(output).toContain(given.says);
    expect(isKept).toBe(true);
  },
);

test.each(
  Object.entries(forDeletions).filter(
    ([rule]) => !["max_deletes", "manage.protect against a lost variable", "manage.exclusive"].includes(rule),
  ),
)("a commit on top of a blocked one does not let a new data folder delete: %s", async (_rule, given) => {
  const { isKept } = await service(given, "new", { "a.yaml": job("a", "description: words") });
  expect(isKept).toBe(true);
});
