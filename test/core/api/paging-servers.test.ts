import { describe, expect, test } from "vitest";
import {
  type Client,
  type PersistentText,
  UnexpectedAnswerError,
  type Witness,
} from "../../../core/api/index.ts";
import { serve } from "../../fixtures/http-server.ts";
import { failureOf } from "./failure.ts";
import { clientFor, elements, type Paging, startServer, testServers } from "./paging-grid.ts";

// The other sizes are those of `npm run test:long`.
testServers([20]);

test("a server that answers page 2 with page 1, and may have cut it, is an error that says so", async () => {
  const { url, lists } = await startServer({ cut: 20, ignoresPage: true });
  lists.set("/x", elements(30));
  expect((await failureOf(clientFor(url).list("/x"))).message).toBe(
    "Unexpected answer to GET /x: the server answers page 2 with page 1, and does not report the length of the list: 20 elements may be only a part, because servers cut lists to such a number; add or delete one element, for example in the web console: lists of other lengths count as complete",
  );
});

describe("a list of a server that does not page", () => {
  const read = async () => ({ ids: elements(37).map(({ id }) => id), count: 37 });

  test("is whole where a witness shows the same, and shorter lists are then whole without one", async () => {
    const { url, lists } = await startServer({ ignoresBoth: true });
    lists.set("/environment/a/services", elements(37)).set("/environment/b/services", elements(30));
    const client = clientFor(url);
    const witness = { path: "/statuses", read };
    expect(await client.list("/environment/a/services", {}, { witnesses: [witness] })).toHaveLength(37);
    const { total } = client.spent;
    expect(await client.list("/environment/b/services")).toHaveLength(30);
    expect(client.spent.total).toBe(total + 1);
  });

  test.each([30, 36])("is an error where it is cut to %i elements, and a witness shows 37", async (cut) => {
    const { url, lists } = await startServer({ ignoresBoth: true, cut });
    lists.set("/x", elements(37));
    const { message } = await failureOf(
      clientFor(url).list("/x", {}, { witnesses: [{ path: "/statuses", read }] }),
    );
    expect(message).toContain(`${cut} elements are only a part of the list: GET /statuses shows others`);
  });

  test("is an error where it has a length to which servers cut pages, and the witness cannot be read", async () => {
    const { url, lists } = await startServer({ ignoresBoth: true });
    lists.set("/x", elements(30));
    const client = clientFor(url);
    const error = new UnexpectedAnswerError("no statuses", { method: "GET", path: "/statuses" });
    const witness = { path: "/statuses", read: () => Promise.reject(error) };
    expect((await failureOf(client.list("/x", {}, { witnesses: [witness] }))).message).toContain(
      "30 elements may be only a part",
    );
  });
});

test("a list that came whole says nothing of another list that the server cuts, without a count, to fewer elements", async () => {
  const { url } = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    const isCut = pathname.startsWith("/project");
    const size = Math.min(isCut ? 20 : 100, Number(searchParams.get("page_size") ?? 100));
    const start = (Number(searchParams.get("page") ?? 1) - 1) * size;
    response.end(JSON.stringify({ results: elements(isCut ? 30 : 40).slice(start, start + size) }));
  });
  const client = clientFor(url);
  expect(await client.list("/environment/a/services")).toEqual(elements(40));
  expect(await client.list("/project/a/environment")).toEqual(elements(30));
});

describe("a list of a server that gives pages of its own size", () => {
  const servers: [joins: Paging["joins"], counts: Paging["counts"]][] = [
    ["drops", undefined],
    ["drops", "page"],
    [undefined, undefined],
    [undefined, "page"],
  ];

  test.each(servers)(
    "is whole only where a witness shows no other: joins %s, counts %s",
    async (joins, counts) => {
      const { url, lists } = await startServer({
        fixed: 20,
        ...(joins && { joins }),
        ...(counts && { counts }),
      });
      const list = elements(31);
      lists.set("/x", list);
      const witness = { path: "/statuses", read: async () => ({ ids: list.map(({ id }) => id) }) };
      const reading = clientFor(url).list("/x", {}, { witnesses: [witness] });
      if (joins)
        expect((await failureOf(reading)).message).toContain(
          "a page lacks elements: GET /statuses shows others",
        );
      else expect(await reading).toEqual(list);
    },
  );
});

