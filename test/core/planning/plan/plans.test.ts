import { describe, expect, test } from "vitest";
import { frozen } from "../../../fixtures/frozen.ts";
import { type AnyAddress, formatAddress } from "../../../../core/model/addresses/address.ts";
import { parsePattern } from "../../../../core/model/addresses/pattern.ts";
import { type Goal, hasDifferences, type Plan, type Policy } from "../../../../core/planning/plan/index.ts";
import { World } from "./world.ts";

const live = `
project:shop:
environment:shop/staging:
environment:shop/prod: { cluster: us-east }
job:shop/staging/a: { id: 00000000-0000-4000-8000-0000000000a1, cpu: 500, variables: [KEY] }
job:shop/staging/b: { id: 00000000-0000-4000-8000-0000000000b1 }
application:shop/staging/api:
argocd_app:shop/staging/db:
`;

const patterns = (...texts: string[]) => texts.map((text) => parsePattern(text));

const parts = {
  shop: "kind: Project\nname: shop",
  staging: "kind: Environment\nproject: shop\nname: staging",
  pruned: "kind: Environment\nproject: shop\nname: staging\nmanage: { prune: true }",
  moved: "kind: Environment\nproject: shop\nname: staging\ncluster: us-east",
  p2: "kind: Environment\nproject: shop\nname: p2\nmanage: { renamed_from: staging }",
};
const job = (name: string, rest = "", environment = "shop/staging") =>
  `kind: Job\nenvironment: ${environment}\nname: ${name}\n${rest}`;
const api = "kind: Application\nenvironment: shop/staging\nname: api";
const complete =
  'source: { image: { registry: docker-hub, image_name: acme/x, tag: "1" } }\nschedule: { on_start: {} }';
const documents = (...texts: string[]) => texts.join("\n---\n");

/** A plan, one line for each action, problem and note. */
function lines({ actions, problems, notes }: Plan): string[] {
  return [
    ...actions
      .filter(({ type }) => type !== "none")
      .map((action) => {
        const losses =
          "losses" in action && action.losses
            ? action.losses.map(({ what, name, of }) =>
                [what, name, of && `of ${of}`].filter(Boolean).join(" "),
              )
            : [];
        return `${action.type} ${formatAddress(action.address)}${losses.length > 0 ? ` with ${losses.join(", ")}` : ""}`;
      }),
    ...problems.map(({ message }) => `! ${message}`),
    // What no document describes is the subject of unmanaged.test.ts, and what none states of undeclared.test.ts.
    ...notes.flatMap(({ message }) =>
      /^(Unmanaged|Set on the server)/.test(message) ? [] : [`? ${message}`],
    ),
  ];
}

const withReferences = `
project:shop: { variables: [LEVEL, OTHER] }
environment:shop/staging: { variables: ["LEVEL = project:shop LEVEL", "ELSE = project:shop OTHER"] }
job:shop/staging/a: { variables: ["SHORT = environment:shop/staging LEVEL", "LEVEL = environment:shop/staging LEVEL", OWN] }
job:shop/staging/b: { variables: [LEVEL] }
`;

const withStorage = `
project:shop:
environment:shop/staging:
application:shop/staging/api: { storage: [{ mount_point: /data, size: 1, type: FAST_SSD }, { mount_point: /logs, size: 1, type: FAST_SSD }] }
`;

const environments = `
project:shop:
environment:shop/used:
job:shop/used/a:
environment:shop/old:
job:shop/old/a: { variables: [KEY] }
environment:shop/other:
environment:shop/kept:
environment:shop/source:
environment:shop/copy:
environment:shop/pr-1: { mode: PREVIEW }
`;
const isKept = ({ names }: AnyAddress) => names.at(-1) === "kept";

interface Row {
  name: string;
  text: string;
  policy?: Partial<Policy>;
  /** The contents of the server, when they differ from the default world. */
  server?: string;
  goal?: Goal;
  plan: string[];
  /** The number of lists that planning reads. */
  reads?: number;
}

