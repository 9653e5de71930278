import fc from "fast-check";
import type { Fields } from "../../../../core/values/json.ts";

/** A resource on the server in a scenario; its id is that of the server once the resource exists. */
export interface LiveThing {
  id: string;
  type: "project" | "environment" | "job" | "application" | "database";
  name: string;
  parent: LiveThing | undefined;
  /** As for a `World`: `LEVEL`, or `SHORT = ID LEVEL` for an alias or override of the variable LEVEL of that resource. */
  variables: string[];
}

/** A document of a scenario, before it becomes a manifest. */
export interface Doc {
  type: "project" | "environment" | "job" | "application";
  /** Names from the project down. */
  names: string[];
  renamedFrom?: string;
  /** The live resource whose id the document declares. */
  pinned?: LiveThing;
  protect: boolean;
  prune: boolean;
  /** States a change that requires a replacement, when the kind has such a field. */
  moves: boolean;
  /** States `variables: { LEVEL: null }`. */
  removes: boolean;
  /** States that all other variables may be removed. */
  exclusive: boolean;
}

export interface Scenario {
  live: LiveThing[];
  docs: Doc[];
  goal: "reconcile" | "destroy";
  prune: boolean;
  targets: string[];
  protect: string[];
  allowReplace: string[];
  caps: { count: number; percent: number };
}

const kinds = { project: "Project", environment: "Environment", job: "Job", application: "Application" };

/** The manifest of a document. */
export function manifestOf(doc: Doc): Fields {
  const { type, names, renamedFrom, pinned, protect, prune, moves, removes, exclusive } = doc;
  const parent = names.slice(0, -1).join("/");
  const manage: Fields = {
    ...(renamedFrom !== undefined && { renamed_from: renamedFrom }),
    ...(pinned && { id: pinned.id }),
    ...(protect && { protect }),
    ...(prune && type === "environment" && { prune }),
    ...(exclusive && { exclusive: ["variables"] }),
  };
  const fields: Record<Doc["type"], Fields> = {
    project: {},
    environment: { project: parent, mode: "STAGING", cluster: moves ? "us-east" : "eu-west" },
    job: { environment: parent, ...jobFields, schedule: moves ? { on_start: {} } : jobFields.schedule },
    application: { environment: parent, ...applicationFields },
  };
  return {
    kind: kinds[type],
    name: names.at(-1) ?? "",
    ...fields[type],
    ...(removes && { variables: { LEVEL: null } }),
    ...(Object.keys(manage).length > 0 && { manage }),
  };
}

export const jobFields = {
  source: { image: { registry: "docker-hub", image_name: "acme/report", tag: "1" } },
  schedule: { cronjob: { scheduled_at: "0 3 * * *", timezone: "UTC" } },
};

export const applicationFields = {
  git_repository: { url: "https://github.com/acme/api", branch: "main", provider: "GITHUB" },
};

/** The names of a live resource, from the project down. */
export function pathOf(thing: LiveThing): string[] {
  return thing.parent ? [...pathOf(thing.parent), thing.name] : [thing.name];
}

const projects = ["shop", "lab"];
const environments = ["prod", "stage", "next"];
const services = ["a", "b", "c", "d"];

const liveThings: fc.Arbitrary<LiveThing[]> = fc
  .array(
    fc.record({
      project: fc.constantFrom("shop", "shop", "lab"),
      environment: fc.constantFrom("prod", "prod", "stage"),
      name: fc.constantFrom(...services),
      type: fc.constantFrom("job", "job", "application", "database" as const),
    }),
    { minLength: 1, maxLength: 7 },
  )
  .map((entries) => {
    const things = new Map<string, LiveThing>();
    const meet = (type: LiveThing["type"], name: string, parent: LiveThing | undefined): LiveThing => {
      const id = `${type}:${parent ? `${pathOf(parent).join("/")}/` : ""}${name}`;
      const thing = things.get(id) ?? { id, type, name, parent, variables: [] };
      things.set(id, thing);
      return thing;
    };
    for (const { project, environment, name, type } of entries)
      meet(type, name, meet("environment", environment, meet("project", project, undefined)));
    return [...things.values()];
  });

/** The environment has ten services, so that percentages matter. */
const largeEnvironment: fc.Arbitrary<LiveThing[]> = fc.constant(
  (() => {
    const project: LiveThing = {
      id: "project:shop",
      type: "project",
      name: "shop",
      parent: undefined,
      variables: [],
    };
    const parent: LiveThing = {
      id: "environment:shop/prod",
      type: "environment",
      name: "prod",
      parent: project,
      variables: [],
    };
    const jobs = Array.from({ length: 10 }, (_, index): LiveThing => {
      const name = `${services[index % 4]}${index < 4 ? "" : index}`;
      return { id: `job:shop/prod/${name}`, type: "job", name, parent, variables: [] };
    });
    return [project, parent, ...jobs];
  })(),
);

const often = (weight: number): fc.Arbitrary<boolean> =>
  fc.oneof({ weight, arbitrary: fc.constant(true) }, { weight: 10 - weight, arbitrary: fc.constant(false) });

interface Choice {
  isThere: boolean;
  how: "name" | "rename" | "pin" | "pin and rename";
  other: string;
  /** Whether the document names its parent as the server does, not as the document of the parent does. */
  isLiveParent: boolean;
  protect: boolean;
  prune: boolean;
  moves: boolean;
  removes: boolean;
  exclusive: boolean;
  /** Which variables the resource has. */
  variables: "none" | "own" | "override" | "alias" | "alias of an alias";
}

