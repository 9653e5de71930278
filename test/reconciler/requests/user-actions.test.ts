import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAnyAddress } from "../../../core/model/addresses/address.ts";
import { identityOfDatabaseUser, identityOfUser } from "../../../reconciler/identity.ts";
import { everywhere, type Person } from "../../../reconciler/people/index.ts";
import {
  type Requests,
  type UserAction,
  UserActionError,
  UserActions,
  userActionIn,
  userActionOfForm,
  verbNames,
} from "../../../reconciler/requests/index.ts";
import { readEnvironmentScope } from "../../../core/model/addresses/scope.ts";
import type { DeletionContext } from "../../../reconciler/previews/operations.ts";
import type { OperatorRules } from "../../../reconciler/policy/index.ts";
import { Deleters, othersOf, SourceClaims } from "../../../reconciler/sources/index.ts";
import { application, job, shop } from "../../fixtures/manifests.ts";
import { withAdvice } from "../../../cli/render/remedies.ts";
import type { Html } from "../../../adapters/web/html.ts";
import { renderVisitor, renderUserActions } from "../../../reconciler/show/page/user-actions.ts";
import { answerControl, controlledSource } from "../../../reconciler/show/control.ts";
import { environmentStatuses } from "../../../reconciler/show/environment-statuses.ts";
import { policiesOf } from "../../fixtures/policies.ts";
import { openPolicy } from "../../fixtures/policy.ts";
import { noJournal } from "../cycle-words.ts";
import { type Bench, startBench } from "../fixture.ts";
import { Audit } from "../../../reconciler/journal/index.ts";

const production = "---\nkind: Environment\nproject: shop\nname: production\nmode: PRODUCTION\n";
const inProduction = (name: string, rest = "") => job(name, rest, "shop/production");
const policyFile = "infra/infrasync.reconcile.yaml";
const anna: Person = { identity: identityOfUser("anna"), grants: [everywhere("approve")] };

/** A bench at which people ask for things. */
async function startRequested(operator: OperatorRules = {}, deploy = false) {
  const bench = await startBench(
    { deploy },
    "admin",
    operator,
    deploy ? { behaviour: { deploy_delay_ms: 60_000 } } : {},
  );
  const data = join(bench.repository.folder, "data");
  let made: { userActions: UserActions; requests: Requests } | undefined;
  /** The handler of the newest process. */
  const userActions = (): UserActions => {
    const { requests } = bench;
    if (made?.requests !== requests)
      made = {
        requests,
        userActions: new UserActions({
          requests,
          audit: new Audit(data, bench.clock),
          clock: { now: bench.clock.now, random: bench.clock.random, sleep: () => new Promise(() => {}) },
          linesOf: async (commits) => [...commits],
          known: () => bench.reconciler.known,
          changed: () => undefined,
        }),
      };
    return made.userActions;
  };
  const ask = (action: Partial<UserAction> & Pick<UserAction, "type">, person = anna) =>
    userActions().take({ environment: "", ...action }, person, "203.0.113.9");
  const cpuOf = async (path: string) => (await bench.server.everything()).get(path)?.["cpu"];
  return { bench, ask, userActions, cpuOf, audit: () => readFile(join(data, "audit.jsonl"), "utf8") };
}

/** The digest of what differs in an environment. */
function planOf({ reconciler: { known } }: Bench, name: string): string {
  const environment = known.environments.find((each) => each.name === name);
  return (environment && known.of(environment).plan?.digest) ?? "";
}

test("a person rolls one environment back until a commit changes it; changes by others stay drift", async () => {
  const { bench, ask, cpuOf } = await startRequested();
  const { repository, server } = bench;
  const at = (staging: number, prod: number) =>
    shop + production + job("a", `cpu: ${staging}`) + inProduction("a", `cpu: ${prod}`);
  const good = repository.push({ "infra/shop.yaml": at(500, 500) });
  await bench.cycle();
  repository.push({ "infra/shop.yaml": at(750, 750) });
  await bench.cycle();
  await expect(
    ask({ type: "rollback", environment: "shop/production", commit: "f".repeat(40) }),
  ).rejects.toThrow(good.slice(0, 7));
  await server.reconcile(shop + production + job("a", "cpu: 1000") + inProduction("a", "cpu: 750"));
  await ask({ type: "rollback", environment: "shop/production", commit: good.slice(0, 7) });
  const { end } = await bench.cycle();
  expect([await cpuOf("shop/production/JOB a"), await cpuOf("shop/staging/JOB a")]).toEqual([500, 1000]);
  expect(end.environments?.find(({ environment }) => environment === "shop/production")).toMatchObject({
    state: "rolled_back",
    applied: good,
    rolledBack: { commit: good, by: anna.identity },
  });

  // It survives a restart, and a commit that changes another environment.
  bench.reconciler = bench.restart();
  repository.push({ "infra/shop.yaml": at(250, 750) });
  await bench.cycle();
  expect([await cpuOf("shop/production/JOB a"), await cpuOf("shop/staging/JOB a")]).toEqual([500, 250]);
  repository.push({ "infra/shop.yaml": at(250, 1250) });
  expect((await bench.cycle()).end.answered).toMatchObject([{ type: "rollback", by: anna.identity }]);
  expect(await cpuOf("shop/production/JOB a")).toBe(1250);
});

