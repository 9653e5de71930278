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
        const paths = made.flatMap(({ lengths }, number) =>
          lengths.map((length, index) => [`/${kinds[number]}/${index}/x`, elements(length)] as const),
        );
        for (const [path, list] of paths) lists.set(path, list);
        let kept: string | undefined;
        const pages: PersistentText = { read: async () => kept, write: async (text) => void (kept = text) };
        // The second client knows what the first has learned.
        for (let run = 0; run < 2; run += 1) {
          const client = clientFor(url, pages);
          await Promise.all(
            paths.map(async ([path, list]) => {
              const read = async () => ({ ids: list.map(({ id }) => id), count: list.length });
              const witnesses = [{ path: "/statuses", read }];
              const result = await client.list(path, {}, { witnesses }).catch((error: unknown) => error);
              if (result instanceof Error) expect(result).toMatchObject({ code: "unexpected_answer" });
              else expect(result).toEqual(list);
            }),
          );
        }
      }),
      { numRuns: tries(40) },
    );
  },
);