const rows: Row[] = [
  { name: "what is as declared", text: documents(parts.shop, parts.staging, job("a")), plan: [], reads: 3 },
  { name: "a resource alone", text: job("a"), plan: [], reads: 3 },
  {
    name: "what is out of date or was never deployed, with the policy: two more looks at its environment, one of them at its variables",
    text: documents(job("a"), job("b"), api),
    policy: { deploy: true },
    server: `
project:shop:
environment:shop/staging:
job:shop/staging/a: { status: OUT_OF_DATE }
job:shop/staging/b:
job:shop/staging/other: { status: OUT_OF_DATE }
application:shop/staging/api: { status: NEVER_DEPLOYED }
`,
    plan: ["deploy job:shop/staging/a", "deploy application:shop/staging/api"],
    reads: 5,
  },
  {
    name: "what is changed is deployed, with the policy",
    text: documents(job("a", "cpu: 750"), job("b")),
    policy: { deploy: true },
    plan: ["update job:shop/staging/a", "deploy job:shop/staging/a"],
    reads: 5,
  },
  {
    name: "what runs with variables that change above it is deployed, with the policy",
    text: documents(`${parts.staging}\nvariables: { LEVEL: debug }`, job("a"), job("b")),
    policy: { deploy: true },
    plan: ["update environment:shop/staging", "deploy job:shop/staging/a", "deploy job:shop/staging/b"],
  },
  {
    name: "a destruction deploys nothing, whatever the policy",
    text: documents(job("a")),
    policy: { deploy: true },
    goal: "destroy",
    plan: ["delete job:shop/staging/a with variable KEY"],
  },
  {
    name: "a removed variable takes its aliases and overrides with it, all levels deep",
    text: "kind: Project\nname: shop\nvariables: { LEVEL: null }",
    server: withReferences,
    plan: [
      "update project:shop with variable LEVEL, variable LEVEL of staging, variable SHORT of staging/a, variable LEVEL of staging/a",
    ],
    reads: 7,
  },
  {
    name: "a protection holds for what goes with a removed variable",
    text: "kind: Project\nname: shop\nvariables: { LEVEL: null }",
    server: withReferences,
    policy: { protect: patterns("job:shop/staging/a") },
    plan: [
      "update project:shop with variable LEVEL, variable LEVEL of staging, variable SHORT of staging/a, variable LEVEL of staging/a",
      '! the variable SHORT of job:shop/staging/a cannot be deleted: job:shop/staging/a is protected by the pattern "job:shop/staging/a", and would be deleted with what project:shop loses',
      '! the variable LEVEL of job:shop/staging/a cannot be deleted: job:shop/staging/a is protected by the pattern "job:shop/staging/a", and would be deleted with what project:shop loses',
    ],
  },
  {
    name: "what goes with a removed variable counts",
    text: "kind: Project\nname: shop\nvariables: { LEVEL: null }",
    server: withReferences,
    policy: { caps: { count: 3, percent: 100 } },
    plan: [
      "update project:shop with variable LEVEL, variable LEVEL of staging, variable SHORT of staging/a, variable LEVEL of staging/a",
      "! 4 variables would be deleted or replaced, and the limit is 3",
    ],
  },
  {
    name: "another change of a variable reads only which environments there are, whose services get it with their next deployment",
    text: "kind: Project\nname: shop\nvariables: { LEVEL: debug }",
    server: withReferences,
    plan: ["update project:shop"],
    reads: 3,
  },
  {
    name: "storage that is removed, or gets another mount point, takes its data with it",
    text: `${api}\nstorage: [{ mount_point: /data2, size: 1, type: FAST_SSD }, { mount_point: /logs, size: 2, type: FAST_SSD }]`,
    server: withStorage,
    policy: { protect: patterns("shop/**"), caps: { count: 0, percent: 100 } },
    plan: [
      "update application:shop/staging/api with volume /data",
      '! the volume /data of application:shop/staging/api (1 GiB) cannot be deleted: application:shop/staging/api is protected by the pattern "shop/**"',
      "! application:shop/staging/api would lose the volume /data (1 GiB), which cannot be restored",
      "! 1 volume would be deleted or replaced, and the limit is 0",
    ],
  },
  {
    name: "the data of a deleted service",
    text: api,
    server: withStorage,
    goal: "destroy",
    plan: ["delete application:shop/staging/api with volume /data, volume /logs"],
  },
  {
    name: "the data of a service that is deleted with its environment",
    text: parts.staging,
    server: withStorage,
    goal: "destroy",
    plan: [
      "delete environment:shop/staging with application api, volume /data of api, volume /logs of api",
      "! Environment shop/staging: it contains 1 resource that no document declares and that would be deleted with it: api",
    ],
  },
  {
    name: "a replacement begins with empty volumes",
    text: documents(parts.moved, `${api}\nstorage: [{ mount_point: /data, size: 1, type: FAST_SSD }]`),
    server: withStorage,
    policy: { allowReplace: patterns("environment:**") },
    plan: [
      "replace environment:shop/staging with application api",
      "replace application:shop/staging/api with volume /data, volume /logs",
    ],
  },
  { name: "names in another case", text: job("A", "", "SHOP/Staging"), plan: [] },
  { name: "a field that differs", text: job("a", "cpu: 750"), plan: ["update job:shop/staging/a"] },
  { name: "a field that is ignored", text: job("a", "cpu: 750\nmanage: { ignore: [cpu] }"), plan: [] },
  { name: "a new resource", text: job("c", complete), plan: ["create job:shop/staging/c"], reads: 4 },
  {
    name: "a new resource that lacks what a creation needs",
    text: job("c", "cpu: 100"),
    plan: [
      "! Job shop/staging/c: the resource does not exist, and for its creation source is needed",
      "! Job shop/staging/c: the resource does not exist, and for its creation schedule is needed",
    ],
  },
  { name: "a new name", text: job("c", "manage: { renamed_from: a }"), plan: ["update job:shop/staging/c"] },
  {
    name: "a new name and the old one exist",
    text: job("b", "manage: { renamed_from: a }"),
    plan: ['? "a" exists as well, so renamed_from has no effect; remove it'],
  },
  {
    name: "an environment with a new name and what is in it",
    text: documents(parts.p2, job("a", "cpu: 750", "shop/p2")),
    plan: ["update environment:shop/p2", "update job:shop/p2/a"],
  },
  {
    name: "an id that exists",
    text: job("a", 'manage: { id: "00000000-0000-4000-8000-0000000000b1" }'),
    plan: ["update job:shop/staging/a"],
  },
  {
    name: "an id that does not exist",
    text: job("a", "manage: { id: 00000000-0000-4000-8000-000000000000 }"),
    plan: [
      "! Job shop/staging/a: there is no Job with the id 00000000-0000-4000-8000-000000000000 in its Environment",
    ],
  },
  {
    name: "a parent that does not exist",
    text: job("a", "", "shop/stagin"),
    plan: ["! Job shop/stagin/a: Environment shop/stagin does not exist, and no document declares it"],
  },
  {
    name: "a clone",
    text: documents("kind: Job\nenvironment: shop/prod\nname: c\nclone: { from: shop/staging/a }"),
    plan: ["clone job:shop/prod/c"],
  },
  {
    name: "a clone of nothing",
    text: documents("kind: Job\nenvironment: shop/prod\nname: c\nclone: { from: shop/staging/x }"),
    plan: ["! Job shop/prod/c: its source Job shop/staging/x does not exist, and no document declares it"],
  },
  {
    name: "a clone of an environment with a new name for a job that it brings",
    text: documents(
      "kind: Environment\nproject: shop\nname: copy\nclone: { from: shop/staging }",
      job("z", "manage: { renamed_from: a }\ncpu: 750", "shop/copy"),
    ),
    plan: ["clone environment:shop/copy", "update job:shop/copy/z"],
  },
  {
    name: "a clone of a job that another clone brings",
    text: documents(
      "kind: Environment\nproject: shop\nname: copy\nclone: { from: shop/staging }",
      "kind: Job\nenvironment: shop/prod\nname: c\nclone: { from: shop/copy/a }",
    ),
    plan: ["clone environment:shop/copy", "clone job:shop/prod/c"],
  },
  {
    name: "a clone of an environment with a change of what it brings",
    text: documents(
      "kind: Environment\nproject: shop\nname: copy\nclone: { from: shop/staging }",
      job("a", "cpu: 750", "shop/copy"),
      job("b", "", "shop/copy"),
    ),
    plan: ["clone environment:shop/copy", "update job:shop/copy/a"],
  },
  {
    name: "a replacement without consent",
    text: job("a", "schedule: { on_start: {} }"),
    plan: [
      "replace job:shop/staging/a with variable KEY",
      "! job:shop/staging/a must be replaced: a cron job cannot become a lifecycle job, nor the other way round",
    ],
    // The stages of the environment too, in which the new job stays, and the settings, which are written again.
    reads: 6,
  },
  {
    name: "a replacement with consent",
    text: job("a", "schedule: { on_start: {} }"),
    policy: { allowReplace: patterns("job:shop/staging/a") },
    plan: ["replace job:shop/staging/a with variable KEY"],
  },
  {
    name: "a replacement of an environment takes documents along that no target chooses",
    text: documents(parts.moved, job("a"), job("b"), api, job("new", complete)),
    policy: { allowReplace: patterns("environment:**"), targets: patterns("environment:shop/staging") },
    plan: [
      "replace environment:shop/staging with job a, job b, application api, argocd_app db",
      "replace job:shop/staging/a with variable KEY",
      "replace job:shop/staging/b",
      "replace application:shop/staging/api",
      "! Environment shop/staging: it contains 1 resource that no document declares and that would be deleted with it: db",
    ],
  },
  {
    name: "prune",
    text: documents(parts.pruned, job("a"), api),
    policy: { prune: true },
    plan: [
      "delete job:shop/staging/b",
      '? ARGOCD_APP "db" stays as it is, because infrasync does not manage this type',
    ],
  },
  {
    name: "prune without its flag",
    text: documents(parts.pruned, job("a"), api),
    plan: ["? contains 1 resource that no document declares (Job shop/staging/b)"],
  },
  {
    name: "prune without a document that allows it",
    text: documents(parts.staging, job("a")),
    policy: { prune: true },
    plan: ["? nothing is pruned, because no document declares `manage: { prune: true }`"],
  },
  {
    name: "prune of environments, each with a consent that names it; not of previews, nor of what documents are in or clone",
    text: documents(
      `${parts.shop}\nmanage: { prune: [Environment] }`,
      job("a", "", "shop/used"),
      "kind: Environment\nproject: shop\nname: copy\nclone: { from: shop/source }",
    ),
    server: environments,
    policy: { prune: true, allowReplace: patterns("environment:shop/old"), spares: isKept },
    plan: [
      "delete environment:shop/old with job a, variable KEY of a",
      "delete environment:shop/other",
      "! environment:shop/other is unmanaged, and would be deleted with everything in it",
    ],
  },
  {
    name: "without its flag, a prune of environments mentions them",
    text: documents(`${parts.shop}\nmanage: { prune: [Environment] }`, job("a", "", "shop/used")),
    server: environments,
    plan: [
      "? contains 5 resources that no document declares (Environment shop/old, Environment shop/other, Environment shop/kept, Environment shop/source, Environment shop/copy)",
    ],
  },
  {
    name: "prune of projects",
    text: documents(parts.shop, "kind: Organization\nname: acme\nmanage: { prune: [Project] }"),
    server: `${live}project:lab:\nenvironment:lab/x:\norganization:acme:\n`,
    policy: { prune: true, allowReplace: patterns("project:lab") },
    plan: ["delete project:lab with environment x"],
  },
  {
    name: "destroy of a job",
    text: job("a"),
    goal: "destroy",
    plan: ["delete job:shop/staging/a with variable KEY"],
    reads: 4,
  },
  { name: "destroy of what does not exist", text: job("zzz"), goal: "destroy", plan: [], reads: 3 },
  {
    name: "destroy of an environment with all that is in it",
    text: documents(parts.pruned, job("a"), job("b"), api),
    policy: { prune: true },
    goal: "destroy",
    plan: [
      "delete application:shop/staging/api",
      "delete job:shop/staging/b",
      "delete job:shop/staging/a with variable KEY",
      "delete environment:shop/staging with argocd_app db",
    ],
  },
  {
    name: "a null removes a variable",
    text: job("a", "variables: { KEY: null }"),
    plan: ["update job:shop/staging/a with variable KEY"],
    reads: 4,
  },
  {
    name: "a null removes no variable of a protected job",
    text: job("a", "variables: { KEY: null }\nmanage: { protect: true }"),
    plan: [
      "update job:shop/staging/a with variable KEY",
      "! the variable KEY of job:shop/staging/a cannot be deleted: job:shop/staging/a is protected by manage.protect of job:shop/staging/a",
    ],
  },
  {
    name: "a null removes no variable inside of a protected environment, also under a new name",
    text: documents(parts.p2, job("a", "variables: { KEY: null }", "shop/p2")),
    policy: { protect: patterns("shop/staging/**") },
    plan: [
      "update environment:shop/p2",
      "update job:shop/p2/a with variable KEY",
      '! the variable KEY of job:shop/p2/a cannot be deleted: job:shop/p2/a is protected by the pattern "shop/staging/**"',
      '! environment:shop/staging is protected by the pattern "shop/staging/**", which does not match its new name environment:shop/p2, and 4 more in it would lose their protection too',
    ],
  },
  {
    name: "a prune keeps the variables of a protected job",
    text: job("a", "variables: {}\nmanage: { protect: true, exclusive: [variables] }"),
    policy: { prune: true },
    plan: [
      "? keeps 1 variable that its document does not declare (KEY), because it is protected by manage.protect of job:shop/staging/a",
    ],
  },
  {
    name: "a prune removes the variables that an exclusive document does not declare",
    text: job("a", "variables: {}\nmanage: { exclusive: [variables] }"),
    policy: { prune: true },
    plan: ["update job:shop/staging/a with variable KEY"],
  },
  {
    name: "a target that chooses nothing",
    text: job("a"),
    policy: { targets: patterns("job:shop/staging/zzz") },
    plan: ['! the target "job:shop/staging/zzz" matches no document'],
  },
];

