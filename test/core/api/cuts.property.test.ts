import fc from "fast-check";
import { expect, test } from "vitest";
import type { PersistentText } from "../../../core/api/index.ts";
import { tries } from "../../fixtures/random-cases.ts";
import { clientFor, elements, type Paging, startServer } from "./paging-grid.ts";

const kinds = ["project", "environment", "service"];

const ways: Paging[] = [
  {},
  { refuses: "pages" },
  { joins: "doubles" },
  { emptyBeyond: true },
  { ignoresPage: true },
  { ignoresBoth: true },
];

/** The cut of a kind of list, and the lengths of its lists: any, or about that of a cut page. */
const kindFrom = (min: number) =>
  fc.integer({ min, max: 200 }).chain((cut) =>
    fc.record({
      cut: fc.constant(cut),
      lengths: fc.array(
        fc.oneof(
          fc.nat(Math.min(250, cut * 2)),
          fc.integer({ min: -1, max: 2 }).map((by) => cut + by),
        ),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  );

type Named = readonly [path: string, list: { id: string }[]];

/** Reads lists in one run: each is whole, or refused. @param shows how many of the elements of a list another operation shows */
async function readAll(
  url: string,
  pages: PersistentText,
  named: readonly Named[],
  shows: (length: number) => number = (length) => length,
): Promise<void> {
  const client = clientFor(url, pages);
  await Promise.all(
    named.map(async ([path, list]) => {
      const ids = list.slice(0, shows(list.length)).map(({ id }) => id);
      const read = async ({ length }: { length: number }) => ({
        ids,
        // As the statuses of an environment: where they are as long, both may be cut.
        ...((ids.length < length || length === 0 || shows(Infinity) === Infinity) && { count: ids.length }),
      });
      const witnesses = [{ path: "/statuses", read }];
      const result = await client.list(path, {}, { witnesses }).catch((error: unknown) => error);
      if (result instanceof Error) expect(result).toMatchObject({ code: "unexpected_answer" });
      else expect(result).toEqual(list);
    }),
  );
}

/** The facts that one client hands on to the next. */
function memory(): PersistentText {
  let kept: string | undefined;
  return { read: async () => kept, write: async (text) => void (kept = text) };
}

test.each([
  ["counts none", {}, 1],
  // No server cuts pages with a count to fewer than ten elements: each list with a count would cost another request.
  ["counts the elements of each page", { counts: "page" }, 10],
] as const)(
  "a list is whole, or refused, on any server that cuts each kind of list to a length of its own, and %s",
  async (_name, counting, least) => {
    let paging = (_path: string): Paging => ({});
    const { url, lists } = await startServer((path) => paging(path));
    const kind = kindFrom(least);
    const worlds = fc.record({ way: fc.constantFrom(...ways), made: fc.tuple(kind, kind, kind) });
    await fc.assert(
      fc.asyncProperty(worlds, async ({ way, made }) => {
        paging = (path) => ({
          ...counting,
          ...way,
          cut: made[kinds.indexOf(path.split("/")[1] ?? "")]?.cut ?? Infinity,
        });
        const named = made.flatMap(({ lengths }, number) =>
          lengths.map((length, index): Named => [`/${kinds[number]}/${index}/x`, elements(length)]),
        );
        for (const [path, list] of named) lists.set(path, list);
        const pages = memory();
        // The second client knows what the first has learned.
        for (let run = 0; run < 2; run += 1) await readAll(url, pages, named);
      }),
      { numRuns: tries(40) },
    );
  },
);

test("a list is whole, or refused, on any server that cuts everything to one usual length, statuses too", async () => {
  let paging: Paging = {};
  const { url, lists } = await startServer(() => paging);
  const cuts = fc.constantFrom(10, 15, 20, 25, 30, 50, 64, 100);
  const by = fc.array(fc.integer({ min: -3, max: 9 }), { minLength: 1, maxLength: 4 });
  const worlds = fc.record({ way: fc.constantFrom(...ways), cut: cuts, by });
  await fc.assert(
    fc.asyncProperty(worlds, async ({ way, cut, by: lengths }) => {
      paging = { ...way, cut };
      const named = lengths.map((more, index): Named => [`/environment/${index}/x`, elements(cut + more)]);
      for (const [path, list] of named) lists.set(path, list);
      await readAll(url, memory(), named, (length) => Math.min(cut, length));
    }),
    { numRuns: tries(60) },
  );
});

/** The ways in which a server may page at one time; counts are honest, or there are none. */
const moments: fc.Arbitrary<Paging> = fc.oneof(
  fc.record({ cut: fc.integer({ min: 10, max: 60 }) }),
  fc.record({ cut: fc.integer({ min: 10, max: 60 }), counts: fc.constantFrom("list", "page") }),
  // Two elements fit.
  fc.record({ bytes: fc.integer({ min: 800, max: 8000 }) }),
  fc.constantFrom<Paging>({}, { counts: "list" }, { ignoresBoth: true }),
);

const growing = fc.array(fc.nat(12), { minLength: 4, maxLength: 4 });

test("a list is whole, or refused, on any server that pages differently in each run, by elements or by bytes, while lists grow", async () => {
  let paging = (_path: string): Paging => ({});
  const { url, lists } = await startServer((path) => paging(path));
  const moment = fc.tuple(moments, moments);
  const worlds = fc.record({
    starts: fc.array(fc.nat(60), { minLength: 4, maxLength: 4 }),
    runs: fc.array(fc.record({ moment, growing }), { minLength: 2, maxLength: 4 }),
    pads: fc.array(fc.nat(300), { minLength: 5, maxLength: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(worlds, async ({ starts, runs, pads }) => {
      const pages = memory();
      const lengths = [...starts];
      for (const { moment: now, growing: more } of runs) {
        paging = (path) => now[path.startsWith("/project") ? 0 : 1];
        const named = lengths.map((length, index): Named => {
          lengths[index] = length + (more[index] ?? 0);
          const list = elements(lengths[index]).map((each, at) => ({
            ...each,
            pad: "x".repeat(pads[at % pads.length] ?? 0),
          }));
          return [`/${kinds[index % 2]}/${index}/x`, list];
        });
        for (const [path, list] of named) lists.set(path, list);
        await readAll(url, pages, named);
      }
    }),
    { numRuns: tries(60) },
  );
});
