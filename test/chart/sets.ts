import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chart } from "./helm.ts";

export const deploy = join(chart, "..");
const files = (name: string) => ["--values", join(deploy, "helm-values", `${name}.yaml`)];
export const workers = files("workers");
export const openshift = files("openshift");
const folder = mkdtempSync(join(tmpdir(), "chart-"));
let count = 0;

/** The flags for values. */
export function values(content: object): string[] {
  const file = join(folder, `values-${(count += 1)}.json`);
  writeFileSync(file, JSON.stringify(content));
  return ["--values", file];
}

/** Removes the files of values. */
export function removeValues(): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}

const monitoring = { serviceMonitor: true, rules: true, dashboard: true, labels: { release: "prometheus" } };
const host = { host: "infrasync.example.com", paths: [{ path: "/" }, { path: "/webhook", port: "webhook" }] };
const spread = { maxSkew: 1, topologyKey: "kubernetes.io/hostname", whenUnsatisfiable: "DoNotSchedule" };
const password = { name: "SHOP_PASSWORD", valueFrom: { secretKeyRef: { name: "shop", key: "password" } } };
const files2 = {
  extraVolumes: [{ name: "manifest-secrets", secret: { secretName: "shop" } }],
  extraVolumeMounts: [{ name: "manifest-secrets", mountPath: "/secrets/shop", readOnly: true }],
};

