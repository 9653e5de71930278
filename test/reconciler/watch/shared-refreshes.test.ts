import fc from "fast-check";
import { expect, test } from "vitest";
import { createClient } from "../../../core/index.ts";
import { formatReference } from "../../../core/model/addresses/address.ts";
import type { Fields } from "../../../core/values/json.ts";
import { isChange, type Plan } from "../../../core/planning/plan/index.ts";
import { RateBudget, SharedRefreshes, TokenUsers } from "../../../reconciler/watch/index.ts";
import { job } from "../../fixtures/manifests.ts";
import { tries } from "../../fixtures/random-cases.ts";
import { startBench } from "../fixture.ts";
import { inWords } from "../cycle-words.ts";

const minute = 60_000;
const common =
  "kind: Project\nname: common\n---\nkind: Environment\nproject: common\nname: live\nmode: STAGING\n";

/** What a team describes: an environment of its own, which it prunes, and a job in one that all teams share. */
const documents = (team: number, cpu: number, jobs: readonly string[]) =>
  `kind: Project\nname: team-${team}\n---\nkind: Environment\nproject: team-${team}\nname: live\nmode: STAGING\nmanage: { prune: true }\n` +
  jobs.map((name) => job(name, `cpu: ${cpu}`, `team-${team}/live`)).join("") +
  job(`of-${team}`, `cpu: ${cpu}`, "common/live");

/** Sources of one token and organization, which share what they read. */
async function startSources(count: number) {
  const bench = await startBench(
    { prune: true },
    "admin",
    { onDrift: "apply" },
    { clock: "frozen", behaviour: { rate_limit: 0 } },
  );
  const { server, repository, clock } = bench;
  await server.reconcile(common);
  const [tokenUsers, refreshes] = [new TokenUsers(clock), new SharedRefreshes(clock)];
  const { url: baseUrl, tokens } = server.emulator;
  const texts: string[] = [];
  const commit = (team: number, cpu: number, jobs: readonly string[]) => {
    texts[team] = documents(team, cpu, jobs);
    repository.push({ [`team-${team}/all.yaml`]: `# ${texts.length}\n${texts[team]}` });
  };
  const wrong: string[] = [];
  /** What somebody has made by hand: no source prunes it. */
  const foreign = new Set<string>();
  const sources = Array.from({ length: count }, (_, team) => {
    commit(team, 500, ["a"]);
    let checked: Promise<void> | undefined;
    /** Before the first write of a plan: what would a plan write now that reads everything anew? */
    const check = async (plan: Plan) => {
      const anew = await server.plan(texts[team] ?? "", { prune: true });
      const [done, desired] = [plan, anew].map((each) => written(each, foreign));
      if (done !== desired) wrong.push(`${team}: ${done} in place of ${desired}`);
    };
    const beforeWrite = async () => {
      await checked;
      refreshes.wrote();
    };
    const client = createClient({ baseUrl, token: tokens.admin, onQuota: "fail", beforeWrite }, clock);
    return bench.restart(`data-${team}`, `team-${team}`, {
      clients: () => Promise.resolve({ checking: client, refreshes }),
      rateBudget: new RateBudget({ clock, interval: minute, tokenUsers }),
      watch: { applying: (plan) => void (checked = check(plan)) },
    });
  });
  const pass = async (milliseconds: number) => {
    clock.advance(milliseconds);
    await server.api("POST", "/_emulator/clock", { advance_ms: milliseconds });
  };
  /** Some minutes pass, in each of which each source has a cycle at a time of its own. Gives how these have ended. */
  const minutes = async (passing: number) => {
    const ends = new Set<string>();
    for (let passed = 0; passed < passing * count; passed += 1) {
      await pass(minute / count);
      const cycle = await sources[passed % count]?.cycle();
      if (cycle) ends.add(inWords(cycle).type);
    }
    return [...ends];
  };
  return { server, sources, commit, pass, minutes, wrong, foreign, now: () => clock.now() };
}

/** What a plan writes, without what differs from one time to another. */
function written({ actions }: Plan, foreign: ReadonlySet<string>): string {
  const changes = actions
    .filter(isChange)
    .filter(({ type, address }) => !(type === "delete" && foreign.has(formatReference(address.names))));
  return JSON.stringify(
    changes.map(({ type, address }) => [type, address.kind.slug, ...address.names]).toSorted(),
  );
}

