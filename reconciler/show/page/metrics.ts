import { healthStates } from "../../../core/deployments/index.ts";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { previewStates } from "../../previews/index.ts";
import type { Board } from "../board.ts";
import { doubtOf } from "../glance.ts";
import { standingStates } from "../../decide/index.ts";

/** The measures of a service in the form of Prometheus: few series, and one for each environment. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #cycles: Counter<"result">;
  readonly #seconds: Histogram;
  readonly #requests: Counter;

  constructor(board: Board, version: string) {
    const registers = [this.#registry];
    const gauge = (name: string, help: string, read: () => number | undefined) =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          // A value that is not known is absent, rather than 0.
          this.reset();
          const value = read();
          if (value === undefined) this.remove();
          else this.set(value);
        },
      });
    this.#cycles = new Counter({
      name: "infrasync_reconcile_cycles_total",
      help: "Cycles that have ended, by result.",
      labelNames: ["result"],
      registers,
    });
    for (const result of ["done", "failed"]) this.#cycles.inc({ result }, 0);
    this.#seconds = new Histogram({
      name: "infrasync_reconcile_cycle_duration_seconds",
      help: "How long cycles took, applying included.",
      buckets: [0.5, 2, 10, 60, 300, 1800],
      registers,
    });
    this.#requests = new Counter({
      name: "infrasync_api_requests_total",
      help: "Requests that were sent to the API.",
      registers,
    });
    new Gauge({
      name: "infrasync_reconcile_environments",
      help: "Environments, and projects without their contents, by their state when they were compared last.",
      labelNames: ["state"],
      registers,
      collect() {
        const { environments } = board.view();
        for (const state of standingStates)
          this.set({ state }, environments.filter((each) => each.state === state).length);
      },
    });
    new Gauge({
      name: "infrasync_reconcile_services",
      help: "Described services that were deployed, by how they fare after that.",
      labelNames: ["health"],
      registers,
      collect() {
        const services = board.view().environments.flatMap(({ health }) => health);
        for (const health of healthStates)
          this.set({ health }, services.filter((each) => each.health === health).length);
      },
    });
    new Gauge({
      name: "infrasync_reconcile_previews",
      help: "Previews of pull requests, by their state.",
      labelNames: ["state"],
      registers,
      collect() {
        const { previews } = board.view();
        for (const state of previewStates)
          this.set({ state }, previews.filter((each) => each.state === state).length);
      },
    });
    gauge(
      "infrasync_reconcile_checked_timestamp_seconds",
      "When live resources were last compared with the commit.",
      () => seconds(board.view().checkedAt),
    );
    gauge(
      "infrasync_reconcile_stale_timestamp_seconds",
      "From when on the state is older than it should be.",
      () => seconds(board.view().staleAt),
    );
    gauge(
      "infrasync_reconcile_in_doubt",
      "1 while nobody knows whether the states still hold: a cycle has failed, the API or the repository does not answer, or the state is stale.",
      () => (doubtOf(board.view()) ? 1 : 0),
    );
    new Gauge({
      name: "infrasync_reconcile_knowledge_age_seconds",
      help: "How old the oldest thing is that is known of an environment; absent: it has not been read yet.",
      labelNames: ["environment"],
      registers,
      collect() {
        this.reset();
        const { environments, now } = board.view();
        for (const { environment, knowledge } of environments)
          if (knowledge) this.set({ environment }, (now - knowledge.since) / 1000);
      },
    });
    new Gauge({
      name: "infrasync_reconcile_undescribed",
      help: "How much is live in an environment and in no document: services, stages, variables, secrets; of a project, environments. Absent: it has not been read yet.",
      labelNames: ["environment"],
      registers,
      collect() {
        this.reset();
        for (const { environment, undescribed } of board.view().environments)
          if (undescribed) this.set({ environment }, undescribed.length);
      },
    });
    gauge(
      "infrasync_reconcile_newest_commit_not_applied",
      "1 while the newest commit has mistakes, so that the last one without mistakes stays applied.",
      () => (board.view().isNotApplied ? 1 : 0),
    );
    gauge("infrasync_reconcile_failed_cycles", "Cycles that have failed in a row.", () => {
      return board.view().failure?.failures ?? 0;
    });
    gauge(
      "infrasync_api_quota_limit",
      "Requests that the token has in an hour.",
      () => board.view().budget.limit,
    );
    gauge(
      "infrasync_api_quota_remaining",
      "Requests that the token has left, as the API said last.",
      () => board.view().budget.remaining,
    );
    new Gauge({
      name: "infrasync_build_info",
      help: "1, with the version of infrasync.",
      labelNames: ["version"],
      registers,
    }).set({ version }, 1);
  }

  /** @param duration milliseconds */
  cycleEnded(result: "done" | "failed", duration: number): void {
    this.#cycles.inc({ result });
    this.#seconds.observe(duration / 1000);
  }

  requested(): void {
    this.#requests.inc();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** All measures as text. */
  read(): Promise<string> {
    return this.#registry.metrics();
  }
}

function seconds(time: number | undefined): number | undefined {
  return time === undefined ? undefined : time / 1000;
}