test("resume ends a pause and nothing else; follow ends a rollback", async () => {
  const { bench, ask, cpuOf } = await startRequested();
  const { repository } = bench;
  const at = (cpu: number) => shop + job("a", `cpu: ${cpu}`);
  const good = repository.push({ "infra/shop.yaml": at(500) });
  await bench.cycle();
  repository.push({ "infra/shop.yaml": at(750) });
  await bench.cycle();
  await ask({ type: "rollback", environment: "shop/staging", commit: good });
  await bench.cycle();
  expect(await cpuOf("shop/staging/JOB a")).toBe(500);
  await ask({ type: "pause", environment: "shop/staging", for: "2h", reason: "inventory" });
  await bench.cycle();
  expect(await ask({ type: "follow", environment: "shop/staging" })).toMatch(
    /^shop\/staging follows the newest commit again\. Nothing is applied before that ends: .*inventory/,
  );
  await bench.cycle();
  expect(await cpuOf("shop/staging/JOB a")).toBe(500);
  await ask({ type: "rollback", environment: "shop/staging", commit: good });
  await ask({ type: "resume", environment: "shop/staging" });
  await bench.cycle();
  expect(await cpuOf("shop/staging/JOB a")).toBe(500);
  await ask({ type: "follow", environment: "shop/staging" });
  await bench.cycle();
  expect(await cpuOf("shop/staging/JOB a")).toBe(750);
  await expect(ask({ type: "follow", environment: "shop/staging" })).rejects.toThrow("is not rolled back");
});

test("what people have requested goes along when another source declares the environment", async () => {
  const { bench, ask, cpuOf } = await startRequested();
  const { repository, clock } = bench;
  const at = (staging: number, prod: number) =>
    shop + production + job("a", `cpu: ${staging}`) + inProduction("a", `cpu: ${prod}`);
  const good = repository.push({ "infra/shop.yaml": at(500, 500) });
  await bench.cycle();
  repository.push({ "infra/shop.yaml": at(500, 750) });
  await bench.cycle();
  await ask({ type: "rollback", environment: "shop/production", commit: good });
  await bench.cycle();
  await ask({ type: "pause", environment: "shop/staging", for: "2h", reason: "inventory" });
  const cpus = async () => [await cpuOf("shop/staging/JOB a"), await cpuOf("shop/production/JOB a")];
  expect(await cpus()).toEqual([500, 500]);

  repository.push({ "infra/shop.yaml": undefined, "other/shop.yaml": at(250, 750) });
  const folderOf = (data: string) => join(repository.folder, data);
  const contentOf = (name: string) => readFile(join(folderOf("data"), name), "utf8");
  const memories = async () => [
    {
      name: "before",
      place: "data",
      state: await contentOf("state.json"),
      requests: await contentOf("requests.json"),
    },
  ];
  const others = othersOf("moved", new SourceClaims(clock), new Deleters(), memories);
  bench.reconciler = bench.restart("moved", "other", { others });
  for (let cycle = 0; cycle < 2; cycle += 1) {
    const { end } = await bench.cycle();
    expect(end.environments).toMatchObject([
      { environment: "shop", state: "synced" },
      { environment: "shop/staging", state: "waiting" },
      { environment: "shop/production", state: "rolled_back", rolledBack: { by: anna.identity } },
    ]);
    expect(await cpus()).toEqual([500, 500]);
  }
  // What has ended here does not come back from there.
  await bench.requests.change({ pauses: () => [] }, anna.identity, clock.now());
  await bench.requests.endRollback("shop/production");
  bench.reconciler = bench.restart("moved", "other", { others });
  await bench.cycle();
  expect(await cpus()).toEqual([250, 750]);
});

const ben: Person = { identity: identityOfUser("ben"), grants: [everywhere("operate")] };

test("pauses stand beside each other: each ends one's own, the latest end holds, and --all needs the role", async () => {
  const { bench, ask, cpuOf, audit } = await startRequested();
  const { repository, clock } = bench;
  repository.push({ "infra/shop.yaml": shop + job("a", "cpu: 500") });
  await bench.cycle();
  const environment = "shop/staging";
  await Promise.all([
    ask({ type: "pause", environment, for: "3d", reason: "migration" }),
    ask({ type: "pause", environment, for: "5m", reason: "a look" }, ben),
  ]);
  repository.push({ "infra/shop.yaml": shop + job("a", "cpu: 750") });
  expect(JSON.stringify((await bench.cycle()).end.environments)).toContain(
    "by anna on this machine: migration",
  );
  clock.advance(301_000);
  await bench.cycle();
  expect(await cpuOf("shop/staging/JOB a")).toBe(500);

  await expect(ask({ type: "resume", environment }, ben)).rejects.toThrow(
    /^no pause of yours names shop\/staging: shop\/staging is paused until .* by anna on this machine: migration; a person with the role approve/,
  );
  await expect(ask({ type: "resume", environment, all: true }, ben)).rejects.toThrow("role approve");
  await ask({ type: "pause", environment: "shop/*", until: "2099-01-01T00:00:00Z", reason: "audit" }, ben);
  expect(await ask({ type: "resume", environment })).toMatch(
    /migration\)\. Still nothing is applied: .*audit\./,
  );
  await bench.cycle();
  expect(await cpuOf("shop/staging/JOB a")).toBe(500);
  expect(await ask({ type: "resume", environment: "SHOP/*", all: true })).toContain(
    "ben on this machine: audit",
  );
  await bench.cycle();
  expect(await cpuOf("shop/staging/JOB a")).toBe(750);
  expect(await audit()).toMatch(/"request":"resume","environment":"shop\/staging","detail":"ends anna/);
  expect(await audit()).toMatch(
    /"request":"pause","environment":"shop\/\*","detail":"until 2099-01-01T00:00:00Z: audit"/,
  );
});

