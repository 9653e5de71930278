import { setImmediate as immediately } from "node:timers/promises";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { withAdvice } from "../../../cli/render/remedies.ts";
import type { Budget } from "../../../core/api/index.ts";
import type { CommitNote } from "../../../adapters/git/index.ts";
import { Board } from "../../../reconciler/show/board.ts";
import type { CycleResult } from "../../../reconciler/journal/index.ts";
import { KnownCommits } from "../../../reconciler/show/commits.ts";
import { Audit, Journal } from "../../../reconciler/journal/index.ts";
import { type Access, type AccessFile, PeopleGate, type SignIn } from "../../../reconciler/people/index.ts";
import { Requests, UserActions } from "../../../reconciler/requests/index.ts";
import { targetOf } from "../../../reconciler/service/request-target.ts";
import { suspensionsOf } from "../../../reconciler/show/environment-statuses.ts";
import { type Pause, type Rules, environmentKeyOf } from "../../../reconciler/policy/index.ts";
import type { RateBudgetView } from "../../../reconciler/watch/index.ts";
import { sourceMetrics } from "../../../reconciler/show/metrics/source-metrics.ts";
import { servePage } from "../../../reconciler/show/page/server.ts";
import type { EnvironmentState } from "../../../reconciler/decide/environment-state.ts";
import { TestClock } from "../fixture.ts";
import { removeFolder } from "../../fixtures/remove-folder.ts";

/** A page with its board, whose cycles the test tells. */
export interface ShownPage {
  url: string;
  board: Board;
  clock: TestClock;
  folder: string;
  stop: AbortController;
  requests: Requests;
  userActions: UserActions;
  budget: Budget;
  rateBudget: RateBudgetView | undefined;
  /** The rules of all environments. */
  rules: Rules | undefined;
  clockAhead: number;
  /** The pattern of pages of the console. */
  console: string | undefined;
  /** Who has looked at it. */
  looks: string[];
  /** Ends the wait of open streams until they say again that they are there. */
  beat(): void;
  /** Tells the board of a cycle that has ended. */
  ended(end: CycleResult): Promise<void>;
  get(
    path: string,
    headers?: Record<string, string>,
  ): Promise<{ status: number; text: string; headers: Headers }>;
}

export const interval = 60_000;

