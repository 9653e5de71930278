import Type from "typebox";
import { choice, form, optional } from "../../core/outputs/forms/forms.ts";
import { own } from "../../core/values/json.ts";
import type { StoredForm } from "../../core/files/stored-form.ts";
import {
  type Change,
  changeForm,
  isPassing,
  rollbackText,
  type StandingState,
  standingStates,
} from "../decide/index.ts";
import { suspensionText } from "../policy/index.ts";
import { type EnvironmentStatus, suspensionsOf } from "../show/index.ts";
import type { NewsEvent, Repeats, ToldState } from "./events.ts";

/** A change that a cycle was about to make, and that is not told yet. */
const begunChangeForm = form({
  /** Of the action. */
  id: Type.String(),
  commit: Type.String(),
  /** Of the resource: `job:shop/staging/a`. */
  address: Type.String(),
  /** Of its document; absent: it is deleted. */
  digest: optional(Type.String()),
  /** How drift is set back; absent: it is a change of the commit. */
  setBack: optional(changeForm.properties.action),
});

export type BegunChange = StoredForm<typeof begunChangeForm>;

/** The last reported states of environments by name, and whether the service was out. */
export const toldNewsForm = form({
  states: Type.Record(Type.String(), choice(standingStates, "Its state.")),
  /** Whether the newest commit had mistakes. */
  isInvalid: Type.Boolean(),
  /** The environments whose known state is too old. */
  stale: optional(Type.Array(Type.String())),
  /** Since when cycles fail, in milliseconds since 1970; undefined if they do not. */
  outage: optional(Type.Number()),
  /** The previews that somebody else has made, or wants too. */
  contested: optional(Type.Array(Type.String())),
  /** Why nothing is applied in an environment, until somebody or the policy resumes it. */
  paused: optional(Type.Record(Type.String(), Type.String())),
  /** The times of the last report of lasting states, such as `unhealthy shop/production`. */
  last: optional(Type.Record(Type.String(), Type.Number())),
  begun: optional(Type.Array(begunChangeForm)),
  /** The sources that have stopped, and when, in milliseconds since 1970. */
  stopped: optional(Type.Record(Type.String(), Type.Number())),
});

export type ToldNews = StoredForm<typeof toldNewsForm>;

/** An environment whose state has changed, or has lasted so long that it is reported again. */
export interface Transition {
  environment: string;
  /** Undefined if it was not known. */
  from: StandingState | undefined;
  to: ToldState;
  /** The resources that differ: `job:shop/staging/a`. Values are not named. */
  resources: string[];
  /** Why, as far as that is known. */
  reasons: string[];
}

/** A piece of news of a cycle. */
export type NewsItem =
  | { type: "transitions"; commit: string; transitions: Transition[] }
  | { type: "mistakes"; commit: string; problems: string[] }
  | { type: "mended"; commit: string }
  /** A commit was applied, with so many changes. */
  | { type: "applied"; commit: string; environments: { environment: string; changes: number }[] }
  /** Nothing is applied there for some time: a person or the policy wants that. */
  | { type: "paused"; environments: { environment: string; reason: string }[] }
  | { type: "resumed"; environments: string[] }
  /** Two want a preview of one name, so neither makes or changes that of the other. */
  | { type: "contested"; environments: { environment: string; reason: string }[] }
  /** No document states this source any more. */
  | { type: "stopped"; name: string; left: readonly string[] | undefined }
  /** The database that the workers share cannot be used: this worker sends nothing. */
  | { type: "database_away"; since: number; reason: string }
  | { type: "database_back"; since: number }
  /** A cycle has reverted changes of somebody else. Values are not named. */
  | {
      type: "set_back";
      commit: string;
      changes: { resource: string; action: Change["action"]; by?: string }[];
    }
  | { type: "outage"; since: number; reason: string }
  | { type: "recovered"; since: number }
  /** The environments whose known state has become too old. */
  | { type: "stale"; environments: string[] }
  /** The environments whose known state is recent again. */
  | { type: "read"; environments: string[] };

/** So many cycles in a row have to fail before that is an outage: one that fails is mended by the next, as a rule. */
const failuresOfOutage = 3;

export const nothingTold: ToldNews = { states: {}, isInvalid: false };

