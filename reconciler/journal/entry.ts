import Type, { type TSchema } from "typebox";
import { choice, form, optional } from "../../core/outputs/forms/forms.ts";
import type { StoredForm } from "../../core/files/stored-form.ts";
import { changeForm, syncStates, type SyncState } from "../decide/index.ts";
import { identityForm } from "../identity.ts";
import { personMembers } from "../requests/index.ts";

const text = Type.String();
const texts = Type.Array(text);
const environment = text;
const commit = text;
const by = identityForm;
/** Milliseconds since 1970. */
const since = Type.Number();
/** A change that was made, or a difference. Values of fields stay on this machine: no notification has them. */
const changes = Type.Array(Type.Pick(changeForm, ["action", "address", "fields", "losses", "by"]));

/** A state of an environment that lasts until somebody or something ends it. */
export type LastingState = Exclude<SyncState, "deploying" | "unread">;

export const lastingStates = syncStates.filter(
  (state): state is LastingState => state !== "deploying" && state !== "unread",
);

const state = {
  environment,
  commit,
  /** The state before; the same: only its reasons are others; absent: nobody knew. */
  from: optional(choice(syncStates, "")),
  since,
  changes,
  reasons: texts,
  /** Beside drift, a change of the commit waits. */
  isPartly: optional(Type.Literal(true)),
  /** The last log lines of services whose deployment has failed. They stay on this machine, as values do. */
  logs: optional(Type.Array(form({ address: text, lines: texts }))),
};

const members = {
  applied: { environment, commit, changes },
  /** Services whose deployment had failed were deployed again. */
  retried: { environment, commit, changes },
  reverted: { environment, commit, changes },
  /** The branch moved on, or somebody paused an environment, before the first write. */
  overtaken: { commit },
  /** The service was stopped before the first write. */
  interrupted: { commit },
  /** `isStill`: an earlier commit had mistakes too. */
  mistakes: { commit, reasons: texts, isStill: Type.Boolean() },
  fixed: { commit },
  paused: { environment, reason: text, by: optional(by) },
  resumed: { environment },
  /** The last read of the environment is older than promised. */
  stale: { environment },
  read: { environment },
  /** Until the environment has a lasting state again, it has this one, which nobody has to end. */
  passing: { environment, since, state: choice(syncStates, ""), reasons: texts },
  passed: { environment },
  /** All environments were compared with this commit. */
  compared: { commit },
  /** Two want a preview of one name, so neither makes or changes that of the other. */
  conflict: { environment, reason: text },
  conflict_ended: { environment },
  ...personMembers,
  failing: { code: text, reason: text, since },
  repository_away: { reason: text, since },
  repository_back: { since },
  /** Cycles fail, or the repository cannot be read, several times in a row. */
  outage: { reason: text, since },
  /** A cycle has succeeded again. */
  recovered: { since, isOutage: Type.Boolean() },
  /** No document declares this source any more. */
  stopped: { name: text, since, left: optional(texts) },
  /** The database that the workers share cannot be used: this worker sends nothing. */
  database_unreachable: { reason: text, since },
  database_back: { since },
} satisfies Record<string, Record<string, TSchema>>;

export type EntryType = LastingState | keyof typeof members;

type MembersOf<Members extends Record<string, TSchema>> = StoredForm<ReturnType<typeof form<Members>>>;

/** An environment has another state now, or other reasons for it. */
export type StateEntry = { readonly type: LastingState } & MembersOf<typeof state>;

/** Something that has happened, as the service notes it: the journal gives it its number and its time. */
export type NewEntry =
  | StateEntry
  | {
      [Type in keyof typeof members]: { readonly type: Type } & MembersOf<(typeof members)[Type]>;
    }[keyof typeof members];

/** Something that has happened. */
export type JournalEntry = NewEntry & EntryHead;

interface EntryHead {
  /** Grows with each entry. */
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The number of the document that shows the plans that were carried out. */
  readonly plan?: number | undefined;
}

export type EntryOf<Type extends EntryType> = Type extends LastingState
  ? EntryHead & StateEntry
  : Extract<JournalEntry, { type: Type }>;

/** The entries that only the present state needs: no history has them. */
const unlisted: ReadonlySet<string> = new Set(["passing", "passed", "compared"]);

export const entryTypes = [...lastingStates, ...(Object.keys(members) as (keyof typeof members)[])];

const forms = entryTypes.map((type) =>
  form({
    type: Type.Literal(type),
    id: Type.Number(),
    at: Type.Number(),
    plan: optional(Type.Number()),
    ...(type in members ? members[type as keyof typeof members] : state),
  }),
);

export const listedTypes = entryTypes.filter((type) => !unlisted.has(type));

export function isListed({ type }: Pick<JournalEntry, "type">): boolean {
  return !unlisted.has(type);
}

export function isState(entry: JournalEntry): entry is StateEntry & EntryHead {
  return (lastingStates as readonly string[]).includes(entry.type);
}

export const entryForm = Type.Unsafe<JournalEntry>(Type.Union(forms));
