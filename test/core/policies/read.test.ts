import { expect, test } from "vitest";
import { policiesOf } from "../../fixtures/policies.ts";

const mistakes: [what: string, text: string, place: string, message: string][] = [
  ["no list", "policies: { a: 1 }", "1:1", "policies is not a list"],
  ["a text", "policies: [a]", "1:12", "policies[0] is not a mapping"],
  [
    "another ready policy",
    "policies:\n  - ready: no-public-databse",
    "2:12",
    "policies[0].ready names no ready policy",
  ],
  [
    "a kind that is none",
    "policies:\n  - { name: a, kinds: [Jib], message: m }",
    "2:16",
    "policies[0].kinds cannot be Jib",
  ],
  [
    "an action that is none",
    "policies:\n  - { name: a, actions: [kill], message: m }",
    "2:16",
    "policies[0].actions cannot be kill",
  ],
  [
    "an effect that is none",
    "policies:\n  - { name: a, kinds: [Job], effect: dny, message: m }",
    "2:38",
    "policies[0].effect cannot be dny",
  ],
  [
    "a name that conditions do not know",
    "policies:\n  - name: a\n    when: after.x == aftr.x\n    message: m",
    "3:22",
    "policies[0].when is not a condition: Unknown variable: aftr",
  ],
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
  [
    "no message",
    "policies:\n  - { name: a, kinds: [Job] }",
    "2:5",
    "policies[0].message is missing, or not a text",
  ],
  [
    "nothing that it is about",
    "policies:\n  - { name: a, message: m }",
    "2:5",
    "policies[0] is about everything",
  ],
  [
    "no environment",
    "policies:\n  - { name: a, kinds: [Job], message: m, environments: [a/b/c] }",
    "2:57",
    "policies[0].environments is not an environment",
  ],
  [
    "another parameter",
    "policies:\n  - { ready: cpu-bounds, with: { mx: 1 } }",
    "2:38",
    "policies[0].with.mx is not a value of this policy",
  ],
  [
    "a parameter of another type",
    "policies:\n  - { ready: cpu-bounds, with: { max: a } }",
    "2:39",
    "policies[0].with.max is not a number",
  ],
  [
    "a member that is none",
    "policies:\n  - { name: a, kinds: [Job], wen: a, message: m }",
    "2:35",
    "policies[0].wen has an unknown member wen",
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
