import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { encodePlan } from "../../../../../core/outputs/forms/index.ts";
import type { Goal, Plan } from "../../../../../core/planning/plan/index.ts";
import { PartsCache, LiveStore } from "../../../../../core/state/live/index.ts";
import { propose } from "../../../../../core/execution/session/index.ts";
import { desiredOf } from "../../../../fixtures/desired.ts";
import { openPolicy } from "../../../../fixtures/policy.ts";
import { tries } from "../../../../fixtures/random-cases.ts";
import { Harness } from "../../../../fixtures/harness.ts";
import { removeFolder } from "../../../../fixtures/remove-folder.ts";

let harness: Harness;
const minute = 60_000;
const maxAge = 60 * minute;
/** How long a list is believed at most, whatever the events say. */
const longest = 30 * maxAge;

const services = ["shop/one/APPLICATION api", "shop/one/JOB a", "shop/two/JOB a"];
const places = ["shop", "shop/one", ...services];
const scopeOf = (at: string): string =>
  /\/([A-Z]+) /.exec(at)?.[1] ?? (at.includes("/") ? "ENVIRONMENT" : "PROJECT");

/** What somebody does between two plans, or how the server tells of it. */
type Step =
  | { do: "write" | "add" | "delete" | "alias" | "restrict" | "set"; at: string; event: "told" | "missing" }
  | { do: "wait"; minutes: number }
  | { do: "edit"; value: string }
  | { do: "plan"; goal: Goal; events: "late" | "reordered" | "equal" | "twice" | "single" | undefined };

const hand = fc.record({
  do: fc.constantFrom("write", "add", "delete", "alias", "restrict", "set"),
  at: fc.constantFrom(...places),
  event: fc.constantFrom(...Array.from({ length: 12 }, () => "told"), "missing"),
});
const wait = fc.record({ do: fc.constant("wait"), minutes: fc.constantFrom(0.2, 1, 1, 20, 70) });
const edit = fc.record({ do: fc.constant("edit"), value: fc.constantFrom("one", "two") });
const refresh = fc.record({
  do: fc.constant("plan"),
  goal: fc.constantFrom("reconcile", "reconcile", "reconcile", "destroy"),
  events: fc.constantFrom(undefined, undefined, "late", "reordered", "equal", "twice", "single"),
});
const steps = fc.array(fc.oneof(hand, wait, edit, refresh), { minLength: 6, maxLength: 16 }) as fc.Arbitrary<
  Step[]
>;

const manifests = (value: string) => `
kind: Project
name: shop
variables: { REGION: north }
---
kind: Environment
project: shop
name: one
mode: STAGING
variables: { STAGE: one }
---
kind: Environment
project: shop
name: two
mode: STAGING
---
kind: Application
environment: shop/one
name: api
git_repository: { url: https://github.com/acme/api.git, branch: main }
build_mode: DOCKER
dockerfile_path: Dockerfile
variables: { NAME: ${value}, LEVEL: { value: info, description: how much }, WHERE: { alias_of: REGION } }
custom_domains: { api.example.com: {} }
deployment_restrictions: [{ mode: EXCLUDE, value: "${value}/" }]
manage: { exclusive: [deployment_restrictions] }
---
kind: Job
environment: shop/one
name: a
source: { image: { registry: docker-hub, image_name: acme/a, tag: "1" } }
schedule: { cronjob: { scheduled_at: "0 3 * * *" } }
variables: { NAME: ${value}, FILE: { file: { mount_path: /a, text: ${value} } } }
deployment_restrictions: [{ mode: MATCH, value: docs/ }]
advanced_settings: { build.timeout_max_sec: 1200 }
---
kind: Job
environment: shop/two
name: a
source: { image: { registry: docker-hub, image_name: acme/a, tag: "1" } }
schedule: { cronjob: { scheduled_at: "0 3 * * *" } }
variables: { NAME: other, STAGE: two }
manage: { exclusive: [variables] }
`;

async function planned(text: string, goal: Goal, kept?: PartsCache): Promise<Plan> {
  const run = { ...harness.context(), live: new LiveStore(undefined, undefined, undefined, kept) };
  return (await propose(run, harness.organization, goal, desiredOf(text).resources, openPolicy)).plan;
}

function shown(plan: Plan): unknown {
  const { cost: _cost, cached: _cached, notes, ...form } = encodePlan(plan);
  // A store knows lists that no document mentions, so what is undeclared in them is counted too.
  const others = notes.filter(({ code }) => code !== "undeclared_field");
  return JSON.parse(JSON.stringify({ ...form, notes: others }));
}

async function fault(...faults: object[]): Promise<void> {
  await harness.api("POST", "/_emulator/faults", faults);
}

/** The path of each variable, with the resources of which it has to be read before it is written: its own. */
async function ownersOfVariables(): Promise<Map<string, string>> {
  const owners = new Map<string, string>();
  for (const at of places) {
    const id = await harness.idOf(at);
    const scope = scopeOf(at);
    for (const entry of await harness.results(`/variable?parent_id=${id}&scope=${scope}`))
      if (entry["scope"] === scope) owners.set(`/variable/${String(entry["id"])}`, id);
  }
  return owners;
}

