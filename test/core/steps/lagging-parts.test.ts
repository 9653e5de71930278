import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Fields } from "../../../core/values/json.ts";
import { application, shop } from "../../fixtures/documents.ts";
import { steppingClock } from "../../fixtures/fast-clock.ts";
import { FaultyServer } from "../../fixtures/faulty-server.ts";
import { Hostile, type Reply, type Treatment } from "../../fixtures/hostile-server.ts";
import { run } from "../../fixtures/plan-and-apply.ts";

let stage: FaultyServer;
beforeAll(async () => {
  stage = await FaultyServer.open({ behaviour: { duplicate_names: true } });
});
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(() => stage.reset());

const documents = (parts: Fields) => [...shop, { ...application("shop/staging/web"), ...parts }];

/** The keys of the parts in a request or in an answer. */
function keysIn({ domain, key, vars }: Fields): string[] {
  return Array.isArray(vars) ? (vars as Fields[]).map(({ name }) => String(name)) : [String(domain ?? key)];
}

/** What a server does with a request that creates parts; `make` carries it out. */
type Answer = (make: () => Promise<Reply>) => Promise<Reply>;

const lost: Answer = async (make) => {
  await make();
  return { status: 502, body: "" };
};
const accepted: Answer = (make) => make();
const empty: Answer = async (make) => {
  await make();
  return { status: 202, body: "" };
};
const notStored: Answer = async () => ({ status: 202, body: JSON.stringify({ id: "none" }) });

/**
 * A server whose lists show a part that was created after this number of milliseconds, on the clock of the run, and a
 * part that was deleted until then.
 */
function lagging(lag: number, answer: Answer) {
  const clock = steppingClock();
  const sends = new Map<string, number>();
  const hidden = new Map<string, number>();
  let deletions = 0;
  let deletedAt = Infinity;
  let before: Reply | undefined;
  const treat: Treatment = async ({ method, path, body, pass }) => {
    if (!/\/customDomain|^\/variable/.test(path)) return undefined;
    if (method === "POST") {
      const request = JSON.parse(body) as Fields;
      const keys = keysIn(request);
      for (const key of keys) sends.set(key, (sends.get(key) ?? 0) + 1);
      return answer(async () => {
        const reply = await pass();
        const { id } = JSON.parse(reply.body) as { id?: string };
        for (const one of id === undefined ? keys : [id]) hidden.set(one, clock.now() + lag);
        return reply;
      });
    }
    if (method === "DELETE") {
      deletions += 1;
      deletedAt = Math.min(deletedAt, clock.now());
      await pass();
      return { status: 202, body: "" };
    }
    if (method !== "GET") return undefined;
    if (before && clock.now() >= deletedAt && clock.now() < deletedAt + lag) return before;
    const reply = await pass();
    const { results } = JSON.parse(reply.body) as { results: Fields[] };
    const isShown = ({ id, key }: Fields) =>
      [id, key].every((name) => clock.now() >= (hidden.get(String(name)) ?? 0));
    before = { status: reply.status, body: JSON.stringify({ results: results.filter(isShown) }) };
    return before;
  };
  return { treat, clock, sends, deletions: () => deletions };
}

/** Brings the parts of an application there on such a server. */
async function bring(parts: Fields, lag: number, answer: Answer) {
  const { treat, clock, ...counts } = lagging(lag, answer);
  await using hostile = await Hostile.open(stage.connection.url, treat);
  const { report } = await run({ ...stage.connection, url: hostile.url }, documents(parts), {
    clock,
    limits: { busy: 120_000 },
  });
  const sends = Math.max(0, ...counts.sends.values());
  return { outcome: report.outcomes.at(-1), sends, deletions: counts.deletions() };
}

const domain = { custom_domains: { "a.example.com": {} } };
const variable = { variables: { FIRST: "1" } };
const imported = { variables: { FIRST: "1", SECOND: "2" } };
const alias = { variables: { FIRST: "1", SECOND: "2", ALIAS: { alias_of: "FIRST" } } };

describe.each([15_000, 30_000, 60_000])("lists that are %i ms late", (lag) => {
  beforeEach(() => stage.succeed(documents({})));

  test.each([
    ["a custom domain", domain],
    ["a variable", variable],
    ["variables that are imported", imported],
    ["an alias", alias],
  ])("%s is sent at most twice after answers that say nothing", async (_, parts) => {
    const { sends } = await bring(parts, lag, lost);
    expect(sends).toBe(2);
  });

  test("a custom domain that this run has created twice is named with both ids", async () => {
    const { outcome } = await bring(domain, lag, lost);
    const { id } = await stage.answer("shop/staging/APPLICATION web");
    const duplicates = await stage.harness.results(`/application/${String(id)}/customDomain`);
    expect(duplicates).toHaveLength(2);
    // After a minute of errors 502 the run has given up.
    if (lag === 60_000) return expect(outcome).toMatchObject({ status: "failed", code: "unclear" });
    expect(outcome).toMatchObject({ status: "failed", code: "duplicated" });
    for (const duplicate of duplicates) expect(outcome?.message).toContain(duplicate["id"]);
  });

  test("an alias waits until the imported variable that it names is listed; neither is sent twice", async () => {
    const { outcome, sends } = await bring(alias, lag, accepted);
    expect(outcome).toMatchObject({ status: "done" });
    expect(sends).toBe(1);
  });

  test("a request that an empty answer 202 accepts is sent once, and its effect is waited for", async () => {
    const { outcome, sends } = await bring(domain, lag, empty);
    expect(outcome).toMatchObject({ status: "done" });
    expect(sends).toBe(1);
  });

  test("a deletion that the server has accepted is sent once", async () => {
    await stage.succeed(documents(domain));
    const removed = { custom_domains: { "a.example.com": null } };
    const { outcome, deletions } = await bring(removed, lag, accepted);
    expect(outcome).toMatchObject({ status: "done" });
    expect(deletions).toBe(1);
  });
});

describe("lists that never show what was created", () => {
  beforeEach(() => stage.succeed(documents({})));

  test.each([
    ["an alias whose variable is accepted is pending", alias, accepted, "pending", 1],
    ["a domain that an empty answer 202 has accepted is pending", domain, empty, "pending", 1],
    ["a domain of which nothing is known is unclear", domain, lost, "unclear", 2],
    ["a domain that the server accepts and does not store is pending", domain, notStored, "pending", 2],
  ])("%s", async (_, parts, answer, code, times) => {
    const { outcome, sends } = await bring(parts, Infinity, answer);
    expect(outcome).toMatchObject({ status: code === "pending" ? "pending" : "failed", code });
    expect(sends).toBe(times);
  });
});