test.each([
  [{ environment: "shop/stagign" }, "nothing is paused; did you mean shop/staging?"],
  [{ environment: "store/*" }, "no document declares store/*"],
  [{ environment: "shop/a/b" }, "is not a pattern of environments"],
  [{ environment: "staging" }, "nothing is paused; did you mean shop/staging?"],
  [
    { environment: "shop/*" },
    "shop/* cannot be paused by itself; pause everything, or environments, such as shop/**",
  ],
  [{ for: undefined }, "give the length of the pause"],
  [{ until: "2099-01-01T00:00:00Z" }, "give the length of the pause"],
  [{ for: "1h30m" }, "give the length of the pause"],
  [{ for: undefined, until: "2020-01-01T00:00:00Z" }, "is in the past"],
  [{ for: undefined, until: "2027-02-31T00:00:00Z" }, "give the length of the pause"],
  [{ for: undefined, until: "2027-02-28" }, "give the length of the pause"],
  [{ for: undefined, until: "4764-01-01T00:00:00Z" }, "more than a hundred years away"],
  [{ for: "999999d" }, "more than a hundred years away"],
  [{ reason: " " }, "a pause needs a reason"],
])("a pause with %j is refused", async (action, message) => {
  const { bench, ask } = await startRequested();
  const star = '---\nkind: Environment\nproject: shop\nname: "*"\nmode: DEVELOPMENT\ncluster: main\n';
  bench.repository.push({ "infra/shop.yaml": shop + star + job("a") });
  await bench.cycle();
  const requested = ask({ type: "pause", environment: "", for: "2h", reason: "x", ...action } as UserAction);
  await expect(requested).rejects.toThrow(message);
  expect(bench.requests.pauses).toEqual([]);
});

test.each(verbNames)("%s of a name without its project names the environment", async (type) => {
  const { bench, ask } = await startRequested();
  bench.repository.push({ "infra/shop.yaml": shop + job("a") });
  await bench.cycle();
  for (const environment of ["staging", "shop/stagign"])
    await expect(ask({ type, environment, for: "2h", reason: "x" })).rejects.toThrow(
      "; did you mean shop/staging?",
    );
});

test("what comes through the database is written down with who has connected to it, done or refused", async () => {
  const { bench, userActions, audit } = await startRequested();
  bench.repository.push({ "infra/shop.yaml": shop });
  await bench.cycle();
  const controlled = controlledSource({ board: undefined as never, userActions: userActions() });
  const pause = async (given: string) => {
    const who = { ...identityOfDatabaseUser("maria") };
    const action = { type: "pause", environment: "shop/staging", for: given, reason: "x" };
    return answerControl(controlled, {
      control: { type: "request", request: action, who, from: "the database" },
    });
  };
  expect(await pause("2h")).toMatchObject({ status: 200 });
  expect(await pause("always")).toMatchObject({ status: 400 });
  const who = { id: "database:maria", name: "maria through the database" };
  expect(
    (await audit())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as object),
  ).toMatchObject([
    { type: "requested", by: who, request: "pause" },
    {
      type: "refused",
      by: who,
      request: "pause",
      reason: expect.stringContaining("give the length of the pause"),
    },
  ]);
});

test("a sync and an approval where the policy suspends are refused, and a resume says what holds", async () => {
  const { bench, ask } = await startRequested();
  const { repository } = bench;
  const suspended =
    "environments: { shop/staging: { suspend: { until: 2099-01-01T00:00:00Z, reason: audit } } }";
  repository.push({ "infra/shop.yaml": shop + production + job("a"), [policyFile]: suspended });
  await bench.cycle();
  const environment = "shop/staging";
  const because = "suspended by the policy until 2099-01-01T00:00:00Z: audit";
  await expect(ask({ type: "sync", environment })).rejects.toThrow(
    `a sync has no effect, because nothing is applied in shop/staging (${because})`,
  );
  expect(await ask({ type: "sync" })).toMatch(
    /^The next cycle applies the differences in .*shop\/production.* Nothing is applied in shop\/staging/,
  );
  await expect(ask({ type: "resume", environment })).rejects.toThrow(`shop/staging is ${because}`);
  await expect(ask({ type: "approve", environment, plan: planOf(bench, environment) })).rejects.toThrow(
    `an approval has no effect, because nothing is applied in shop/staging (${because})`,
  );
});

const suspends = "suspend: { until: 2099-01-01T00:00:00Z, reason: audit }";
const opens = 'windows: [{ allow: "0 3 29 2 *", duration: 1m, timezone: UTC }]';

test.each([
  ["nothing", "on_commit: report", [], []],
  ["a suspension of the policy", `on_commit: report, ${suspends}`, [], ["sync", "approve", "rollback"]],
  ["modes that are off", "on_commit: off, on_drift: off", [], ["sync", "approve", "rollback"]],
  ["a window that opens later", `on_commit: report, ${opens}`, [], ["sync"]],
  ["a pause", "on_commit: report", ["inventory"], ["sync"]],
])("where %s holds, the page offers just what the service takes", async (_what, rules, pauses, refused) => {
  const { bench, ask } = await startRequested();
  const { repository, clock } = bench;
  repository.push({ "infra/shop.yaml": shop + production + job("a") });
  await bench.cycle();
  const first = repository.push({ "infra/shop.yaml": shop + production + job("a", "cpu: 750") });
  await bench.cycle();
  repository.push({
    "infra/shop.yaml": shop + production + job("a", "cpu: 250"),
    [policyFile]: `environments: { shop/staging: { ${rules} } }`,
  });
  const environment = "shop/staging";
  for (const reason of pauses) await ask({ type: "pause", environment, for: "2h", reason });
  const { end } = await bench.cycle();
  const { known } = bench.reconciler;
  const view = environmentStatuses(end.environments ?? [], {
    ...noJournal,
    services: end.services,
    describe: withAdvice,
    console: undefined,
    now: clock.now(),
  }).find((each) => each.name === environment);
  if (!view) throw new Error("the environment is missing");
  const visitor = { person: anna, known, commits: new Map(), proof: "", isSignedIn: true, canSignIn: true };
  const textOf = (html: false | Html) => (html ? html.text : "");
  const page = textOf(renderUserActions(view, visitor)) + textOf(renderVisitor(visitor, [view]));
  const acts = { sync: "Sync now", approve: "Approve this plan", rollback: "Roll back until" };
  for (const [type, button] of Object.entries(acts)) {
    const isOffered = page.includes(button);
    const requested = ask({
      type: type as UserAction["type"],
      environment,
      plan: planOf(bench, environment),
      commit: first,
    });
    const why = await requested.then(
      () => undefined,
      (error: unknown) => (error instanceof UserActionError ? error.message : String(error)),
    );
    expect.soft(isOffered, `${type}: ${page}`).toBe(why === undefined);
    expect.soft(why !== undefined, `${type}: ${why}`).toBe(refused.includes(type));
    const [, reason = ""] = /\((.*)\)$/.exec(why ?? "") ?? [];
    if (why !== undefined) expect.soft(page).toContain(`: ${reason}.`);
  }
  expect(page.includes("Sync all")).toBe(!refused.includes("sync"));
});

