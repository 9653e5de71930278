import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isNamedCredential } from "../../core/redaction/credential-names.ts";
import { credentialIn, knownVariables } from "../../core/redaction/environment-variables.ts";
import { buildHelm, chart, helm, mistakesIn, refusal, render, resourcesIn } from "./helm.ts";
import { deploy, openshift, removeValues, sets, values, workers } from "./sets.ts";

beforeAll(buildHelm, 900_000);
afterAll(removeValues);

const url = "https://api.example.com";

test("there are forty sets of values or more", () => {
  expect(Object.keys(sets).length).toBeGreaterThanOrEqual(40);
});

test.each(Object.entries(sets))(
  "Kubernetes accepts what the chart renders for %s",
  (_name, [release, flags, ...texts]) => {
    const manifests = render(release, ...flags());
    expect(mistakesIn(manifests)).toBe("");
    for (const text of texts) expect(manifests).toContain(text);
    const resources = resourcesIn(manifests);
    expect(new Set(resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).size).toBe(
      resources.length,
    );
    for (const { spec } of resources) {
      const pod = spec?.template?.spec;
      if (pod === undefined) continue;
      const [{ env = [], volumeMounts }] = pod.containers;
      for (const names of [
        pod.volumes.map(({ name }) => name),
        volumeMounts.map(({ mountPath }) => mountPath),
        env.map(({ name }) => name),
      ])
        expect(names).toEqual([...new Set(names)]);
      const used = new Set(volumeMounts.map(({ name }) => name));
      expect(used).toEqual(new Set(pod.volumes.map(({ name }) => name)));
    }
  },
);

test("helm finds no mistake in the chart", () => {
  for (const flags of [[], workers, openshift])
    execFileSync(helm, ["lint", "--quiet", "--strict", chart, "--kube-version", "1.30.0", ...flags]);
});

test("on OpenShift, the platform chooses users and groups", () => {
  const manifests = render("infrasync", ...workers, ...openshift);
  expect(manifests).not.toMatch(/runAsUser|runAsGroup|fsGroup/);
});

test("the job of the migration has the pull secrets, the account and the security of the service, and no account that is not there yet", () => {
  const jobOf = (given: object) => {
    const pods = resourcesIn(render("infrasync", ...workers, ...values(given)));
    return pods.find(({ kind }) => kind === "Job")?.spec?.template?.spec;
  };
  const security = { runAsUser: 7 };
  expect(
    jobOf({ imagePullSecrets: [{ name: "a" }], serviceAccount: { name: "b" }, podSecurityContext: security }),
  ).toMatchObject({ imagePullSecrets: [{ name: "a" }], serviceAccountName: "b", securityContext: security });
  expect(jobOf({ serviceAccount: { create: true, name: "b" } })).not.toHaveProperty("serviceAccountName");
});

const entry = (name: string) => ({ extraEnv: [{ name, value: "a" }] });

