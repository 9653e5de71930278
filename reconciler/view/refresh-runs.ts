import type { Client } from "../../core/api/index.ts";
import { type Run, startRun } from "../../core/execution/session/index.ts";
import type { LiveStore } from "../../core/state/live/index.ts";
import type { Coverage } from "./coverage.ts";
import type { ViewSettings } from "./settings.ts";

/** Starts the runs of a refresh, and counts their requests as reads. */
export class RefreshRuns {
  readonly #settings: ViewSettings;
  readonly #live: LiveStore;
  readonly #coverage: Pick<Coverage, "purpose">;
  #runs: Run[] = [];
  #counted = 0;

  constructor(settings: ViewSettings, live: LiveStore, coverage: Pick<Coverage, "purpose">) {
    this.#settings = settings;
    this.#coverage = coverage;
    this.#live = live;
  }

  begin(): void {
    this.#runs = [];
    this.#counted = 0;
  }

  /** @param most the most requests */
  start(client: Client, most = Infinity): Run {
    const { run: settings, clock, machine = clock } = this.#settings;
    const cap = most === Infinity ? {} : { maxRequests: most };
    const run = startRun(client, { ...settings, ...cap, live: this.#live, clock: machine });
    this.#runs.push(run);
    return run;
  }

  get spent(): number {
    return this.#runs.reduce((sum, { client }) => sum + client.spent.total, 0);
  }

  /** Counts uncounted requests. @param purpose `all`: others use the results */
  count(
    { budget }: Pick<Client, "budget">,
    purpose: "all" | "commit" | undefined = this.#coverage.purpose,
  ): void {
    const { spent } = this;
    this.#settings.rateBudget.looked(spent - this.#counted, budget, purpose);
    this.#counted = spent;
  }
}