test("a pause that comes after a plan was made holds that plan back", async () => {
  const { bench, cpuOf } = await startRequested();
  const { repository, requests, clock } = bench;
  repository.push({ "infra/shop.yaml": shop + job("a", "cpu: 500") });
  await bench.cycle();
  repository.push({ "infra/shop.yaml": shop + job("a", "cpu: 750") });
  const requestedIn = requests.requestedIn.bind(requests);
  requests.requestedIn = (key) => {
    const pause = { pattern: "shop/*", until: clock.now() + 60_000, reason: "x", by: anna.identity, at: 0 };
    // The folder may be gone before all of them are written.
    void requests.change({ pauses: () => [pause] }, anna.identity, clock.now()).catch(() => undefined);
    return requestedIn(key);
  };
  expect((await bench.cycle()).end).toMatchObject({ type: "overtaken" });
  expect(await cpuOf("shop/staging/JOB a")).toBe(500);
});

test("a pause that comes while changes are made is confirmed when they are made", async () => {
  const { bench, ask, cpuOf } = await startRequested();
  const { repository } = bench;
  repository.push({ "infra/shop.yaml": shop + job("a", "cpu: 500") });
  await bench.cycle();
  let then: Promise<unknown> | undefined;
  const watch = {
    applying() {
      const requested = ask({ type: "pause", environment: "shop/staging", for: "2h", reason: "inventory" });
      then = requested.then(() => cpuOf("shop/staging/JOB a"));
    },
  };
  bench.reconciler = bench.restart("data", "infra", { watch });
  repository.push({ "infra/shop.yaml": shop + job("a", "cpu: 750") });
  await bench.cycle();
  expect(await then).toBe(750);
});

test("a pause holds back commits, says who requested it and why, and ends by itself", async () => {
  const { bench, ask, cpuOf } = await startRequested();
  bench.repository.push({ "infra/shop.yaml": shop + job("a", "cpu: 500") });
  await bench.cycle();
  await ask({ type: "pause", for: "2h", reason: "inventory" });
  bench.repository.push({ "infra/shop.yaml": shop + job("a", "cpu: 750") });
  const { end } = await bench.cycle();
  expect(JSON.stringify(end.environments)).toContain("by anna on this machine (**): inventory");
  expect(await cpuOf("shop/staging/JOB a")).toBe(500);
  bench.clock.advance(7_200_001);
  await bench.cycle();
  expect(await cpuOf("shop/staging/JOB a")).toBe(750);
});

test("an approval counts for just the plan that the person saw, and once", async () => {
  const { bench, ask, audit } = await startRequested();
  const { repository, server } = bench;
  const api = (storage: string) => shop + application("api", `storage: [${storage}]`);
  const volume = "{ mount_point: /data, size: 50, type: FAST_SSD }";
  repository.push({ "infra/shop.yaml": api(volume) });
  await bench.cycle();
  repository.push({ "infra/shop.yaml": api("") });
  expect((await bench.cycle()).end).toMatchObject({ type: "blocked", problems: [{ code: "loss" }] });
  const seen = planOf(bench, "shop/staging");
  const approve = (plan: string) => ask({ type: "approve", environment: "shop/staging", plan });
  await expect(approve("")).rejects.toThrow("the request names no plan");
  await expect(approve(seen.slice(0, 15))).rejects.toThrow("the request names no plan");
  await expect(approve("0".repeat(16))).rejects.toThrow("this is not the current plan");

  // Somebody adds a volume between the approval and the cycle: the plan loses more.
  await approve(seen);
  const live = (await server.everything()).get("shop/staging/APPLICATION api") ?? {};
  const more = [...(live["storage"] as object[]), { mount_point: "/more", size: 1, type: "FAST_SSD" }];
  await server.api("PUT", `/application/${String(live["id"])}`, { ...live, storage: more });
  expect((await bench.cycle()).end).toMatchObject({
    type: "blocked",
    answered: [{ type: "approve", isCarriedOut: false }],
  });
  // It has ended: that the plan is the approved one again brings it not back.
  await server.api("PUT", `/application/${String(live["id"])}`, live);
  expect((await bench.cycle()).end).toMatchObject({ type: "blocked" });
  expect(planOf(bench, "shop/staging").length).toBe(64);

  await approve(planOf(bench, "shop/staging"));
  expect((await bench.cycle()).end).toMatchObject({
    type: "applied",
    answered: [{ type: "approve", by: anna.identity, isCarriedOut: true }],
  });
  expect(await audit()).toContain(
    `"by":${JSON.stringify(anna.identity)},"client":"203.0.113.9","request":"approve","environment":"shop/staging","detail":"plan ${seen}: update application:shop/staging/api, loses for good:`,
  );
});