const choice: fc.Arbitrary<Choice> = fc.record({
  isThere: often(8),
  how: fc.constantFrom("name", "name", "name", "rename", "pin", "pin and rename"),
  other: fc.constantFrom(...environments, ...services, "e", "f"),
  isLiveParent: often(1),
  protect: often(1),
  prune: often(6),
  moves: often(3),
  removes: often(2),
  exclusive: often(1),
  variables: fc.constantFrom("none", "own", "override", "override", "alias", "alias of an alias"),
});

/** Gives each resource its variables. Those of its parent have to be there for those that refer to them. */
function withVariables(live: readonly LiveThing[], choices: readonly Choice[]): void {
  for (const [index, thing] of live.entries()) {
    const chosen = choices[index]?.variables ?? "none";
    const above = thing.parent?.variables.map((text) => text.split(" = ")[0] ?? "") ?? [];
    const target = above.includes("LEVEL") ? `${thing.parent?.id} LEVEL` : undefined;
    thing.variables = ["OTHER"];
    if (thing.type === "database") thing.variables = [];
    else if (chosen === "own" || (chosen !== "none" && target === undefined)) thing.variables.push("LEVEL");
    else if (chosen === "override") thing.variables.push(`LEVEL = ${target}`);
    else if (chosen !== "none") thing.variables.push(`SHORT = ${target}`);
    if (chosen === "alias of an alias" && target !== undefined)
      thing.variables.push(`SHORTER = ${thing.id} SHORT`);
  }
}

function docsFor(live: readonly LiveThing[], choices: readonly Choice[]): Doc[] {
  const names = new Map<LiveThing, string[]>();
  return live.flatMap((thing, index) => {
    const chosen = choices[index];
    if (!chosen) return [];
    const { isThere, how, other, isLiveParent, protect, prune, moves, removes, exclusive } = chosen;
    const parentNames = thing.parent
      ? ((isLiveParent ? undefined : names.get(thing.parent)) ?? pathOf(thing.parent))
      : [];
    if (!isThere || thing.type === "database") return [];
    const isRenamed = how === "rename" || how === "pin and rename";
    const own = [...parentNames, isRenamed ? other : thing.name];
    names.set(thing, own);
    return [
      {
        type: thing.type,
        names: own,
        ...(how === "rename" && { renamedFrom: thing.name }),
        ...(how.startsWith("pin") && { pinned: thing }),
        protect,
        prune,
        moves: moves && thing.type !== "project" && thing.type !== "application",
        removes,
        exclusive,
      },
    ];
  });
}

function patternsAbout(live: readonly LiveThing[], docs: readonly Doc[]): fc.Arbitrary<string> {
  const paths = [
    ...live.map((thing) => [thing.type, pathOf(thing)] as const),
    ...docs.map(({ type, names }) => [type, names] as const),
  ].filter(([type]) => type !== "database");
  return fc
    .tuple(
      fc.constantFrom(...paths),
      fc.constantFrom("exact", "inside", "siblings", "kind", "mixed"),
      fc.nat(),
    )
    .map(([[type, names], form, seed]) => {
      const path = names.join("/");
      const others = [projects, environments, services];
      const mixed = names.map((name, level) =>
        seed % (level + 2) === 0 ? (others[level]?.[seed % 3] ?? name) : name,
      );
      return {
        exact: `${type}:${path}`,
        inside: `${path}/**`,
        siblings: `${type}:${[...names.slice(0, -1), "*"].join("/")}`,
        kind: `${type}:**`,
        mixed: `${type}:${mixed.join("/")}`,
      }[form];
    });
}

/** Live resources, documents about most of them, and the policy of a run. */
export const scenarios: fc.Arbitrary<Scenario> = fc
  .oneof({ weight: 5, arbitrary: liveThings }, { weight: 1, arbitrary: largeEnvironment })
  .chain((live) =>
    fc.array(choice, { minLength: live.length, maxLength: live.length }).map((choices) => {
      // A generator may use the resources of another scenario again: this one has its own variables.
      const copies = new Map<LiveThing, LiveThing>();
      for (const thing of live) {
        const parent = thing.parent && copies.get(thing.parent);
        copies.set(thing, { ...thing, parent });
      }
      const own = [...copies.values()];
      withVariables(own, choices);
      return { live: own, docs: docsFor(own, choices) };
    }),
  )
  .filter(({ docs }) => docs.length > 0)
  .chain(({ live, docs }) => {
    const pattern = patternsAbout(live, docs);
    return fc.record({
      live: fc.constant(live),
      docs: fc.constant(docs),
      goal: fc.constantFrom("reconcile" as const, "destroy" as const),
      prune: often(6),
      targets: fc.oneof(fc.constant<string[]>([]), fc.array(pattern, { minLength: 1, maxLength: 4 })),
      protect: fc.oneof(fc.constant<string[]>([]), fc.array(pattern, { maxLength: 2 })),
      allowReplace: fc.oneof(fc.constant<string[]>(["**"]), fc.array(pattern, { maxLength: 4 })),
      caps: fc.record({ count: fc.constantFrom(1, 3, 1000), percent: fc.constantFrom(30, 100, 100) }),
    });
  });