test("events and audits of a quiet hour cost three sources of one token as much as one source", async () => {
  const { server, minutes } = await startSources(3);
  await minutes(12);
  await server.forgetRequests();
  expect(await minutes(60)).toEqual(["synced"]);
  const requested = (await server.seen()).map(({ path }) => path.replaceAll(/[0-9a-f-]{36}/g, "{id}"));
  const count = (list: string) => requested.filter((path) => path === `/organization/{id}/${list}`).length;
  expect(["events", "project", "environments", "services"].map(count)).toEqual([60, 12, 12, 12]);
});

test("what an event names is read again until it was read 30 s after the event, also by others", async () => {
  const { server, sources, pass, minutes, now } = await startSources(2);
  await minutes(12);
  await pass(minute - (now() % minute));
  const all = await server.everything();
  const path = `/job/${String(all.get("team-0/live/JOB a")?.["id"])}`;
  const services = `/environment/${String(all.get("team-0/live")?.["id"])}/services`;
  await pass(32_000);
  await server.api("PUT", path, { ...((await server.api("GET", path)) as Fields), description: "new" });
  await server.forgetRequests();
  const reads = async () => {
    const cycle = await sources[0]?.cycle();
    expect(cycle && inWords(cycle).type).toBe("synced");
    return (await server.seen()).filter((each) => each.path === services).length;
  };
  // 33 s after the event, with what anybody has read in the 5 s before.
  await pass(33_000);
  expect(await reads()).toBe(1);
  await pass(minute);
  expect(await reads()).toBe(2);
  await pass(minute);
  expect(await reads()).toBe(2);
});

const team = fc.nat({ max: 1 });
const name = fc.constantFrom("a", "b", "c");
const steps = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant("commit"),
      team,
      cpu: fc.constantFrom(500, 700),
      jobs: fc.uniqueArray(name),
    }),
    fc.record({ do: fc.constantFrom("change", "delete", "add"), team, name, isCommon: fc.boolean() }),
    fc.record({ do: fc.constant("cycle"), team }),
    fc.record({ do: fc.constant("cycle"), team }),
    fc.record({ do: fc.constant("pass"), seconds: fc.constantFrom(1, 10, 35, 60) }),
  ),
  { minLength: 6, maxLength: 20 },
);

test("what sources write that share their looks is what a plan that reads everything anew would write", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (scenario) => {
      const { server, sources, commit, pass, minutes, wrong, foreign } = await startSources(2);
      await minutes(2);
      for (const step of scenario) {
        if ("jobs" in step) commit(step.team, step.cpu, step.jobs);
        else if ("name" in step) await byHand(server, step, foreign);
        else if ("seconds" in step) await pass(step.seconds * 1000);
        else await sources[step.team]?.cycle();
        expect(wrong).toEqual([]);
      }
      await minutes(3);
      expect(wrong).toEqual([]);
      expect(await minutes(1)).toEqual(["synced"]);
    }),
    { numRuns: tries(2) },
  );
}, 120_000);

/** Somebody changes, deletes or adds a job outside of infrasync. */
async function byHand(
  server: Awaited<ReturnType<typeof startSources>>["server"],
  step: { do: string; team: number; name: string; isCommon: boolean },
  foreign: Set<string>,
): Promise<void> {
  const environment = step.isCommon ? "common/live" : `team-${step.team}/live`;
  const all = await server.everything();
  const found = all.get(`${environment}/JOB ${step.isCommon ? `of-${step.team}` : step.name}`);
  const path = `/job/${String(found?.["id"])}`;
  if (step.do === "add") {
    foreign.add(`${environment}/${step.name}`);
    const [, any] = [...all].find(([each]) => each.includes("/JOB ")) ?? [];
    const environmentId = String(all.get(environment)?.["id"]);
    const isThere = all.has(`${environment}/JOB ${step.name}`);
    if (any && !isThere && all.has(environment))
      await server.api("POST", `/job/${String(any["id"])}/clone`, {
        name: step.name,
        environment_id: environmentId,
      });
  } else if (found && step.do === "delete") await server.api("DELETE", path);
  else if (found) await server.api("PUT", path, { ...((await server.api("GET", path)) as Fields), cpu: 900 });
}
