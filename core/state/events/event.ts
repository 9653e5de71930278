import type { Client } from "../../api/index.ts";
import { type Fields, isFields, own, textIn } from "../../values/json.ts";
import { nameKey } from "../../model/addresses/names.ts";
import { signatureIn } from "./signature.ts";
import { escapeControl, shorten } from "../../values/text.ts";

/** An entry of the audit log. Its `change` and `original_change` may hold values, and are not kept. */
export interface AuditEvent {
  id: string;
  /** Milliseconds since 1970, by the clock of the server. */
  time: number;
  type: string;
  targetType: string;
  /** The part of the target that has changed, such as `VARIABLE`; undefined for the target itself, or if the event does not say. */
  subTargetType: string | undefined;
  targetId: string | undefined;
  /** In lower case, as names are compared. */
  targetName: string | undefined;
  /** The id and the name of what the event is about, be it the target or a part of it; undefined if the event does not say. */
  subjectId: string | undefined;
  subjectName: string | undefined;
  projectId: string | undefined;
  environmentId: string | undefined;
  /** The program that sent the request; undefined if the event does not say. */
  userAgent: string | undefined;
  /** The signature of the run of infrasync that sent the request; undefined if the event names none. */
  signature: string | undefined;
  /** The person or the token; undefined if the event does not say. */
  who: string | undefined;
  /** Who, by what and when: `dev@example.com, CONSOLE, 2026-12-01T08:00:00.000Z`. */
  author: string | undefined;
}

/** How far back events are read again, in milliseconds: the server may list some of them late. */
export const overlap = 600_000;
const mostPages = 20;
/** Pages of new events since the last look: it is cheaper to read what they name than everything. */
const mostNewPages = 50;
/** So many pages without a new event end a look, also within the overlap. */
const knownPages = 2;
const pageSize = 100;

/**
 * Reads events, newest first, back to one that is known, and through the overlap as long as there are new ones, which were
 * listed late. Undefined if they are incomplete. @param looked when they were read last, by the clock of the server
 */
export async function readBack(
  client: Client,
  path: string,
  known: ReadonlyMap<string, number> | undefined,
  looked: number,
): Promise<AuditEvent[] | undefined> {
  const until = known && Math.max(...known.values(), looked) - overlap;
  const hasKnown = (events: readonly AuditEvent[]) => events.some(({ id }) => known?.has(id));
  let quiet = 0;
  return readPages(client, path, mostNewPages, {
    isReached(events, page) {
      // Without a known event, the newest page is where the next look begins.
      if (until === undefined) return true;
      quiet = page.every(({ id }) => known?.has(id)) ? quiet + 1 : 0;
      return hasKnown(events) && (isBefore(events, until) || quiet === knownPages);
    },
    isWhole: (events) => known?.size === 0 || hasKnown(events),
  });
}

/** Events, newest first, and the time since when these are all of them. */
export interface EventsSince {
  events: AuditEvent[];
  /** In milliseconds since 1970, by the clock of the server. */
  since: number;
}

/**
 * Reads events, newest first, back to a time by the clock of the server, or only to a later one (`needed`) if they are known
 * there. Undefined if they are incomplete, or if there are none at all, which says nothing.
 */
export async function readSince(
  client: Client,
  path: string,
  time: number,
  needed: number,
  isKnown: (event: AuditEvent) => boolean,
): Promise<EventsSince | undefined> {
  let quiet = 0;
  let isAll = false;
  const read = await readPages(client, path, mostPages, {
    isReached(events, page) {
      quiet = page.every(isKnown) ? quiet + 1 : 0;
      // Nothing at all has come since the earlier look.
      const isIdle = quiet > 0 && isBefore(page.slice(0, 1), needed);
      return isBefore(events, time) || isIdle || (quiet >= knownPages && isBefore(events, needed));
    },
    isWhole: (all) => (isAll = all.length > 0),
  });
  const oldest = read?.at(-1)?.time ?? -Infinity;
  return read && { events: read, since: isAll ? -Infinity : Math.max(time, oldest) };
}

