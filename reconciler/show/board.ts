import { type Budget, type Clock, toleratedDifference, type Wait } from "../../core/api/index.ts";
import { isChange, type Plan } from "../../core/planning/plan/index.ts";
import { nameKey } from "../../core/model/addresses/names.ts";
import type { PreviewCheck } from "../previews/index.ts";
import {
  type CycleResult,
  type Describe,
  type FailureOfCycle,
  type Journal,
  lastOf,
} from "../journal/index.ts";
import type { PersonRequest } from "../requests/index.ts";
import { type Pause, environmentKeyOf } from "../policy/index.ts";
import { environmentsIn, syncedOf, namesOf } from "./visible-status.ts";
import { atTime, environmentStatuses, iso, previewStatuses, withPauses } from "./environment-statuses.ts";
import type { EnvironmentStatus, PreviewStatus, ServiceStatus, WatchedSource } from "./status-form.ts";
import type { KnownCommits } from "./commits.ts";
import type { RateBudgetView } from "../watch/index.ts";
import type { Observer } from "./observer.ts";
import { Pace } from "./pace.ts";

export interface BoardSettings {
  clock: Clock;
  source: WatchedSource;
  /** Milliseconds between two refreshes. */
  interval: number;
  journal: Journal;
  commits: KnownCommits;
  describe: Describe;
  budget(): Budget;
  rateBudget(): RateBudgetView | undefined;
  /** Milliseconds by which the clock of this machine is ahead of that of the server. */
  clockAhead(): number;
  /** The present pauses of people, also those that no cycle has seen. */
  pauses(): readonly Pause[];
  /** The waiting request of a person for an environment, by its key. */
  requestedIn(key: string): PersonRequest | undefined;
  /** Called when a person opens a page, or a program asks for the state. */
  onRefresh?(by: "person" | "program"): void;
  /** The pattern of pages of the console; default: no links. */
  console?(): string | undefined;
  /** Whether a commit, or the one with that prefix, is an ancestor of another one, or the same. */
  isAncestor(older: string, newer: string): Promise<boolean>;
}

/** Milliseconds after a due refresh until a state becomes stale. */
const grace = 60_000;
/** Milliseconds without any activity before the loop counts as dead. */
const longestSilence = 600_000;

/** The members of a status that the last cycles have reported. */
type ReportedStatus = Pick<
  ServiceStatus,
  "activity" | "commit" | "checked_at" | "preview_failure" | "notes" | "failure"
>;

/** Collects the state for people. It only listens: nothing depends on it. */
export class Board implements Observer {
  readonly #settings: BoardSettings;
  readonly #pace: Pace;
  readonly #listeners = new Set<() => void>();
  #reported: ReportedStatus;
  #environments: readonly EnvironmentStatus[] = [];
  #previews: readonly PreviewStatus[] = [];
  #idleHere: readonly string[] | undefined;
  #staleAt: number;
  /** The loop counts as alive until then. */
  #expected: number;

