import { driftWords, type WatchedSource, span, stateWords } from "../show/index.ts";
import type { NewsItem, Transition } from "./transitions.ts";

/** The form of notifications: as Slack wants it, or as data. */
export type NotificationFormat = "slack" | "json";

/** Who tells it, and when. */
export interface Occasion {
  source: WatchedSource;
  /** Milliseconds since 1970. */
  now: number;
}

/** How many environments a text names; the page has all. */
const mostNamed = 20;
const mostReasons = 3;

/** The values that a template can use. */
export const placeholders = ["text", "event", "environment", "commit", "reasons"] as const;

/**
 * A notification of all that one cycle has to tell, as JSON.
 *
 * @param template the text of each piece of news, with placeholders; default: our own
 */
export function messageOf(
  news: readonly NewsItem[],
  { format, template }: { format: NotificationFormat; template?: string | undefined },
  occasion: Occasion,
): string {
  if (format === "slack")
    return JSON.stringify({
      text:
        template === undefined
          ? textOf(news, occasion)
          : news
              .flatMap((each) => piecesOf(each, occasion.now).map((piece) => filled(template, piece)))
              .join("\n"),
    });
  const { source, now } = occasion;
  return JSON.stringify({
    format: "infrasync-reconcile-notification",
    version: 1,
    at: new Date(now).toISOString(),
    source,
    news: news.map((each) =>
      "since" in each ? { ...each, since: new Date(each.since).toISOString() } : each,
    ),
  });
}

function textOf(news: readonly NewsItem[], { source, now }: Occasion): string {
  const { name, repository, branch, path } = source;
  const where = [...(name === undefined ? [] : [name]), repository, branch, path]
    .filter((each) => each !== "")
    .join(" · ");
  return [`*infrasync* ${escaped(where)}`, ...news.flatMap((each) => linesOf(each, now))].join("\n");
}

/** A piece of news for templates; text from people is escaped. */
type Piece = Record<(typeof placeholders)[number], string>;

function filled(template: string, piece: Piece): string {
  const name = new RegExp(`\\{(${placeholders.join("|")})\\}`, "g");
  return template.replaceAll(name, (_all, key: keyof Piece) => piece[key]);
}

/** One piece for each environment whose state has changed, and one for anything else. */
function piecesOf(news: NewsItem, now: number): Piece[] {
  const commit = "commit" in news ? news.commit.slice(0, 7) : "";
  if (news.type === "transitions")
    return news.transitions.map((transition) => ({
      text: linesOfTransition(transition).join("\n"),
      event: transition.to,
      environment: escaped(transition.environment),
      commit,
      reasons: escaped(transition.reasons.join("; ")),
    }));
  return [
    {
      text: linesOf(news, now).join("\n"),
      event: news.type,
      environment: "environments" in news ? escaped(listed(namesIn(news.environments))) : "",
      commit,
      reasons: escaped("reason" in news ? news.reason : "problems" in news ? news.problems.join("; ") : ""),
    },
  ];
}

function namesIn(environments: readonly (string | { environment: string })[]): string[] {
  return environments.map((each) => (typeof each === "string" ? each : each.environment));
}

function linesOf(news: NewsItem, now: number): string[] {
  switch (news.type) {
    case "outage":
      return [`The service cannot compare any more: ${escaped(news.reason)}`];
    case "recovered":
      return [`The service compares again, after ${span(now - news.since)}.`];
    case "stale":
      return [`The last reading of ${escaped(listed(news.environments))} is older than promised.`];
    case "read":
      return [`${escaped(listed(news.environments))}: read again.`];
    case "stopped": {
      const { name, left } = news;
      const rest = left
        ? `it has left ${left.length || "nothing"} live`
        : "nobody knows what it has left live";
      return [escaped(`The source ${name} has stopped, because no document declares it any more; ${rest}.`)];
    }
    case "database_away":
      return [
        `The database cannot be used, so this worker sends nothing to the API: ${escaped(news.reason)}`,
      ];
    case "database_back":
      return [`The database is back, after ${span(now - news.since)}.`];
    case "applied":
      return [
        `Applied ${short(news.commit)}:`,
        ...several(
          news.environments,
          ({ environment, changes }) => `${environment}: ${changes} ${changes === 1 ? "change" : "changes"}`,
        ),
      ];
    case "paused":
      return several(news.environments, ({ environment, reason }) => `${environment} is ${reason}`);
    case "contested":
      return several(news.environments, ({ environment, reason }) => `${environment}: ${reason}`);
    case "resumed":
      return several(news.environments, (environment) => `${environment} is no longer paused`);
    case "mistakes":
      return [
        `The commit ${short(news.commit)} has mistakes; the last one without stays applied.`,
        ...news.problems.slice(0, mostReasons).map((problem) => `> ${escaped(problem)}`),
      ];
    case "mended":
      return [`The commit ${short(news.commit)} has no mistakes any more.`];
    case "set_back":
      return [
        `Set back to ${short(news.commit)}:`,
        ...several(
          news.changes,
          ({ resource, action, by }) =>
            `${resource} ${driftWords[action]}${by === undefined ? "" : `, by ${by}`}`,
        ),
      ];
    case "transitions": {
      const { transitions } = news;
      const more = transitions.length - mostNamed;
      return [
        `At ${short(news.commit)}:`,
        ...transitions.slice(0, mostNamed).flatMap(linesOfTransition),
        ...(more > 0 ? [`and ${more} more`] : []),
      ];
    }
    default:
      return news satisfies never;
  }
}

/** A line for each, up to a number. */
function several<Entry>(entries: readonly Entry[], lineOf: (entry: Entry) => string): string[] {
  const more = entries.length - mostNamed;
  return [
    ...entries.slice(0, mostNamed).map((entry) => escaped(`• ${lineOf(entry)}`)),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}

/** `shop/a, shop/b and 3 more`. */
function listed(environments: readonly string[]): string {
  const more = environments.length - mostNamed;
  return `${environments.slice(0, mostNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function linesOfTransition({ environment, from, to, resources, reasons }: Transition): string[] {
  const before = from === undefined || from === to ? "" : ` (was ${stateWords[from].text})`;
  const still = from === to ? " still" : "";
  const what = resources.length === 0 ? "" : `: ${resources.slice(0, mostReasons).join(", ")}`;
  const more = resources.length > mostReasons ? ` and ${resources.length - mostReasons} more` : "";
  return [
    escaped(`• ${environment} is${still} ${stateWords[to].text}${before}${what}${more}`),
    ...reasons.slice(0, mostReasons).map((reason) => `> ${escaped(reason)}`),
  ];
}

function short(commit: string): string {
  return `\`${commit.slice(0, 7)}\``;
}

/** Slack reads these three characters as links and mentions. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\n", " ");
}