test.each(["sync", "rollback", "follow"] as const)(
  "who may not approve ends no approval by a %s, or its approver is told",
  async (type) => {
    const { bench, ask, audit } = await startRequested();
    const { repository } = bench;
    const environment = "shop/staging";
    const at = (cpu: number) => shop + job("a", `cpu: ${cpu}`);
    const first = repository.push({ "infra/shop.yaml": at(500) });
    await bench.cycle();
    repository.push({ "infra/shop.yaml": at(750), [policyFile]: "on_commit: report" });
    await bench.cycle();
    const plan = planOf(bench, environment);
    const back = { commit: first, tree: "" };
    if (type === "follow")
      await bench.requests.change(
        {
          to: [{ key: environment, name: environment, names: environment.split("/") }],
          requested: { type: "sync" },
          rollback: back,
        },
        ben.identity,
        0,
      );
    await ask({ type: "approve", environment, plan });
    const requested = ask({ type, environment, commit: first }, ben);
    const approval = `the approval of the plan ${plan.slice(0, 16)} of shop/staging by anna on this machine`;
    if (type === "sync") {
      await expect(requested).rejects.toThrow(
        "anna on this machine has approved its plan, and only a person with the role",
      );
      expect(bench.requests.requestedIn(environment)).toMatchObject({ type: "approve", by: anna.identity });
      expect(await ask({ type, environment })).toContain(`This ends ${approval}.`);
    } else {
      expect(await requested).toContain(`This ends ${approval}.`);
      bench.reconciler = bench.restart();
    }
    expect(await audit()).toContain(`ends ${approval}`);
    const by = {
      sync: "anna on this machine has requested a sync",
      rollback: `ben on this machine has rolled it back to ${first.slice(0, 7)}`,
      follow: "ben on this machine has ended the rollback",
    }[type];
    expect((await bench.cycle()).end.answered).toContainEqual({
      environment,
      type: "approve",
      by: anna.identity,
      isCarriedOut: false,
      reasons: [expect.stringContaining(by)],
    });
    expect((await bench.cycle()).end.answered).toBeUndefined();
  },
);

test("a dry run says what would happen, and asks for nothing", async () => {
  const { bench, ask, userActions } = await startRequested();
  bench.repository.push({ "infra/shop.yaml": shop + job("a"), [policyFile]: "on_commit: report" });
  await bench.cycle();
  const environment = "shop/staging";
  for (const action of [
    { type: "sync", environment },
    { type: "approve", environment, plan: planOf(bench, environment) },
    { type: "pause", environment, for: "2h", reason: "x" },
  ] as const)
    expect(await ask({ ...action, dry_run: true })).toMatch(/^Dry run: nothing is done\. Otherwise: /);
  expect(bench.requests.requestedIn(environment)).toBeUndefined();
  expect(bench.requests.pauses).toEqual([]);
  expect(await userActions().audit.newest()).toEqual({ entries: [], damaged: 0 });
});

test("an approval of the same plan ends no other, and one of another plan says so", async () => {
  const { bench, ask } = await startRequested();
  const environment = "shop/staging";
  bench.repository.push({
    "infra/shop.yaml": shop + job("a", "cpu: 500"),
    [policyFile]: "on_commit: report",
  });
  await bench.cycle();
  const plan = planOf(bench, environment);
  await ask({ type: "approve", environment, plan });
  expect(await ask({ type: "approve", environment, plan: plan.slice(0, 16) })).not.toContain("This ends");
  await bench.requests.change(
    {
      to: [{ key: environment, name: environment, names: environment.split("/") }],
      requested: { type: "approve", plan: "0".repeat(64) },
    },
    ben.identity,
    0,
  );
  expect(await bench.requests.takeEnded()).toMatchObject([{ by: anna.identity }]);
  expect(await ask({ type: "approve", environment, plan })).toContain(
    "This ends the approval of the plan 0000000000000000 of shop/staging by ben",
  );
});

test.each(["on_drift: report", "{ on_commit: report, on_drift: report }"])(
  "a sync deploys again what has failed, with %s",
  async (rules) => {
    const { bench, ask, cpuOf } = await startRequested({ onDrift: "apply" }, true);
    const { repository, server, clock } = bench;
    const refresh = async () => {
      await server.advance(60_000);
      clock.advance(60_000);
      const { end, requests } = await bench.cycle();
      const { state } = end.environments?.find(({ environment }) => environment === "shop/staging") ?? {};
      const { answered } = end;
      return { state, answered, deployments: requests.filter((each) => each.endsWith("/deploy")).length };
    };
    repository.push({ "infra/shop.yaml": shop + production + job("a") + job("b", "cpu: 500") });
    await refresh();
    expect(await refresh()).toMatchObject({ state: "synced" });
    await server.api("POST", "/_emulator/faults", [
      { method: "POST", path: "/environment/*/service/deploy", times: 1, fail_deployment: true },
    ]);
    repository.push({
      "infra/shop.yaml": shop + production + job("a", "variables: { LEVEL: debug }") + job("b", "cpu: 500"),
    });
    await refresh();
    expect(await refresh()).toMatchObject({ state: "unhealthy", deployments: 0 });
    repository.push({ [policyFile]: rules });
    await server.reconcile(shop + production + job("b", "cpu: 750"));
    expect(await refresh()).toMatchObject({ state: "unhealthy", deployments: 0 });
    expect(await ask({ type: "sync", environment: "shop/staging" })).toContain("shop/staging");
    expect(await refresh()).toMatchObject({
      deployments: 1,
      answered: [{ type: "sync", isCarriedOut: true }],
    });
    expect(await cpuOf("shop/staging/JOB b")).toBe(500);
    expect(await refresh()).toMatchObject({ state: "synced" });
  },
);