function isBefore(events: readonly AuditEvent[], time: number): boolean {
  const oldest = events.at(-1);
  return oldest !== undefined && oldest.time < time;
}

async function readPages(
  client: Client,
  path: string,
  most: number,
  extent: {
    /** Whether these pages suffice. @param page the last of them */
    isReached(events: readonly AuditEvent[], page: readonly AuditEvent[]): boolean;
    /** Whether the whole log suffices, whose last page has come. */
    isWhole(events: readonly AuditEvent[]): boolean;
  },
): Promise<AuditEvent[] | undefined> {
  const events: AuditEvent[] = [];
  let token: string | undefined;
  for (let pages = 0; pages < most; pages += 1) {
    const answer = await client.get(path, { pageSize, ...(token !== undefined && { continueToken: token }) });
    const page = readPage(answer);
    if (!page) return undefined;
    events.push(...page.events);
    if (extent.isReached(events, page.events)) return events;
    if (page.next === undefined) return extent.isWhole(events) ? events : undefined;
    token = page.next;
  }
  return undefined;
}

function readPage(answer: unknown): { events: AuditEvent[]; next: string | undefined } | undefined {
  const page = readEvents(answer);
  const events = page?.events.map(readEvent);
  return page && events?.every((event) => event !== undefined) ? { events, next: page.next } : undefined;
}

/** The events of an answer as they are, and the token of the next page; undefined if they are not complete, or make no sense. */
export function readEvents(answer: unknown): { events: Fields[]; next: string | undefined } | undefined {
  if (!isFields(answer) || answer["organization_max_limit_reached"] === true) return undefined;
  const events = answer["events"];
  if (!Array.isArray(events) || !events.every(isFields)) return undefined;
  const links = answer["links"];
  const link = isFields(links) ? textIn(links, "next") : undefined;
  if (link === undefined) return { events, next: undefined };
  const next = URL.parse(link, "http://server")?.searchParams.get("continueToken");
  return next ? { events, next } : undefined;
}

function readEvent(item: Fields): AuditEvent | undefined {
  const id = textIn(item, "id");
  const time = Date.parse(textIn(item, "timestamp") ?? "");
  if (id === undefined || Number.isNaN(time)) return undefined;
  const subTargetType = textIn(item, "sub_target_type");
  const subject =
    subTargetType === undefined
      ? { id: textIn(item, "target_id"), name: textIn(item, "target_name") }
      : subjectIn(textIn(item, "change"));
  return {
    id,
    time,
    type: textIn(item, "event_type") ?? "",
    targetType: textIn(item, "target_type") ?? "",
    subTargetType,
    targetId: textIn(item, "target_id"),
    targetName: nameKey(textIn(item, "target_name") ?? ""),
    subjectId: subject.id,
    subjectName: subject.name === undefined ? undefined : nameKey(subject.name),
    projectId: textIn(item, "project_id"),
    environmentId: own(item, "environment_id") === null ? undefined : textIn(item, "environment_id"),
    userAgent: textIn(item, "user_agent"),
    signature: signatureIn(textIn(item, "user_agent")),
    who: textIn(item, "triggered_by"),
    author: authorIn(item, time),
  };
}

/** The id and the name in the description of a change; none where the server describes it otherwise. */
function subjectIn(change: string | undefined): { id?: string | undefined; name?: string | undefined } {
  try {
    const described: unknown = JSON.parse(change ?? "");
    return isFields(described) ? { id: textIn(described, "id"), name: textIn(described, "name") } : {};
  } catch {
    return {};
  }
}

function authorIn(item: Fields, time: number): string | undefined {
  const who = textIn(item, "triggered_by");
  if (!who) return undefined;
  const what = textIn(item, "origin");
  const names = [who, ...(what ? [what] : [])].map((name) => escapeControl(shorten(name, 100)));
  return [...names, new Date(time).toISOString()].join(", ");
}
