import { own } from "../../core/json.ts";
import type { Change, Standing, StandingState } from "../decide/index.ts";
import { isStale } from "../show/index.ts";
import type { NewsEvent, Repeats, ToldState } from "./events.ts";

/** The last reported states of environments by name, and whether the service was out. */
export interface ToldNews {
  states: Readonly<Record<string, StandingState>>;
  /** Whether the newest commit had mistakes. */
  isInvalid: boolean;
  /** The environments whose known state is too old. */
  stale?: readonly string[];
  /** Since when cycles fail, in milliseconds since 1970; undefined if they do not. */
  outage?: number;
  /** The times of the last report of lasting states, such as `unhealthy shop/production`. */
  last?: Readonly<Record<string, number>>;
}

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
  /** The newest commit has mistakes. */
  | { type: "mistakes"; commit: string; problems: string[] }
  | { type: "mended"; commit: string }
  /** A cycle has reverted changes of somebody else. Values are not named. */
  | { type: "set_back"; commit: string; changes: SetBackNews[] }
  | { type: "outage"; since: number; reason: string }
  | { type: "recovered"; since: number }
  /** The environments whose known state has become too old. */
  | { type: "stale"; environments: string[] }
  /** The environments whose known state is recent again. */
  | { type: "read"; environments: string[] };

/** A change of somebody else that was set back. */
export interface SetBackNews {
  resource: string;
  /** The way in which it was set back: a deleted resource is created again. */
  action: Change["action"];
  /** Who had made it, by what and when, as far as that is known. */
  by?: string;
}

/** The state of an environment, with the reasons in words. */
export type Stand = Pick<Standing, "environment" | "state" | "changes" | "reason" | "knowledge"> & {
  reasons: readonly string[];
};

/** So many cycles in a row have to fail before that is an outage: one that fails is mended by the next, as a rule. */
const failuresOfOutage = 3;

export const nothingTold: ToldNews = { states: {}, isInvalid: false };

/** The news of a completed cycle, without states that are unchanged since the last message. */
export function newsOf(
  told: ToldNews,
  commit: string,
  stands: readonly Stand[] | undefined,
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
  if (!stands) return { news, told: { ...before, isInvalid } };
  const transitions = stands.flatMap((stand): Transition[] => {
    const { environment, state, changes, reason, reasons } = stand;
    const from = before.states[environment];
    // A deployment is reported when it ends.
    if (state === "unread" || state === "deploying") return [];
    if (!lasting.isDue(state, environment, isNews(from, state))) return [];
    return [
      {
        environment,
        from,
        to: state,
        resources: [...new Set(changes.map(({ address }) => address))],
        reasons: [...(reason === undefined ? [] : [reason]), ...reasons],
      },
    ];
  });
  if (transitions.length > 0) news.push({ type: "transitions", commit, transitions });
  const states = Object.fromEntries(
    stands.flatMap(({ environment, state }) => {
      // A deployment is reported when it ends.
      const last = state === "deploying" || state === "unread" ? before.states[environment] : state;
      return last === undefined ? [] : [[environment, last]];
    }),
  );
  const { stale: staleBefore = [] } = before;
  const stale = stands.filter((stand) => isStale(stand, now)).map(({ environment }) => environment);
  const added = stale.filter((environment) =>
    lasting.isDue("stale", environment, !staleBefore.includes(environment)),
  );
  const gone = staleBefore.filter((environment) => !stale.includes(environment));
  if (added.length > 0) news.push({ type: "stale", environments: added });
  if (gone.length > 0) news.push({ type: "read", environments: gone });
  return {
    news,
    told: { states, isInvalid, ...(stale.length > 0 && { stale }), ...lasting.told },
  };
}

/** The changes that a cycle has reverted. */
export function newsOfSetBack(commit: string, changes: readonly Change[]): NewsItem[] {
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
  return from !== to && (from !== undefined || to !== "in_step");
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
