import { type Budget, type Clock, toleratedDifference, type Wait } from "../../core/api/index.ts";
import {
  actionTypes,
  allActionTypes,
  countActions,
  isChange,
  type Plan,
} from "../../core/planning/plan/index.ts";
import { nameKey } from "../../core/model/addresses/names.ts";
import type { KeptPreviews } from "../previews/index.ts";
import { type CycleEnd, type PlanOutcome, setBackBy } from "../decide/index.ts";
import type { PersonRequest } from "../requests/index.ts";
import { type Pause, shareKeyOf, shareOf } from "../policy/index.ts";
import { environmentsIn, inStepOf, namesOf } from "./seen.ts";
import { atTime, environmentStatuses, iso, previewStatuses, withPauses } from "./standings.ts";
import type { EnvironmentStatus, PreviewStatus, ServiceStatus, WatchedSource } from "./status-form.ts";
import type { KnownCommits } from "./commits.ts";
import type { Journal } from "./journal.ts";
import type { AllowanceView } from "../watch/index.ts";
import type { Audience } from "./audience.ts";
import { Pace } from "./pace.ts";
import { answerText, type Describe, logged, problemLines, type CycleLine } from "./telling.ts";

/** The parts that a board needs. */
export interface BoardSettings {
  clock: Clock;
  source: WatchedSource;
  /** Milliseconds between two looks. */
  interval: number;
  journal: Journal;
  commits: KnownCommits;
  describe: Describe;
  budget(): Budget;
  /** The allowance; undefined while the quota is not known. */
  allowance(): AllowanceView | undefined;
  /** Milliseconds by which the clock of this machine is ahead of that of the server. */
  clockAhead(): number;
  /** What somebody has asked for in a share, by its key, and what still waits. */
  askedIn(key: string): PersonRequest | undefined;
  /** Called when a person looks at it. */
  onLook?(): void;
  /** Whether a commit, or the one with that beginning of an id, comes before another one, or is the same. */
  isAncestor(older: string, newer: string): Promise<boolean>;
  /** A text that shows what was carried out. */
  render(enacted: readonly PlanOutcome[]): Promise<string>;
}

/** How many problems of a cycle the journal has; the page has all. */
const mostProblems = 3;
/** How long after the next look was due a state becomes stale, in milliseconds. */
const grace = 60_000;
/** How long the loop may be without a sign of life, in milliseconds. */
const longestSilence = 600_000;

/** Collects what people are shown. It only listens: nothing depends on it. */
export class Board implements Audience {
  readonly #settings: BoardSettings;
  readonly #pace: Pace;
  readonly #listeners = new Set<() => void>();
  #activity: ServiceStatus["activity"];
  #environments: readonly EnvironmentStatus[] = [];
  /** The pauses that hold since something happened in the cycle that is at work, which may not know them; undefined: it does. */
  #pauses: readonly Pause[] | undefined;
  /** The environments without previews, which are shown by themselves. */
  #shown: readonly EnvironmentStatus[] = [];
  #previews: readonly PreviewStatus[] = [];
  #previewFailure: ServiceStatus["preview_failure"];
  #problems: readonly string[] = [];
  #idle: readonly string[] = [];
  #idleHere: readonly string[] | undefined;
  #commit: string | undefined;
  #isNotApplied = false;
  #checkedAt: number | undefined;
  #staleAt: number;
  #failure: ServiceStatus["failure"];
  /** Why the repository could not be read between two cycles, until it can be again. */
  #unread: { reason: string; since: string } | undefined;
  /** The loop gives a sign of life until then. */
  #expected: number;

  constructor(settings: BoardSettings) {
    this.#settings = settings;
    const now = settings.clock.now();
    this.#pace = new Pace(settings.clock);
    this.#activity = { type: "starting", since: iso(now) };
    this.#staleAt = now + settings.interval + grace;
    this.#expected = now + longestSilence;
  }

  get journal(): Journal {
    return this.#settings.journal;
  }

  get commits(): KnownCommits {
    return this.#settings.commits;
  }

