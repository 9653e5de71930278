// Writes the files that follow from the table of metrics: the page about them, the alert rules, and the dashboard.
import { stringify } from "yaml";
import { alarms, panels } from "../../reconciler/show/metrics/alarms.ts";
import { metricRow, type MetricName, metricTable } from "../../reconciler/show/metrics/table.ts";
import { writeGenerated } from "../generated-files.ts";
import { table, writeSections } from "./section.ts";

const page = "reference/metrics.md";
const folder = "examples/deploy/helm/files";

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
      alarms.map(({ name, when, lasting, means, helps }) => [name, `\`${when}\`, ${lasting}`, means, helps]),
    ),
  },
]);

const subject = ["source", "environment", "project", "token"]
  .map((label) => `{{ with $labels.${label} }}${label} {{ . }}: {{ end }}`)
  .join("");

const rules = alarms.map(({ name, when, lasting, severity, means, helps }) => ({
  alert: name,
  expr: when,
  for: lasting,
  labels: { severity },
  annotations: { summary: `${subject}${means}`, description: `${helps}. Runbook: ${name} in docs/${page}.` },
}));
writeGenerated(
  `${folder}/rules.yaml`,
  `# Written by npm run generate: ../../../../docs/reference/metrics.md explains each alarm.\n${stringify({ groups: [{ name: "infrasync", rules }] }, { lineWidth: 0 })}`,
);

const width = 12;
const height = 8;
const dashboard = {
  title: "infrasync",
  uid: "infrasync",
  tags: ["infrasync"],
  schemaVersion: 39,
  time: { from: "now-24h", to: "now" },
  refresh: "1m",
  templating: { list: [{ name: "datasource", type: "datasource", query: "prometheus" }] },
  panels: panels.map(({ title, type, query, legend }, index) => ({
    id: index + 1,
    title,
    type,
    datasource: { type: "prometheus", uid: "${datasource}" },
    gridPos: { x: (index % 2) * width, y: Math.floor(index / 2) * height, w: width, h: height },
    targets: [
      {
        refId: "A",
        expr: query,
        ...(legend !== undefined && { legendFormat: legend }),
        ...(type === "table" && { format: "table", instant: true }),
      },
    ],
  })),
};
writeGenerated(`${folder}/dashboard.json`, `${JSON.stringify(dashboard, undefined, 2)}\n`);
