import { describe, expect, test } from "vitest";
import type { PersistentText } from "../../../core/api/index.ts";
import { failureOf } from "./failure.ts";
import { clientFor, elements, type Paging, startServer, testServers } from "./paging-grid.ts";

// The other sizes are those of `npm run test:long`.
testServers([20]);

test("a server that answers page 2 with page 1, and may have cut it, is an error that says so", async () => {
  const { url, lists } = await startServer({ cut: 20, ignoresPage: true });
  lists.set("/x", elements(30));
  expect((await failureOf(clientFor(url).list("/x"))).message).toBe(
    "Unexpected answer to GET /x: the server answers page 2 with page 1, and does not say how long the list is: 20 elements may be a part of it",
  );
});

describe("what a server has shown", () => {
  test.each<[paging: Paging, most: number]>([
    [{ counts: "list" }, 1],
    [{ ignoresBoth: true }, 1],
    [{ ignoresPage: true, counts: "list" }, 1],
    [{}, 1],
    [{ cut: 100 }, 1],
  ])("by %j costs a request for twenty lists, whose environments have 7 to 26 jobs", async (paging, most) => {
    const { url, lists } = await startServer(paging);
    const paths = Array.from({ length: 20 }, (_none, index) => `/environment/${index}/services`);
    for (const [index, path] of paths.entries()) lists.set(path, elements(26 - index));
    const client = clientFor(url);
    await Promise.all(paths.map(async (path) => client.list(path)));
    expect(client.spent.total).toBe(paths.length + most);
  });

  test("is kept, so that the next client asks nothing", async () => {
    let kept: string | undefined;
    const pages: PersistentText = {
      read: async () => kept,
      write: async (text) => void (kept = text),
    };
    const { url, lists } = await startServer({ ignoresBoth: true });
    lists.set("/environment/a/services", elements(121));
    const spent = [];
    for (let run = 0; run < 2; run += 1) {
      const client = clientFor(url, pages);
      await client.list("/environment/a/services");
      spent.push(client.spent.total);
    }
    expect(spent).toEqual([2, 1]);
  });
});