/** Carries out a plan, whatever becomes of it: all that it writes or deletes, the same run has read after the plan was made. */
async function expectReadFirst(goal: Goal, kept: PartsCache): Promise<number> {
  const owners = await ownersOfVariables();
  const ids = new Map(await Promise.all(places.map(async (at) => [at, await harness.idOf(at)] as const)));
  const run = harness.context({ live: new LiveStore(undefined, undefined, undefined, kept) });
  const { resources } = desiredOf(manifests("three"));
  const { plan } = await propose(run, harness.organization, goal, resources, openPolicy);
  await harness.forgetRequests();
  await harness.apply(plan, run);
  const read = new Set<string>();
  let writes = 0;
  for (const { method, path, query = "" } of await harness.seen()) {
    if (method === "GET" && path === "/variable") read.add(new URLSearchParams(query).get("parent_id") ?? "");
    const deleted = method === "DELETE" && places.find((at) => path.endsWith(`/${ids.get(at)}`));
    const lost = deleted ? places.filter((at) => at.startsWith(deleted)).map((at) => ids.get(at) ?? "") : [];
    const written = owners.get(path);
    for (const owner of [...lost, ...(written === undefined ? [] : [written])]) expect(read).toContain(owner);
    writes += lost.length + (written === undefined ? 0 : 1);
  }
  return writes;
}

/** Changes something by hand. What is not there any more stays as it is. */
async function change({ do: what, at, event }: Extract<Step, { at: string }>, turn: number): Promise<void> {
  const id = await harness.idOf(at);
  const scope = scopeOf(at);
  const own = (await harness.results(`/variable?parent_id=${id}&scope=${scope}`)).filter(
    (entry) => entry["scope"] === scope,
  );
  const [first] = own.toSorted((one, other) => (String(one["key"]) < String(other["key"]) ? -1 : 1));
  const service = `/${scope.toLowerCase()}/${id}`;
  const request: [string, string, object?] =
    what === "restrict" && services.includes(at)
      ? ["POST", `${service}/deploymentRestriction`, { mode: "MATCH", type: "PATH", value: `${turn}/` }]
      : what === "set" && services.includes(at)
        ? ["PUT", `${service}/advancedSettings`, { "build.timeout_max_sec": 1000 + turn }]
        : what === "add" || !first
          ? [
              "POST",
              "/variable",
              {
                key: `ADDED_${turn}`,
                value: `${turn}`,
                is_secret: turn % 2 === 0,
                variable_scope: scope,
                variable_parent_id: id,
              },
            ]
          : what === "delete"
            ? ["DELETE", `/variable/${String(first["id"])}`]
            : what === "write"
              ? ["PUT", `/variable/${String(first["id"])}`, { key: first["key"], value: `manually ${turn}` }]
              : [
                  "POST",
                  `/variable/${String(first["id"])}/alias`,
                  { key: `ALIAS_${turn}`, alias_scope: scope, alias_parent_id: id },
                ];
  if (event === "missing") await fault({ method: request[0], events: "missing", times: 1 });
  await harness.api(...request).catch(() => undefined);
  await harness.api("DELETE", "/_emulator/faults");
}

test("after any history, a plan with the store equals a plan without it (without an event: once the kept parts have expired), and an apply reads parts before it writes or deletes them", async () => {
  let [kinds, writes] = [0, 0];
  await fc.assert(
    fc.asyncProperty(steps, fc.constantFrom<Goal>("reconcile", "destroy"), async (history, goal) => {
      await using started = await Harness.start();
      harness = started;
      const folder = await mkdtemp(join(tmpdir(), "infrasync-parts-"));
      try {
        let value = "one";
        await harness.reconcile(manifests(value));
        await harness.advance(minute);
        /** Until when a change may be unseen, by the clock of the test. */
        let [now, unseenUntil] = [0, -1];
        const { url: baseUrl, tokens } = harness.emulator;
        const end = { do: "plan", goal: "reconcile", events: undefined } as const;
        // Each plan finds what one before has remembered, once that has settled.
        const whole: Step[] = [
          end,
          ...history.flatMap((step): Step[] =>
            "at" in step ? [{ do: "wait", minutes: 1 }, step, end] : [step],
          ),
          end,
        ];
        for (const [turn, step] of whole.entries()) {
          if (step.do === "wait") {
            await harness.advance(step.minutes * minute);
            now += step.minutes * minute;
          } else if (step.do === "edit") value = step.value;
          else if (step.do === "plan") {
            const path = "/organization/*/events";
            if (step.events) await fault({ method: "GET", path, events: step.events });
            const kept = new PartsCache({ folder, token: tokens.admin, baseUrl, maxAge, fresh: false });
            const withStore = await planned(manifests(value), step.goal, kept);
            await harness.api("DELETE", "/_emulator/faults");
            // What is not told yet, is told to the next look.
            if (step.events === "late" || now <= unseenUntil) continue;
            expect(shown(withStore)).toEqual(shown(await planned(manifests(value), step.goal)));
            if (withStore.cached) kinds += 1;
          } else {
            await change(step, turn);
            if (step.event === "missing") unseenUntil = now + longest;
          }
        }
        const kept = new PartsCache({ folder, token: tokens.admin, baseUrl, maxAge, fresh: false });
        writes += await expectReadFirst(goal, kept);
      } finally {
        await removeFolder(folder);
      }
    }),
    { numRuns: tries(6), endOnFailure: true, verbose: 0 },
  );
  expect(kinds).toBeGreaterThan(0);
  expect(writes).toBeGreaterThan(0);
});
