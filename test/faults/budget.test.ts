import { afterEach, expect, test } from "vitest";
import { Child } from "./child-process.ts";
import { application, environment, job, project } from "../fixtures/documents.ts";
import { FaultyServer } from "../fixtures/faulty-server.ts";

const PROCESSES = 4;

let stage: FaultyServer | undefined;
afterEach(() => stage?.[Symbol.asyncDispose]());

const documentsOf = (name: string) => [
  project(),
  environment(name),
  ...[0, 1, 2, 3].map((index) => job(`${name}/job-${index}`)),
  application(`${name}/api`),
];

test.each([
  ["environments of their own", 30, (process: number) => `shop/env-${process}`, 1 + PROCESSES * 6],
  ["one environment", 8, () => "shop/env", 7],
])(
  "four simultaneous applies of %s share the quota of their token, and none of them fails",
  async (_name, rateLimit, nameOf, resources) => {
    stage = await FaultyServer.open({
      clock: "real",
      behaviour: { rate_limit: rateLimit, rate_window_s: 2 },
    });
    const children = Array.from({ length: PROCESSES }, () => Child.runner());
    const order = { connection: stage.connection, parallelism: 10, speed: 1, onQuota: "wait" as const };
    const results = await Promise.all(
      children.map((child, process) => child.order({ ...order, documents: documentsOf(nameOf(process)) })),
    );

    const spent = results.map((result) => {
      if (!result) throw new Error("a process was killed");
      expect(result.statuses).toEqual(result.statuses.map(() => "done"));
      return result.spent;
    });
    const seen = (await stage.harness.seen()).filter(({ path }) => path !== "/organization");
    const made = seen.filter(({ method, status }) => method === "POST" && (status === 200 || status === 201));
    expect(made).toHaveLength(resources);
    const refused = seen.filter(({ status }) => status === 429).length;
    const served = seen.length - refused;
    expect(spent.reduce((sum, count) => sum + count, 0)).toBe(seen.length);
    // One window was not enough; the server may refuse about as many requests of each process as the process has in
    // progress.
    expect(served).toBeGreaterThan(rateLimit);
    expect(refused).toBeLessThan(served);
  },
);
