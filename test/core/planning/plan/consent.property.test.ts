import fc from "fast-check";
import picocolors from "picocolors";
import { expect, test } from "vitest";
import { planJson } from "../../../../cli/render/json.ts";
import { changesOf, sectionsOf } from "../../../../cli/render/changes.ts";
import { renderPlanEnd } from "../../../../cli/render/plan.ts";
import { sectionsText } from "../../../../cli/render/print.ts";
import { type DesiredResource, toDesired, type Manage } from "../../../../core/manifests/manifest/index.ts";
import { kindOf } from "../../../../core/model/kinds/index.ts";
import { parsePattern } from "../../../../core/model/addresses/pattern.ts";
import type { Plan, Policy } from "../../../../core/planning/plan/index.ts";
import { database } from "../../../fixtures/manifests.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";
import { wrongLosses } from "./consent-model.ts";
import { desiredOf } from "../../../fixtures/desired.ts";
import { type Doc, type LiveThing, manifestOf, pathOf, type Scenario, scenarios } from "./scenario.ts";
import { World } from "./world.ts";
import { tries } from "../../../fixtures/random-cases.ts";

const inMemory = tries(250);
const overHttp = tries(6);

const budget = { limit: undefined, remaining: undefined, resetAt: undefined };
const view = { colors: picocolors.createColors(false), budget, now: 0 };

function policyOf({ prune, targets, protect, allowReplace, caps }: Scenario): Policy {
  const patterns = (texts: readonly string[]) => texts.map((text) => parsePattern(text));
  return {
    targets: patterns(targets),
    prune,
    protect: patterns(protect),
    allowReplace: patterns(allowReplace),
    caps,
    rotate: [],
    strict: false,
  };
}

/** The ids that a plan deletes, from its JSON form. */
function idsIn(plan: Plan): string[] {
  const { actions } = JSON.parse(JSON.stringify(planJson(plan, budget))) as {
    actions: { type: string; resource_id: string; losses?: { id?: string; recreated: boolean }[] }[];
  };
  return actions
    .filter(({ type }) => type === "replace" || type === "delete")
    .flatMap(({ resource_id: id, losses = [] }) => [
      id,
      ...losses.flatMap((loss) => (loss.id !== undefined && !loss.recreated ? [loss.id] : [])),
    ]);
}

/** The variables that a plan takes from resources that stay, from its JSON form: the id of the resource and the key. */
function variablesIn(plan: Plan): string[] {
  const { actions } = JSON.parse(JSON.stringify(planJson(plan, budget))) as {
    actions: {
      type: string;
      resource_id: string;
      changes: { path: string[]; after?: unknown }[];
      losses?: { name: string; owner: { id: string } }[];
    }[];
  };
  return actions
    .filter(({ type }) => type === "update")
    .flatMap(({ resource_id: id, changes, losses = [] }) => [
      ...changes.flatMap(({ path: [member, key], after }) =>
        member === "variables" && after === undefined ? [`${id} ${key}`] : [],
      ),
      ...losses.map(({ name, owner }) => `${owner.id} ${name.split(": ").at(-1)}`),
    ]);
}

function countIn(plan: Plan): number {
  const { counts } = planJson(plan, budget);
  return counts.replace + counts.delete + counts.lost;
}

/** The live resources whose name the text of a plan does not show. */
function unnamedIn(plan: Plan, gone: readonly LiveThing[]): string[] {
  const actions = sectionsText(sectionsOf(plan.actions, undefined, changesOf), view.colors);
  const parts = [actions, renderPlanEnd(plan, "", view)];
  const text = parts.join(" ").replaceAll(/[\s;]+/g, " ");
  return gone.map((thing) => pathOf(thing).join("/")).filter((path) => !isShown(text, path.split("/")));
}

/** By its own line, or in the list of the contents of a parent. */
function isShown(text: string, names: readonly string[]): boolean {
  const path = names.join("/");
  if (text.includes(` ${path} `)) return true;
  return names.some(
    (_, level) =>
      level > 0 &&
      text.includes(` ${names.slice(0, level).join("/")} `) &&
      new RegExp(`[(,] ?${names.slice(level).join("/")}[,)]`).test(text),
  );
}

/** The errors after a plan has been applied: against the model, and against the plan. */
function faultsOf(
  scenario: Scenario,
  plan: Plan,
  left: ReadonlySet<string>,
  after: ReadonlySet<string>,
  variables: readonly { thing: LiveThing; variable: string }[] = [],
): object {
  const gone = scenario.live.filter(({ id }) => !left.has(id));
  const ids = idsIn(plan);
  return {
    wrong: wrongLosses(
      scenario,
      gone,
      after,
      variables.map(({ thing }) => thing),
    ),
    unlistedVariables: variables.filter(({ variable }) => !variablesIn(plan).includes(variable)),
    unlisted: gone.filter(({ id }) => !ids.includes(id)).map(({ id }) => id),
    unnamed: unnamedIn(plan, gone),
    miscounted: countIn(plan) === gone.length ? undefined : { said: countIn(plan), gone: gone.length },
  };
}