/** The news of a completed cycle, without states that are unchanged since the last message. */
export function newsOf(
  told: ToldNews,
  commit: string,
  statuses: readonly EnvironmentStatus[] | undefined,
  mistakes: readonly string[],
  now: number,
  repeats: Repeats,
): { news: NewsItem[]; told: ToldNews } {
  const { outage, ...before } = told;
  const lasting = new Lasting(before.last ?? {}, repeats, now);
  const news: NewsItem[] = outage === undefined ? [] : [{ type: "recovered", since: outage }];
  const isInvalid = mistakes.length > 0;
  if (isInvalid && !before.isInvalid) news.push({ type: "mistakes", commit, problems: [...mistakes] });
  if (!isInvalid && before.isInvalid) news.push({ type: "mended", commit });
  if (!statuses) return { news, told: { ...before, isInvalid } };
  const transitions = statuses.flatMap((status): Transition[] => {
    const { name: environment, changes, reason, reasons, rolled_back: rolledBack } = status;
    const from = before.states[environment];
    const state = toldStateOf(status, from);
    if (state === undefined) return [];
    if (!lasting.isDue(state, environment, isNews(from, state))) return [];
    return [
      {
        environment,
        from,
        to: state,
        resources: [...new Set(changes.map(({ address }) => address))],
        reasons: [
          ...(rolledBack && state === "rolled_back" ? [rollbackText(rolledBack)] : []),
          ...(reason === undefined ? [] : [reason]),
          ...reasons,
        ],
      },
    ];
  });
  if (transitions.length > 0) news.push({ type: "transitions", commit, transitions });
  const states = Object.fromEntries(
    statuses.flatMap((status) => {
      const last = before.states[status.name];
      const state = toldStateOf(status, last) ?? last;
      return state === undefined ? [] : [[status.name, state]];
    }),
  );
  const { stale: staleBefore = [] } = before;
  const stale = statuses.filter(({ stale: isStale }) => isStale).map(({ name }) => name);
  const added = stale.filter((environment) =>
    lasting.isDue("stale", environment, !staleBefore.includes(environment)),
  );
  const gone = staleBefore.filter((environment) => !stale.includes(environment));
  if (added.length > 0) news.push({ type: "stale", environments: added });
  if (gone.length > 0) news.push({ type: "read", environments: gone });
  const { paused: pausedBefore = {} } = before;
  const paused = Object.fromEntries(
    statuses.flatMap((status) => {
      const [first] = suspensionsOf(status);
      return first ? [[status.name, suspensionText(first)]] : [];
    }),
  );
  const begun = Object.entries(paused).filter(
    ([environment, reason]) => own(pausedBefore, environment) !== reason,
  );
  const over = Object.keys(pausedBefore).filter((environment) => !Object.hasOwn(paused, environment));
  if (begun.length > 0)
    news.push({
      type: "paused",
      environments: begun.map(([environment, reason]) => ({ environment, reason })),
    });
  if (over.length > 0) news.push({ type: "resumed", environments: over });
  return {
    news,
    told: {
      states,
      isInvalid,
      ...(before.contested && { contested: before.contested }),
      ...(stale.length > 0 && { stale }),
      ...(Object.keys(paused).length > 0 && { paused }),
      ...lasting.told,
    },
  };
}

/**
 * The state that people are told; undefined: it passes by itself, or nobody looks, so that the last one stands. A deployment is
 * told when it ends. Where drift is off, nobody looks between two commits: that is the end neither of a failure nor of a rollback.
 */
function toldStateOf(status: EnvironmentStatus, last: StandingState | undefined): ToldState | undefined {
  const { state } = status;
  if (state === "deploying" || state === "unread" || isPassing(status)) return undefined;
  const isOff = state === "unwatched";
  const isKept = last === undefined || last === "in_step" || last === "unhealthy" || last === "rolled_back";
  return isOff && isKept ? undefined : state;
}

/** The news of previews that two want, each told once. */
export function newsOfPreviews(
  told: ToldNews,
  previews: readonly { environment: string; reason?: string | undefined; isContested?: true }[],
): { news: NewsItem[]; told: ToldNews } {
  const { contested: before = [], ...others } = told;
  const now = previews.filter(({ isContested }) => isContested);
  const contested = now.map(({ environment }) => environment);
  const environments = now
    .filter(({ environment }) => !before.includes(environment))
    .map(({ environment, reason = "" }) => ({ environment, reason }));
  return {
    news: environments.length > 0 ? [{ type: "contested", environments }] : [],
    told: { ...others, ...(contested.length > 0 && { contested }) },
  };
}

/** The changes that a cycle has reverted. */
export function newsOfSetBack(
  commit: string,
  changes: readonly Pick<Change, "address" | "action" | "by">[],
): NewsItem[] {
  if (changes.length === 0) return [];
  return [
    {
      type: "set_back",
      commit,
      changes: changes.map(({ address, action, by }) => ({
        resource: address,
        action,
        ...(by !== undefined && { by }),
      })),
    },
  ];
}

/** A message that all is well follows only on one that it was not. */
function isNews(from: StandingState | undefined, to: ToldState): boolean {
  const isWell = from === undefined || from === "unwatched";
  return from !== to && !(isWell && to === "in_step");
}

const outageKey = "outage ";

/** When what lasts was told, and whether it is time to tell it again. */
class Lasting {
  readonly #before: Readonly<Record<string, number>>;
  readonly #repeats: Repeats;
  readonly #now: number;
  readonly #last: Record<string, number> = {};

  constructor(before: Readonly<Record<string, number>>, repeats: Repeats, now: number) {
    // An outage of the repository goes on while cycles end well.
    const outage = own(before, outageKey);
    if (outage !== undefined) this.#last[outageKey] = outage;
    this.#before = before;
    this.#repeats = repeats;
    this.#now = now;
  }

  /** Whether something is to be told now. @param isNew it was not so before */
  isDue(event: NewsEvent, environment: string, isNew: boolean): boolean {
    const after = this.#repeats.get(event);
    if (after === undefined) return isNew;
    const key = `${event} ${environment}`;
    const last = isNew ? undefined : own(this.#before, key);
    // What was told before it was to be repeated counts from now.
    const isAgain = last !== undefined && this.#now - last >= after;
    this.#last[key] = isAgain ? this.#now : (last ?? this.#now);
    return isNew || isAgain;
  }

  get told(): Pick<ToldNews, "last"> {
    return Object.keys(this.#last).length === 0 ? {} : { last: this.#last };
  }
}

/** The news of a failed cycle. @param failures the number of failed cycles in a row */
export function newsOfFailure(
  told: ToldNews,
  reason: string,
  failures: number,
  now: number,
  repeats: Repeats,
): { news: NewsItem[]; told: ToldNews } {
  if (told.outage === undefined && failures < failuresOfOutage) return { news: [], told };
  const { outage: since = now } = told;
  const lasting = new Lasting(told.last ?? {}, repeats, now);
  const isDue = lasting.isDue("outage", "", told.outage === undefined);
  return {
    news: isDue ? [{ type: "outage", since, reason }] : [],
    // What else was told stays as it was: nobody knows more of it.
    told: {
      ...told,
      outage: since,
      ...(repeats.has("outage") && { last: { ...told.last, ...lasting.told.last } }),
    },
  };
}