describe("planning turns documents, live state and policy into a plan", () => {
  test.each(rows)("$name", ({ text, server = live, policy = {}, goal = "reconcile", plan, reads }) => {
    const world = World.of(server);
    expect(lines(world.plan(text, policy, goal))).toEqual(plan);
    if (reads !== undefined) expect(world.read.length).toBe(reads);
  });
});

describe("every way to name a live job, under every goal and protection", () => {
  const ways = {
    "by its name": job("a"),
    "by its old name": job("z", "manage: { renamed_from: a }"),
    "by its id": job("a", 'manage: { id: "00000000-0000-4000-8000-0000000000a1" }'),
    "by its id, under a new name": job("z", 'manage: { id: "00000000-0000-4000-8000-0000000000a1" }'),
    "in a renamed environment": documents(parts.p2, job("a", "", "shop/p2")),
    "in a renamed environment, by its old name": documents(
      parts.p2,
      job("z", "manage: { renamed_from: a }", "shop/p2"),
    ),
  };
  const protections = [
    "job:shop/staging/a",
    "shop/staging/a",
    "shop/staging/**",
    "shop/**",
    "job:**",
    "*/staging/*",
    "SHOP/Staging/A",
    "**",
  ];
  const replacing = "schedule: { on_start: {} }";
  const cases = Object.entries(ways).flatMap(([way, text]) =>
    protections.flatMap((pattern) => [
      { way, pattern, verb: "destroyed", text, goal: "destroy" as const },
      { way, pattern, verb: "replaced", text: `${text}\n${replacing}`, goal: "reconcile" as const },
    ]),
  );

  test.each(cases)("$way, protected by $pattern, the job is not $verb", ({ text, pattern, goal }) => {
    const policy = { protect: patterns(pattern), allowReplace: patterns("**"), targets: patterns("job:**") };
    const messages = World.of(live)
      .plan(text, policy, goal)
      .problems.map(({ message }) => message);
    // A new name of its environment is one more problem.
    expect(messages.filter((message) => !message.includes(", which does not match its new name "))).toEqual([
      expect.stringContaining(`it is protected by the pattern "${pattern}"`),
    ]);
  });

  test.each(Object.entries(ways))("%s, unprotected, the job is deleted or replaced", (_way, text) => {
    const policy = {
      allowReplace: patterns("**"),
      targets: patterns("job:**"),
      protect: patterns("shop/prod/**"),
    };
    for (const goal of ["destroy", "reconcile"] as const) {
      const world = World.of(live);
      const plan = world.plan(`${text}\n${goal === "destroy" ? "" : replacing}`, policy, goal);
      expect(plan.problems).toEqual([]);
      world.carryOut(plan);
      expect(world.things.has("00000000-0000-4000-8000-0000000000a1")).toBe(false);
    }
  });
});

