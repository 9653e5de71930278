import { standingStates, type StandingState } from "../standing-states.ts";

/** A state in which people are told that an environment is now. */
export type ToldState = Exclude<StandingState, "deploying" | "unread">;

const states = standingStates.filter(
  (state): state is ToldState => state !== "deploying" && state !== "unread",
);

/** The subjects of news: the state of an environment, or an event. */
export const newsEvents = [
  ...states,
  "set_back",
  "mistakes",
  "mended",
  "outage",
  "recovered",
  "stale",
  "read",
] as const;

export type NewsEvent = (typeof newsEvents)[number];

const passing: ReadonlySet<NewsEvent> = new Set([
  "in_step",
  "unwatched",
  "set_back",
  "mistakes",
  "mended",
  "recovered",
  "read",
]);

/** Lasting states, which can be reported again after a while. */
export const repeatable = newsEvents.filter((event) => !passing.has(event));

/** Milliseconds until a lasting state is reported again; absent: never. */
export type Repeats = ReadonlyMap<NewsEvent, number>;
