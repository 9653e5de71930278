import { registerHooks } from "node:module";
import { describe, expect, test } from "vitest";
import { Leases } from "../../reconciler/database/leases.ts";
import { type LeasesClass, run, type Schedule, schedules } from "./protocol.ts";

/** What is not in the code of the leases would be no mutation of it. */
interface Mutation {
  file: "leases" | "source-locks" | "worker-session";
  from: string;
  to: string;
}

/** The protocol with one mistake each. */
const mutations: Record<string, Mutation> = {
  "a worker writes without a proof of its locks": {
    file: "worker-session",
    from: "async ensure(): Promise<void> {",
    to: "async ensure(): Promise<void> { return;",
  },
  "a proof is believed for minutes": {
    file: "worker-session",
    from: "export const belief = 1000;",
    to: "export const belief = 100_000;",
  },
  "nobody follows the URL of the database": {
    file: "worker-session",
    from: "export const beliefInUrl = 5000;",
    to: "export const beliefInUrl = 500_000;",
  },
  "a worker at another server goes on": {
    file: "worker-session",
    from: "if (!isHere) {",
    to: "if (false) {",
  },
  "a source is not given back": {
    file: "source-locks",
    from: "select pg_advisory_unlock(",
    to: "select pg_advisory_nothing(",
  },
  "nobody waits after a promotion": {
    file: "source-locks",
    from: "return 2 * beliefInUrl * slowness;",
    to: "return 0;",
  },
  "a silent worker is not ended": {
    file: "leases",
    from: "const longestSilence = 8;",
    to: "const longestSilence = 8000;",
  },
  "a silent worker is forgotten, and keeps its connection": {
    file: "leases",
    from: "returning id, slowness, ${endOfWorker})",
    to: "returning id, slowness)",
  },
  "nobody waits after a takeover": { file: "source-locks", from: ": 2 * belief * slowness;", to: ": 0;" },
  "a promotion is waited for no longer than a takeover": {
    file: "source-locks",
    from: "return 2 * beliefInUrl * slowness;",
    to: "return 2 * belief * slowness;",
  },
  "who is told late that it has a source keeps the lock": {
    file: "leases",
    from: "void giveBackLocks(this.#session, names)",
    to: "undefined",
  },
  "who was overtaken looks for no other primary": {
    file: "leases",
    from: "await this.#session.locate().catch(() => undefined);",
    to: "",
  },
};

/** The code of the leases with a mistake, as modules of their own. */
async function mutated(name: string, { file, from, to }: Mutation): Promise<LeasesClass> {
  const mark = `?mistake=${encodeURIComponent(name)}`;
  const isOurs = (url: string) => /\/(?:leases|source-locks|worker-session|proof)\.ts$/.test(url);
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      return context.parentURL?.endsWith(mark) && isOurs(found.url)
        ? { ...found, url: found.url + mark }
        : found;
    },
    load(url, context, next) {
      if (!url.endsWith(`/${file}.ts${mark}`)) return next(url, context);
      const loaded = next(url, context);
      const text = String(loaded.source);
      if (!text.includes(from)) throw new Error(`${file}.ts has no longer: ${from}`);
      return { ...loaded, source: text.replace(from, to) };
    },
  });
  try {
    const url = new URL("../../reconciler/database/leases.ts", import.meta.url).href + mark;
    return ((await import(url)) as { Leases: LeasesClass }).Leases;
  } finally {
    hooks.deregister();
  }
}

/** Without a promotion, and with one while the old primary goes on. */
const promotions = [Infinity, 12_000, 16_000];

async function firstMistake(of: LeasesClass, all: Iterable<Schedule>): Promise<string | undefined> {
  for (const schedule of all)
    for (const promotedAt of promotions) {
      const { wrong } = await run(of, schedule, promotedAt);
      if (wrong.length > 0) return `${JSON.stringify([...schedule])} ${promotedAt}: ${wrong[0]}`;
    }
  return undefined;
}

/** All pairs of faults in a soak. */
const pairs = process.env["INFRASYNC_TEST_SOAK"] === "true" ? Infinity : 24;

test("whatever one or two queries of two workers meet, no source has two writers, and no push is lost", async () => {
  const first = await run(Leases, new Map());
  expect(first.queries).toBeGreaterThan(40);
  expect(await firstMistake(Leases, schedules(24, pairs))).toBeUndefined();
  // Those with which each mistake has to be found.
  expect(await firstMistake(Leases, schedules(40, 40))).toBeUndefined();
}, 7_200_000);

describe("the model finds a mistake of the protocol", () => {
  test.each(Object.entries(mutations))(
    "%s",
    async (name, mutation) => {
      const wrong = await mutated(name, mutation);
      expect(await firstMistake(wrong, schedules(40, 40))).toBeDefined();
    },
    240_000,
  );
});
