import { expect, test } from "vitest";
import { policiesOf } from "../../../fixtures/policies.ts";

const mistakes: [what: string, text: string, place: string, message: string][] = [
  ["no list", "policies: { a: 1 }", "1:1", "policies must be a list, not a mapping"],
  ["a text", "policies: [a]", "1:12", 'policies[0] must be a mapping, not the text "a"'],
  [
    "another built-in policy",
    "policies:\n  - built_in: no-public-databse",
    "2:15",
    'policies[0].built_in: "no-public-databse" is not a policy of infrasync',
  ],
  [
    "a kind that is none",
    "policies:\n  - { name: a, kinds: [Jib], message: m }",
    "2:24",
    'policies[0].kinds[0]: "Jib" is not a kind',
  ],
  [
    "an action that is none",
    "policies:\n  - { name: a, actions: [kill], message: m }",
    "2:26",
    'policies[0].actions[0]: "kill" is not an action that a policy can check',
  ],
  [
    "an effect that is none",
    "policies:\n  - { name: a, kinds: [Job], effect: dny, message: m }",
    "2:38",
    'policies[0].effect: "dny" is not an effect of a policy',
  ],
  [
    "a name that conditions do not know",
    "policies:\n  - name: a\n    when: after.x == aftr.x\n    message: m",
    "3:22",
    "policies[0].when is not a condition: Unknown variable: aftr",
  ],
  ...(
    [
      ["after.tagg == 'after.x'", "4:11", "checks after.tagg, and no Container has that field"],
      [
        "action == 'update' && before.?healthchecks.?redyness.hasValue()",
        "4:33",
        "checks before.healthchecks.redyness, and no Container has that field",
      ],
      [
        "after.ports[0].x || after['tga'] == 'a'",
        "4:31",
        "checks after.tga, and no Container has that field",
      ],
      ["kind in ['Container', 'CronJob']", "4:33", "checks the kind CronJob, which no resource has"],
      ["kind != 'container'", "4:19", "checks the kind container, which no resource has"],
    ] as const
  ).map(([when, place, message]): (typeof mistakes)[number] => [
    `what no change has: ${when}`,
    `policies:\n  - name: a\n    kinds: [Container]\n    when: ${when}\n    message: m`,
    place,
    `policies[0].when ${message}`,
  ]),
  [
    "half a condition",
    "policies:\n  - name: a\n    when: 'kind =='\n    message: m",
    "3:19",
    "policies[0].when is not a condition: Unexpected token: EOF",
  ],
  [
    "types that do not fit",
    "policies:\n  - name: a\n    when: kind > 1\n    message: m",
    "3:11",
    "policies[0].when is not a condition: no such overload: string > int",
  ],
  [
    "a condition that is a text",
    "policies:\n  - name: a\n    when: kind\n    message: m",
    "3:11",
    "policies[0].when is not a condition: it is a string, not true or false",
  ],
  ["no message", "policies:\n  - { name: a, kinds: [Job] }", "2:5", "policies[0] has no message"],
  [
    "nothing that it is about",
    "policies:\n  - { name: a, message: m }",
    "2:5",
    "policies[0] applies to everything",
  ],
  [
    "no environment",
    "policies:\n  - { name: a, kinds: [Job], message: m, environments: [a/b/c] }",
    "2:57",
    "policies[0].environments is not a pattern of environments",
  ],
  [
    "another parameter",
    "policies:\n  - { built_in: cpu-bounds, with: { mx: 1 } }",
    "2:41",
    "policies[0].with.mx is not a value of this policy",
  ],
  [
    "a parameter of another type",
    "policies:\n  - { built_in: cpu-bounds, with: { max: a } }",
    "2:42",
    "policies[0].with.max is not a number",
  ],
  [
    "a member that is none",
    "policies:\n  - { name: a, kinds: [Job], wen: a, message: m }",
    "2:35",
    'policies[0] has no member "wen"',
  ],
  [
    "a name beside a built-in policy",
    "policies:\n  - { built_in: cpu-bounds, name: a }",
    "2:35",
    "policies[0].name is not allowed together with built_in",
  ],
  [
    "a condition beside a built-in policy",
    "policies:\n  - { built_in: cpu-bounds, when: 'true' }",
    "2:35",
    "policies[0].when is not allowed together with built_in",
  ],
  [
    "values without a built-in policy",
    "policies:\n  - { name: a, kinds: [Job], message: m, with: {} }",
    "2:42",
    "policies[0].with needs built_in",
  ],
  [
    "a name twice",
    "policies:\n  - { name: a, kinds: [Job], message: m }\n  - { name: a, kinds: [Helm], message: m }",
    "3:5",
    "two policies have the name a",
  ],
];

test.for(mistakes)("%s is a mistake with its place", async ([, text, place, message]) => {
  const { policies, problems } = await policiesOf(text);
  expect(
    problems.map(({ code, message: says, position }) => [
      code,
      `${position?.line}:${position?.column}`,
      says,
    ]),
  ).toEqual([["setting", place, message]]);
  if (!message.startsWith("two")) expect(policies).toEqual([]);
});
