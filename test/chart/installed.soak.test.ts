import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { stringify } from "yaml";
import { buildHelm, buildKubernetes, chart, helm, kubernetes, render, resourcesIn } from "./helm.ts";
import { removeValues, sets, values, workers } from "./sets.ts";

const { server, etcd, kubectl } = kubernetes;
const folder = mkdtempSync(join(tmpdir(), "kubernetes-"));
const env = { ...process.env, KUBECONFIG: join(folder, "kubeconfig") };
const children: ChildProcess[] = [];

async function freePort(): Promise<number> {
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  const { port } = taken.address() as AddressInfo;
  await new Promise((resolve) => taken.close(resolve));
  return port;
}

function start(program: string, ...args: string[]): void {
  const log = openSync(join(folder, "log"), "a");
  children.push(spawn(program, args, { cwd: folder, stdio: ["ignore", log, log] }));
}

const run = (program: string, args: string[], input = "") =>
  execFileSync(program, args, { env, input, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] });

beforeAll(async () => {
  buildHelm();
  buildKubernetes();
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  writeFileSync(join(folder, "key"), privateKey.export({ type: "pkcs8", format: "pem" }));
  writeFileSync(join(folder, "tokens"), "secret,admin,admin,system:masters");
  const [store, peers, port] = [await freePort(), await freePort(), await freePort()];
  const address = `http://127.0.0.1:${store}`;
  start(
    etcd,
    "--data-dir=etcd",
    `--listen-client-urls=${address}`,
    `--advertise-client-urls=${address}`,
    `--listen-peer-urls=http://127.0.0.1:${peers}`,
  );
  const key = [
    "--service-account-key-file=key",
    "--service-account-signing-key-file=key",
    "--service-account-issuer=https://kubernetes",
  ];
  start(
    server,
    `--etcd-servers=${address}`,
    `--secure-port=${port}`,
    "--bind-address=127.0.0.1",
    "--cert-dir=certs",
    ...key,
    "--token-auth-file=tokens",
    "--service-cluster-ip-range=10.0.0.0/24",
    "--disable-admission-plugins=ServiceAccount",
  );
  const cluster = { server: `https://127.0.0.1:${port}`, "insecure-skip-tls-verify": true };
  writeFileSync(
    env.KUBECONFIG,
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: "a", cluster }],
      users: [{ name: "a", user: { token: "secret" } }],
      contexts: [{ name: "a", context: { cluster: "a", user: "a" } }],
      "current-context": "a",
    }),
  );
  await vi.waitUntil(isReady, { timeout: 200_000, interval: 1000 });
}, 3_600_000);

function isReady(): boolean {
  try {
    run(kubectl, ["get", "--raw", "/readyz"]);
    run(kubectl, ["get", "namespace", "default"]);
    return true;
  } catch {
    return false;
  }
}

afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  removeValues();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

test.each(Object.entries(sets))(
  "an API server accepts what the chart renders for %s",
  (_name, [release, flags]) => {
    // It does not know the kinds of the Prometheus Operator.
    const known = resourcesIn(render(release, ...flags())).filter(
      ({ kind }) => !/ServiceMonitor|PrometheusRule/.test(kind),
    );
    const manifests = known.map((each) => stringify(each)).join("---\n");
    const said = run(kubectl, ["apply", "--server-side", "--dry-run=server", "--filename=-"], manifests);
    expect(said.trim().split("\n")).toHaveLength(known.length);
  },
);

test("helm installs and upgrades a release, and leaves its memory when it goes", () => {
  const all = { ingress: { enabled: true }, serviceAccount: { create: true } };
  run(helm, ["install", "one", chart, ...values(all)]);
  run(helm, ["upgrade", "one", chart, ...values({ ...all, image: { tag: "1.0_RC" } })]);
  run(helm, ["install", "two", chart, "--no-hooks", ...workers]);
  run(helm, ["uninstall", "one"]);
  const left = run(kubectl, ["get", "all,ingress,persistentvolumeclaim", "--output=name"]);
  expect(left).toContain("persistentvolumeclaim/one-infrasync");
  expect(left).not.toContain("deployment.apps/one");
  expect(left).toContain("deployment.apps/two-infrasync");
});
