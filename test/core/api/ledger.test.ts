import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Clock, type Entry, type Ledger } from "../../../core/api/index.ts";
import { createWritingClient as createClient } from "../../../core/api/client.ts";
import { type Account, after, emptyAccount, spendersOf } from "../../../adapters/database/account.ts";
import { usualShares } from "../../../adapters/database/join.ts";
import { json, serveReplies } from "../../fixtures/http-server.ts";
import { quickClock } from "../../fixtures/quick-clock.ts";
import { failureOf } from "./failure.ts";

/** The ledger of a token in this process. */
class Book implements Ledger {
  readonly #clock: Clock;
  #entries = 0;
  account: Account = emptyAccount;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async enter(purpose: "people" | "applying" | "checking"): Promise<Entry> {
    await turn();
    const id = String((this.#entries += 1));
    const { account, verdict } = after(
      this.account,
      { type: "enter", id, who: "ada", purpose, shares: usualShares },
      this.#clock.now(),
    );
    this.account = account;
    if (verdict?.kind !== "entered") return verdict ?? { kind: "later" };
    return {
      kind: "entered",
      settle: (outcome) => {
        this.account = after(this.account, { type: "settle", id, outcome }, this.#clock.now()).account;
      },
    };
  }

  get spenders() {
    return spendersOf(this.account);
  }
}

async function opened(settings: { maxRequests?: number; beforeWrite?: () => Promise<void> } = {}) {
  const clock = quickClock();
  const ledger = new Book(clock);
  const interrupt = new AbortController();
  const left = { "x-ratelimit-limit": "100", "x-ratelimit-remaining": "90" };
  const { url } = await serveReplies(json(200, {}, left));
  const { signal } = interrupt;
  const client = createClient(
    { baseUrl: url, token: "t", onQuota: "fail", ledger, signal, ...settings },
    clock,
  );
  return { client, ledger, interrupt };
}

test("requests that ask the ledger at the same time do not exceed the cap of the run, and those that are not sent leave it", async () => {
  const { client, ledger } = await opened({ maxRequests: 2 });
  const all = await Promise.allSettled(Array.from({ length: 6 }, () => client.get("/x")));
  expect(all.map(({ status }) => status).toSorted()).toEqual([
    ...Array.from({ length: 2 }, () => "fulfilled"),
    ...Array.from({ length: 4 }, () => "rejected"),
  ]);
  expect(client.spent.total).toBe(2);
  expect(ledger.account.pending).toEqual({});
  expect(ledger.account.spent).toEqual({ ada: { people: 2 } });
});

test("a write that the service may not send is removed from the ledger", async () => {
  const { client, ledger } = await opened({
    beforeWrite: () => Promise.reject(new Error("the right is lost")),
  });
  expect(String(await failureOf(client.put("/x", {})))).toContain("the right is lost");
  expect(ledger.account).toMatchObject({ pending: {}, unclear: 0, spent: { ada: { people: 0 } } });
});

test("after an interrupt, only requests that have to be finished wait for the requests of others under way", async () => {
  const { client, ledger, interrupt } = await opened();
  // The first request of a token, by somebody else.
  await ledger.enter("checking");
  interrupt.abort();
  expect(String(await failureOf(client.get("/x")))).toContain("interrupted");
  expect(await client.finishing.get("/x")).toEqual({});
});