  /** Calls a function after each change, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The loop has sent a request. */
  requested(): void {
    this.#pace.add(1);
    this.#expect(0);
    if (this.#activity.type === "waiting") this.#act({ type: "checking" });
  }

  /** A request waits. */
  waiting(until: Date, reason: Wait["reason"]): void {
    this.#expect(until.getTime() - this.#now());
    this.#act({ type: "waiting", until: until.toISOString(), reason });
  }

  checking(): void {
    this.#pauses = undefined;
    this.#expect(0);
    this.#act({ type: "checking" });
  }

  applying({ actions }: Plan): void {
    this.#expect(0);
    this.#act({ type: "applying", changes: actions.filter(isChange).length });
  }

  async ended(end: CycleEnd, told: CycleLine, isNews: boolean, next: number): Promise<void> {
    const now = this.#now();
    this.#failure = undefined;
    if (!end.repositoryFailure) this.#unread = undefined;
    this.#commit = end.commit;
    if (end.type !== "overtaken" && end.type !== "interrupted") {
      this.#checkedAt = now;
      this.#staleAt = next + this.#settings.interval + grace;
      this.#problems = "problems" in end ? this.#general(end) : [];
      this.#isNotApplied = end.type === "invalid";
    }
    if (end.idle) this.#idle = end.idle;
    if (end.idleHere) this.#idleHere = end.idleHere;
    if (end.environments) {
      const { describe } = this.#settings;
      const statuses = environmentStatuses(end.environments, this.#environments, describe, now);
      const pauses = this.#pauses;
      this.#environments = pauses ? statuses.map((each) => withPauses(each, pauses, now)) : statuses;
      this.#shown = withoutPreviews(this.#environments, this.#previews);
    }
    this.#rest(next);
    if (!isNews) return;
    const { enacted = [], answered = [] } = end;
    const setBack = logged(setBackBy(end));
    await this.journal.add(
      {
        at: now,
        level: told.level,
        message: told.message,
        commit: end.commit,
        ...(enacted.length > 0 && { done: enacted.flatMap(doneIn) }),
        what: [
          ...answered.map(answerText),
          ...("problems" in end ? end.problems.slice(0, mostProblems).map(({ message }) => message) : []),
        ],
        ...(setBack.length > 0 && { setBack }),
      },
      enacted.length > 0 ? await this.#settings.render(enacted) : undefined,
    );
    this.#changed();
  }

  async failed(
    { reason = "", code = "" }: Record<string, string>,
    failures: number,
    next: number,
  ): Promise<void> {
    const now = this.#now();
    const before = this.#failure;
    this.#failure = { code, reason, failures, since: before?.since ?? iso(now) };
    this.#rest(next);
    if (before?.reason === reason) return;
    await this.journal.add({
      at: now,
      level: "error",
      message: `the cycle has failed: ${reason}`,
      what: [],
      commit: this.#commit,
    });
    this.#changed();
  }

  async unread({ reason = "" }: Record<string, string>): Promise<void> {
    const now = this.#now();
    const before = this.#unread;
    this.#unread = { reason, since: before?.since ?? iso(now) };
    this.#changed();
    if (before?.reason === reason) return;
    await this.journal.add({
      at: now,
      level: "warn",
      message: `the repository could not be read: ${reason}`,
      what: [],
      commit: this.#commit,
    });
  }

  read(): void {
    if (!this.#unread) return;
    this.#unread = undefined;
    this.#changed();
  }

  /** A person looks at it. */
  looked(): void {
    this.#settings.onLook?.();
  }

  /** Somebody has asked for something: these pauses of people hold from now on, and no others. */
  asked(pauses: readonly Pause[], now: number): void {
    this.#pauses = pauses;
    this.#environments = this.#environments.map((each) => withPauses(each, pauses, now));
    this.#shown = withoutPreviews(this.#environments, this.#previews);
    this.#changed();
  }

  /** There was a look at the pull requests. */
  previewsKept(kept: KeptPreviews): void {
    const now = this.#now();
    if ("failure" in kept) {
      const { failure: reason } = kept;
      this.#previewFailure = { reason, since: this.#previewFailure?.since ?? iso(now) };
    } else {
      this.#previewFailure = undefined;
      this.#previews = previewStatuses(kept.previews, this.#previews, now);
      this.#shown = withoutPreviews(this.#environments, this.#previews);
    }
    this.#changed();
  }

  /** Whether the loop is alive: it has done something lately, or waits for a time that has not come yet. */
  isAlive(): boolean {
    return this.#now() <= this.#expected;
  }

  /** The rules of the operator for many sources that restrict nothing in this one; undefined before the first look. */
  get idleHere(): readonly string[] | undefined {
    return this.#idleHere;
  }

  /** The state of the source, for all who print it. */
  status(): ServiceStatus {
    const { source, clockAhead, askedIn } = this.#settings;
    const now = this.#now();
    const isStale = now > this.#staleAt;
    const ahead = clockAhead();
    return {
      format: "infrasync-reconcile-status",
      version: 1,
      now: iso(now),
      source: { ...source },
      commit: this.#commit,
      not_applied: this.#isNotApplied || undefined,
      checked_at: this.#checkedAt === undefined ? undefined : iso(this.#checkedAt),
      stale: isStale,
      stale_at: iso(this.#staleAt),
      activity: this.#activity,
      in_doubt: this.#doubt(isStale),
      in_step: inStepOf(environmentsIn(this.#shown)),
      environments: this.#shown.map((each) => {
        const asked = askedIn(shareKeyOf(namesOf(each.name)));
        return { ...atTime(each, now, isStale), asked: asked && { type: asked.type, by: asked.by } };
      }),
      previews: this.#previews.length > 0 ? [...this.#previews] : undefined,
      preview_failure: this.#previewFailure,
      clock_ahead_seconds: Math.abs(ahead) > toleratedDifference ? Math.round(ahead / 1000) : undefined,
      problems: [...this.#problems],
      notes: this.#idle.length > 0 ? [...this.#idle] : undefined,
      failure: this.#failure,
      budget: this.#budget(),
    };
  }

  /** The same, and where a commit has come. @param commit its id, or the beginning; undefined: nobody asks about one */
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

  /** Why nobody knows whether the state that was found last still holds; undefined if the next look is not due yet, and none has failed. */
  #doubt(isStale: boolean): ServiceStatus["in_doubt"] {
    const { type, since } = this.#activity;
    if (this.#failure) return { because: "failed", since: this.#failure.since };
    if (this.#unread) return { because: "unread", ...this.#unread };
    if (type === "waiting" && this.#activity.reason === "retry") return { because: "unanswered", since };
    return isStale ? { because: "stale", since: iso(this.#staleAt) } : undefined;
  }

  #budget(): ServiceStatus["budget"] {
    const budget = this.#settings.budget();
    const allowance = this.#settings.allowance();
    return {
      limit: budget.limit,
      remaining: budget.remaining,
      reset_at: budget.resetAt?.toISOString(),
      spent_in_hour: this.#pace.inHour(),
      forecast: this.#pace.forecast(budget),
      ...(allowance && {
        looking: allowance.looking,
        applying: allowance.applying,
        interval_seconds: Math.round(allowance.interval / 1000),
        period_seconds: Math.round(allowance.period / 1000),
      }),
    };
  }

  /** The problems that belong to no environment. */
  #general(end: Extract<CycleEnd, { problems: unknown }>): string[] {
    const known = new Set((end.environments ?? []).flatMap(({ problems }) => problems));
    return problemLines(
      end.problems.filter((problem) => !known.has(problem)),
      this.#settings.describe,
    );
  }

  #rest(next: number): void {
    this.#expect(next - this.#now());
    this.#act({ type: "idle", until: iso(next) });
  }

  #act(activity: Omit<ServiceStatus["activity"], "since">): void {
    this.#activity = { ...activity, since: iso(this.#now()) };
    this.#changed();
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

/** Environments, to which previews do not count as undescribed. */
function withoutPreviews(
  environments: readonly EnvironmentStatus[],
  previews: readonly PreviewStatus[],
): readonly EnvironmentStatus[] {
  const made = new Set(previews.map(({ name }) => nameKey(`environment:${name}`)));
  if (made.size === 0) return environments;
  return environments.map((each) =>
    each.undescribed
      ? { ...each, undescribed: each.undescribed.filter((thing) => !made.has(nameKey(thing))) }
      : each,
  );
}

/** What a plan has done, by environments: `2 created, 1 updated in shop/production`. */
function doneIn({ report }: PlanOutcome): string[] {
  const done = report.outcomes.filter(({ status }) => status === "done");
  const byShare = Map.groupBy(done, ({ address }) => shareOf(address).name);
  return [...byShare].flatMap(([name, outcomes]) => {
    const counts = countActions(outcomes);
    const texts = allActionTypes
      .filter((type) => isChange({ type }) && counts[type] > 0)
      .map((type) => `${counts[type]} ${actionTypes[type].past}`);
    return texts.length === 0 ? [] : [`${texts.join(", ")} in ${name}`];
  });
}
