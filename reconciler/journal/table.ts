import { actionTypes, allActionTypes, countActions, isChange } from "../../core/planning/plan/index.ts";
import type { Change } from "../decide/index.ts";
import {
  type EntryOf,
  type EntryType,
  isListed,
  type JournalEntry,
  type LastingState,
  lastingStates,
} from "./entry.ts";
import { own } from "../../core/values/json.ts";
import { verbs } from "../verbs.ts";
import { counted, span } from "../../core/values/text.ts";
import { driftWords, predicateOf, stateWords, type BadgeTone } from "./words.ts";

/** All that the log, the page, notifications and the audit say of the entries of one type. */
interface Row<Entry> {
  tone: BadgeTone;
  sentence(entry: Entry): string;
  /** Further lines. */
  details?(entry: Entry): readonly string[];
  /** Whether somebody hears of it; default: nobody, it is in the log and on the page. */
  isNews?: boolean | ((entry: Entry) => boolean);
  /** What it says something of: an entry takes the place of the last one of the same subject. */
  subject?: keyof Subjects;
  lasts?: true;
  ends?: keyof Subjects;
}

/** What an entry can be about, and the type that lasts of it. */
interface Subjects {
  state: LastingState;
  passing: "passing";
  comparison: "compared";
  pause: "paused";
  age: "stale";
  preview: "conflict";
  commit: "mistakes";
  cycle: "failing";
  repository: "repository_away";
  service: "outage";
  source: "stopped";
  database: "database_unreachable";
}

type State = EntryOf<LastingState>;

const stateRow = (type: LastingState): Row<State> => ({
  tone: stateWords[type].tone,
  sentence({ environment, from, changes }) {
    const before = from === undefined || from === type ? "" : ` (was ${stateWords[from].text})`;
    const what = changes.length === 0 ? "" : `: ${listed(addresses(changes))}`;
    return `${environment} ${predicateOf(type, from === type)}${before}${what}`;
  },
  details: ({ reasons }) => reasons,
  // That all is well is an event only where it was not.
  isNews: ({ from }) => from !== type && !(type === "synced" && (from === undefined || from === "unwatched")),
  subject: "state",
  lasts: true,
});

/** What lasts from this entry on, and its end: both are events. */
const ending = <Entry>(
  subject: keyof Subjects,
  tone: BadgeTone,
  sentence: Row<Entry>["sentence"],
): Row<Entry> => ({ tone, sentence, subject, isNews: true });
const lasting = <Entry>(
  subject: keyof Subjects,
  tone: BadgeTone,
  sentence: Row<Entry>["sentence"],
): Row<Entry> => ({ ...ending(subject, tone, sentence), lasts: true });

type Rows = { [Type in EntryType]: Row<EntryOf<Type>> };

/** What each type of entry means, for all who print it. */
const rows: Rows = {
  ...(Object.fromEntries(lastingStates.map((type) => [type, stateRow(type)])) as unknown as Pick<
    Rows,
    LastingState
  >),
  applied: {
    tone: "plain",
    sentence: ({ commit, environment, changes }) =>
      `${short(commit)} is applied in ${environment}: ${counts(changes)}`,
    isNews: true,
  },
  retried: {
    tone: "plain",
    sentence: ({ environment, changes }) =>
      `failed services in ${environment} are deployed again: ${listed(addresses(changes))}`,
  },
  reverted: {
    tone: "note",
    sentence: ({ commit, environment }) => `${environment} is reverted to ${short(commit)}`,
    details: ({ changes }) =>
      changes.map(
        ({ address, action, by }) =>
          `${address} ${driftWords[action]}${by === undefined ? "" : `, by ${by}`}`,
      ),
    isNews: true,
  },
  overtaken: {
    tone: "plain",
    sentence: () =>
      "the branch has a new commit, another source declares the same resource, or an environment was paused; planning again",
  },
  interrupted: { tone: "plain", sentence: () => "interrupted before the first write" },
  mistakes: {
    tone: "bad",
    sentence: ({ commit }) => `${short(commit)} has mistakes; the last commit without mistakes stays applied`,
    details: ({ reasons }) => reasons,
    isNews: ({ isStill }) => !isStill,
    subject: "commit",
    lasts: true,
  },
  fixed: ending("commit", "good", ({ commit }) => `${short(commit)} has no mistakes any more`),
  paused: lasting("pause", "note", ({ environment, reason }) => `${environment} is ${reason}`),
  resumed: ending("pause", "plain", ({ environment }) => `${environment} is no longer paused`),
  stale: lasting(
    "age",
    "note",
    ({ environment }) => `the last read of ${environment} is older than the limit`,
  ),
  read: ending("age", "plain", ({ environment }) => `${environment} has been read again`),
  passing: {
    tone: "plain",
    sentence: ({ environment, state }) => `${environment} ${predicateOf(state)}`,
    subject: "passing",
    lasts: true,
  },
  passed: {
    tone: "plain",
    sentence: ({ environment }) => `${environment} has a lasting state`,
    subject: "passing",
  },
  compared: {
    tone: "plain",
    sentence: ({ commit }) => `all environments are compared with ${short(commit)}`,
    subject: "comparison",
    lasts: true,
  },
  conflict: lasting("preview", "bad", ({ environment, reason }) => `${environment}: ${reason}`),
  conflict_ended: {
    tone: "plain",
    sentence: ({ environment }) => `no other source has a preview ${environment} any more`,
    subject: "preview",
  },
  requested: {
    tone: "plain",
    sentence: ({ request, environment, by }) => `${by.name} asks for ${request}${inside(environment)}`,
    details: ({ detail }) => (detail === undefined ? [] : [detail]),
  },
  refused: {
    tone: "note",
    sentence: ({ request, environment, by, reason }) =>
      `${request}${inside(environment)} is refused to ${by.name}: ${reason}`,
  },
  signed_in: { tone: "plain", sentence: ({ by }) => `${by.name} has signed in` },
  signed_out: { tone: "plain", sentence: ({ by }) => `${by.name} has signed out` },
  ended: {
    tone: "plain",
    sentence({ environment, request, by, isCarriedOut, commit = "", reasons }) {
      if (request === "on_failure")
        return `${environment} is rolled back to ${short(commit)}, because ${reasons.join(", ")}`;
      const over = request === "rollback" ? "has ended" : "had no effect";
      const became = isCarriedOut ? "" : ` ${[over, ...reasons].join(": ")}`;
      return `${environment} ${verbs[request].done} by ${by.name}${became}`;
    },
    // Its approver may be elsewhere when somebody ends an approval.
    isNews: ({ request, isCarriedOut }) => request === "approve" && !isCarriedOut,
  },
  failing: {
    tone: "bad",
    sentence: ({ reason }) => `one cycle has failed, and all states stay: ${reason}`,
    subject: "cycle",
    lasts: true,
  },
  repository_away: {
    tone: "note",
    sentence: ({ reason }) => `the repository could not be read; trying again: ${reason}`,
    subject: "repository",
    lasts: true,
  },
  repository_back: {
    tone: "plain",
    sentence: () => "the repository can be read again",
    subject: "repository",
  },
  outage: lasting(
    "service",
    "bad",
    ({ reason }) => `the service can no longer compare live resources: ${reason}`,
  ),
  recovered: {
    tone: "good",
    sentence: ({ at, since }) => `the service compares again, after ${span(at - since)}`,
    // A cycle that fails alone is mended by the next one, as a rule.
    isNews: ({ isOutage }) => isOutage,
    subject: "service",
    ends: "cycle",
  },
  stopped: lasting("source", "note", ({ name, left }) => {
    const rest = left
      ? `${counted(left.length, "live resource")} ${left.length === 1 ? "stays" : "stay"}`
      : "its live resources are unknown";
    return `the source ${name} has stopped, because no document declares it any more; ${rest}`;
  }),
  database_unreachable: lasting(
    "database",
    "bad",
    ({ reason }) => `the database cannot be used, so this worker sends nothing to the API: ${reason}`,
  ),
  database_back: ending(
    "database",
    "good",
    ({ at, since }) => `the database is back, after ${span(at - since)}`,
  ),
};

