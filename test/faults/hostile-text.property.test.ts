import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { ForgeError } from "../../adapters/forge/index.ts";
import { github } from "../../adapters/forge/github.ts";
import { gitlab } from "../../adapters/forge/gitlab.ts";
import { serveWebhook } from "../../reconciler/webhook/index.ts";
import { quickClock } from "../fixtures/quick-clock.ts";
import { serve } from "../fixtures/http-server.ts";
import { seed, tries } from "../fixtures/random-cases.ts";

// What others write: each case ends, whatever it says, and its only failures are those that are told.

/** Milliseconds and MiB that all conditions of a run of this file may take, in a thread of their own. */
const budget = { time: 60_000, memory: 256 };

test(
  "random conditions, deep loops and slow expressions end within the budget of their file",
  { timeout: 2 * budget.time },
  async () => {
    const worker = new Worker(new URL("../fixtures/hostile-conditions.ts", import.meta.url), {
      workerData: { seed, cases: tries(40) },
      resourceLimits: { maxOldGenerationSizeMb: budget.memory },
    });
    const ended = await new Promise<unknown>((resolve) => {
      const timer = setTimeout(() => resolve("still at work"), budget.time * Math.max(1, tries(1)));
      worker.once("exit", resolve).once("error", resolve);
      onTestFinished(() => clearTimeout(timer));
    });
    await worker.terminate();
    expect(ended).toBe(0);
  },
);

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
  "whatever a forge answers, $title either gives a result or tells a failure of the forge",
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
