// Writes the page about metrics from their table, and the list of alarms from the rules that users install.
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { metricRow, type MetricName, metricTable } from "../../reconciler/show/metrics/table.ts";
import { table, writeSections } from "./section.ts";

interface Rule {
  alert: string;
  expr: string;
  for: string;
  annotations: { summary: string; description: string };
}

const page = "reference/metrics.md";
const rulesFile = new URL("../../examples/deploy/helm/files/rules.yaml", import.meta.url);
const { groups } = parse(readFileSync(rulesFile, "utf8")) as { groups: { rules: Rule[] }[] };

writeSections([
  {
    page,
    name: "metrics",
    text: table(
      ["Metric", "Labels", "What it is"],
      (Object.keys(metricTable) as MetricName[]).map((name) => {
        const { type, of, labels = [], help } = metricRow(name);
        const all = [...(of === "source" ? ["source", "team"] : []), ...labels];
        return [`\`${name}\` (${type})`, all.map((label) => `\`${label}\``).join(", "), help];
      }),
    ),
  },
  {
    page,
    name: "alarms",
    text: table(
      ["Alarm", "When, for how long", "What it means", "What to do"],
      groups.flatMap(({ rules }) =>
        rules.map(({ alert, expr, for: lasting, annotations: { summary, description } }) => [
          // The anchor of its runbook.
          `<a id="${alert.toLowerCase()}"></a>${alert}`,
          `\`${expr}\`, ${lasting}`,
          // Before it, the labels say where.
          summary.replace(/^.*\}\}(: )?/, ""),
          description,
        ]),
      ),
    ),
  },
]);
