import { counted, span } from "../../../core/values/text.ts";
import { toleratedDifference, type Wait } from "../../../core/api/index.ts";
import type { PreviewOfRequest } from "../../previews/index.ts";
import type { BadgeTone } from "../../journal/index.ts";
import type { ServiceStatus } from "../status-form.ts";
import type { SyncState } from "../../decide/index.ts";
import { html, type Html, sentence } from "../../../adapters/web/html.ts";

export const previewWords: Record<PreviewOfRequest["state"], { text: string; tone: BadgeTone }> = {
  failed: { text: "failed", tone: "bad" },
  waiting: { text: "waiting", tone: "note" },
  ended: { text: "ended", tone: "plain" },
  ready: { text: "ready", tone: "good" },
};

/** The meaning of a state, for a new reader. */
export const stateMeanings: Record<SyncState, string> = {
  failed: "Not all changes could be made. The next cycle tries again.",
  blocked: "A mistake must be corrected, or a change allowed, before the commit is applied here.",
  held: "The branch was rewritten: this commit drops the applied one, and its plan deletes. Push a commit that follows the applied one, or apply it manually.",
  unhealthy:
    "A deployment has failed, was cancelled, or takes longer than it should, or a service was uninstalled. It is started again when the service or its variables change, or when a person requests a sync.",
  drift_loop:
    "Drift loop: another program keeps changing these fields, so infrasync waits before it reverts them.",
  drift: "Live resources differ from the applied commit.",
  waiting: "The commit is not applied here yet.",
  rolled_back: "An earlier commit is in force and applied here.",
  deploying: "The commit is applied, and the server is deploying it.",
  unread: "Its live state, or the health of its services, has not been read.",
  unwatched: "The policy of this environment is off: it is not checked.",
  synced: "",
};

/** A time, which the script updates: `40 s ago`, `in 20 s`. */
export function moment(at: number | string, now: number): Html {
  const time = new Date(at);
  return html`<time datetime="${time.toISOString()}" data-at="${time.getTime()}" title="${exact(time)}"
    >${relative(time.getTime(), now)}</time
  >`;
}

/** A duration since a time, which the script updates: `40 s`. */
export function duration(since: string, now: number): Html {
  const start = Date.parse(since);
  return html`<time datetime="${since}" data-since="${start}" title="since ${exact(new Date(start))}"
    >${span(now - start)}</time
  >`;
}

