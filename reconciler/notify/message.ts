import { type JournalEntry, wordsOf } from "../journal/index.ts";
import type { WatchedSource } from "../show/index.ts";

/** The form of notifications: for Slack, or as data. */
export type NotificationFormat = "slack" | "json";

/** The sender and the time. */
export interface Occasion {
  source: WatchedSource;
  /** Milliseconds since 1970. */
  now: number;
}

/** The most entries of a text; the page has all. */
const mostEntries = 20;
const mostDetails = 3;

/** The placeholders of a template. */
export const placeholders = ["text", "event", "environment", "commit", "reasons"] as const;

/** A notification of all entries of one cycle, as JSON. @param template the text of each entry; default: our own */
export function messageOf(
  entries: readonly JournalEntry[],
  { format, template }: { format: NotificationFormat; template?: string | undefined },
  { source, now }: Occasion,
): string {
  if (format === "slack") {
    const text =
      template === undefined
        ? textOf(entries, source)
        : entries.map((entry) => filled(template, entry)).join("\n");
    return JSON.stringify({ text });
  }
  return JSON.stringify({
    format: "infrasync-reconcile-notification",
    version: 1,
    at: new Date(now).toISOString(),
    source,
    events: entries.map(published),
  });
}

/** An entry for others: without numbers of this service, values of fields and log lines. */
function published({ id: _id, plan: _plan, at, ...entry }: JournalEntry): object {
  return {
    ...entry,
    ...("logs" in entry && { logs: undefined }),
    at: new Date(at).toISOString(),
    ...("since" in entry && { since: new Date(entry.since).toISOString() }),
    ...("changes" in entry && { changes: entry.changes.map(({ fields: _fields, ...change }) => change) }),
  };
}

function textOf(entries: readonly JournalEntry[], { name, repository, branch, path }: WatchedSource): string {
  const where = [...(name === undefined ? [] : [name]), repository, branch, path]
    .filter((each) => each !== "")
    .join(" · ");
  const more = entries.length - mostEntries;
  return [
    `*infrasync* ${escaped(where)}`,
    ...entries.slice(0, mostEntries).map(linesOf),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join("\n");
}

function linesOf(entry: JournalEntry): string {
  const { sentence, details } = wordsOf(entry);
  const more = details.length - mostDetails;
  return [
    `• ${escaped(sentence)}`,
    ...details.slice(0, mostDetails).map((detail) => `> ${escaped(detail)}`),
    ...(more > 0 ? [`> and ${more} more`] : []),
  ].join("\n");
}

function filled(template: string, entry: JournalEntry): string {
  const values: Record<(typeof placeholders)[number], string> = {
    text: linesOf(entry),
    event: entry.type,
    environment: escaped("environment" in entry ? (entry.environment ?? "") : ""),
    commit: "commit" in entry ? (entry.commit ?? "").slice(0, 7) : "",
    reasons: escaped("reason" in entry ? entry.reason : wordsOf(entry).details.join("; ")),
  };
  const name = new RegExp(`\\{(${placeholders.join("|")})\\}`, "g");
  return template.replaceAll(name, (_all, key: keyof typeof values) => values[key]);
}

/** Slack reads these three characters as links and mentions. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\n", " ");
}
