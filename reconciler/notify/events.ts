import { standingStates, type StandingState } from "../standing-states.ts";

/** A state in which people are told that an environment is now. */
export type ToldState = Exclude<StandingState, "deploying" | "unread">;

const states = standingStates.filter(
  (state): state is ToldState => state !== "deploying" && state !== "unread",
);

/** The subjects of news: the state of an environment, or an event. */
export const newsEvents = [
  ...states,
  "applied",
  "set_back",
  "paused",
  "resumed",
  "mistakes",
  "mended",
  "outage",
  "recovered",
  "stale",
  "read",
  "contested",
  "stopped",
  "database_away",
  "database_back",
] as const;

export type NewsEvent = (typeof newsEvents)[number];

/** Lasting states, which can be reported again after a while. */
export const repeatable: readonly NewsEvent[] = [
  ...states.filter((state) => state !== "in_step" && state !== "unwatched"),
  "outage",
  "stale",
];

/** Milliseconds until a lasting state is reported again; absent: never. */
export type Repeats = ReadonlyMap<NewsEvent, number>;