test.each([{ counts: "list" }, { ignoresBoth: true }, { counts: "list", ignoresPage: true }] as const)(
  "a list of a server with %j is read whole where each answer has another order",
  async (paging) => {
    const { url, lists } = await startServer({ ...paging, order: "changes" });
    lists.set("/x", elements(12));
    const read = async () => ({ ids: elements(12).map(({ id }) => id), count: 12 });
    const list = await clientFor(url).list("/x", {}, { witnesses: [{ path: "/statuses", read }] });
    expect(new Set(list)).toEqual(new Set(elements(12)));
  },
);

test("an empty list costs one request, once another list has shown that page 1 is the first", async () => {
  const { url, lists } = await startServer({});
  let kept: string | undefined;
  const pages: PersistentText = { read: async () => kept, write: async (text) => void (kept = text) };
  lists.set("/environment/a/services", elements(3));
  await clientFor(url, pages).list("/environment/a/services");
  const client = clientFor(url, pages);
  await client.list("/environment/a/services");
  const { total } = client.spent;
  for (const owner of ["a", "b", "c"]) expect(await client.list("/variable", { owner })).toEqual([]);
  expect(client.spent.total).toBe(total + 3);
});

test("a list that the server cuts alone to a usual length is no whole list because another one is longer", async () => {
  const { url, lists } = await startServer((path) => ({
    ignoresBoth: true,
    ...(path.endsWith("/labelsGroups") && { cut: 20 }),
  }));
  lists.set("/organization/a/services", elements(40)).set("/organization/a/labelsGroups", elements(30));
  const client = clientFor(url);
  await client.list("/environment/a/services", {}, { witnesses: [shared(client, 0)] });
  const { message } = await failureOf(client.list("/organization/a/labelsGroups"));
  expect(message).toContain("20 elements may be only a part");
});

test("a list that its parent counts needs no other request", async () => {
  const { url, lists } = await startServer({ ignoresBoth: true });
  lists.set("/x", elements(30));
  const client = clientFor(url);
  await client.list("/x", {}, { expected: 30 });
  await client.list("/x", {}, { expected: 30 });
  // One has shown that page 1 is the first.
  expect(client.spent.total).toBe(3);
  lists.set("/x", []);
  expect((await failureOf(client.list("/x", {}, { expected: 30 }))).message).toContain(
    "page 1 is empty, and the list of its parents is not, in each of 3 attempts",
  );
});

/** A list of the organization that has those of twenty lists, of which one has so many elements. */
const shared = (client: Client, count: number): Witness => ({
  path: "/organization/a/services",
  isShared: true,
  showsAll: true,
  async read({ once }) {
    const list = await once("services", () => client.get("/organization/a/services"));
    const { length: longest } = (list as { results: object[] }).results;
    return { ids: elements(count).map(({ id }) => id), ...(longest > count && { count }), longest };
  },
});

describe("what a server has shown", () => {
  test.each<[paging: Paging, most: number]>([
    [{ counts: "list" }, 1],
    // Without counts, another one shows that page 1 is the first.
    [{ ignoresBoth: true }, 3],
    [{ ignoresPage: true, counts: "list" }, 2],
    [{}, 3],
    [{ cut: 100 }, 3],
  ])(
    "by %j costs %i requests for twenty lists, whose environments have 7 to 26 jobs",
    async (paging, most) => {
      const { url, lists } = await startServer(paging);
      const paths = Array.from({ length: 20 }, (_none, index) => `/environment/${index}/services`);
      for (const [index, path] of paths.entries()) lists.set(path, elements(26 - index));
      lists.set("/organization/a/services", elements(27));
      const client = clientFor(url);
      await Promise.all(
        paths.map(async (path, index) => client.list(path, {}, { witnesses: [shared(client, 26 - index)] })),
      );
      expect(client.spent.total).toBe(paths.length + most);
    },
  );

  test("is proved again by the next client, except that page 1 is the first", async () => {
    let kept: string | undefined;
    const pages: PersistentText = { read: async () => kept, write: async (text) => void (kept = text) };
    const { url, lists } = await startServer({ ignoresBoth: true });
    lists.set("/environment/a/services", elements(121));
    const spent = [];
    for (let run = 0; run < 2; run += 1) {
      const client = clientFor(url, pages);
      await client.list("/environment/a/services");
      spent.push(client.spent.total);
    }
    expect(spent).toEqual([3, 2]);
  });
});
