import { expect, test } from "vitest";
import type { Goal } from "../../../../core/planning/plan/index.ts";
import { policiesOf } from "../../../fixtures/policies.ts";
import { World } from "../../planning/plan/world.ts";

const live = `
project:shop:
environment:shop/staging:
environment:shop/production:
job:shop/production/a: { cpu: 500, description: known }
job:shop/staging/a: { cpu: 500 }
application:shop/production/api:
argocd_app:shop/production/argo:
`;

const job = (rest = "", environment = "shop/production", name = "a") =>
  `kind: Job\nenvironment: ${environment}\nname: ${name}\n${rest}`;
const newJob = (rest = "") =>
  job(
    `source: { image: { registry: docker-hub, image_name: acme/x, tag: "1" } }\nschedule: { on_start: {} }\n${rest}`,
    "shop/production",
    "b",
  );
const production = (rest = "") => `kind: Environment\nproject: shop\nname: production\n${rest}`;
const ruleWhen = (when: string) =>
  `policies:\n  - name: rule\n    message: not so\n    when: >-\n      ${when}`;
const rule = (rest: string) => `policies:\n  - { name: rule, message: not so, ${rest} }`;
const broken = "(No such key: port)";
const fails = `rule: its condition cannot be evaluated ${broken}, so it denies the change`;

interface Row {
  what: string;
  policies: string;
  documents: string;
  goal?: Goal;
  /** What the policies say, each with `!` if it is forbidden, `?` if it needs an approval, and nothing if it is mentioned. */
  says: string[];
}

const rows: Row[] = [
  {
    what: "forbids",
    policies: rule("when: after.cpu > 600"),
    documents: job("cpu: 700"),
    says: ["! job:shop/production/a: policy rule: not so"],
  },
  { what: "lets pass", policies: rule("when: after.cpu > 600"), documents: job("cpu: 600"), says: [] },
  {
    what: "mentions",
    policies: rule("when: after.cpu > 600, effect: warn"),
    documents: job("cpu: 700"),
    says: ["job:shop/production/a: policy rule: not so"],
  },
  {
    what: "wants an approval",
    policies: rule("when: after.cpu > 600, effect: approve"),
    documents: job("cpu: 700"),
    says: ["? job:shop/production/a: policy rule: not so"],
  },
  {
    what: "compares with before",
    policies: rule("when: after.cpu > before.cpu"),
    documents: job("cpu: 501"),
    says: ["! job:shop/production/a: policy rule: not so"],
  },
  {
    what: "knows defaults of a new resource",
    policies: rule("when: after.memory == 512"),
    documents: newJob(),
    says: ["! job:shop/production/b: policy rule: not so"],
  },
  {
    what: "knows names in the place of ids",
    policies: rule('when: after.source.image.registry == "docker-hub"'),
    documents: newJob(),
    says: ["! job:shop/production/b: policy rule: not so"],
  },
  { what: "is about one kind", policies: rule("kinds: [Helm]"), documents: job("cpu: 700"), says: [] },
  {
    what: "is about one environment",
    policies: rule("environments: [shop/staging], when: after.cpu > 600"),
    documents: job("cpu: 700"),
    says: [],
  },
  {
    what: "is about the environment of a pattern",
    policies: rule('environments: ["*/prod*"], kinds: [Job]'),
    documents: job("cpu: 700"),
    says: ["! job:shop/production/a: policy rule: not so"],
  },
  {
    what: "is about the address on the server, whatever the new name",
    policies: rule("environments: [shop/production], kinds: [Environment]"),
    documents: "kind: Environment\nproject: shop\nname: other\nmanage: { renamed_from: production }",
    says: ["! environment:shop/other: policy rule: not so"],
  },
  {
    what: "is about one field that changes",
    policies: rule("fields: [cpu]"),
    documents: job("cpu: 700"),
    says: ["! job:shop/production/a: policy rule: not so"],
  },
  {
    what: "is not about a field that stays",
    policies: rule("fields: [cpu]"),
    documents: job("description: new"),
    says: [],
  },
  {
    what: "is about a field of a new resource",
    policies: rule("fields: [source.image]"),
    documents: newJob(),
    says: ["! job:shop/production/b: policy rule: not so"],
  },
  {
    what: "is not about a resource without changes",
    policies: rule("kinds: [Job]"),
    documents: job(),
    says: [],
  },
  {
    what: "is not about deletions that it does not name",
    policies: rule("when: after.cpu > 0"),
    documents: job(),
    goal: "destroy",
    says: [],
  },
  {
    what: "is about deletions, and knows what there was",
    policies: rule("actions: [delete], when: before.cpu == 500"),
    documents: job(),
    goal: "destroy",
    says: ["! job:shop/production/a: policy rule: not so"],
  },
  {
    what: "is about what goes with its environment, also of types without a kind",
    policies: rule('actions: [delete], when: kind != "Environment"'),
    documents: production(),
    goal: "destroy",
    says: ["application:shop/production/api", "argocd_app:shop/production/argo", "job:shop/production/a"].map(
      (address) => `! ${address}, with environment:shop/production: policy rule: not so`,
    ),
  },
  {
    what: "is about what a clone brings",
    policies: rule('environments: [shop/copy], kinds: [Job], when: after.description == "known"'),
    documents: "kind: Environment\nproject: shop\nname: copy\nclone: { from: shop/production }",
    says: ["! job:shop/copy/a, with environment:shop/copy: policy rule: not so"],
  },
  {
    what: "forbids what it cannot evaluate",
    policies: rule("when: after.port == 1"),
    documents: job("cpu: 700"),
    says: [`! job:shop/production/a: policy ${fails}`],
  },
  {
    what: "forbids what it cannot evaluate, though it only warns",
    policies: rule("when: after.port == 1, effect: warn"),
    documents: job("cpu: 700"),
    says: [`! job:shop/production/a: policy ${fails}`],
  },
  {
    what: "forbids what it cannot evaluate, though it only wants an approval",
    policies: rule("when: after.port == 1, effect: approve"),
    documents: job("cpu: 700"),
    says: [`! job:shop/production/a: policy ${fails}`],
  },
  {
    what: "forbids where the result is no answer",
    policies: rule("when: after.cpu"),
    documents: job("cpu: 700"),
    says: [
      "! job:shop/production/a: policy rule: its condition cannot be evaluated (the result is neither true nor false), so it denies the change",
    ],
  },
  {
    what: "knows the key of a secret, and no more",
    policies: ruleWhen('"KEY" in after.secrets && size(after.secrets.KEY) == 0'),
    documents: job("secrets: { KEY: { from_env: SOURCE } }"),
    says: ["! job:shop/production/a: policy rule: not so"],
  },
  {
    what: "sees no place from which a secret comes",
    policies: ruleWhen('after.secrets.KEY.from_env != ""'),
    documents: job("secrets: { KEY: { from_env: SOURCE } }"),
    says: [
      "! job:shop/production/a: policy rule: its condition cannot be evaluated (No such key: from_env), so it denies the change",
    ],
  },
];