export interface EntryWords {
  tone: BadgeTone;
  level: "debug" | "info" | "warn" | "error";
  sentence: string;
  details: readonly string[];
}

export function wordsOf(entry: JournalEntry): EntryWords {
  const { tone, sentence, details } = rowOf(entry);
  const isError = entry.type === "failing" || entry.type === "failed" || entry.type === "outage";
  return {
    tone,
    level: isError ? "error" : tone === "bad" ? "warn" : isListed(entry) ? "info" : "debug",
    sentence: sentence(entry),
    details: details?.(entry) ?? [],
  };
}

export function isNews(entry: JournalEntry): boolean {
  const { isNews: its = false } = rowOf(entry);
  return typeof its === "boolean" ? its : its(entry);
}

/** The types of which somebody can hear. */
export const newsTypes = (Object.keys(rows) as EntryType[]).filter((type) => rows[type].isNews !== undefined);

/** The lasting types that can be reported again after a while. */
export const repeatable: readonly EntryType[] = [
  ...lastingStates.filter((state) => state !== "synced" && state !== "unwatched"),
  "outage",
  "stale",
];

/** The last entry of each subject that lasts, by the subject and what it is of. */
export type Current = Readonly<Record<string, JournalEntry>>;

function subjectKey(subject: keyof Subjects, of = ""): string {
  return `${subject} ${of}`;
}

/** What lasts of a subject. @param of whose it is: the name of an environment or a source */
export function lastOf<About extends keyof Subjects>(
  current: Current,
  subject: About,
  of?: string,
): EntryOf<Subjects[About]> | undefined {
  return own(current, subjectKey(subject, of)) as EntryOf<Subjects[About]> | undefined;
}

export function after(current: Current, entry: JournalEntry): Current {
  const { subject, lasts, ends = subject } = rowOf(entry);
  if (subject === undefined || ends === undefined) return current;
  const of = "environment" in entry ? entry.environment : "name" in entry ? entry.name : undefined;
  const key = subjectKey(subject, of);
  const { [key]: _before, [subjectKey(ends)]: _ended, ...others } = current;
  return lasts ? { ...others, [key]: entry } : others;
}

/** The row of an entry: that of its type takes just it. */
function rowOf(entry: JournalEntry): Row<JournalEntry> {
  return rows[entry.type] as unknown as Row<JournalEntry>;
}

const mostNamed = 3;

/** `a, b, c and 4 more`. */
function listed(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return `${names.slice(0, mostNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function addresses(changes: readonly Pick<Change, "address">[]): string[] {
  return [...new Set(changes.map(({ address }) => address))];
}

/** `2 created, 1 updated`. */
function counts(changes: readonly Pick<Change, "action">[]): string {
  const numbers = countActions(changes.map(({ action: type }) => ({ type })));
  return allActionTypes
    .filter((type) => isChange({ type }) && numbers[type] > 0)
    .map((type) => `${numbers[type]} ${actionTypes[type].past}`)
    .join(", ");
}

function inside(environment: string | undefined): string {
  return environment === undefined ? "" : ` in ${environment}`;
}

function short(commit: string): string {
  return commit.slice(0, 7);
}
