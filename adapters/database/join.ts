import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import type { EnvironmentVariables, Ledger, Purpose } from "../../core/api/index.ts";
import type { AccountHolder, SharedLedger } from "./ledger.ts";
import { urlMistake } from "./url.ts";

/** The variable with the URL of the database; with the ending `_FILE`, the variable names a file with the URL. */
export const ledgerVariable = "INFRASYNC_LEDGER";

/** A ledger that connects with the first request. */
export interface JoinedLedger extends Ledger {
  /** The known requests of each spender in another process for a purpose in this window. */
  spentElsewhere(purpose: Purpose): readonly number[];
}

/** The message that a run of a person continues without its ledger. */
export function withoutLedger(reason: string): string {
  return `the ledger of the token (${ledgerVariable}) cannot be reached: ${reason}; this run uses the quota that the server reports`;
}

/** The default percentages of a window for services. */
export const usualShares = { checking: 20, applying: 60 };

/** The user and the machine, as the ledger shows them to others. */
export function personAt(environment: EnvironmentVariables): string {
  const user = environment["USER"] ?? environment["LOGNAME"] ?? environment["USERNAME"];
  return user === undefined ? hostname() : `${user}@${hostname()}`;
}

/** The ledger of a token; undefined if the environment names no ledger, and then no code of the database is loaded. */
export function joinLedger({
  environment,
  onAway,
  ...holder
}: AccountHolder & {
  environment: EnvironmentVariables;
  /** Called once, when the ledger is unreachable. */
  onAway?(reason: string): void;
}): JoinedLedger | undefined {
  const file = environment[`${ledgerVariable}_FILE`];
  const declared = environment[ledgerVariable]?.trim();
  if (!declared && !file) return undefined;
  let joined: SharedLedger | undefined;
  let isReported = false;
  return {
    async enter(purpose) {
      // A missing or wrong file is read again next time.
      const opened = joined ?? (await open(declared, file, holder));
      if (!("reason" in opened)) joined = opened;
      const entry = "reason" in opened ? ({ kind: "away", ...opened } as const) : await opened.enter(purpose);
      if (entry.kind === "away" && !isReported) onAway?.(entry.reason);
      isReported ||= entry.kind === "away";
      return entry;
    },
    get spenders() {
      return joined?.spenders ?? [];
    },
    spentElsewhere: (purpose) => joined?.spentElsewhere(purpose) ?? [],
  };
}

async function open(
  declared: string | undefined,
  file: string | undefined,
  holder: AccountHolder,
): Promise<SharedLedger | { reason: string }> {
  const variable = declared ? ledgerVariable : `${ledgerVariable}_FILE`;
  const url = declared || (await readFile(file ?? "", "utf8").catch(() => undefined));
  if (url === undefined) return { reason: `the file that ${variable} names cannot be read` };
  const mistake = urlMistake(url.trim());
  if (mistake !== undefined) return { reason: `the URL in ${variable} is ${mistake}` };
  const { ledgersAt } = await import("./ledger.ts");
  return ledgersAt(url.trim()).ledgerOf(holder);
}