describe("the limits count every deletion", () => {
  const jobs = Array.from({ length: 12 }, (_, index) => `j${index}`);
  const twelve = `project:shop:\nenvironment:shop/staging:\n${jobs.map((name) => `job:shop/staging/${name}:`).join("\n")}\n`;
  const cases = jobs.flatMap((_, kept) =>
    [1, 5, 11].flatMap((count) => [30, 50, 90].map((percent) => ({ kept, count, percent }))),
  );

  test.each(cases)(
    "$kept of 12 are kept, with the limits $count and $percent %",
    ({ kept, count, percent }) => {
      const text = documents(parts.pruned, ...jobs.slice(0, kept).map((name) => job(name)));
      const { problems, actions } = World.of(twelve).plan(text, { prune: true, caps: { count, percent } });
      const gone = 12 - kept;
      expect(actions.filter(({ type }) => type === "delete")).toHaveLength(gone);
      expect(problems.map(({ message }) => message)).toEqual([
        ...(gone > count ? [expect.stringContaining(`and the limit is ${count}`)] : []),
        ...(gone * 100 > 12 * percent ? [expect.stringContaining(`more than ${percent} %`)] : []),
      ]);
    },
  );
});

test("only an id selects one of two resources with the same name", () => {
  const world = () => World.of(`${live}job:shop/staging/a#2: { id: 00000000-0000-4000-8000-0000000000a2 }\n`);
  expect(lines(world().plan(job("a")))).toEqual([
    "! Job shop/staging/a: the API has two resources with this name: 00000000-0000-4000-8000-0000000000a1 and 00000000-0000-4000-8000-0000000000a2",
  ]);
  expect(
    lines(world().plan(job("a", 'cpu: 750\nmanage: { id: "00000000-0000-4000-8000-0000000000a2" }'))),
  ).toEqual(["update job:shop/staging/a"]);
});