const none = { wrong: [], unlistedVariables: [], unlisted: [], unnamed: [], miscounted: undefined };

/** The documents of a scenario, without YAML; undefined when they contradict each other. */
function documentsOf({ docs }: Scenario): DesiredResource[] | undefined {
  const { resources, problems } = toDesired(
    docs.map((doc) => {
      const { kind, name = "", manage = {}, project, environment, ...fields } = manifestOf(doc);
      const parent = environment ?? project;
      return {
        kind: kindOf(String(kind)),
        name: String(name),
        parent: parent === undefined ? undefined : String(parent),
        fields,
        manage: manage as Manage,
        clone: undefined,
        position: () => ({ file: "test.yaml", line: 1, column: 1, text: "" }),
      };
    }),
  );
  return problems.length > 0 ? undefined : resources;
}

test("every deletion of a plan in memory is consented to, unprotected, listed and counted", () => {
  const seen = { refused: 0, deleted: 0, replaced: 0, along: 0, renamed: 0, variables: 0, dependents: 0 };
  fc.assert(
    fc.property(scenarios, (scenario) => {
      const documents = documentsOf(scenario);
      fc.pre(documents !== undefined);
      const world = new World();
      const things = new Map<LiveThing, ReturnType<World["add"]>>();
      for (const thing of scenario.live) {
        const parent = thing.parent && things.get(thing.parent);
        const made = world.addUsual(thing.type, thing.name, parent, thing.id);
        made.variables.push(...thing.variables);
        things.set(thing, made);
      }
      const plan = world.plan(documents ?? [], policyOf(scenario), scenario.goal);
      if (plan.problems.length > 0) {
        seen.refused += 1;
        return;
      }
      world.carryOut(plan);
      const left = new Set(world.things.keys());
      const variables = scenario.live.flatMap((thing) =>
        thing.variables
          .filter((text) => left.has(thing.id) && !world.things.get(thing.id)?.variables.includes(text))
          .map((text) => ({ thing, variable: `${thing.id} ${text.split(" = ")[0]}` })),
      );
      expect(faultsOf(scenario, plan, left, new Set(world.list()), variables)).toEqual(none);
      if (variables.length > 0) seen.variables += 1;
      for (const action of plan.actions) {
        if (action.type === "update" && action.losses) seen.dependents += 1;
        if (action.type !== "delete" && action.type !== "replace") continue;
        seen[action.type === "delete" ? "deleted" : "replaced"] += 1;
        if (action.losses.some(({ id, recreated }) => id !== undefined && !recreated)) seen.along += 1;
        if (action.liveAddress !== undefined) seen.renamed += 1;
      }
    }),
    { numRuns: inMemory },
  );
  // The scenarios cover every case, the rarest about ten times in 1,500: fewer scenarios may lack it.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThanOrEqual(Math.floor(inMemory / 1_000));
});

const harness = useHarness();

test("every deletion of a run on a server is consented to, unprotected, listed and counted", async () => {
  await fc.assert(
    fc.asyncProperty(scenarios, async (scenario) => {
      await harness.api("POST", "/_emulator/reset");
      await build(scenario.live);
      const documents = scenario.docs.map((doc) => manifestOf(doc));
      fc.pre(desiredOf(documents).problems.length === 0);
      const plan = await harness.plan(documents, policyOf(scenario), scenario.goal);
      if (plan.problems.length > 0) return;
      await harness.apply(plan);
      const everything = await harness.everything();
      const left = new Set([...everything.values()].map(({ id }) => String(id)));
      expect(faultsOf(scenario, plan, left, new Set([...everything.keys()].map(typedPath)))).toEqual(none);
    }),
    { numRuns: overHttp },
  );
});

/** Creates the resources of a scenario, and stores the ids from the server. */
async function build(live: readonly LiveThing[]): Promise<void> {
  const plain = live.flatMap(({ type, ...thing }): Doc[] =>
    type === "database"
      ? []
      : [
          {
            type,
            names: pathOf({ type, ...thing }),
            protect: false,
            prune: false,
            moves: false,
            removes: false,
            exclusive: false,
          },
        ],
  );
  await harness.reconcile(plain.map((doc) => manifestOf(doc)));
  for (const thing of live.filter(({ type }) => type === "database")) {
    const parent = await harness.idOf(pathOf(thing).slice(0, -1).join("/"));
    await harness.api("POST", `/environment/${parent}/database`, { ...database, name: thing.name });
  }
  const paths = new Map(
    [...(await harness.everything())].map(([path, { id }]) => [typedPath(path), String(id)]),
  );
  for (const thing of live) thing.id = paths.get(`${thing.type}:${pathOf(thing).join("/")}`) ?? "";
}

/** Converts `shop/prod/JOB a`, the form of the harness, to `job:shop/prod/a`. */
function typedPath(path: string): string {
  const [, parent = "", type = "", name = ""] = /^(.*\/)([A-Z]+) (.*)$/.exec(path) ?? [];
  if (type !== "") return `${type.toLowerCase()}:${parent}${name}`;
  return `${path.includes("/") ? "environment" : "project"}:${path}`;
}