test.each(["a pause", "a closed window"])(
  "a sync comes to nothing, and is told so, when %s begins after somebody requested it",
  async (what) => {
    const { bench, ask } = await startRequested({}, true);
    const { repository, server, clock } = bench;
    const environment = "shop/staging";
    const refresh = async () => {
      await server.advance(60_000);
      clock.advance(60_000);
      const { end, requests } = await bench.cycle();
      return {
        answered: end.answered,
        deployments: requests.filter((each) => each.endsWith("/deploy")).length,
      };
    };
    repository.push({ "infra/shop.yaml": shop + job("a") });
    await refresh();
    await refresh();
    await server.api("POST", "/_emulator/faults", [
      { method: "POST", path: "/environment/*/service/deploy", times: 1, fail_deployment: true },
    ]);
    repository.push({ "infra/shop.yaml": shop + job("a", "variables: { LEVEL: debug }") });
    await refresh();
    await refresh();
    expect(await ask({ type: "sync", environment })).toContain(environment);
    if (what === "a pause") await ask({ type: "pause", environment, for: "2h", reason: "inventory" });
    else repository.push({ [policyFile]: `environments: { shop/staging: { ${opens} } }` });
    const holds = what === "a pause" ? "paused until" : "outside its windows";
    const reasons = [expect.stringContaining(holds)];
    const answered = [{ type: "sync", isCarriedOut: false, reasons }];
    expect(await refresh()).toMatchObject({ deployments: 0, answered });
    await expect(ask({ type: "sync", environment })).rejects.toThrow("a sync has no effect");
    if (what === "a pause") await ask({ type: "resume", environment });
    else repository.push({ [policyFile]: "{}" });
    expect(await refresh()).toMatchObject({ deployments: 0 });
  },
);

test.each(["sync", "sync of a failed deployment", "approve", "rollback", "follow"] as const)(
  "a policy forbids what a person asks for: %s",
  async (what) => {
    const hasFailed = what === "sync of a failed deployment";
    const type = hasFailed ? "sync" : what;
    const { bench, ask, cpuOf } = await startRequested({}, true);
    const { repository, server, clock } = bench;
    const environment = "shop/staging";
    const refresh = async () => {
      await server.advance(60_000);
      clock.advance(60_000);
      const { end, requests } = await bench.cycle();
      const writes = requests.filter((each) => !each.startsWith("GET "));
      return {
        writes,
        messages: end.environments?.flatMap(({ problems }) => problems.map((each) => each.message)),
      };
    };
    const pushed = (cpu: number) => repository.push({ "infra/shop.yaml": shop + job("a", `cpu: ${cpu}`) });
    const commit = pushed(500);
    await refresh();
    await refresh();
    if (hasFailed)
      await server.api("POST", "/_emulator/faults", [
        { method: "POST", path: "/environment/*/service/deploy", times: 1, fail_deployment: true },
      ]);
    if (what === "sync" || what === "approve") repository.push({ [policyFile]: "on_commit: report" });
    pushed(750);
    await refresh();
    await refresh();
    if (type === "follow") {
      await ask({ type: "rollback", environment, commit });
      await refresh();
    }
    const cpu = await cpuOf("shop/staging/JOB a");
    const action = hasFailed ? "deploy" : "update";
    const { policies } = await policiesOf(
      `policies: [{ name: none, message: not here, actions: [${action}] }]`,
    );
    bench.reconciler = bench.restart("data", "infra", {
      policyFor: async () => ({ policy: { ...openPolicy, deploy: true, policies }, problems: [] }),
    });
    await refresh();
    const plan = planOf(bench, environment);
    const asked = ask({ type, environment, commit, plan });
    const says = expect.stringContaining("policy none: not here");
    if (type === "approve") await expect(asked).rejects.toThrow("policy none: not here");
    else await asked;
    expect(await refresh()).toEqual({ writes: [], messages: type === "approve" ? [] : [says] });
    expect(await cpuOf("shop/staging/JOB a")).toBe(cpu);
  },
);

test("a sync that another request has taken the place of, after its plan was decided, is not carried out", async () => {
  const { bench, ask, cpuOf } = await startRequested();
  const { repository, requests } = bench;
  const staging = { environment: "shop/staging" };
  repository.push({ "infra/shop.yaml": shop + job("a", "cpu: 500") });
  await bench.cycle();
  repository.push({
    "infra/shop.yaml": shop + job("a", "cpu: 750"),
    [policyFile]: "environments: { shop/staging: { on_commit: report } }",
  });
  await bench.cycle();
  await ask({ type: "sync", ...staging });
  const requestedIn = requests.requestedIn.bind(requests);
  const looked = new Set<string>();
  requests.requestedIn = (key) => (looked.has(key) ? undefined : looked.add(key) && requestedIn(key));
  expect((await bench.cycle()).end).toMatchObject({ type: "overtaken" });
  expect(await cpuOf("shop/staging/JOB a")).toBe(500);
  requests.requestedIn = requestedIn;
  await bench.cycle();
  expect(await cpuOf("shop/staging/JOB a")).toBe(750);
});

const denied = "policies: [{ name: frozen, message: not this week, actions: [update] }]";

