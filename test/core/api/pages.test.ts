import { describe, expect, test } from "vitest";
import { UnexpectedAnswerError, createClient } from "../../../core/api/index.ts";
import type { Client } from "../../../core/api/index.ts";
import { quickClock } from "../../fixtures/quick-clock.ts";
import { failureOf } from "./failure.ts";
import { json, serve, serveReplies, text } from "../../fixtures/http-server.ts";

const clientFor = (baseUrl: string): Client =>
  createClient({ baseUrl, token: "t", onQuota: "fail" }, quickClock());
const element = (id: number) => ({ id: `id-${id}` });
const elements = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_none, index) => element(first + index));

/** One page of a list, in the state of the server at that moment. */
function page(list: object[], number: number, size: number) {
  const pagination = {
    page: number,
    page_size: size,
    total_count: list.length,
    total_pages: Math.ceil(list.length / size),
  };
  return { results: list.slice((number - 1) * size, number * size), pagination };
}

describe("a list", () => {
  test.each([0, 1, 99, 100, 101, 200, 250])("of %d elements is read completely", async (count) => {
    const { url } = await serve((request, response) => {
      const query = new URL(request.url ?? "", "http://localhost").searchParams;
      expect(query.get("filter")).toBe("a b");
      response.end(
        JSON.stringify(page(elements(1, count), Number(query.get("page")), Number(query.get("page_size")))),
      );
    });
    const client = clientFor(url);
    expect(await client.list("/x", { filter: "a b" })).toEqual(elements(1, count));
    // Once, another page shows that the first was not cut, and that the count is that of the list.
    const asking = count < 10 ? 1 : 2;
    expect(client.spent).toEqual({ total: asking, byOperation: { "GET /x": asking } });
    await client.list("/x", { filter: "a b" });
    expect(client.spent.total).toBe(asking + 1);
  });

  test.each([
    ["gives a hundred at most", (size: number) => Math.min(size, 100), [4, 3]],
    ["gives two hundred at most", (size: number) => Math.min(size, 200), [3, 2]],
    ["refuses more than a thousand", (size: number) => (size > 1000 ? undefined : size), [3, 1]],
    ["refuses more than a hundred", (size: number) => (size > 100 ? undefined : size), [6, 3]],
  ])("of 250 elements is read completely where the server %s", async (_name, sizeOf, requests) => {
    const { url } = await serve((request, response) => {
      const query = new URL(request.url ?? "", "http://localhost").searchParams;
      const size = sizeOf(Number(query.get("page_size")));
      if (size === undefined) response.statusCode = 400;
      const all = elements(1, 250);
      response.end(
        JSON.stringify(size === undefined ? { status: 400 } : page(all, Number(query.get("page")), size)),
      );
    });
    const client = clientFor(url);
    const spent: number[] = [];
    for (let reading = 0; reading < 2; reading += 1) {
      expect(await client.list("/x")).toEqual(elements(1, 250));
      spent.push(client.spent.total - spent.reduce((sum, each) => sum + each, 0));
    }
    expect(spent).toEqual(requests);
  });

  test.each([
    ["cuts it to 12 elements", true],
    ["cuts it to 15 elements and ignores the page", false],
  ])(
    "that came whole with a count proves nothing once the server counts no more and %s",
    async (_, pages) => {
      let isCounting = true;
      const { url } = await serve((request, response) => {
        const query = new URL(request.url ?? "", "http://localhost").searchParams;
        const number = Number(query.get("page"));
        const { results, pagination } = page(
          elements(1, 17),
          pages || isCounting ? number : 1,
          isCounting ? 1000 : pages ? 12 : 15,
        );
        response.end(JSON.stringify({ results, ...(isCounting && { pagination }) }));
      });
      const client = clientFor(url);
      expect(await client.list("/x")).toEqual(elements(1, 17));
      isCounting = false;
      const read = await client.list("/x").catch((error: unknown) => error);
      expect(read).toEqual(pages ? elements(1, 17) : expect.any(UnexpectedAnswerError));
    },
  );

  test("is read completely where the server cuts a large page and counts pages as if it had not", async () => {
    const { url } = await serve((request, response) => {
      const query = new URL(request.url ?? "", "http://localhost").searchParams;
      const whole = page(elements(1, 250), Number(query.get("page")), Number(query.get("page_size")));
      response.end(JSON.stringify({ ...whole, results: whole.results.slice(0, 100) }));
    });
    expect(await clientFor(url).list("/x")).toEqual(elements(1, 250));
  });

  test("that is refused whatever the size of its pages makes the pages of no other list smaller", async () => {
    const received: (string | undefined)[] = [];
    const { url } = await serve((request, response) => {
      received.push(request.url);
      const isRefused = request.url?.startsWith("/refused");
      if (isRefused) response.statusCode = 400;
      response.end(JSON.stringify(isRefused ? { status: 400 } : page(elements(1, 3), 1, 100)));
    });
    const client = clientFor(url);
    expect(await failureOf(client.list("/refused"))).toMatchObject({ code: "invalid_request" });
    await client.list("/x");
    expect(received).toEqual([
      ...[10_000, 1000, 100, 20, 10].map((size) => `/refused?page=1&page_size=${size}`),
      "/refused",
      "/x?page=1&page_size=10000",
    ]);
  });

  test("is read completely when the server returns smaller pages than requested", async () => {
    const { url } = await serve((request, response) => {
      const query = new URL(request.url ?? "", "http://localhost").searchParams;
      response.end(JSON.stringify(page(elements(1, 7), Number(query.get("page")), 3)));
    });
    expect(await clientFor(url).list("/x")).toEqual(elements(1, 7));
  });

  test.each([{ results: elements(1, 310) }, { results: elements(1, 3), pagination: null }])(
    "without pagination is complete where the server answers with the same whatever page it is asked for",
    async (body) => {
      const { url, received } = await serveReplies(json(200, body));
      expect(await clientFor(url).list("/x")).toEqual(body.results);
      const requested = [`/x?page=2&page_size=${body.results.length - 1}`];
      // The list without pages shows that page 1 is the first.
      const first = ["/x?page=1&page_size=10000", "/x"];
      expect(received.map((request) => request.url)).toEqual([...first, ...requested]);
    },
  );

  const changes: [name: string, after: object[]][] = [
    ["one is deleted, so that another is missed", elements(2, 4)],
    ["one takes the place of another, which comes twice", [...elements(9, 9), ...elements(1, 3)]],
    ["one is deleted and two are added, so that another is missed", elements(2, 6)],
  ];
  test.each(changes)("is read again when %s meanwhile", async (_name, after) => {
    let list: object[] = elements(1, 4);
    const { url } = await serve((request, response) => {
      const query = new URL(request.url ?? "", "http://localhost").searchParams;
      const size = Math.min(2, Number(query.get("page_size")));
      response.end(JSON.stringify(page(list, Number(query.get("page")), size)));
      list = after;
    });
    expect(await clientFor(url).list("/x")).toEqual(after);
  });

  test("that keeps changing is an error", async () => {
    const { url, received } = await serveReplies(
      json(200, { ...page(elements(1, 2), 1, 2), pagination: { total_count: 3, total_pages: 1 } }),
    );
    const error = await failureOf(clientFor(url).list("/x"));
    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect(error.message).toContain(
      "GET /x: the pages change while they are read, in each of 3 attempts; try again later",
    );
    expect(received).toHaveLength(3 * 2);
  });

  const wrong: [name: string, body: unknown][] = [
    ["a bare list", []],
    ["nothing", null],
    ["a text", "results"],
    ["results that are not a list", { results: {} }],
    ["no results", { pagination: {} }],
    ["pagination that is not an object", { results: [], pagination: 1 }],
    ["pagination without counts", { results: [], pagination: { page: 1 } }],
    ["a count that is a text", { results: [], pagination: { total_count: "1", total_pages: 1 } }],
    ["a negative count", { results: [], pagination: { total_count: -1, total_pages: 1 } }],
    ["endless pages", { results: [], pagination: { total_count: 1, total_pages: 1e9 } }],
  ];
  test.each(wrong)("with another shape is an error: %s", async (_name, body) => {
    const { url, received } = await serveReplies(json(200, body));
    const error = await failureOf(clientFor(url).list("/x"));
    expect(error).toMatchObject({ code: "unexpected_answer", method: "GET", path: "/x" });
    expect(error.message).toMatch(/^Unexpected answer to GET \/x: .*; check that the base URL/);
    expect(received).toHaveLength(1);
  });

  test.each([
    [[], "a list without results"],
    ["results", "a string"],
    [null, "null"],
    [{}, "{}"],
    [{ data: [], "a\u001b[31m": 1 }, String.raw`an object with data, a\u001b[31m`],
  ])("with another shape says what came: %j", async (body, came) => {
    const { url } = await serveReplies(json(200, body));
    const { message } = await failureOf(clientFor(url).list("/x"));
    expect(message).toContain(`the API should return a list ({ results: [...] }), and returned ${came}; `);
  });

  test("repeats a failed page, not the list", async () => {
    const list = elements(1, 4);
    const { url, received } = await serveReplies(
      json(200, page(list, 1, 2)),
      text(503, ""),
      json(200, page(list, 2, 2)),
      json(200, page(list, 3, 2)),
    );
    expect(await clientFor(url).list("/x")).toEqual(list);
    expect(received).toHaveLength(4);
  });
});
