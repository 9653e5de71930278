import type { Clock } from "../../core/api/index.ts";
import type { Fields, Json } from "../../core/json.ts";
import type { Problem } from "../../core/problem.ts";
import { may, observer, type Person, within } from "../people/index.ts";
import type { Member, RunningSource, Source, StoppedSource } from "../sources/index.ts";
import type { BoardStanding } from "./board-view.ts";
import { type BoardDoubt, doubtOf } from "./glance.ts";
import type { ShownSource } from "./page/pages.ts";
import { seenBy } from "./seen.ts";
import { isEnvironment, type SourceState, sourceStateOf, sourceStates } from "./source-state.ts";
import { type Describe, problemLines, reasonOf } from "./telling.ts";

/** The state of a source. Times are in milliseconds since 1970. */
export interface SourceView {
  name: string;
  team?: string | undefined;
  repository: string;
  state: SourceState;
  /** How many environments are in step, of how many. */
  inStep: number;
  environments: number;
  /** When live state was compared for the last time. */
  checkedAt?: number;
  /** Why nobody knows whether the state still holds. */
  doubt?: BoardDoubt | undefined;
  /** Why it does not run. */
  failure?: { reason: string; since: number };
  /** The worker that has it, where several share the sources, and when it said so last. */
  worker?: { name: string; host: string; seenAt: number };
  /** It is in no document any more, or in another form, and finishes what it has begun. */
  isEnding: boolean;
  /** The rules of the operator that restrict nothing in it; undefined before its first look. */
  idle?: readonly string[];
  /** Of one that no document states any more: since when, and what it has left live. */
  stopped?: { since: number; left: readonly string[] };
}

/** Everything that people are shown of a service with many sources. */
export interface FleetView {
  now: number;
  /** The worst first. */
  sources: readonly SourceView[];
  /** Problems of the documents of the sources. */
  problems: readonly string[];
  /** The rules of the operator that restrict nothing in any source. */
  idle: readonly string[];
  /** Why the documents could not be read for the last time. */
  unread?: { reason: string; since: number };
  /** Why the database that the workers share cannot be used. */
  database?: { reason: string; since: number } | undefined;
}

/** The board of an open source. */
type Shown = RunningSource & ShownSource;

/** The parts that a board of many sources needs. */
export interface FleetBoardSettings {
  clock: Clock;
  members(): readonly Member<Shown>[];
  describe: Describe;
}

/** Collects what people are shown of many sources. */
export class FleetBoard {
  readonly #settings: FleetBoardSettings;
  readonly #listeners = new Set<() => void>();
  #problems: readonly string[] = [];
  #unread: FleetView["unread"];
  #database: FleetView["database"];
  #stopped: readonly StoppedSource[] = [];
  /** The states of sources that other workers have. */
  #others = new Map<string, Required<Pick<SourceView, "worker">> & SourceView>();

  constructor(settings: FleetBoardSettings) {
    this.#settings = settings;
  }

  /** Calls a function after each change, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** A source has changed. */
  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /** The documents of the sources have been read. */
  read(problems: readonly Problem[]): void {
    const { describe } = this.#settings;
    this.#unread = undefined;
    this.#problems = problemLines(problems, describe);
    this.changed();
  }