/** Values that the schema refuses, and what the refusal names. */
const refused: [string, object, string][] = [
  ["no workers", { workers: { replicas: 0 } }, "replicas"],
  ["a port that is no number", { service: { port: "web" } }, "port"],
  ["a size that is none", { persistence: { size: "big" } }, "size"],
  ["an empty branch", { repository: { branch: "" } }, "branch"],
  ["a value that there is not", { replicaCount: 3 }, "replicaCount"],
  ["a token as the name of a file", { secret: { files: { INFRASYNC_TOKEN: "token" } } }, "INFRASYNC_TOKEN"],
  [
    "a password in the URL of the repository",
    { repository: { url: "https://me:secret@git.example.com/a" } },
    "repository",
  ],
  [
    "a token in the URL of the repository",
    { repository: { url: "https://secret@git.example.com/a" } },
    "repository",
  ],
  [
    "a password in the URL of the API",
    { config: { INFRASYNC_BASE_URL: "https://me:secret@api.example.com" } },
    "INFRASYNC_BASE_URL",
  ],
  ["a password in the URL of a proxy", { config: { HTTPS_PROXY: "http://me:secret@proxy" } }, "HTTPS_PROXY"],
  [
    "a password in a URL of another scheme",
    { extraEnv: [{ name: "A", value: "postgres://me:secret@db/a" }] },
    "extraEnv",
  ],
  [
    "a token of OpenTelemetry",
    { config: { OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer a" } },
    "OTEL_EXPORTER_OTLP_HEADERS",
  ],
  ["a token of a source", { config: { INFRASYNC_SOURCE_TOKEN_TEAM1: "a" } }, "INFRASYNC_SOURCE_TOKEN_TEAM1"],
  ["a password in a further variable", entry("SHOP_PASSWORD"), "extraEnv"],
  ["a key in a further variable", entry("stripe_api_key"), "extraEnv"],
  ["a token in a further variable", entry("INFRASYNC_TOKEN"), "extraEnv"],
  ["a further variable without a name", { extraEnv: [{ value: "a" }] }, "name"],
  ...["REPO", "SOURCES", "SOURCE_FILES", "DATA", "LISTEN", "TOKEN_FILE", "DATABASE_FILE"].flatMap(
    (name): [string, object, string][] => [
      [
        `${name}, which the chart sets, in the configuration`,
        { config: { [`INFRASYNC_${name}`]: "a" } },
        name,
      ],
      [`${name}, which the chart sets, in a further variable`, entry(`INFRASYNC_${name}`), "extraEnv"],
    ],
  ),
  [
    "the file of the token among the others",
    { secret: { files: { INFRASYNC_TOKEN_FILE: "a" } } },
    "INFRASYNC_TOKEN_FILE",
  ],
  [
    "the file of the database among the others",
    { secret: { files: { INFRASYNC_DATABASE_FILE: "a" } } },
    "INFRASYNC_DATABASE_FILE",
  ],
  ["a volume of the chart", { extraVolumes: [{ name: "data", emptyDir: {} }] }, "extraVolumes"],
  ["a folder of the chart", { extraVolumeMounts: [{ name: "a", mountPath: "/tmp/" }] }, "extraVolumeMounts"],
  [
    "a label by which the chart selects pods",
    { podLabels: { "app.kubernetes.io/name": "a" } },
    "app.kubernetes.io/name",
  ],
  [
    "a label of the chart on what monitors",
    { monitoring: { labels: { "helm.sh/chart": "a" } } },
    "helm.sh/chart",
  ],
  ["an annotation of the chart", { podAnnotations: { "checksum/config": "a" } }, "checksum/config"],
  ["a label that Kubernetes refuses", { podLabels: { team: "a b" } }, "podLabels"],
  ["a name that Kubernetes refuses", { fullnameOverride: "1.a" }, "fullnameOverride"],
  ["a part of a name that Kubernetes refuses", { nameOverride: "Sync" }, "nameOverride"],
  ["a tag that is none", { image: { tag: "sha256:abc" } }, "tag"],
  ["pull secrets as texts", { imagePullSecrets: ["registry"] }, "imagePullSecrets"],
  [
    "a port of the ingress that the service has not",
    { ingress: { hosts: [{ host: "a", paths: [{ path: "/", port: "8081" }] }] } },
    "ingress",
  ],
];

test.each(refused)("the chart refuses %s", (_name, given, word) => {
  expect(refusal(...values(given))).toContain(word);
});

test("the chart takes no credential of infrasync in clear, and every other variable", () => {
  for (const variable of knownVariables) {
    const file = { config: { INFRASYNC_BASE_URL: url, [variable]: "/a" } };
    const isOwn =
      /_(REPO|SOURCES|SOURCE_FILES|DATA|LISTEN|TOKEN_FILE|DATABASE_FILE)$/.test(variable) &&
      !/(APPLY|GIT|GIT_HOST|UI)_TOKEN_FILE$/.test(variable);
    const isRefused = credentialIn(variable) === "text" || isOwn;
    expect([variable, refusal(...values(file)) !== ""]).toEqual([variable, isRefused]);
  }
});

test.each([
  ["DB_PASS", "PGPASS", "MYSQL_PWD", "DB_PASSWORD_2", "dbPassword", "SSH_PASSPHRASE", "DB_PW"],
  ["TOKEN_OLD", "GITHUB_TOKEN", "Api_Key", "STRIPE_APIKEY", "SECRET_KEY_BASE", "AWS_SECRET_ACCESS_KEY"],
  ["AZURE_CREDENTIALS", "APP_CREDS", "SIGNING_KEY", "ENCRYPTION_KEY_V2", "CLIENT_SECRET_STAGING"],
  ["PASSWORD_LENGTH", "LEVEL", "SHOP_URL", "TOKEN_NAME", "KEYBOARD", "SECRETS_FOLDER", "REGION"],
])("a variable whose name is that of a credential comes from a secret: %s, %s, %s", (...names) => {
  for (const name of names)
    expect([name, refusal(...values(entry(name))) !== ""]).toEqual([
      name,
      isNamedCredential(name, "a value"),
    ]);
});

test("a secret with all of its members gives no variable that the chart sets: the last source of variables counts", () => {
  const manifests = render("infrasync", ...values({ extraEnvFrom: [{ secretRef: { name: "shop" } }] }));
  const pods = resourcesIn(manifests).flatMap(({ spec }) => spec?.template?.spec.containers ?? []);
  expect(pods.map(({ envFrom }) => envFrom)).toEqual([
    [{ secretRef: { name: "shop" } }, { configMapRef: { name: "infrasync" } }],
  ]);
});

const heads = {
  "kubernetes.yaml": `# The reconciler in Kubernetes. Make the secret first:
#   kubectl create secret generic infrasync --from-file=token --from-file=git-token --from-file=ui-token --from-file=webhook-secret`,
  "kubernetes-workers.yaml": `# Three workers that share their sources in PostgreSQL: docs/guides/fleet.md. Make the secrets first:
#   kubectl create secret generic infrasync-workers --from-file=database-url --from-file=git-token --from-file=ui-token --from-file=webhook-secret
#   kubectl create secret generic infrasync-source-files --from-file=files/
# The job brings the tables up to date; until it has ended, the workers start again. Delete it before an upgrade.`,
};

test.each([
  ["kubernetes.yaml", "infrasync", []],
  ["kubernetes-workers.yaml", "infrasync-workers", workers],
] as const)("the chart renders %s", async (file, release, flags) => {
  // No helm manages these.
  const manifests = render(release, ...flags).replaceAll(
    /^ +(app\.kubernetes\.io\/managed-by|helm\.sh\/chart): .*\n/gm,
    "",
  );
  await expect(
    `${heads[file]}\n# Written by npm run check:chart -- -u from the chart in helm/.\n${manifests}`,
  ).toMatchFileSnapshot(join(deploy, file));
});

test("values.yaml explains each value of the schema", () => {
  const schema = JSON.parse(readFileSync(join(chart, "values.schema.json"), "utf8")) as {
    properties: object;
  };
  const text = readFileSync(join(chart, "values.yaml"), "utf8");
  const named = [...text.matchAll(/^(\w+):/gm)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(
    Object.keys(schema.properties)
      .filter((name) => name !== "global")
      .toSorted(),
  );
});