test.each([
  ["nothing else", {}, undefined, undefined],
  [
    "a protection",
    { "infra/shop.yaml": shop.replace("mode: STAGING", "mode: STAGING\nmanage: { protect: true }") },
    undefined,
    "application:shop/staging/api is protected by manage.protect of environment:shop/staging",
  ],
  ["a policy of the operator", {}, denied, "policy frozen: not this week"],
  [
    "a mistake that live state shows",
    { "infra/b.yaml": application("b", "deployment_stage: missing") },
    undefined,
    "there is no DeploymentStage",
  ],
] as const)(
  "where a loss waits and %s forbids the plan too, status, page and answer offer an approval only with an effect",
  async (_what, files, policies, forbids) => {
    for (const onCommit of ["apply", "report"]) {
      const { bench, ask } = await startRequested();
      const { repository, clock } = bench;
      const api = (storage: string) => application("api", `storage: [${storage}]`);
      const volume = "{ mount_point: /data, size: 50, type: FAST_SSD }";
      repository.push({ "infra/shop.yaml": shop, "infra/api.yaml": api(volume) });
      await bench.cycle();
      repository.push({
        ...files,
        "infra/api.yaml": api(""),
        [policyFile]: `environments: { shop/staging: { on_commit: ${onCommit} } }`,
      });
      if (policies !== undefined) {
        const policy = { ...openPolicy, ...(await policiesOf(policies)) };
        bench.reconciler = bench.restart("data", "infra", {
          policyFor: async () => ({ policy, problems: [] }),
        });
      }
      const environment = "shop/staging";
      const { end } = await bench.cycle();
      const { known } = bench.reconciler;
      const status = environmentStatuses(end.environments ?? [], {
        ...noJournal,
        services: end.services,
        describe: withAdvice,
        console: undefined,
        now: clock.now(),
      }).find(({ name }) => name === environment);
      if (!status) throw new Error("the environment is missing");
      const visitor = {
        person: anna,
        known,
        commits: new Map(),
        proof: "",
        isSignedIn: true,
        canSignIn: true,
      };
      const page = renderUserActions(status, visitor) || { text: "" };
      const plan = planOf(bench, environment);
      const answer = ask({ type: "approve", environment, plan });
      expect.soft(status.plan).toBe(forbids === undefined ? plan : undefined);
      expect.soft(page.text.includes("Approve this plan")).toBe(forbids === undefined);
      if (forbids === undefined) {
        expect(await answer).toContain("the next cycle carries it out");
        expect((await bench.cycle()).end.type).toBe("applied");
      } else {
        expect.soft(page.text).toMatch(new RegExp(`No approval: [^<]*${forbids}`));
        await expect(answer).rejects.toThrow(forbids);
        await expect(answer).rejects.toThrow("an approval has no effect, because nothing is applied in");
        expect(bench.requests.requestedIn(environment)).toBeUndefined();
      }
    }
  },
);

test("an approval of another digest is never carried out, by whichever door it comes", async () => {
  const { bench, ask, userActions, cpuOf } = await startRequested();
  const { repository } = bench;
  const environment = "shop/staging";
  const report = "environments: { shop/staging: { on_commit: report } }";
  const at = (cpu: number) => ({ "infra/shop.yaml": shop + job("a", `cpu: ${cpu}`), [policyFile]: report });
  repository.push({ ...at(500), [policyFile]: "{}" });
  await bench.cycle();
  repository.push(at(750));
  await bench.cycle();
  const plan = planOf(bench, environment);
  const other = (plan.startsWith("0") ? "1" : "0") + plan.slice(1);
  const requested = { type: "approve", environment, plan: other } as const;

  // The JSON API, the page and other workers take requests by these.
  await expect(ask(requested)).rejects.toThrow("this is not the current plan");
  const ofForm = userActionIn(userActionOfForm({ ...requested, _csrf: "" }));
  await expect(ask(ofForm)).rejects.toThrow("this is not the current plan");
  const control = controlledSource({ board: {} as never, userActions: userActions() });
  const of = { who: anna.identity, from: "the database" };
  expect(await answerControl(control, { control: { type: "request", request: requested, ...of } })).toEqual({
    status: 409,
    body: { message: expect.stringContaining("this is not the current plan") as string },
  });
  expect(bench.requests.requestedIn(environment)).toBeUndefined();

  // A plan that has changed since the answer, and a stored request that another program has written.
  const dropped = [{ type: "approve", isCarriedOut: false, reasons: ["the plan has changed"] }];
  await ask({ ...requested, plan });
  repository.push(at(1000));
  const { end } = await bench.cycle();
  expect.soft(end.answered).toMatchObject(dropped);
  const stored = { type: "approve", plan: other } as const;
  const to = [{ key: environment, name: environment, names: ["shop", "staging"] }];
  await bench.requests.change({ to, requested: stored }, anna.identity, 0);
  expect.soft((await bench.cycle()).end.answered).toMatchObject(dropped);
  expect(await cpuOf("shop/staging/JOB a")).toBe(500);

  await ask({ ...requested, plan: planOf(bench, environment) });
  await bench.cycle();
  expect(await cpuOf("shop/staging/JOB a")).toBe(1000);
});

test("the answer to an approval names the pause for which it waits, and promises no next cycle", async () => {
  const { bench, ask, cpuOf } = await startRequested();
  const environment = "shop/staging";
  const report = "environments: { shop/staging: { on_commit: report } }";
  bench.repository.push({ "infra/shop.yaml": shop + job("a", "cpu: 500") });
  await bench.cycle();
  bench.repository.push({ "infra/shop.yaml": shop + job("a", "cpu: 750"), [policyFile]: report });
  await bench.cycle();
  await ask({ type: "pause", environment, for: "2h", reason: "inventory" });
  const answer = await ask({ type: "approve", environment, plan: planOf(bench, environment) });
  expect(answer).not.toContain("next cycle");
  expect(answer).toMatch(/is carried out later, unless .* before that ends: .*paused until .*inventory/);
  await bench.cycle();
  await ask({ type: "resume", environment });
  await bench.cycle();
  expect(await cpuOf("shop/staging/JOB a")).toBe(750);
});

test("nothing that a repository writes asks for anything", async () => {
  const { bench } = await startRequested();
  const { repository } = bench;
  const requested = JSON.stringify({
    version: 1,
    requested: { "shop/staging": { type: "sync", by: "x" } },
    rollbacks: {},
  });
  repository.push({
    "infra/shop.yaml": shop + job("a"),
    "infra/requests.json": requested,
    "requests.json": requested,
    [policyFile]: "environments: { shop/staging: { on_commit: report } }",
  });
  expect((await bench.cycle()).end.environments).toMatchObject([{}, { state: "waiting" }]);
});

