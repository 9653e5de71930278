import { AggregatorRegistry, Counter, Gauge, Histogram, type MetricObject, Registry } from "prom-client";
import { type LabelsOf, metricRow, type MetricName } from "./table.ts";

type Labels<Name extends MetricName> = Record<LabelsOf<Name>, string>;

/** Sets a value; undefined: unknown, so that the series is absent rather than 0. */
type Set<Name extends MetricName> = (
  value: number | undefined,
  ...labels: [LabelsOf<Name>] extends [never] ? [] : [Labels<Name>]
) => void;

export class Measures {
  readonly #registry = new Registry();

  /** @param source labels of all of them */
  constructor(source: Record<string, string> = {}) {
    this.#registry.setDefaultLabels(source);
  }

  /** A value, or a counter that is kept elsewhere, that is read on each request. */
  read<Name extends MetricName>(name: Name, read: (set: Set<Name>) => void): void {
    const { type, labels: named } = metricRow(name);
    const Kind: typeof Gauge | typeof Counter = type === "counter" ? Counter : Gauge;
    new Kind({
      ...this.#settings(name),
      collect() {
        this.reset();
        if (this instanceof Gauge && named.length === 0) this.remove();
        read((value, labels: Record<string, string> = {}) => {
          if (value !== undefined) this.inc(labels, value);
        });
      },
    });
  }

  counter<Name extends MetricName>(name: Name): Counter<LabelsOf<Name>> {
    return new Counter(this.#settings(name));
  }

  histogram(name: MetricName, buckets: number[]): Histogram {
    return new Histogram({ ...this.#settings(name), buckets });
  }

  values(): Promise<MetricObject[]> {
    return this.#registry.getMetricsAsJSON();
  }

  #settings<Name extends MetricName>(name: Name) {
    const { help, labels } = metricRow(name);
    return { name, help, labelNames: labels as LabelsOf<Name>[], registers: [this.#registry] };
  }
}

export const metricsType = Registry.PROMETHEUS_CONTENT_TYPE;

/** Values of several origins as one text in the form of Prometheus. */
export async function metricsText(origins: readonly Measures[]): Promise<string> {
  return AggregatorRegistry.aggregate(await Promise.all(origins.map((origin) => origin.values()))).metrics();
}
