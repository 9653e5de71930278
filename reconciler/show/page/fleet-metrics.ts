import { Gauge, Registry } from "prom-client";
import { observer } from "../../people/index.ts";
import { type FleetBoard, sourceStates, type SourceView } from "../fleet-board.ts";

/** The measures of a service with many sources: few of each source, which has more on a page of its own. */
export class FleetMetrics {
  readonly #registry = new Registry();
  readonly #read: () => void;

  constructor(board: FleetBoard, version: string) {
    const registers = [this.#registry];
    const labelNames = ["source", "team"] as const;
    const labelsOf = ({ name, team = "" }: { name: string; team?: string | undefined }) => ({
      source: name,
      team,
    });
    let sources: readonly SourceView[] = [];
    this.#read = () => void ({ sources } = board.view(observer));
    new Gauge({
      name: "infrasync_fleet_sources",
      help: "Sources by their state: down, unknown, or that of their worst environment.",
      labelNames: ["state"],
      registers,
      collect() {
        const counts = Map.groupBy(sources, ({ state }) => state);
        for (const state of sourceStates) this.set({ state }, counts.get(state)?.length ?? 0);
      },
    });
    new Gauge({
      name: "infrasync_source_in_doubt",
      help: "1 while nobody knows how the source stands: it does not run, a cycle has failed, or its state is older than it should be.",
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const source of sources)
          this.set(labelsOf(source), source.state === "down" || source.doubt ? 1 : 0);
      },
    });
    new Gauge({
      name: "infrasync_source_checked_timestamp_seconds",
      help: "When live resources of the source were compared with its commit for the last time; absent: never.",
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const source of sources)
          if (source.checkedAt !== undefined) this.set(labelsOf(source), source.checkedAt / 1000);
      },
    });
    new Gauge({
      name: "infrasync_source_environments",
      help: "Environments of the source, and of these those in step.",
      labelNames: [...labelNames, "in_step"],
      registers,
      collect() {
        this.reset();
        for (const source of sources) {
          this.set({ ...labelsOf(source), in_step: "true" }, source.inStep);
          this.set({ ...labelsOf(source), in_step: "false" }, source.environments - source.inStep);
        }
      },
    });
    new Gauge({
      name: "infrasync_build_info",
      help: "1, with the version of infrasync.",
      labelNames: ["version"],
      registers,
    }).set({ version }, 1);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** All measures as text. */
  read(): Promise<string> {
    this.#read();
    return this.#registry.metrics();
  }
}