  /** The documents of the sources could not be read: what runs goes on. */
  unread(error: unknown): void {
    const { reason = "" } = reasonOf(error, this.#settings.describe);
    this.#unread = { reason, since: this.#unread?.since ?? this.#settings.clock.now() };
    this.changed();
  }

  /** The database that the workers share has gone, or is back. @param error undefined if it is back */
  database(error: unknown): void {
    const { reason = "" } = error === undefined ? {} : reasonOf(error, this.#settings.describe);
    this.#database = error === undefined ? undefined : { reason, since: this.#settings.clock.now() };
    this.changed();
  }

  /** The sources that no document states any more, until somebody acknowledges that. */
  stopped(sources: readonly StoppedSource[]): void {
    this.#stopped = sources;
    this.changed();
  }

  /** The states of the sources that run here, for other workers. */
  own(): { source: string; team?: string; state: string; view: Fields }[] {
    return this.#settings
      .members()
      .filter(({ running, failure, isAdmitted }) => running || failure || isAdmitted)
      .map((member) => {
        const view = this.#viewOf(member, within(observer, member.source));
        const { name: source, team, state } = view;
        // A view is data.
        return { source, ...(team !== undefined && { team }), state, view: { ...view } as unknown as Fields };
      });
  }

  /** The states of the sources that other workers have. */
  others(
    standings: readonly { source: string; worker: string; host: string; age: number; view: Json }[],
  ): void {
    const now = this.#settings.clock.now();
    this.#others = new Map(
      standings.map(({ source, worker, host, age, view }) => [
        source,
        { ...(view as unknown as SourceView), worker: { name: worker.slice(0, 8), host, seenAt: now - age } },
      ]),
    );
    this.changed();
  }

  /** An open source of which a person may see something. */
  sourceFor(name: string, person: Person): { shown: ShownSource; person: Person } | undefined {
    const member = this.#settings.members().find(({ source }) => source.name === name);
    const insider = member && within(person, member.source);
    return member?.running && insider && insider.grants.length > 0
      ? { shown: member.running, person: insider }
      : undefined;
  }

  /** Whether another worker has a source of which a person may see something. */
  isElsewhere(name: string, person: Person): boolean {
    const member = this.#settings.members().find(({ source }) => source.name === name);
    if (!member || member.running || member.failure || member.isAdmitted) return false;
    return within(person, member.source).grants.length > 0;
  }

  /** The sources that a person may see. */
  view(person: Person): FleetView {
    const isEverything = may(person, "see", []);
    const now = this.#settings.clock.now();
    const sources = this.#settings.members().flatMap((member) => {
      const insider = within(person, member.source);
      if (insider.grants.length === 0) return [];
      const view = this.#elsewhere(member, insider, now) ?? this.#viewOf(member, insider);
      return [this.#database ? withoutDatabase(view, this.#database.since) : view];
    });
    const ended = this.#stopped.flatMap((source): SourceView[] => {
      const isRunning = sources.some(({ name }) => name === source.name);
      if (isRunning || within(person, source).grants.length === 0) return [];
      const { at: since, left } = source;
      const stopped = { since, left: isEverything ? left : [] };
      return [{ ...nothing, ...namesOf(source), state: "stopped", stopped }];
    });
    return {
      now,
      sources: [...sources, ...ended].toSorted(
        (left, right) =>
          sourceStates.indexOf(left.state) - sourceStates.indexOf(right.state) ||
          left.name.localeCompare(right.name),
      ),
      // They can name the sources of others.
      problems: isEverything ? this.#problems : [],
      idle: isEverything ? idleInAll(sources) : [],
      ...(this.#unread && {
        unread: { ...this.#unread, reason: isEverything ? this.#unread.reason : "" },
      }),
      database: this.#database,
    };
  }

  /** How many sources run, and how many of them give no sign of life. */
  life(): { running: number; silent: number } {
    const running = this.#settings.members().flatMap((member) => member.running ?? []);
    return { running: running.length, silent: running.filter(({ board }) => !board.isAlive()).length };
  }

  /** The state of a source that does not run here, by its worker, or because no worker has it. */
  #elsewhere(
    { source, running, failure, since, isAdmitted, isEnding }: Member<Shown>,
    person: Person,
    now: number,
  ): SourceView | undefined {
    // A source that waits for its turn to start already belongs to this worker.
    if (running || failure || isAdmitted) return undefined;
    const other = this.#others.get(source.name);
    const seenAt = other?.worker.seenAt ?? since;
    const isAlone = now - seenAt > (other ? longestSilence : longestStart);
    if (!other && !isAlone) return undefined;
    const { failure: theirs, ...view } = other ?? { ...nothing, ...namesOf(source) };
    const isWhole = may(person, "see", []);
    return {
      ...view,
      isEnding,
      ...(!isWhole && { inStep: 0, environments: 0 }),
      ...(theirs && { failure: { ...theirs, reason: isWhole ? theirs.reason : "" } }),
      ...(isAlone && {
        state: "down",
        failure: { reason: "no worker has looked after it since then", since: seenAt },
      }),
    };
  }

  #viewOf({ source, running, failure, isEnding }: Member<Shown>, person: Person): SourceView {
    const seen = running && seenBy(running.board.standing(), person);
    const environments = seen?.environments.filter(({ environment }) => isEnvironment(environment)) ?? [];
    const isDead = running !== undefined && !running.board.isAlive();
    const doubt = seen && doubtOf(seen);
    const isWhole = may(person, "see", []);
    return {
      ...namesOf(source),
      state: failure ? "down" : running && seen ? sourceStateOf(running.board, seen) : "unread",
      inStep: environments.filter(({ state }) => state === "in_step").length,
      environments: environments.length,
      ...(seen?.checkedAt !== undefined && { checkedAt: seen.checkedAt }),
      ...(seen?.idleHere && { idle: seen.idleHere }),
      doubt,
      ...(failure && {
        failure: {
          since: failure.since,
          reason: isWhole ? (reasonOf(failure.error, this.#settings.describe)["reason"] ?? "") : "",
        },
      }),
      ...(isDead && {
        failure: { reason: "it has given no sign of life for ten minutes", since: lastLife(seen) },
      }),
      isEnding,
    };
  }
}

/** What restricts nothing in any source; a source that nobody has looked at yet may have what a rule is about. */
function idleInAll(sources: readonly SourceView[]): string[] {
  const [first = [], ...others] = sources.map(({ idle = [] }) => idle);
  return first.filter((message) => others.every((idle) => idle.includes(message)));
}

const nothing: Pick<SourceView, "state" | "inStep" | "environments" | "isEnding" | "failure"> = {
  state: "unread",
  inStep: 0,
  environments: 0,
  isEnding: false,
};

/** A source while this worker cannot use the database: nobody here knows which worker has it, and how it stands. */
function withoutDatabase({ failure: _failure, ...view }: SourceView, since: number): SourceView {
  return { ...view, state: "unknown", doubt: { because: "database", since } };
}

/** A worker tells how its sources stand more often than this, in milliseconds. */
const longestSilence = 15_000;
/** A source has a worker within this time, in milliseconds. */
const longestStart = 60_000;

function namesOf({
  name,
  team,
  repository,
}: Pick<Source, "name" | "team" | "repository">): Pick<SourceView, "name" | "team" | "repository"> {
  return { name, team, repository };
}

function lastLife(view: BoardStanding | undefined): number {
  return view?.activity.since ?? 0;
}