test("a prune deletes both of two unmanaged resources with the same name", () => {
  const world = World.of(`${live}job:shop/staging/a#2: { id: 00000000-0000-4000-8000-0000000000a2 }\n`);
  const { actions } = world.plan(documents(parts.pruned, job("b"), api), { prune: true });
  const deletions = actions.filter((action) => action.type === "delete");
  expect(deletions.map(({ resourceId }) => resourceId)).toEqual([
    "00000000-0000-4000-8000-0000000000a1",
    "00000000-0000-4000-8000-0000000000a2",
  ]);
  expect(new Set(deletions.map(({ id }) => id)).size).toBe(2);
});

test("who changes what the planner was given is found out", () => {
  const given = frozen({ contents: new Map([["a", { resources: [{ fields: { cpu: 1 } }] }]]) });
  expect(() => given.contents.clear()).toThrow("changes a map");
  expect(() => given.contents.set("b", { resources: [] })).toThrow("changes a map");
  expect(() => Object.assign(given.contents.get("a")?.resources[0]?.fields ?? {}, { cpu: 2 })).toThrow(
    TypeError,
  );
});

test("one thing that nothing declares is a difference of a strict plan, and of no other", () => {
  const plan = World.of("project:shop:").plan(parts.shop);
  const [only] = [{}] as unknown as NonNullable<Plan["unmanaged"]>;
  const unmanaged = only ? [only] : [];
  expect([true, false].map((isStrict) => hasDifferences({ ...plan, isStrict, unmanaged }))).toEqual([
    true,
    false,
  ]);
  expect(hasDifferences({ ...plan, isStrict: true, unmanaged: [] })).toBe(false);
});