test.for(rows)("a policy $what", async ({ policies: text, documents, goal, says }) => {
  const { policies, problems } = await policiesOf(text);
  expect(problems).toEqual([]);
  const plan = World.of(live).plan(documents, { policies }, goal);
  expect(
    [
      ...plan.problems.flatMap(({ code, message, remedies, blocks }) => {
        if (code !== "policy") return [];
        expect(blocks).toBe("apply");
        return [`${remedies ? "?" : "!"} ${message}`];
      }),
      ...plan.notes.flatMap(({ code, message }) => (code === "policy" ? [message] : [])),
    ].toSorted(),
  ).toEqual(says.toSorted());
});

const digits = JSON.stringify(Array.from({ length: 20 }, (_, index) => index));
const nested = (depth: number): string =>
  depth === 0 ? "true" : `${digits}.all(v${depth}, ${nested(depth - 1)})`;
const doubled = Array.from({ length: 20 }).reduce<string>(
  (inner, _, level) => `[x${19 - level} + x${19 - level}].all(x${20 - level}, ${inner})`,
  "size(x20) > 0",
);
const endless =
  "it takes more than 200,000 steps, or with the other conditions of the plan more than 10,000,000";

// Each would end without a budget, too, so that a test of it fails then, and does not hang.
test.each([
  ["loops in loops", nested(5)],
  ["a list that is doubled twenty times", `[names].all(x0, ${doubled})`],
  ["texts joined by a text", `[address.split("").map(c, address)].all(l, l.all(x, l.join(l.join(x)) != ""))`],
  ["an error in each turn", `${digits}.all(a, ${digits}.all(b, ${nested(3)} && 1 / 0 == 1) || 1 / 0 == 1)`],
])("a policy with %s ends, and forbids each change", async (_, when) => {
  const { policies, problems } = await policiesOf(
    `policies: [{ name: rule, message: no, when: ${JSON.stringify(when)} }]`,
  );
  expect(problems).toEqual([]);
  const documents = ["shop/production", "shop/staging"].map((each) => job("cpu: 700", each)).join("\n---\n");
  const refused = World.of(live).plan(documents, { policies }).problems;
  expect(refused).toHaveLength(2);
  for (const { message } of refused) expect(message).toContain(`cannot be evaluated (${endless})`);
});