  constructor(settings: BoardSettings) {
    this.#settings = settings;
    const now = settings.clock.now();
    this.#pace = new Pace(settings.clock);
    this.#reported = { activity: { type: "starting", since: iso(now) } };
    this.#staleAt = now + settings.interval + grace;
    this.#expected = now + longestSilence;
    this.journal.onEntries(() => this.#changed());
  }

  get journal(): Journal {
    return this.#settings.journal;
  }

  get commits(): KnownCommits {
    return this.#settings.commits;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  requested(): void {
    this.#pace.add(1);
    this.#expect(0);
    if (this.#reported.activity.type === "waiting") this.#act({ type: "checking" });
  }

  waiting(until: Date, reason: Wait["reason"]): void {
    this.#expect(until.getTime() - this.#now());
    this.#act({ type: "waiting", until: until.toISOString(), reason });
  }

  checking(): void {
    this.#expect(0);
    this.#act({ type: "checking" });
  }

  applying({ actions }: Plan): void {
    this.#expect(0);
    this.#act({ type: "applying", changes: actions.filter(isChange).length });
  }

  async ended(cycle: CycleResult, next: number): Promise<void> {
    const { commit, stopped, environments, services, idle, idleHere } = cycle;
    const { describe, interval, commits, journal } = this.#settings;
    const console = this.#settings.console?.();
    const now = this.#now();
    this.#report({ commit, failure: undefined });
    if (stopped?.type !== "overtaken" && stopped?.type !== "interrupted") {
      this.#staleAt = next + interval + grace;
      this.#report({ checked_at: iso(now) });
    }
    if (idle) this.#report({ notes: idle.length > 0 ? [...idle] : undefined });
    if (idleHere) this.#idleHere = idleHere;
    if (environments) {
      const known = { current: journal.current, entries: journal.entries(), services, describe };
      this.#environments = environmentStatuses(environments, { ...known, console, now });
    }
    this.#rest(next);
    await commits.of([commit, ...this.#environments.map(({ applied }) => applied)]);
    this.#changed();
  }

  failed({ reason, code }: FailureOfCycle, failures: number, next: number): void {
    const since = this.#reported.failure?.since ?? iso(this.#now());
    this.#report({ failure: { code, reason, failures, since } });
    this.#rest(next);
  }

  looked(by: "person" | "program"): void {
    this.#settings.onRefresh?.(by);
  }

  /** A person has requested something. */
  requestTaken(): void {
    this.#changed();
  }

  previewsChecked(check: PreviewCheck): void {
    const now = this.#now();
    const since = this.#reported.preview_failure?.since ?? iso(now);
    const failure = "failure" in check ? { reason: check.failure, since } : undefined;
    this.#report({ preview_failure: failure });
    if ("previews" in check) this.#previews = previewStatuses(check.previews, this.#previews, now);
    this.#changed();
  }

  /** Whether the loop is alive: it was active lately, or waits for a future time. */
  isAlive(): boolean {
    return this.#now() <= this.#expected;
  }

  /** The operator's rules for many sources that match nothing in this one; undefined before the first refresh. */
  get idleHere(): readonly string[] | undefined {
    return this.#idleHere;
  }

  /** The state of the source, for all outputs. */
  status(): ServiceStatus {
    const { source, clockAhead, requestedIn, journal } = this.#settings;
    const pauses = this.#settings.pauses();
    const mistakes = lastOf(journal.current, "commit");
    const now = this.#now();
    const isStale = now > this.#staleAt;
    const ahead = clockAhead();
    // Previews are shown separately.
    const environments = withoutPreviews(this.#environments, this.#previews);
    return {
      format: "infrasync-reconcile-status",
      version: 1,
      now: iso(now),
      source: { ...source },
      ...this.#reported,
      problems: mistakes ? [...mistakes.reasons] : [],
      not_applied: mistakes && true,
      stale: isStale,
      stale_at: iso(this.#staleAt),
      in_doubt: this.#doubt(isStale),
      synced: syncedOf(environmentsIn(environments)),
      environments: environments.map((each) => {
        const requested = requestedIn(environmentKeyOf(namesOf(each.name)));
        return {
          ...atTime(withPauses(each, pauses, now), now, isStale),
          requested: requested && { type: requested.type, by: requested.by },
          commit: this.#commitOf(each),
        };
      }),
      previews: this.#previews.length > 0 ? [...this.#previews] : undefined,
      clock_ahead_seconds: Math.abs(ahead) > toleratedDifference ? Math.round(ahead / 1000) : undefined,
      budget: this.#budget(),
    };
  }

  #commitOf({ state, applied }: EnvironmentStatus): EnvironmentStatus["commit"] {
    const id = isOfNewest.has(state) ? this.#reported.commit : applied;
    const { at, ...note } = (id === undefined ? undefined : this.commits.known(id)) ?? {};
    return id === undefined ? undefined : { id, ...note, at: at === undefined ? at : iso(at) };
  }

  /** The state, with the progress of a commit. @param commit its id, or a prefix; undefined: none */
  async statusWith(commit: string | undefined): Promise<ServiceStatus> {
    const status = this.status();
    if (commit === undefined || !/^[0-9a-f]{4,64}$/i.test(commit)) return status;
    const applied = new Set(status.environments.flatMap((each) => each.applied ?? []));
    const ids = [...applied, ...(status.commit === undefined ? [] : [status.commit])];
    const after = new Set<string>();
    for (const id of ids) if (await this.#settings.isAncestor(commit, id)) after.add(id);
    return {
      ...status,
      contains: {
        commit,
        newest: status.commit !== undefined && after.has(status.commit),
        applied_in: status.environments.flatMap(({ name, applied: id }) =>
          id !== undefined && after.has(id) ? [name] : [],
        ),
      },
    };
  }

  /** Why the last known state may be outdated; undefined: the next refresh is not due yet, and none has failed. */
  #doubt(isStale: boolean): ServiceStatus["in_doubt"] {
    const { failure, activity } = this.#reported;
    const { type, since, reason } = activity;
    if (failure) return { because: "failed", since: failure.since };
    const away = lastOf(this.journal.current, "repository");
    if (away) return { because: "unread", reason: away.reason, since: iso(away.since) };
    if (type === "waiting" && reason === "retry") return { because: "unanswered", since };
    return isStale ? { because: "stale", since: iso(this.#staleAt) } : undefined;
  }

  #budget(): ServiceStatus["budget"] {
    const budget = this.#settings.budget();
    const rateBudget = this.#settings.rateBudget();
    return {
      limit: budget.limit,
      remaining: budget.remaining,
      reset_at: budget.resetAt?.toISOString(),
      spent_in_hour: this.#pace.inHour(),
      forecast: this.#pace.forecast(budget),
      ...(rateBudget && {
        checking: rateBudget.checking,
        applying: rateBudget.applying,
        interval_seconds: Math.round(rateBudget.interval / 1000),
        period_seconds: Math.round(rateBudget.period / 1000),
      }),
    };
  }

  #rest(next: number): void {
    this.#expect(next - this.#now());
    this.#act({ type: "idle", until: iso(next) });
  }

  #act(activity: Omit<ServiceStatus["activity"], "since">): void {
    this.#report({ activity: { ...activity, since: iso(this.#now()) } });
    this.#changed();
  }

  #report(news: Partial<ReportedStatus>): void {
    this.#reported = { ...this.#reported, ...news };
  }

  #expect(milliseconds: number): void {
    this.#expected = this.#now() + Math.max(0, milliseconds) + longestSilence;
  }

  #now(): number {
    return this.#settings.clock.now();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The states that come from the newest commit, also where another one is applied. */
const isOfNewest: ReadonlySet<string> = new Set(["failed", "blocked", "held", "waiting"]);

/** Environments, in which previews do not count as unmanaged. */
function withoutPreviews(
  environments: readonly EnvironmentStatus[],
  previews: readonly PreviewStatus[],
): readonly EnvironmentStatus[] {
  const made = new Set(previews.map(({ name }) => nameKey(`environment:${name}`)));
  if (made.size === 0) return environments;
  return environments.map((each) =>
    each.unmanaged
      ? { ...each, unmanaged: each.unmanaged.filter((thing) => !made.has(nameKey(thing))) }
      : each,
  );
}
