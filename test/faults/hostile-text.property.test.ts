import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { ForgeError } from "../../adapters/forge/index.ts";
import { github } from "../../adapters/forge/github.ts";
import { gitlab } from "../../adapters/forge/gitlab.ts";
import { StepBudget } from "../../core/rules/policies/budget.ts";
import { ConditionError } from "../../core/rules/policies/condition-error.ts";
import { language, readCondition, toCel } from "../../core/rules/policies/condition.ts";
import type { Json } from "../../core/values/json.ts";
import { serveWebhook } from "../../reconciler/webhook/index.ts";
import { quickClock } from "../fixtures/quick-clock.ts";
import { serve } from "../fixtures/http-server.ts";
import { seed, tries } from "../fixtures/random-cases.ts";

// What others write: each case ends, whatever it says, and its only failures are those that are told.

const list = `[${Array.from({ length: 20 }, (_, index) => index).join(",")}]`;
const slow = ["^(a+)+$", "(a|a)*b", "(.*)*x", "^(([a-z])+.)+[A-Z]$"].map(
  (pattern) => `"${"a".repeat(40)}!".matches("${pattern}")`,
);
const few = ["true", "after.cpu > 600", "name == 'a'", "1 / 0 == 1", "names.exists(n, n == 'a')"];
const more = [
  "nothing.at.all",
  "after.?gone.orValue(1) == 1",
  "[after.?cpu].exists(s, s.hasValue() && s.value() < 600)",
  "(names + ['b']) // . matches(\n .all(n, (n) .matches('[a-z]'))",
  "names.map(n, n + '(').join(')').contains('a()b')",
  "cel.bind(x, before, x == after)",
  "{'a': 1}.exists_one(k, k in names)",
];
const { condition } = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 8, withCrossShrink: true },
    fc.constantFrom(...few, ...more, ...slow),
    fc
      .tuple(
        fc.constantFrom("all", "exists", "exists_one"),
        fc.integer({ min: 0, max: 99 }),
        tie("condition"),
      )
      .map(([macro, variable, inner]) => `${list}.${macro}(v${variable}, ${inner})`),
    fc.tuple(tie("condition"), tie("condition")).map(([one, other]) => `(${one}) && (${other})`),
    fc.tuple(tie("condition"), tie("condition")).map(([one, other]) => `(${one}) ? (${other}) : !(${one})`),
  ),
}));
const input = {
  action: "update",
  kind: "Job",
  address: "job:shop/staging/a",
  name: "a",
  names: ["shop", "staging", "a"],
  before: { cpu: 500 },
  after: { cpu: 500 },
  changes: ["cpu"],
  losses: [],
} as const;
const deep = Array.from({ length: 12 }).reduce<string>(
  (inner, _, level) => `${list}.all(v${level}, ${inner})`,
  "true",
);

test("random conditions end within the steps of a plan, and say what they say to the language that counts none", () => {
  const budget = new StepBudget();
  const verdict = (work: () => unknown) => {
    try {
      return work();
    } catch (error) {
      return error;
    }
  };
  fc.assert(
    fc.property(fc.oneof(condition, fc.string()), (text) => {
      const found = verdict(() => readCondition(text, {}, new StepBudget()).holds(input, budget));
      // The language that counts no steps would take years.
      if ((found instanceof ConditionError && / steps,/.test(found.message)) || text.includes("aaaa")) return;
      const expected = verdict(() => language.evaluate(text, toCel(input as unknown as Json) as object));
      if (typeof expected === "boolean") expect(found).toBe(expected);
      else expect(found).toBeInstanceOf(ConditionError);
    }),
    {
      seed,
      numRuns: tries(200),
      examples: [[deep], ...[...few, ...more, ...slow].map((text): [string] => [text])],
    },
  );
});

const json = fc.jsonValue({ maxDepth: 4 });
const members = [
  "id",
  "iid",
  "number",
  "sha",
  "state",
  "head",
  "base",
  "user",
  "login",
  "body",
  "context",
  "statuses",
  "labels",
  "name",
  "username",
];
/** Answers that look like those of a forge, with anything in the place of each value. */
const answers = fc.oneof(
  json,
  fc.array(fc.dictionary(fc.constantFrom(...members), fc.oneof(json, fc.integer(), fc.string())), {
    maxLength: 5,
  }),
  fc.dictionary(fc.constantFrom(...members), fc.oneof(json, fc.integer(), fc.string())),
);

test.each([github, gitlab])(
  "whatever a Git host answers, $title either gives a result or tells a failure of the Git host",
  async (system) => {
    let answer = "";
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(answer);
    });
    const connection = { apiUrl: url, token: "t", environment: {}, clock: quickClock(), longestWait: 0 };
    const forge = system.connect("acme/infra", connection);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          answers.map((value) => JSON.stringify(value)),
          fc.string(),
        ),
        async (text) => {
          answer = text;
          const calls = [
            forge.openPullRequests("main"),
            forge.pullRequest(1),
            forge.pullRequestsOf("a".repeat(40)),
            forge.ownComments(1),
            forge.ownStatuses("a".repeat(40)),
          ];
          for (const ended of await Promise.allSettled(calls))
            if (ended.status === "rejected") expect(ended.reason).toBeInstanceOf(ForgeError);
        },
      ),
      { seed, numRuns: tries(50) },
    );
  },
);

test("whatever comes to the webhook, it is answered, and without the secret it is no hint", async () => {
  let hints = 0;
  const served = await serveWebhook({
    host: "127.0.0.1",
    port: 0,
    receiver: () => ({ secret: () => Promise.resolve("a-secret-canary"), onHint: () => void (hints += 1) }),
  });
  onTestFinished(() => served.close());
  const names = [
    "x-hub-signature-256",
    "x-gitea-signature",
    "x-gitlab-token",
    "webhook-signature",
    "webhook-id",
    "webhook-timestamp",
  ];
  const text = fc.string({
    unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCodePoint(code)),
  });
  const value = fc.oneof(
    text,
    text.map((each) => `sha256=${each}`),
    text.map((each) => `v1,${each}`),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.constantFrom(...names), value),
      fc.uint8Array(),
      async (headers, body) => {
        const answer = await fetch(served.url, { method: "POST", headers, body: new Uint8Array(body) });
        expect(answer.status).toBe(401);
        await answer.text();
      },
    ),
    { seed, numRuns: tries(100) },
  );
  expect(hints).toBe(0);
});
