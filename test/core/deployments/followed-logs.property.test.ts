import fc from "fast-check";
import { expect, test } from "vitest";
import { createClient } from "../../../core/api/index.ts";
import { followLogs } from "../../../core/deployments/index.ts";
import { kindCalled } from "../../../core/model/kinds/index.ts";
import { quickClock } from "../../fixtures/quick-clock.ts";
import { tries } from "../../fixtures/random-cases.ts";
import { serve } from "../../fixtures/http-server.ts";

interface Course {
  /** How many lines come before each read. */
  bursts: number[];
  tail: number;
  /** The most lines that the server gives, whatever it is asked for. */
  cap: number;
  hasIds: boolean;
  /** How many lines have the same time and the same text. */
  alike: number;
}

/** What somebody sees who follows the lines: their numbers, and `gap`. */
async function follow({ bursts, tail, cap, hasIds, alike }: Course): Promise<(number | "gap")[]> {
  const lines: object[] = [];
  const produce = (count: number) => {
    for (let index = 0; index < count; index += 1) {
      const number = lines.length;
      const shared = Math.floor(number / alike);
      const at = new Date(shared * 1000).toISOString();
      lines.push({ created_at: at, message: `line ${shared}`, ...(hasIds && { id: `${number}` }) });
    }
  };
  const { url } = await serve((request, response) => {
    const requested = Number(new URL(request.url ?? "", "http://x").searchParams.get("tail"));
    response.end(JSON.stringify({ results: lines.slice(-Math.min(requested, cap)) }));
  });
  const stop = new AbortController();
  const clock = quickClock();
  const [first = 0, ...later] = bursts;
  produce(first);
  const sleep = async () => {
    const next = later.shift();
    if (next === undefined) stop.abort();
    else produce(next);
  };
  const seen: (number | "gap")[] = [];
  let count = Math.max(0, first - Math.min(tail, cap));
  const client = createClient({ baseUrl: url, token: "t", onQuota: "fail" });
  const kind = kindCalled("Application");
  if (!kind) throw new Error("there is no such kind");
  const address = { kind, names: ["shop", "staging", "api"] };
  await followLogs({ client, clock: { ...clock, sleep }, signal: stop.signal }, { address, id: "a" }, tail, {
    onLine: () => void seen.push((count += 1)),
    onGap: () => void seen.push("gap"),
  });
  // Of lines of one moment at the beginning, some may come that were before the tail.
  const most = lines.length + alike - 1;
  expect(count <= most, `${count} of ${lines.length}`).toBe(true);
  if (!seen.includes("gap")) expect(count).toBeGreaterThanOrEqual(lines.length);
  return seen;
}

const course = fc.record({
  bursts: fc.array(fc.oneof(fc.nat(5), fc.nat(500)), { minLength: 1, maxLength: 8 }),
  tail: fc.integer({ min: 1, max: 100 }),
  hasIds: fc.boolean(),
  alike: fc.integer({ min: 1, max: 4 }),
});

test("whoever follows log lines sees each once, however many come between two reads", async () => {
  await fc.assert(
    fc.asyncProperty(course, async (given) => {
      expect(await follow({ ...given, cap: Infinity })).not.toContain("gap");
    }),
    { numRuns: tries(40) },
  );
});

test("where the server gives too few lines to reach back, whoever follows them is told", async () => {
  await fc.assert(
    fc.asyncProperty(course, fc.integer({ min: 1, max: 50 }), async (given, cap) => {
      await follow({ ...given, cap });
    }),
    { numRuns: tries(40) },
  );
});