/** Serves a page on a free port until the test ends. */
export async function showPage(
  access: Access = { type: "loopback" },
  people: { file?: AccessFile; signIn?: SignIn } = {},
): Promise<ShownPage> {
  const folder = await mkdtemp(join(tmpdir(), "infrasync-page-"));
  const clock = new TestClock();
  const stop = new AbortController();
  const quiet = () => undefined;
  const journal = new Journal({
    folder,
    clock,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    describe: withAdvice,
    render: () => Promise.resolve("A plan"),
  });
  const shown: Pick<ShownPage, "budget" | "rateBudget" | "rules" | "clockAhead" | "console" | "looks"> = {
    clockAhead: 0,
    console: undefined,
    budget: { limit: 1000, remaining: 612, resetAt: new Date(clock.now() + 1_800_000) },
    rateBudget: undefined,
    rules: undefined,
    looks: [],
  };
  let pausesOfCycle: Pause[] = [];
  const board = new Board({
    clock,
    journal,
    commits: new KnownCommits(
      (ids) => Promise.resolve(new Map(ids.flatMap((id) => (notes[id] ? [[id, notes[id]] as const] : [])))),
      (id) => `https://git.example.com/acme/infra/commit/${id}`,
    ),
    pauses: () => [...requests.pauses, ...pausesOfCycle],
    requestedIn: (key) => requests.requestedIn(key),
    isAncestor: (older, newer) => Promise.resolve(newer.startsWith(older)),
    interval,
    source: { repository: "https://git.example.com/acme/infra.git", branch: "main", path: "manifests" },
    describe: withAdvice,
    budget: () => shown.budget,
    rateBudget: () => shown.rateBudget,
    clockAhead: () => shown.clockAhead,
    console: () => shown.console,
    onRefresh: (by) => void shown.looks.push(by),
  });
  const requests = new Requests(folder);
  await requests.open();
  const userActions = new UserActions({
    requests,
    audit: new Audit(folder, clock),
    clock,
    linesOf: async (commits) => [...commits],
    known() {
      const all = new Map(board.status().environments.map((each) => [each.name, each]));
      return {
        environments: [...all.keys()].map((name) => ({
          key: environmentKeyOf(name.split("/")),
          name,
          names: name.split("/"),
        })),
        of({ key, name }) {
          const status = all.get(name);
          const rules = shown.rules && status && { ...shown.rules, suspensions: suspensionsOf(status) };
          return {
            ...targetOf(
              status && {
                ...status,
                health: status.services.flatMap(({ health }) => (health === undefined ? [] : { health })),
              },
              true,
              rules,
            ),
            commits: [commit, earlier].map((each) => ({ commit: each, tree: each })),
            requested: requests.requestedIn(key),
            rollback: requests.rollbackIn(key),
          };
        },
      };
    },
    changed: () => board.requestTaken(),
  });
  let endWait: () => void = quiet;
  const page = await servePage({
    board,
    metrics: sourceMetrics({
      board,
      version: "1.2.3",
      quota: () => ({ token: "0a1b", budget: shown.budget }),
      deliveries: () => undefined,
    }),
    gate: new PeopleGate(access, people.file),
    clock: {
      now: clock.now,
      sleep: (milliseconds, signal) =>
        milliseconds < 20_000
          ? immediately()
          : new Promise((end) => {
              endWait = end;
              signal?.addEventListener("abort", () => end());
            }),
    },
    userActions,
    signed: (entry) => userActions.audit.add(entry),
    signIn: () => Promise.resolve(people.signIn),
    onError: () => undefined,
    redact: (text) => text.replaceAll("canary-of-the-service", "[secret]"),
    host: "127.0.0.1",
    port: 0,
    signal: stop.signal,
  });
  onTestFinished(async () => {
    await page.close();
    await removeFolder(folder);
  });
  return Object.assign(shown, {
    url: page.url,
    beat: () => endWait(),
    board,
    clock,
    folder,
    stop,
    requests,
    userActions,
    async ended(cycle: CycleResult) {
      // A cycle has the pauses from what people have requested.
      pausesOfCycle = (cycle.environments ?? []).flatMap(({ suspensions = [] }) =>
        suspensions.flatMap(({ pause, ...its }) => (pause ? [{ ...its, ...pause, at: 0 }] : [])),
      );
      await journal.ended(cycle);
      await board.ended(cycle, clock.now() + interval);
    },
    async get(path: string, headers: Record<string, string> = {}) {
      const answer = await fetch(page.url + path, { headers, redirect: "manual" });
      return { status: answer.status, text: await answer.text(), headers: answer.headers };
    },
  });
}

/** How an environment stands. */
export function environmentState(
  environment: string,
  state: EnvironmentState["state"],
  others: Partial<EnvironmentState> = {},
): EnvironmentState {
  return {
    environment,
    state,
    applied: commit,
    changes: [],
    problems: [],
    unfinished: [],
    driftLoops: [],
    health: [],
    ...others,
  };
}

const earlier = "a".repeat(40);
export const commit = "3f2c1a9d2f0c4b5e6a7b8c9d0e1f2a3b4c5d6e7f";

/** The end of a cycle in which the environments stand like this. */
export function endWith(...environments: EnvironmentState[]): CycleResult {
  return { commit, mistakes: [], spent: 1, environments };
}
/** What the repository says of its commits. */
const notes: Record<string, CommitNote> = {
  [commit]: { subject: "Raise the memory of the report", author: "Ada", at: 0 },
  [earlier]: { subject: "Begin <b>shop</b>", author: "Bob", at: 0 },
};
