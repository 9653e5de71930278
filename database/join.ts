import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import type { EnvironmentVariables, Ledger, Purpose } from "../core/api/index.ts";
import type { AccountHolder, SharedLedger } from "./ledger.ts";
import { urlMistake } from "./url.ts";

/** The variable with the URL of the database; with `_FILE`, that of a file with the URL. */
export const ledgerVariable = "INFRASYNC_LEDGER";

/** Joins a ledger of a token. */
export interface Joining extends AccountHolder {
  environment: EnvironmentVariables;
  /** Called once, when the ledger cannot be asked. */
  onAway?(reason: string): void;
}

/** A ledger that connects with the first request. */
export interface JoinedLedger extends Ledger {
  /** What each of those that are in other processes has spent for a purpose in this window, as far as is known. */
  spentElsewhere(purpose: Purpose): readonly number[];
}

/** Says that a run of a person goes on without its ledger. */
export function withoutLedger(reason: string): string {
  return `the ledger of the token (${ledgerVariable}) cannot be asked: ${reason}; this run trusts what the server says is left`;
}

/** Which part of a window services may spend, where nothing else is stated. */
export const usualShares = { looking: 20, applying: 60 };

/** This machine and who works on it, as the others in the ledger see them. */
export function personAt(environment: EnvironmentVariables): string {
  const user = environment["USER"] ?? environment["LOGNAME"] ?? environment["USERNAME"];
  return user === undefined ? hostname() : `${user}@${hostname()}`;
}

/** The ledger of a token; undefined: none is named, and nothing of a database is loaded. */
export function joinLedger({ environment, onAway, ...holder }: Joining): JoinedLedger | undefined {
  const file = environment[`${ledgerVariable}_FILE`];
  const stated = environment[ledgerVariable]?.trim();
  if (!stated && !file) return undefined;
  let joining: Promise<SharedLedger | { reason: string }> | undefined;
  let joined: SharedLedger | undefined;
  let isTold = false;
  return {
    async enter(purpose) {
      joining ??= open(stated || (await readFile(file ?? "", "utf8").catch(() => "")).trim(), holder);
      const ledger = await joining;
      const entry = "reason" in ledger ? ({ kind: "away", ...ledger } as const) : await ledger.enter(purpose);
      if (!("reason" in ledger)) joined = ledger;
      if (entry.kind === "away" && !isTold) onAway?.(entry.reason);
      isTold ||= entry.kind === "away";
      return entry;
    },
    get spenders() {
      return joined?.spenders ?? [];
    },
    spentElsewhere: (purpose) => joined?.spentElsewhere(purpose) ?? [],
  };
}

async function open(url: string, holder: AccountHolder): Promise<SharedLedger | { reason: string }> {
  const mistake = urlMistake(url);
  if (mistake !== undefined) return { reason: `the URL in ${ledgerVariable} is ${mistake}` };
  const { ledgersAt } = await import("./ledger.ts");
  return ledgersAt(url).ledgerOf(holder);
}
