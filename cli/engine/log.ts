import type { RequestLogger } from "../../core/api/index.ts";
import type { Console } from "../terminal/console.ts";
import type { Settings } from "../settings/index.ts";

/** A log: a line of JSON for each request (debug), for each wait and for what a run has spent (info). */
interface Log extends RequestLogger {
  info(fields: Record<string, unknown>, message: string): void;
}

/** Opens the log on standard error; undefined when none is wanted. */
export async function openLog({ logLevel }: Settings, console: Console): Promise<Log | undefined> {
  if (logLevel === "silent") return undefined;
  const { pino } = await import("pino");
  const log = pino({ level: logLevel, base: undefined }, { write: (line) => console.note(line.trimEnd()) });
  // The logger itself would be taken for a promise.
  return { debug: log.debug.bind(log), info: log.info.bind(log) };
}
