import { type Client, InterruptedError } from "../api/index.ts";
import { type Fields, isFields, textIn } from "../json.ts";
import type { Run } from "../operations/index.ts";
import type { OrderedService } from "./order.ts";
import { pauseBefore } from "./pace.ts";

/** A line that a service has written. */
export interface LogLine {
  id: string;
  /** As ISO 8601. */
  at: string;
  message: string;
  pod?: string | undefined;
}

/** Whether the API has the log lines of a service. */
export function hasLogs({ address }: Pick<OrderedService, "address">): boolean {
  return address.kind.deployment?.logPath !== undefined;
}

/**
 * The last lines that a service has written, oldest first: one request. None where the API has no lines of its kind.
 *
 * @param since only those from this time on, as ISO 8601: those of its last deployment
 */
export async function readLogs(
  client: Client,
  { address, id }: Pick<OrderedService, "address" | "id">,
  tail: number,
  since?: string,
): Promise<LogLine[]> {
  const path = address.kind.deployment?.logPath?.(id);
  if (path === undefined) return [];
  const answer = await client.get(path, { tail });
  const lines: unknown = isFields(answer) ? answer["results"] : undefined;
  if (!Array.isArray(lines)) return [];
  return lines
    .filter((line): line is Fields => isFields(line))
    .map(toLine)
    .filter(({ at }) => since === undefined || !(Date.parse(at) < Date.parse(since)))
    .toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
    .slice(-tail);
}

function toLine(line: Fields): LogLine {
  const pod = textIn(line, "pod_name");
  return {
    id: textIn(line, "id") ?? "",
    at: textIn(line, "created_at") ?? "",
    message: textIn(line, "message") ?? "",
    pod,
  };
}

/** Passes on the last lines, and then new ones as they come, until the signal: one request each time. */
export async function followLogs(
  { client, clock, signal }: Pick<Run, "client" | "clock" | "signal">,
  service: Pick<OrderedService, "address" | "id">,
  tail: number,
  onLine: (line: LogLine) => void,
): Promise<void> {
  let seen = new Set<string>();
  for (let quiet = 0; ; quiet += 1) {
    let lines: LogLine[];
    try {
      lines = await readLogs(client, service, Math.max(tail, seen.size));
    } catch (error) {
      if (error instanceof InterruptedError) return;
      throw error;
    }
    const keyed = lines.map((line) => ({
      line,
      key: line.id === "" ? `${line.at} ${line.message}` : line.id,
    }));
    const fresh = keyed.filter(({ key }) => !seen.has(key));
    for (const { line } of fresh) onLine(line);
    seen = new Set(keyed.map(({ key }) => key));
    if (fresh.length > 0) quiet = 0;
    await clock.sleep(pauseBefore(quiet, 1, client.budget, clock.now()), signal);
    if (signal?.aborted) return;
  }
}
