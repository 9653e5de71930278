import type { Budget, Clock, Wait } from "../../core/api/index.ts";
import { actionTypes, allActionTypes, countActions, isChange, type Plan } from "../../core/plan/index.ts";
import { nameKey } from "../../core/names.ts";
import type { KeptPreviews } from "../previews/index.ts";
import type {
  Activity,
  BoardStanding,
  BoardView,
  EnvironmentView,
  PreviewView,
  WatchedSource,
} from "./board-view.ts";
import { type CycleEnd, type PersonRequest, type PlanOutcome, setBackBy } from "../decide/index.ts";
import { type Pause, shareKeyOf, shareOf } from "../policy/index.ts";
import { namesOf } from "./seen.ts";
import { environmentViews, previewViews, withPauses } from "./views.ts";
import type { KnownCommits } from "./commits.ts";
import type { History } from "./history.ts";
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
  history: History;
  commits: KnownCommits;
  describe: Describe;
  budget(): Budget;
  /** The allowance; undefined while the quota is not known. */
  allowance(): AllowanceView | undefined;
  /** Milliseconds by which the clock of this machine is ahead of that of the server. */
  clockAhead(): number;
  /** What somebody has asked for in a share, by its key, and what still waits. */
  askedIn(key: string): PersonRequest | undefined;
  /** A document that shows what was carried out. */
  render(enacted: readonly PlanOutcome[]): string;
}

/** How many problems of a cycle the history has; the page has all. */
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
  #activity: Activity;
  #environments: readonly EnvironmentView[] = [];
  /** The pauses that hold since something happened in the cycle that is at work, which may not know them; undefined: it does. */
  #pauses: readonly Pause[] | undefined;
  /** The environments without previews, which are shown by themselves. */
  #shown: readonly EnvironmentView[] = [];
  #previews: readonly PreviewView[] = [];
  #previewFailure: BoardView["previewFailure"];
  #problems: readonly string[] = [];
  #idle: readonly string[] = [];
  #idleHere: readonly string[] | undefined;
  #commit: string | undefined;
  #isNotApplied = false;
  #checkedAt: number | undefined;
  #staleAt: number;
  #failure: BoardView["failure"];
  #unread: BoardView["unread"];
  /** The loop gives a sign of life until then. */
  #expected: number;

  constructor(settings: BoardSettings) {
    this.#settings = settings;
    const now = settings.clock.now();
    this.#pace = new Pace(settings.clock);
    this.#activity = { type: "starting", since: now };
    this.#staleAt = now + settings.interval + grace;
    this.#expected = now + longestSilence;
  }

  get history(): History {
    return this.#settings.history;
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
    this.#act({ type: "waiting", until: until.getTime(), reason });
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
      const views = environmentViews(end.environments, this.#environments, describe, now);
      const pauses = this.#pauses;
      this.#environments = pauses ? views.map((each) => withPauses(each, pauses, now)) : views;
      this.#shown = withoutPreviews(this.#environments, this.#previews);
    }
    this.#rest(next);
    if (!isNews) return;
    const { enacted = [], answered = [] } = end;
    const setBack = logged(setBackBy(end));
    await this.history.add(
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
      enacted.length > 0 ? this.#settings.render(enacted) : undefined,
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
    this.#failure = { code, reason, failures, since: before?.since ?? now };
    this.#rest(next);
    if (before?.reason === reason) return;
    await this.history.add({
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
    this.#unread = { reason, since: before?.since ?? now };
    this.#changed();
    if (before?.reason === reason) return;
    await this.history.add({
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
      this.#previewFailure = { reason, since: this.#previewFailure?.since ?? now };
    } else {
      this.#previewFailure = undefined;
      this.#previews = previewViews(kept.previews, this.#previews, now);
      this.#shown = withoutPreviews(this.#environments, this.#previews);
    }
    this.#changed();
  }

  /** Whether the loop is alive: it has done something lately, or waits for a time that has not come yet. */
  isAlive(): boolean {
    return this.#now() <= this.#expected;
  }

  /** The state of the source; a page over many sources asks for nothing else. */
  standing(): BoardStanding {
    return {
      now: this.#now(),
      staleAt: this.#staleAt,
      activity: this.#activity,
      environments: this.#shown.map((each) => {
        const asked = this.#settings.askedIn(shareKeyOf(namesOf(each.environment)));
        return asked ? { ...each, asked } : each;
      }),
      previews: this.#previews,
      previewFailure: this.#previewFailure,
      problems: this.#problems,
      isNotApplied: this.#isNotApplied,
      idle: this.#idle,
      ...(this.#idleHere && { idleHere: this.#idleHere }),
      commit: this.#commit,
      checkedAt: this.#checkedAt,
      failure: this.#failure,
      unread: this.#unread,
    };
  }

  view(): BoardView {
    const budget = this.#settings.budget();
    const spentInHour = this.#pace.inHour();
    const forecast = this.#pace.forecast(budget);
    const allowance = this.#settings.allowance();
    return {
      ...this.standing(),
      source: this.#settings.source,
      budget,
      spentInHour,
      forecast,
      allowance,
      clockAhead: this.#settings.clockAhead(),
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
    this.#act({ type: "idle", until: next });
  }

  #act(activity: Unstarted<Activity>): void {
    this.#activity = { ...activity, since: this.#now() };
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

type Unstarted<Some> = Some extends Activity ? Omit<Some, "since"> : never;

/** Environments, to which previews do not count as undescribed. */
function withoutPreviews(
  environments: readonly EnvironmentView[],
  previews: readonly PreviewView[],
): readonly EnvironmentView[] {
  const made = new Set(previews.map(({ environment }) => nameKey(`environment:${environment}`)));
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
