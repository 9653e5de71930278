import type { RequestLogger } from "../../core/api/index.ts";
import type { Log } from "../../reconciler/index.ts";
import type { Console } from "../terminal/console.ts";
import type { Settings } from "../settings/index.ts";

/** Opens the log on standard error; undefined when the log level is `silent`. */
export async function openLog(
  { logLevel }: Settings,
  console: Console,
): Promise<(RequestLogger & Pick<Log, "info">) | undefined> {
  return logLevel === "silent" ? undefined : open(logLevel, console);
}

/** Opens the log of a service, which is never silent: it is all that a service says. */
export function openServiceLog({ logLevel }: Pick<Settings, "logLevel">, console: Console): Promise<Log> {
  return open(logLevel === "debug" ? "debug" : "info", console);
}

async function open(level: "info" | "debug", console: Console): Promise<Log> {
  const { pino } = await import("pino");
  const log = pino({ level, base: null }, { write: (line) => console.note(line.trimEnd()) });
  // pino's logger itself, returned from an async function, would be mistaken for a promise.
  return {
    debug: log.debug.bind(log),
    info: log.info.bind(log),
    warn: log.warn.bind(log),
    error: log.error.bind(log),
  };
}
