import type { Clock } from "../../core/api/index.ts";
import Type from "typebox";
import { readStored, type StoredForm } from "../../core/files/stored-form.ts";
import { parseAnyAddress } from "../../core/model/addresses/address.ts";
import { form, optional } from "../../core/outputs/forms/forms.ts";
import type { Fields, Json } from "../../core/values/json.ts";
import type { Problem } from "../../core/problems/problem.ts";
import { may, observer, type Person, within } from "../people/index.ts";
import type { Member, RunningSource, Source, StoppedSource } from "../sources/index.ts";
import {
  type EnvironmentStatus,
  type EnvironmentSummary,
  type FleetStatus,
  fleetSourceForm,
  sourceStates,
} from "./status-form.ts";
import type { ShownSource } from "./shown-source.ts";
import { environmentsIn, namesOf, sourceStateOf, syncedOf, seenBy } from "./visible-status.ts";
import { whyNotSynced } from "./summary.ts";
import { iso, worstFirst } from "./environment-statuses.ts";
import { type Describe, failureOf, problemLines } from "../journal/index.ts";

const knownForm = form({
  ...fleetSourceForm.properties,
  /** The operator's rules that match nothing in it; absent before its first refresh. */
  idle: optional(Type.Array(Type.String())),
});

type KnownSource = StoredForm<typeof knownForm>;

/** A database that takes so many seconds for an answer is too slow: commits are applied late. The alarm has the same limit. */
const slow = 1;

type OpenBoard = RunningSource & ShownSource;

export interface FleetBoardSettings {
  clock: Clock;
  members(): readonly Member<OpenBoard>[];
  describe: Describe;
  /** How long the database that the workers share takes for an answer, in milliseconds; undefined: there is none. */
  answerTime?(): number | undefined;
}

/** Collects the states of many sources for people. */
export class FleetBoard {
  readonly #settings: FleetBoardSettings;
  readonly #listeners = new Set<() => void>();
  #problems: readonly string[] = [];
  #unread: FleetStatus["unread"];
  #database: FleetStatus["database"];
  #stopped: readonly StoppedSource[] = [];
  /** The states of sources of other workers. One that nobody can read is left out, so that its source counts as one that no worker runs. */
  #others = new Map<string, KnownSource>();

  constructor(settings: FleetBoardSettings) {
    this.#settings = settings;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  read(problems: readonly Problem[]): void {
    const { describe } = this.#settings;
    this.#unread = undefined;
    this.#problems = problemLines(problems, describe);
    this.changed();
  }

  /** The documents of the sources could not be read: running sources continue. */
  unread(error: unknown): void {
    const { reason } = failureOf(error, this.#settings.describe);
    this.#unread = { reason, since: this.#unread?.since ?? this.#now() };
    this.changed();
  }

  /** The workers' database has failed, or is back. @param error undefined: it is back */
  database(error: unknown): void {
    const reason = error === undefined ? "" : failureOf(error, this.#settings.describe).reason;
    this.#database = error === undefined ? undefined : { reason, since: this.#now() };
    this.changed();
  }

  /** How long the database takes for an answer; undefined: there is none. */
  get answerSeconds(): number | undefined {
    const time = this.#settings.answerTime?.();
    return time === undefined ? undefined : time / 1000;
  }

  /** The undeclared sources that nobody has acknowledged yet. */
  stopped(sources: readonly StoppedSource[]): void {
    this.#stopped = sources;
    this.changed();
  }

  /** The states of the sources that run here, for other workers. */
  own(): { source: string; team?: string; state: string; view: Fields }[] {
    return this.#settings
      .members()
      .filter(isHere)
      .map((member) => {
        const view = this.#viewOf(member, within(observer, member.source));
        const { name: source, team, state } = view;
        // A view is data.
        return { source, ...(team !== undefined && { team }), state, view: { ...view } as unknown as Fields };
      });
  }

  /** The states of sources of other workers. */
  others(states: readonly { source: string; worker: string; host: string; age: number; view: Json }[]): void {
    const now = this.#settings.clock.now();
    this.#others = new Map(
      states.flatMap(({ source, worker, host, age, view }) => {
        const { content } = readStored(knownForm, view);
        const seen = { name: worker.slice(0, 8), host, seen_at: iso(now - age) };
        return content ? [[source, { ...content, worker: seen }] as const] : [];
      }),
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
    return member !== undefined && !isHere(member) && within(person, member.source).grants.length > 0;
  }

  /** The sources that a person may see, for all outputs. */
  status(person: Person): FleetStatus {
    const isEverything = may(person, "see", []);
    const now = this.#settings.clock.now();
    const seconds = this.answerSeconds;
    const sources = this.#settings.members().flatMap((member) => {
      const insider = within(person, member.source);
      if (insider.grants.length === 0) return [];
      const view = this.#elsewhere(member, insider, now) ?? this.#viewOf(member, insider);
      return [this.#database ? withoutDatabase(view, this.#database.since) : view];
    });
    const ended = this.#stopped.flatMap((source): KnownSource[] => {
      const isRunning = sources.some(({ name }) => name === source.name);
      if (isRunning || within(person, source).grants.length === 0) return [];
      const { at, left } = source;
      const stopped = { since: iso(at), left: isEverything ? left : [] };
      return [{ ...nothing, ...partsOf(source), state: "stopped", stopped }];
    });
    const shown = [...sources, ...ended].map(({ idle: _idle, ...source }) => source);
    const all = worstFirst(shown, sourceStates);
    const idle = isEverything ? idleInAll(sources) : [];
    return {
      format: "infrasync-fleet-status",
      version: 1,
      now: iso(now),
      synced: syncedOf(all),
      sources: all,
      // They can name the sources of others.
      problems: isEverything ? [...this.#problems] : [],
      notes: idle.length > 0 ? idle : undefined,
      unread: this.#unread && { ...this.#unread, reason: isEverything ? this.#unread.reason : "" },
      database: this.#database,
      ...(seconds !== undefined && seconds >= slow && { database_slow_seconds: seconds }),
    };
  }