test("all conditions of a plan together take no more steps than a plan may, and those of the next plan begin anew", async () => {
  const cheap = "{ name: rule, message: no, when: after.cpu > 0 }";
  const dear = Array.from(
    { length: 100 },
    (_, index) => `{ name: r${index}, message: no, when: '${`${nested(3)} && `.repeat(6)}${index} > 200' }`,
  );
  const { policies, problems: mistakes } = await policiesOf(`policies: [${dear.join(",")}]`);
  expect(mistakes).toEqual([]);
  for (const planned of [1, 2]) {
    const { problems } = World.of(live).plan(job("cpu: 700"), { policies });
    expect(problems.length, String(planned)).toBe(10);
    for (const { message } of problems) expect(message).toContain(endless);
    expect(problems[0]?.message).not.toContain("policy r0:");
  }
  const { policies: own } = await policiesOf(`policies: [${cheap}]`);
  const { problems } = World.of(live).plan(job("cpu: 700"), { policies: own });
  expect(problems.map(({ message }) => message)).toEqual(["job:shop/production/a: policy rule: no"]);
});

test("a file has at most 100 policies, and its conditions so many characters; a message names ten that forbid a change", async () => {
  const rules = (count: number, when: string) =>
    policiesOf(
      `policies: [${Array.from({ length: count }, (_, index) => `{ name: r${index}, message: no, when: '${when}' }`).join(",")}]`,
    );
  expect((await rules(101, "true")).problems[0]?.message).toContain("at most 100 elements");
  const padded = `true ${" ".repeat(3_900)}`;
  expect((await rules(1, padded)).problems).toEqual([]);
  expect((await rules(1, padded + padded)).problems[0]?.message).toContain("200,000 steps");
  expect((await rules(60, padded)).problems).toHaveLength(9);
  const { policies } = await rules(100, "true");
  expect(World.of(live).plan(job("cpu: 700"), { policies }).problems).toHaveLength(10);
});

test.each([
  ["looks ahead", "(?=a)b"],
  ["repeats what it has found", String.raw`(a)\1`],
  ["becomes very large", "(abcdefghijklmnopqrstu){999}"],
])(
  "a regular expression that %s is refused: where it is written, and where a change brings it",
  async (_, expression) => {
    const text = JSON.stringify(`name.matches(${JSON.stringify(expression)})`);
    const written = await policiesOf(`policies:\n  - name: rule\n    message: no\n    when: ${text}`);
    expect(written.problems).toMatchObject([{ position: { line: 4 } }]);
    expect(written.problems[0]?.message).toMatch(
      /the regular expression ".*" (cannot be run in linear time, by RE2|is too large)/,
    );
    const { policies } = await policiesOf(rule("when: name.matches(after.description)"));
    const { problems } = World.of(live).plan(job(`description: ${JSON.stringify(expression)}`), { policies });
    expect(problems[0]?.message).toMatch(/cannot be evaluated \(the regular expression/);
  },
);

test("a regular expression that tries everything in other engines is run in linear time", async () => {
  const { policies } = await policiesOf(rule(`when: '"${"a".repeat(60)}".matches("^(a+)+$")'`));
  const plan = World.of(live).plan(job("cpu: 700"), { policies });
  expect(plan.problems.map(({ message }) => message)).toEqual(["job:shop/production/a: policy rule: not so"]);
});

test("a short condition with two loops and a regular expression is evaluated", async () => {
  const when = `changes.exists(c, c == "cpu") && names.all(n, n.matches("^[a-z]+$"))`;
  const { policies } = await policiesOf(
    `policies: [{ name: rule, message: no, when: ${JSON.stringify(when)} }]`,
  );
  const plan = World.of(live).plan(job("cpu: 700"), { policies });
  expect(plan.problems.map(({ message }) => message)).toEqual(["job:shop/production/a: policy rule: no"]);
});
