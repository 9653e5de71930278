import { type Client, InterruptedError, unexpectedAnswer } from "../api/index.ts";
import { isFields, type Json, textsIn } from "../values/json.ts";
import type { Run } from "../operations/index.ts";
import type { OrderedService } from "./order.ts";
import { pauseBefore } from "./pace.ts";

/** A line that a service has written. */
export interface LogLine {
  /** Undefined where the server gives none. */
  id: string | undefined;
  /** As ISO 8601. */
  at: string;
  message: string;
  pod?: string | undefined;
}

/** The most lines that are read at once. */
export const mostLogLines = 10_000;
/** Whoever follows lines asks for so many at least: they reach back to an earlier moment. */
const leastLines = 10;

export function hasLogs({ address }: Pick<OrderedService, "address">): boolean {
  return address.kind.deployment?.logPath !== undefined;
}

/** The last lines of a service since an ISO time, oldest first: one request. None where the API has none of its kind. */
export async function readLogs(
  client: Client,
  { address, id }: Pick<OrderedService, "address" | "id">,
  tail: number,
  since?: string,
): Promise<LogLine[]> {
  const path = address.kind.deployment?.logPath?.(id);
  if (path === undefined) return [];
  const answer = await client.get(path, { tail });
  const lines = isFields(answer) ? answer["results"] : undefined;
  if (!Array.isArray(lines)) throw unexpectedAnswer(path, "the server does not list the lines of a service");
  return lines
    .map((line) => toLine(line, path))
    .filter(({ at }) => since === undefined || !(Date.parse(at) < Date.parse(since)))
    .toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
    .slice(-tail);
}

function toLine(given: Json, path: string): LogLine {
  const line = textsIn(given, ["created_at", "message"], ["id", "pod_name"]);
  if (!line) throw unexpectedAnswer(path, "the server gives a line without its time or its text");
  return { id: line.id, at: line.created_at, message: line.message, pod: line.pod_name };
}

/** Whoever follows the lines of a service. */
export interface LogFollower {
  onLine(line: LogLine): void;
  /** Lines may be missing between the last one and the next: more were written than the API gives at once. */
  onGap(): void;
}

/** Passes on the last lines, and new ones until the signal; reads more where they do not reach back to the known ones. */
export async function followLogs(
  { client, clock, signal }: Pick<Run, "client" | "clock" | "signal">,
  service: Pick<OrderedService, "address" | "id">,
  tail: number,
  { onLine, onGap }: LogFollower,
): Promise<void> {
  const seen = new Set<string>();
  let begin: string | undefined;
  let least = tail;
  for (let quiet = 0; ; quiet += 1) {
    try {
      const { lines, isJoined } = await readOn(
        client,
        service,
        least,
        begin === undefined ? undefined : seen,
      );
      // A larger window shows lines again from before the first.
      begin ??= [...lines.values()][0]?.at ?? "";
      const fresh = [...lines].filter(([key, { at }]) => !seen.has(key) && at >= (begin ?? ""));
      if (!isJoined) onGap();
      for (const [key, line] of fresh) {
        onLine(line);
        seen.add(key);
      }
      for (const oldest of [...seen].slice(0, Math.max(0, seen.size - 2 * mostLogLines))) seen.delete(oldest);
      if (fresh.length > 0) quiet = 0;
      least = Math.min(Math.max(tail, 2 * fresh.length, leastLines), mostLogLines);
    } catch (error) {
      if (error instanceof InterruptedError) return;
      throw error;
    }
    await clock.sleep(pauseBefore(quiet, 1, client.budget, clock.now()), signal);
    if (signal?.aborted) return;
  }
}

/** As many last lines as reach back to a known one; `isJoined`: they do, or there are no lines before these. */
async function readOn(
  client: Client,
  service: Pick<OrderedService, "address" | "id">,
  least: number,
  seen: ReadonlySet<string> | undefined,
): Promise<{ lines: ReadonlyMap<string, LogLine>; isJoined: boolean }> {
  for (let size = least; ; size = Math.min(4 * size, mostLogLines)) {
    const read = await readLogs(client, service, size);
    const lines = keyed(read);
    const isAll = read.length < size;
    // Of lines without ids that were written at one moment, a window may have a part.
    const reaches = ([key, { id, at }]: [string, LogLine]) =>
      seen?.has(key) && (isAll || id !== undefined || at > (read[0]?.at ?? ""));
    if (!seen || [...lines].some(reaches)) return { lines, isJoined: true };
    if (isAll || size === mostLogLines) return { lines, isJoined: isAll && seen.size === 0 };
  }
}

/** Lines by their ids; without ids, equal lines are told apart by their number, as all of one moment are listed together. */
function keyed(lines: readonly LogLine[]): Map<string, LogLine> {
  const counts = new Map<string, number>();
  return new Map(
    lines.map((line) => {
      if (line.id !== undefined) return [line.id, line];
      const text = `${line.at} ${line.pod} ${line.message}`;
      const count = (counts.get(text) ?? 0) + 1;
      counts.set(text, count);
      return [`${text} ${count}`, line];
    }),
  );
}