/** What a release is called, the flags for its values, and texts of which its manifests have each. */
export const sets: Record<string, [release: string, flags: () => string[], ...texts: string[]]> = {
  "nothing but the defaults": ["infrasync", () => [], "name: infrasync\n", "claimName: infrasync"],
  workers: ["infrasync-workers", () => workers, "replicas: 3", "name: infrasync-workers-migrate"],
  OpenShift: ["infrasync", () => openshift, "runAsNonRoot: true"],
  "OpenShift with workers": ["infrasync", () => [...workers, ...openshift], "runAsNonRoot: true"],
  "another name of the release": ["prod", () => workers, "name: prod-infrasync-migrate"],
  "a release that is a number": ["123", () => workers, 'instance: "123"', "name: infrasync-123\n"],
  "a release with the name of a boolean": ["true", () => workers, 'instance: "true"'],
  "a release whose name looks like a number": ["1e3", () => values({}), 'instance: "1e3"'],
  "a release with dots": ["a.b", () => workers, "name: a-b-infrasync\n"],
  "the longest release": [
    "a".repeat(53),
    () => [...workers, ...values({ monitoring })],
    `name: ${"a".repeat(53)}-dashboard`,
  ],
  nameOverride: [
    "prod",
    () => [...workers, ...values({ nameOverride: "sync" })],
    "name: prod-sync\n",
    "name: sync-migrate",
  ],
  fullnameOverride: ["prod", () => values({ fullnameOverride: "true" }), 'name: "true"'],
  "the longest fullnameOverride": [
    "prod",
    () => [...workers, ...values({ fullnameOverride: "b".repeat(53) })],
  ],
  "a tag with an underscore": [
    "infrasync",
    () => [...workers, ...values({ image: { tag: "1.0_RC.1" } })],
    "infrasync:1.0_RC.1",
  ],
  "a tag of forty hyphens": [
    "infrasync",
    () => [...workers, ...values({ image: { tag: `v${"-".repeat(60)}` } })],
  ],
  "a tag that is a number": [
    "infrasync",
    () => [...workers, "--set-string", "image.tag=20261129"],
    "infrasync:20261129",
  ],
  "a tag with a digest": [
    "infrasync",
    () => values({ image: { tag: `1@sha256:${"0".repeat(64)}` } }),
    `infrasync:1@sha256:${"0".repeat(64)}`,
  ],
  "pull secrets": [
    "infrasync",
    () => [...workers, ...values({ imagePullSecrets: [{ name: "registry" }] })],
    "- name: registry",
  ],
  "an account that is created": [
    "infrasync",
    () => [...workers, ...values({ serviceAccount: { create: true, annotations: { role: "a" } } })],
    "kind: ServiceAccount",
    "serviceAccountName: infrasync",
  ],
  "an account that is created with a name": [
    "infrasync",
    () => values({ serviceAccount: { create: true, name: "123" } }),
    'serviceAccountName: "123"',
  ],
  "an account that is there": [
    "infrasync",
    () => [...workers, ...values({ serviceAccount: { name: "robot" } })],
    "serviceAccountName: robot",
  ],
  "secrets of manifests in variables": [
    "infrasync",
    () => values({ config: { INFRASYNC_ALLOW_ENV: "SHOP_*" }, extraEnv: [password] }),
    "name: SHOP_PASSWORD",
    "SHOP_*",
  ],
  "secrets of manifests from a whole secret": [
    "infrasync",
    () => values({ extraEnvFrom: [{ secretRef: { name: "shop" }, prefix: "SHOP_" }] }),
    "prefix: SHOP_",
  ],
  "secrets of manifests in files": [
    "infrasync",
    () => values({ ...files2, config: { INFRASYNC_SECRETS_DIR: "/secrets" } }),
    "mountPath: /secrets/shop",
  ],
  "workers with further variables and volumes": [
    "infrasync",
    () => [...workers, ...values({ ...files2, extraEnv: [password] })],
    "name: SHOP_PASSWORD",
  ],
  "tokens whose names have digits": [
    "infrasync",
    () => [...workers, ...values({ secret: { files: { INFRASYNC_SOURCE_TOKEN_TEAM1_FILE: "team1" } } })],
    "/run/secrets/infrasync/team1",
  ],
  "variables whose names have digits": [
    "infrasync",
    () => values({ config: { INFRASYNC_VAR_DB2: "b" } }),
    'INFRASYNC_VAR_DB2: "b"',
  ],
  "a file of the configuration in place of one of the secret": [
    "infrasync",
    () => values({ config: { INFRASYNC_GIT_TOKEN_FILE: "/vault/git" } }),
    'INFRASYNC_GIT_TOKEN_FILE: "/vault/git"',
  ],
  "a configuration with quotes and colons": [
    "infrasync",
    () => values({ config: { INFRASYNC_ORGANIZATION: '"a: b" # {{ c }}' } }),
  ],
  "a branch with what YAML would take for a comment": [
    "infrasync",
    () => values({ repository: { branch: "a #b: c" } }),
    "'--branch=a #b: c'",
  ],
  "a repository over ssh": [
    "infrasync",
    () =>
      values({
        repository: { url: "ssh://git@git.example.com/a/b.git" },
        secret: { files: { INFRASYNC_GIT_SSH_KEY_FILE: "key", INFRASYNC_GIT_KNOWN_HOSTS: "hosts" } },
      }),
    "/run/secrets/infrasync/hosts",
  ],
  "a secret whose name is a number": [
    "infrasync",
    () => [...workers, ...values({ secret: { name: "1" }, workers: { sourceFilesSecret: "2" }, monitoring })],
    'secretName: "1"',
    'secretName: "2"',
  ],
  "no security contexts": ["infrasync", () => values({ podSecurityContext: null, securityContext: null })],
  "another user": [
    "infrasync",
    () => [...workers, ...values({ podSecurityContext: { runAsUser: 1234 } })],
    "runAsUser: 1234",
  ],
  ingress: [
    "infrasync",
    () =>
      values({
        ingress: {
          enabled: true,
          className: "nginx",
          annotations: { a: "b" },
          hosts: [host],
          tls: [{ secretName: "tls", hosts: [host.host] }],
        },
      }),
    "ingressClassName: nginx",
    "port: { name: webhook }",
  ],
  "ingress with the defaults": [
    "123",
    () => values({ ingress: { enabled: true } }),
    "service: { name: infrasync-123, port: { name: page } }",
  ],
  "topology spread": [
    "infrasync",
    () => [
      ...workers,
      ...values({
        topologySpreadConstraints: [
          spread,
          { ...spread, topologyKey: "zone", labelSelector: { matchLabels: { a: "b" } } },
        ],
      }),
    ],
    "app.kubernetes.io/instance: infrasync",
    "a: b",
  ],
  "priority, labels and annotations of pods": [
    "infrasync",
    () => [
      ...workers,
      ...values({ priorityClassName: "high", podLabels: { team: "1" }, podAnnotations: { a: "b" } }),
    ],
    "priorityClassName: high",
    'team: "1"',
  ],
  "nodes, tolerations and affinity": [
    "infrasync",
    () => [
      ...workers,
      ...values({
        nodeSelector: { disk: "ssd" },
        tolerations: [{ key: "a", operator: "Exists" }],
        affinity: { nodeAffinity: {} },
      }),
    ],
    "disk: ssd",
  ],
  "a service of another type": [
    "infrasync",
    () => values({ service: { type: "LoadBalancer", port: 80, annotations: { a: "b" } } }),
    "type: LoadBalancer",
  ],
  "a class of storage": [
    "infrasync",
    () => values({ persistence: { size: "1.5Gi", storageClass: "1" } }),
    'storageClassName: "1"',
  ],
  "all that monitors": [
    "everything",
    () => [
      ...workers,
      ...values({ monitoring, config: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://otel-collector:4318" } }),
    ],
    "kind: PrometheusRule",
    "release: prometheus",
  ],
  "nothing that can be left out": [
    "infrasync",
    () => [
      ...workers,
      ...values({
        networkPolicy: { enabled: false },
        podDisruptionBudget: { enabled: false },
        workers: { migrate: false },
        resources: {},
      }),
    ],
    "kind: Deployment",
  ],
  "a network policy": [
    "infrasync",
    () => values({ networkPolicy: { from: [{ podSelector: { matchLabels: { app: "proxy" } } }] } }),
    "app: proxy",
  ],
};
