import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { useFixture } from "../cli/fixture.ts";
import { GitRepository } from "../fixtures/git-repository.ts";
import { serveHttps, serveSsh } from "../fixtures/git-servers.ts";
import { shop } from "../fixtures/manifests.ts";
import { buildImage, type Image } from "./build-image.ts";
import { type Container, startContainer } from "./container.ts";
import { example } from "./dockerfile.ts";

const fixture = useFixture({ clock: "real" });
let image: Image;
let folder: string;
/** Milliseconds for packages that are installed, and removed: on an idle machine, a minute. */
const patience = 1_800_000;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "infrasync-image-"));
  image = buildImage(folder);
}, patience);
afterAll(() => void execFileSync("rm", ["-rf", folder]), patience);

/** The variables that the example for Kubernetes sets. */
const { data: variables } = parseAllDocuments(example("kubernetes.yaml"))
  .map((document) => document.toJS() as { kind: string; data: Record<string, string> })
  .find(({ kind }) => kind === "ConfigMap") ?? { data: {} };

/** Where the example mounts a file of its secret. */
const mounted = (name: string) => `/run/secrets/infrasync/${name}`;

function startOrigin(): GitRepository {
  const origin = new GitRepository();
  onTestFinished(() => origin[Symbol.dispose]());
  return origin;
}

/** Starts the reconciler with the variables of the example, but for what only a cluster has. */
function start(origin: GitRepository, url: string, { files, env, user, more = [] }: Options): Container {
  const secrets = path.join(origin.folder, "secrets");
  mkdirSync(path.join(secrets, "infrasync"), { recursive: true });
  const all = {
    token: fixture.emulator.tokens.admin,
    "ui-token": "page",
    "webhook-secret": "hook",
    ...files,
  };
  for (const [name, text] of Object.entries(all)) writeFileSync(path.join(secrets, "infrasync", name), text);
  const container = startContainer(image, {
    secrets,
    command: [...image.command, "--path", "manifests", ...more],
    ...(user !== undefined && { user }),
    env: {
      ...variables,
      INFRASYNC_REPO: url,
      INFRASYNC_BASE_URL: fixture.env["INFRASYNC_BASE_URL"] ?? "",
      INFRASYNC_LISTEN: "127.0.0.1:0",
      ...env,
    },
  });
  onTestFinished(() => void container.process.kill("SIGKILL"));
  return container;
}

interface Options {
  /** Files of the secret. */
  files: Record<string, string>;
  env: Record<string, string>;
  user?: string;
  /** Further arguments. */
  more?: string[];
}

async function expectApplied(container: Container): Promise<void> {
  const { code, output } = await container.ended;
  expect(output).toContain("Done: 2 created.");
  expect(code).toBe(0);
}

describe.each([
  ["its own user, with data in /data", "10001:10001", "/data"],
  ["any user of a pod, with data in /tmp", "1000690000:0", "/tmp/infrasync"],
])("the image as %s", (_who, user, data) => {
  test("reads a repository over https with a token", async () => {
    const origin = startOrigin();
    origin.push({ "manifests/shop.yaml": shop });
    const server = await serveHttps(origin, "git-token-of-the-secret");
    const container = start(origin, server.url, {
      user,
      more: ["--once"],
      files: { "git-token": `${server.token}\n`, "authority.pem": readFileSync(server.authority, "utf8") },
      env: { INFRASYNC_DATA: data, NODE_EXTRA_CA_CERTS: mounted("authority.pem") },
    });
    await expectApplied(container);
  });

  test("reads a repository over ssh, and checks the signatures of its commits", async () => {
    const origin = startOrigin();
    const server = await serveSsh(origin, 2);
    for (const [name, value] of [
      ["gpg.format", "ssh"],
      ["user.signingkey", server.key],
      ["commit.gpgsign", "true"],
    ] as const)
      origin.git("config", name, value);
    origin.push({ "manifests/shop.yaml": shop });
    const container = start(origin, server.url, {
      user,
      more: ["--once", "--config", mounted("operator.yaml")],
      files: {
        "git-key": readFileSync(server.key, "utf8"),
        "known-hosts": readFileSync(server.knownHosts, "utf8"),
        "operator.yaml": "reconcile: { require_signed: signers }\n",
        signers: `author@example.com ${readFileSync(`${server.key}.pub`, "utf8")}`,
      },
      env: {
        INFRASYNC_DATA: data,
        INFRASYNC_GIT_SSH_KEY_FILE: mounted("git-key"),
        INFRASYNC_GIT_KNOWN_HOSTS: mounted("known-hosts"),
      },
    });
    await expectApplied(container);
  });
});

test("the service that the image starts is healthy", async () => {
  const origin = startOrigin();
  origin.push({ "manifests/shop.yaml": shop });
  const server = await serveHttps(origin, "token");
  const files = { "git-token": "token", "authority.pem": readFileSync(server.authority, "utf8") };
  const container = start(origin, server.url, {
    files,
    env: { NODE_EXTRA_CA_CERTS: mounted("authority.pem") },
  });
  const [line] = (await once(createInterface(container.process.stdout), "line")) as [string];
  const { url } = JSON.parse(line) as { url: string };
  const command = image.healthCheck.map((part) => part.replace(/^http:\/\/127\.0\.0\.1:8081/, url));
  expect(command).toContain(`${url}/healthz`);
  const check = startContainer(image, { command, secrets: path.join(origin.folder, "secrets") });
  expect(await check.ended).toEqual({ code: 0, output: "" });
});