test("whoever lacks the role is refused, and that is written down", async () => {
  const { bench, ask, audit } = await startRequested();
  bench.repository.push({ "infra/shop.yaml": shop + production + job("a") });
  await bench.cycle();
  const pattern = readEnvironmentScope("shop/staging");
  const limited: Person = {
    identity: identityOfUser("ben"),
    grants: "matches" in pattern ? [{ role: "operate", environments: [pattern] }] : [],
  };
  await expect(ask({ type: "sync", environment: "shop/staging" }, limited)).resolves.toContain(
    "shop/staging",
  );
  for (const [action, message] of [
    [{ type: "sync", environment: "shop/production" }, "does not have the role operate in shop/production"],
    [{ type: "sync", environment: "SHOP/Production" }, "does not have the role operate"],
    [{ type: "sync" }, "does not have the role operate everywhere"],
    [
      { type: "approve", environment: "shop/staging", plan: "0".repeat(64) },
      "does not have the role approve",
    ],
    [{ type: "sync", environment: "shop/other" }, "does not have the role operate in shop/other"],
  ] as const)
    await expect(ask(action, limited)).rejects.toThrow(message);
  expect((await audit()).match(/"reason":"ben on this machine does not have the role/g)).toHaveLength(5);
});

test("a refresh reads one environment anew, or everything", async () => {
  const { bench, ask } = await startRequested();
  bench.repository.push({ "infra/shop.yaml": shop + production + job("a") + inProduction("a") });
  // The events of its own writes have it look twice.
  for (let refreshes = 0; refreshes < 3; refreshes += 1) {
    await bench.cycle();
    bench.clock.advance(61_000);
  }
  const reads = async () => (await bench.cycle()).requests.filter((request) => !request.includes("/events"));
  expect(await reads()).toEqual([]);
  await ask({ type: "refresh", environment: "shop/production" });
  const one = await reads();
  await ask({ type: "refresh" });
  expect((await reads()).length).toBeGreaterThan(one.length);
  expect(one.length).toBeGreaterThan(0);
});

test("requests that several people make at once are all kept, and survive a restart", async () => {
  const { bench, userActions } = await startRequested();
  bench.repository.push({ "infra/shop.yaml": shop + production + job("a") });
  await bench.cycle();
  const ask = (action: Partial<UserAction> & Pick<UserAction, "type">) =>
    userActions().take({ environment: "", ...action }, anna, "::1");
  await Promise.all([
    ask({ type: "sync", environment: "shop/staging" }),
    ask({ type: "sync", environment: "shop/production" }),
    ...["shop/staging", "shop/production"].map((environment) =>
      ask({ type: "pause", environment, for: "1h", reason: "inventory" }),
    ),
  ]);
  bench.reconciler = bench.restart();
  await bench.requests.open();
  expect(["shop/staging", "shop/production"].map((key) => bench.requests.requestedIn(key)?.type)).toEqual([
    "sync",
    "sync",
  ]);
  const { end } = await bench.cycle();
  expect(JSON.stringify(end.answered)).toContain("shop/production");
  expect(bench.requests.pauses.map(({ pattern }) => pattern).toSorted()).toEqual([
    "shop/production",
    "shop/staging",
  ]);
});

test("a rollback lifts no protection, and what it would delete waits for an approval", async () => {
  const { bench, ask } = await startRequested({});
  bench.reconciler = bench.restart("data", "infra", {
    policyFor: async () => ({ policy: { ...openPolicy, prune: true }, problems: [] }),
  });
  const { repository, server } = bench;
  const environment = (manage: string) =>
    production.replace("mode: PRODUCTION", `mode: PRODUCTION\nmanage: { ${manage} }`);
  const database = `---
kind: Database
environment: shop/production
name: orders
type: POSTGRESQL
version: "16"
mode: CONTAINER
storage: 10
`;
  const first = repository.push({ "infra/shop.yaml": shop + environment("prune: true") });
  await bench.cycle();
  repository.push({ "infra/shop.yaml": shop + environment("prune: true, protect: true") + database });
  expect((await bench.cycle()).end.type).toBe("applied");
  const has = async () => (await server.everything()).has("shop/production/DATABASE orders");
  const back = () => ask({ type: "rollback", environment: "shop/production", commit: first });
  const approved = async () =>
    ask({ type: "approve", environment: "shop/production", plan: planOf(bench, "shop/production") }).catch(
      () => undefined,
    );
  await back();
  for (let cycle = 0; cycle < 2; cycle += 1) {
    expect((await bench.cycle()).end).toMatchObject({ type: "blocked", problems: [{ code: "protected" }] });
    await approved();
  }
  expect(await has()).toBe(true);

  // Without the protection, the database with its data waits for somebody who may approve that.
  repository.push({ "infra/shop.yaml": shop + environment("prune: true") + database });
  await bench.cycle();
  await bench.cycle();
  await back();
  expect((await bench.cycle()).end).toMatchObject({
    type: "blocked",
    problems: [
      { code: "loss", message: expect.stringContaining(`the rollback to ${first.slice(0, 7)} would delete`) },
    ],
  });
  expect(await has()).toBe(true);
  await approved();
  expect((await bench.cycle()).end.type).toBe("applied");
  expect(await has()).toBe(false);
});

test("a pause holds previews too, which learn of it before each write", async () => {
  let given: DeletionContext | undefined;
  const end = async (context: DeletionContext) => void (given = context);
  const bench = await startBench({}, "admin", {}, {}, undefined, {
    previews: { keep: () => Promise.resolve(), end },
  });
  bench.repository.push({ "infra/shop.yaml": shop });
  await bench.cycle();
  const preview = parseAnyAddress("environment:shop/pr-1");
  expect(given?.rules.suspended?.(preview)).toBeUndefined();
  const now = bench.clock.now();
  const pause = { pattern: "shop/*", until: now + 60_000, reason: "x", by: anna.identity, at: now };
  await bench.requests.change({ pauses: () => [pause] }, anna.identity, now);
  expect(given?.rules.suspended?.(preview)).toContain("paused until");
});