/** `2026-12-01 08:00:00 UTC` */
function exact(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** A sentence as a page shows it: its times as those of `relativeText`, with the exact ones, and what stands between backticks as code. */
export function renderText(text: string, now: number): Html {
  return html`${withTimes(text, sentence, (lead, at) => {
    if (lead === "since ") return html`for ${duration(at, now)}`;
    return html`${lastsUntil(lead, at)}${moment(at, now)}${lead === "until " && ")"}`;
  })}`;
}

/** A text whose times are said from now: `at 2026-12-01T08:00:00Z` becomes `40 min ago`. */
export function relativeText(text: string, now: number): string {
  return withTimes(text, String, (lead, at) => {
    if (lead === "since ") return `for ${span(now - Date.parse(at))}`;
    return `${lastsUntil(lead, at)}${relative(Date.parse(at), now)}${lead === "until " ? ")" : ""}`;
  }).join("");
}

/** Until when something lasts is what people plan by, so it stays. */
function lastsUntil(lead: string, at: string): string {
  return lead === "until " ? `until ${exact(new Date(at))} (` : "";
}

function withTimes<Part>(
  text: string,
  plain: (text: string) => Part,
  time: (lead: string, at: string) => Part,
): Part[] {
  const parts = text.split(/(\bat |\bsince |\buntil |)(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/);
  return parts.flatMap((part, index) => {
    if (index % 3 === 0) return part === "" ? [] : [plain(part)];
    return index % 3 === 1 ? [time(part, parts[index + 1] ?? "")] : [];
  });
}

/** A line of facts. */
export function renderFacts(facts: readonly (Html | false | undefined)[]): Html | false {
  const there = facts.filter((fact) => fact !== undefined && fact !== false);
  return (
    there.length > 0 &&
    html`<p class="faint">${there.map((fact, index) => html`${index > 0 && " · "}${fact}`)}</p>`
  );
}

export function renderList(items: readonly (Html | string)[]): Html | false {
  return (
    items.length > 0 &&
    html`<ul class="plain">
      ${items.map((item) => html`<li>${item}</li> `)}
    </ul>`
  );
}

/** Addresses behind a line to open. */
export function renderFolded(id: string, what: string, addresses: readonly string[] = []): Html | false {
  const items = renderList(addresses.map((each) => html`<code>${each}</code>`));
  return (
    items &&
    html`<details id="${id}">
      <summary>${addresses.length} ${what}</summary>
      ${items}
    </details>`
  );
}

/** The mistakes of documents, which are not applied, and the entries of files that match nothing. */
export function renderMistakes(
  title: Html | string,
  problems: readonly string[],
  notes: readonly string[] = [],
): Html {
  return html`${renderCard("mistakes", "card bad", title, problems.map(sentence))}
  ${renderCard("idle", "card", "Without effect", notes)}`;
}

function renderCard(
  id: string,
  classes: string,
  title: Html | string,
  items: readonly (Html | string)[],
): Html | false {
  const content = renderList(items);
  return (
    content &&
    html`<section class="${classes}" aria-labelledby="${id}">
      <h2 id="${id}">${title}</h2>
      ${content}
    </section>`
  );
}

/** `40 s ago`, `in 3 min`. */
export function relative(at: number, now: number): string {
  const text = span(Math.abs(at - now));
  return at > now ? `in ${text}` : `${text} ago`;
}

/** A sentence about a wrong clock; undefined: it is right. @param ahead milliseconds of the machine before the server */
export function clockText(ahead: number): string | undefined {
  if (Math.abs(ahead) <= toleratedDifference) return undefined;
  const by = `${span(Math.abs(ahead))} ${ahead > 0 ? "ahead of" : "behind"}`;
  return `The clock of this machine is ${by} that of the server: windows, pauses, expiry and limits go by the server.`;
}

/** The activity of the loop, without its times. */
export function activityWords(activity: ServiceStatus["activity"]): string {
  switch (activity.type) {
    case "starting":
      return "starting";
    case "checking":
      return "comparing";
    case "applying":
      return activity.changes === undefined
        ? "applying"
        : `applying ${activity.changes} ${activity.changes === 1 ? "change" : "changes"}`;
    case "waiting":
      return waitWords(activity.reason);
    case "idle":
      return "idle";
    default:
      return activity.type satisfies never;
  }
}

export function waitWords(reason: Wait["reason"] | undefined): string {
  if (reason === "quota") return "waiting for new requests, because the quota of the token is used up";
  return reason === "limited"
    ? "waiting, because the API takes no requests for a while (429)"
    : "waiting for the API";
}

/** The answer to a load balancer while requests are taken, with the number of stale environments. */
export function readyWords({ environments }: ServiceStatus): string {
  const stale = environments.filter((each) => each.stale).length;
  return stale === 0
    ? "ok"
    : `ok, but ${stale} of ${counted(environments.length, "environment")} ${stale === 1 ? "was" : "were"} last read longer ago than the limit`;
}

/** The answer to a supervisor while the service is alive. */
export function healthWords({ activity, failure }: Pick<ServiceStatus, "activity" | "failure">): string {
  if (activity.until === undefined) return "ok";
  const until = `until ${activity.until}`;
  if (activity.type === "waiting") return `ok, ${waitWords(activity.reason)}, ${until}`;
  if (failure?.code === "quota") return `ok, ${waitWords("quota")}, ${until}`;
  return failure?.code === "rate_limited" ? `ok, ${waitWords("limited")}, ${until}` : "ok";
}
