import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";

const version = "v3.19.2";
const checkout = join(import.meta.dirname, "..", "..");
const cache = join(checkout, ".cache", `helm-${version}`);
const check = join(cache, "check");

/** The program helm. */
export const helm = join(cache, "helm");

const kubernetesVersion = "v1.34.1";
const kubernetesCache = join(checkout, ".cache", `kubernetes-${kubernetesVersion}`);

/** The programs of a Kubernetes without nodes. */
export const kubernetes = {
  server: join(kubernetesCache, "kube-apiserver"),
  // The last part of the path of its package.
  etcd: join(kubernetesCache, "server"),
  kubectl: join(kubernetesCache, "kubectl"),
};

/** Builds an API server of Kubernetes with its store, from the Go proxy: six minutes of two cores, once. */
export function buildKubernetes(): void {
  if (Object.values(kubernetes).every((program) => existsSync(program))) return;
  // helm asks which version it is.
  const its = `-X k8s.io/component-base/version.gitVersion=${kubernetesVersion}`;
  execFileSync("go", ["install", `-ldflags=-s -w ${its}`, "tool"], {
    cwd: join(checkout, "tools/kubernetes/server"),
    env: { ...process.env, GOBIN: kubernetesCache },
    stdio: "inherit",
  });
}

/** The folder of the chart. */
export const chart = join(checkout, "examples/deploy/helm");

/** Builds helm, and the program that knows the types of Kubernetes and of the Prometheus Operator. */
export function buildHelm(): void {
  const env = { ...process.env, GOBIN: cache };
  if (!existsSync(helm))
    execFileSync("go", ["install", `helm.sh/helm/v3/cmd/helm@${version}`], { env, stdio: "inherit" });
  execFileSync("go", ["build", "-o", check, "."], {
    cwd: join(checkout, "tools/kubernetes"),
    stdio: "inherit",
  });
}

/** What `helm template` prints for a release with values. */
export function render(release: string, ...values: readonly string[]): string {
  return execFileSync(helm, ["template", release, chart, "--kube-version", "1.30.0", ...values], {
    encoding: "utf8",
  });
}

/** Why the chart refuses values; empty if it accepts them. */
export function refusal(...values: readonly string[]): string {
  const { status, stderr } = spawnSync(
    helm,
    ["template", "wrong", chart, "--kube-version", "1.30.0", ...values],
    { encoding: "utf8" },
  );
  return status === 0 ? "" : stderr;
}

/** What the types of Kubernetes and its rules for names and labels say against manifests. */
export function mistakesIn(manifests: string): string {
  const { status, stderr } = spawnSync(check, { input: manifests, encoding: "utf8" });
  return status === 0 ? "" : stderr || "it checked nothing";
}

export interface Manifest {
  kind: string;
  metadata: { name: string; labels: Record<string, string> };
  spec?: { template?: { spec: PodSpec } };
}

interface PodSpec {
  containers: [
    { env?: { name: string }[]; envFrom?: object[]; volumeMounts: { name: string; mountPath: string }[] },
  ];
  volumes: { name: string }[];
}

/** The resources in manifests. */
export function resourcesIn(manifests: string): Manifest[] {
  return parseAllDocuments(manifests).map((document) => document.toJS() as Manifest);
}