  /** The numbers of running sources, and of those without activity. */
  life(): { running: number; silent: number } {
    const running = this.#settings.members().flatMap((member) => member.running ?? []);
    return { running: running.length, silent: running.filter(({ board }) => !board.isAlive()).length };
  }

  /** The state of a source that does not run here, by its worker, or because no worker has it. */
  #elsewhere(member: Member<OpenBoard>, person: Person, now: number): KnownSource | undefined {
    if (isHere(member)) return undefined;
    const { source, since, isEnding } = member;
    const other = this.#others.get(source.name);
    const seenAt = other?.worker ? Date.parse(other.worker.seen_at) : since;
    const isAlone = now - seenAt > (other ? longestSilence : longestStart);
    if (!other && !isAlone) return undefined;
    const { failure: theirs, ...view } = other ?? { ...nothing, ...partsOf(source) };
    const isWhole = may(person, "see", []);
    const environments = view.environments.filter(({ name }) => may(person, "see", namesOf(name)));
    return {
      ...view,
      ending: isEnding || undefined,
      environments,
      synced: syncedOf(environmentsIn(environments)),
      ...(theirs && { failure: { ...theirs, reason: isWhole ? theirs.reason : "" } }),
      ...(isAlone && {
        state: "down",
        failure: { reason: "no worker has run it since then", since: iso(seenAt) },
      }),
    };
  }

  #now(): string {
    return iso(this.#settings.clock.now());
  }

  #viewOf({ source, running, failure, isEnding }: Member<OpenBoard>, person: Person): KnownSource {
    const seen = running && seenBy(running.board.status(), person);
    const { environments = [], checked_at, in_doubt: doubt } = seen ?? {};
    const isWhole = may(person, "see", []);
    const silence = running?.board.isAlive() === false && {
      reason: "it has not responded for ten minutes",
      since: seen?.activity.since ?? iso(0),
    };
    const why = isWhole && failure ? failureOf(failure.error, this.#settings.describe).reason : "";
    return {
      ...partsOf(source),
      state: failure ? "down" : running && seen ? sourceStateOf(running.board, seen) : "unread",
      synced: syncedOf(environmentsIn(environments)),
      environments: environments.map(summaryOf),
      checked_at,
      idle: isWhole ? running?.board.idleHere : running && [],
      in_doubt: doubt && { because: doubt.because, since: doubt.since },
      failure: silence || (failure && { since: iso(failure.since), reason: why }),
      ending: isEnding || undefined,
    };
  }
}

/** Whether a source belongs to this worker, also while it waits for its turn to start. */
function isHere({ running, failure, isAdmitted }: Member<OpenBoard>): boolean {
  return running !== undefined || failure !== undefined || isAdmitted;
}

/** Rules that match nothing in any source; a source without a refresh may match. */
function idleInAll(sources: readonly KnownSource[]): string[] {
  const [first = [], ...others] = sources.map(({ idle = [] }) => idle);
  return first.filter((message) => others.every((idle) => idle.includes(message)));
}

const nothing: Pick<KnownSource, "state" | "synced" | "environments" | "failure"> = {
  state: "unread",
  synced: 0,
  environments: [],
};

/** A source while this worker's database is unavailable: its worker and state are unknown here. */
function withoutDatabase({ failure: _failure, ...source }: KnownSource, since: string): KnownSource {
  return { ...source, state: "unknown", in_doubt: { because: "database", since } };
}

/** Milliseconds within which a worker reports the states of its sources. */
const longestSilence = 15_000;
/** Milliseconds within which a source gets a worker. */
const longestStart = 60_000;

function summaryOf(status: EnvironmentStatus): EnvironmentSummary {
  const { name, state, since, commit, console_url, services } = status;
  const its = services.flatMap(({ address }) => parseAnyAddress(address).names.at(-1) ?? []);
  return { name, state, since, reason: whyNotSynced(status), commit, console_url, services: its };
}

function partsOf({
  name,
  team,
  repository,
}: Pick<Source, "name" | "team" | "repository">): Pick<KnownSource, "name" | "team" | "repository"> {
  return { name, team, repository };
}
