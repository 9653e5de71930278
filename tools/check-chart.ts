/**
 * npm run check:chart: helm lints and renders the chart, and the types of Kubernetes and of the Prometheus Operator check each manifest.
 * The plain manifests in examples/deploy have to be what the chart renders; with --write, they are written. Needs Go.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { writeGenerated } from "./generated-files.ts";

const helmVersion = "v3.19.2";
const checkout = path.join(import.meta.dirname, "..");
const chart = path.join(checkout, "examples/deploy/helm");
const cache = path.join(checkout, ".cache", `helm-${helmVersion}`);
const helm = path.join(cache, "helm");
const check = path.join(cache, "check");
if (!process.argv.includes("--write")) process.argv.push("--check");

const env = { ...process.env, GOBIN: cache };
if (!existsSync(helm))
  execFileSync("go", ["install", `helm.sh/helm/v3/cmd/helm@${helmVersion}`], { env, stdio: "inherit" });
execFileSync("go", ["build", "-o", check, "."], {
  cwd: path.join(import.meta.dirname, "kubernetes"),
  stdio: "inherit",
});

const workers = ["--values", path.join(checkout, "examples/deploy/helm-values/workers.yaml")];
const everything =
  "config.OTEL_EXPORTER_OTLP_ENDPOINT=http://otel-collector:4318,monitoring.serviceMonitor=true,monitoring.rules=true,monitoring.dashboard=true";
const kubernetes = ["--kube-version", "1.30.0"];

function render(name: string, values: readonly string[]): string {
  execFileSync(helm, ["lint", "--quiet", "--strict", chart, ...kubernetes, ...values], { stdio: "inherit" });
  const manifests = execFileSync(helm, ["template", name, chart, ...kubernetes, ...values], {
    encoding: "utf8",
  });
  execFileSync(check, { input: manifests, stdio: ["pipe", "inherit", "inherit"] });
  return manifests;
}

/** Values that the schema refuses, and a word of the reason. */
const refused: readonly [string, string][] = [
  ["config.INFRASYNC_TOKEN=secret", "config"],
  ["workers.replicas=0", "replicas"],
  ["service.port=web", "port"],
  ["config.INFRASYNC_OIDC_CLIENT_SECRET=secret", "config"],
  ["secret.files.INFRASYNC_TOKEN=token", "INFRASYNC_TOKEN"],
  ["persistence.size=big", "size"],
  ["repository.branch=", "branch"],
  ["replicaCount=3", "replicaCount"],
];

for (const [file, name, values, head] of [
  [
    "kubernetes.yaml",
    "infrasync",
    [],
    `# The reconciler in Kubernetes. Make the secret first:
#   kubectl create secret generic infrasync --from-file=token --from-file=git-token --from-file=ui-token --from-file=webhook-secret`,
  ],
  [
    "kubernetes-workers.yaml",
    "infrasync-workers",
    workers,
    `# Three workers that share their sources in PostgreSQL: docs/guides/fleet.md. Make the secrets first:
#   kubectl create secret generic infrasync-workers --from-file=database-url --from-file=git-token --from-file=ui-token --from-file=webhook-secret
#   kubectl create secret generic infrasync-source-files --from-file=files/
# The job brings the tables up to date; until it has ended, the workers start again.`,
  ],
] as const)
  writeGenerated(
    `examples/deploy/${file}`,
    `${head}\n# Written by npm run check:chart -- --write from the chart in helm/.\n${render(name, values)}`,
  );
render("everything", ["--set", everything]);
render("everything", [
  ...workers,
  "--set",
  `${everything},networkPolicy.from[0].podSelector.matchLabels.app=proxy`,
]);
for (const [value, word] of refused) {
  const { status, stderr } = spawnSync(helm, ["template", "wrong", chart, ...kubernetes, "--set", value], {
    encoding: "utf8",
  });
  if (status === 0 || !stderr.includes(word)) {
    console.error(`the chart does not refuse ${value}: ${stderr}`);
    process.exitCode = 1;
  }
}
