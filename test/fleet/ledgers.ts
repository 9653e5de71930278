import { createHash } from "node:crypto";
import type { Account } from "../../adapters/database/account.ts";
import type { ApiLog } from "./api-log.ts";
import type { Postgres } from "./postgres.ts";

/** What the workers have sent with a token, as the API and as the ledger of the token have counted it. */
export interface Counted {
  token: string;
  windows: number;
  /** The most requests of one window. */
  most: number;
  /** Answers 429 in all windows. */
  refused: number;
  /** Requests of the last window by the log of the API, and by the ledger. */
  counted: number;
  entered: number;
  /** Requests whose fate the ledger does not know, because their worker has died, or the database was away. */
  unsettled: number;
}

/** Compares the log of the API with the ledgers, a token at a time. @throws Error when a token has no ledger */
export async function ledgersOf(api: ApiLog, postgres: Postgres): Promise<Counted[]> {
  const rows = await postgres.query<{ key: string; account: Account }>(
    "select key, account from infrasync.token",
  );
  const accounts = new Map(rows.map(({ key, account }) => [key, account]));
  return [...Map.groupBy(api.sent, ({ authorization }) => authorization)].map(([authorization, sent]) => {
    const token = authorization.replace(/^Token /, "");
    const key = createHash("sha256").update(`${api.url}\n${token}`).digest("hex");
    const account = accounts.get(key);
    if (!account) throw new Error("a token has no ledger");
    const windows = Map.groupBy(sent, ({ window }) => window);
    const spent = Object.values(account.spent).flatMap((by) => Object.values(by));
    return {
      token: key.slice(0, 8),
      windows: windows.size,
      most: Math.max(...[...windows.values()].map(({ length }) => length)),
      refused: sent.filter(({ status }) => status === 429).length,
      counted: windows.get(account.reset)?.length ?? 0,
      entered: spent.reduce((sum, each) => sum + each, 0),
      unsettled: Object.keys(account.pending).length + account.unclear,
    };
  });
}

/** The tokens as a table: how close they came to their quota. */
export function tableOfLedgers(ledgers: readonly Counted[], quota: number): string {
  const rows = ledgers.map(({ token, windows, most, counted, entered, unsettled }) =>
    [token, windows, `${most} of ${quota}`, counted, entered, unsettled].join(" | "),
  );
  const head = "token | windows | most in a window | last window: counted | entered | unsettled";
  return [head, "---|---|---|---|---|---", ...rows].join("\n");
}
