import type { RequestLogger } from "../../core/api/index.ts";
import type { Console } from "../terminal/console.ts";
import type { Settings } from "../settings/index.ts";

/** A log with a line of JSON for each request (debug), each wait (info) and the requests of a run (info). */
interface Log extends RequestLogger {
  info(fields: Record<string, unknown>, message: string): void;
}

/** Opens the log on standard error; undefined when the log level is `silent`. */
export async function openLog({ logLevel }: Settings, console: Console): Promise<Log | undefined> {
  if (logLevel === "silent") return undefined;
  const { pino } = await import("pino");
  const log = pino({ level: logLevel, base: undefined }, { write: (line) => console.note(line.trimEnd()) });
  // pino's logger itself, returned from an async function, would be mistaken for a promise.
  return { debug: log.debug.bind(log), info: log.info.bind(log) };
}
