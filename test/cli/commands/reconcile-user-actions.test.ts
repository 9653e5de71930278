import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { GitRepository } from "../../fixtures/git-repository.ts";
import { json, serveReplies } from "../../fixtures/http-server.ts";
import { job, shop } from "../../fixtures/manifests.ts";
import { spawnInfrasync } from "../child.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture({ behaviour: { rate_limit: 0 } });
let repository: GitRepository;
let data: string;

beforeEach(() => {
  repository = new GitRepository();
  data = join(repository.folder, "data");
  return () => repository[Symbol.dispose]();
});

/** Starts a service that looks at the repository once an hour, so that nothing but a person hurries it. */
function serve() {
  const flags = [
    "--allow-local-repo",
    "--yes",
    "--interval",
    "1h",
    "--listen",
    "127.0.0.1:0",
    "--path",
    "infra",
  ];
  const child = spawnInfrasync(
    ["reconcile", "--repo", repository.origin, "--data", data, ...flags],
    fixture.env,
  );
  onTestFinished(() => void child.process.kill("SIGKILL"));
  return child;
}

/** Asks a running service, in another process. */
async function ask(...args: string[]) {
  const { code, stderr } = await spawnInfrasync(["reconcile", ...args, "--data", data], {
    PATH: process.env["PATH"] ?? "",
  }).ended;
  return { code, text: stderr };
}

test("people act on a service on the same machine, through a socket that only its user can reach", async () => {
  const good = repository.push({ "infra/shop.yaml": shop + job("a", "cpu: 500") });
  const child = serve();
  const cpu = async () =>
    Number(/^cpu: (\d+)/m.exec((await fixture.run(["get", "job:shop/staging/a"])).stdout)?.[1]);
  await child.says("the commit is applied");
  for (const [path, mode] of [
    ["control", 0o700],
    ["control/service.sock", 0o600],
  ] as const)
    expect(statSync(join(data, path)).mode & 0o777).toBe(mode);

  repository.push({ "infra/shop.yaml": shop + job("a", "cpu: 750") });
  expect(await ask("refresh")).toEqual({
    code: 0,
    text: "Live resources of all environments are read again.\n",
  });
  await expect.poll(cpu, { timeout: 60_000 }).toBe(750);

  expect(await ask("rollback", "shop/staging", "--to", good)).toMatchObject({ code: 0 });
  await expect.poll(cpu, { timeout: 60_000 }).toBe(500);

  expect(await ask("rollback", "shop/staging", "--to", "0123456")).toMatchObject({
    code: 3,
    text: expect.stringMatching(
      /name one of the commits that were applied there: [0-9a-f]{7} .+, .+, (?:\d+ (?:s|min) ago)/,
    ),
  });
  expect(await ask("pause", "shop/staging", "--for", "2h")).toMatchObject({
    code: 3,
    text: expect.stringContaining("a pause needs a reason"),
  });
  expect(await ask("sync", "shop/nowhere")).toMatchObject({ code: 3 });
  const audit = readFileSync(join(data, "audit.jsonl"), "utf8").trim().split("\n");
  const entries = audit.map((line) => JSON.parse(line) as { type: string });
  // What became of the rollback is written down too.
  expect(entries.filter(({ type }) => type === "ended")).toMatchObject([{ isCarriedOut: true }]);
  expect(entries.filter(({ type }) => type !== "ended")).toMatchObject([
    { type: "requested", request: "refresh", client: "the socket" },
    { request: "rollback", environment: "shop/staging", detail: `to ${good}` },
    { type: "refused", request: "rollback" },
    { type: "refused", request: "pause" },
    { type: "refused", request: "sync", reason: "no document declares shop/nowhere" },
  ]);
  expect(statSync(join(data, "audit.jsonl")).mode & 0o777).toBe(0o600);
  for (const verb of [["wait"], ["refresh"], ["pause", "--for", "2h", "--reason", "x"]]) {
    const [name = "", ...flags] = verb;
    expect(await ask(name, "staging", ...flags)).toMatchObject({
      code: 3,
      text: expect.stringContaining("did you mean shop/staging?"),
    });
  }
});

test("a pause is confirmed by the service that obeys, which says how it stands at the same socket", async () => {
  repository.push({ "infra/shop.yaml": shop + job("a", "cpu: 500") });
  const child = serve();
  await child.says("the commit is applied");
  expect(await ask("pause", "shop/stagign", "--for", "2h", "--reason", "x")).toMatchObject({
    code: 3,
    text: expect.stringContaining("no document declares shop/stagign, so nothing is paused"),
  });
  expect(await ask("pause", "shop/staging", "--for", "2h", "--reason", "manually")).toMatchObject({
    code: 0,
    text: expect.stringMatching(
      /^Nothing is applied in shop\/staging until .*\. To end this:\n {2}infrasync reconcile resume shop\/staging( .*)?\n$/,
    ),
  });
  const env = { PATH: process.env["PATH"] ?? "" };
  const status = async () =>
    (await spawnInfrasync(["reconcile", "status", "--data", data], env).ended).stdout;
  await expect.poll(status, { timeout: 60_000 }).toContain(": manually");
  expect(await ask("resume", "shop/*")).toMatchObject({ code: 3 });
  expect(await ask("resume", "shop/staging")).toMatchObject({ code: 0 });
});

test("a killed service leaves a socket that the next one takes over", async () => {
  repository.push({ "infra/shop.yaml": shop });
  const first = serve();
  await first.says("the commit is applied");
  first.process.kill("SIGKILL");
  await first.ended;
  for (const what of ["sync", "status"])
    expect(await ask(what)).toMatchObject({
      code: 3,
      text: expect.stringContaining(`no service works with the data folder ${data}`),
    });
  const second = serve();
  await second.says("the commit is applied");
  expect(await ask("sync")).toMatchObject({ code: 0 });
});

test.each([
  [
    "is a link to another one",
    () => (mkdirSync(join(data, "x")), symlinkSync(join(data, "x"), join(data, "control"))),
  ],
  ["is open to others", () => (mkdirSync(join(data, "control")), chmodSync(join(data, "control"), 0o755))],
])("a service makes no socket in a folder that %s", async (_what, make) => {
  repository.push({ "infra/shop.yaml": shop });
  mkdirSync(data, { mode: 0o700 });
  make();
  const child = serve();
  await child.says("the socket for commands cannot be created");
  await child.says("the commit is applied");
});

test.each([
  [403, "somebody has no role here", "refuses this (403): somebody has no role here"],
  [403, '{"message":"somebody has no role here"}', "somebody has no role here"],
  [403, "<html>Forbidden</html>", ": 403, an HTML page of a proxy, a gateway or a firewall"],
  [401, "<html>Sign in</html>", ": 401, an HTML page of a proxy, a gateway or a firewall"],
  [407, "who are you?", ": 407, a proxy asks for a user and a password\n  write the user and the password"],
])("whoever forbids what is asked is named, the service or a proxy: %i %s", async (status, body, said) => {
  const { url } = await serveReplies(
    ...Array.from({ length: 2 }, () => (response: ServerResponse) => {
      response.writeHead(status, { "content-type": "text/plain" }).end(body);
    }),
  );
  for (const what of ["status", "sync"])
    expect((await fixture.run(["reconcile", what, "--url", url])).stderr).toContain(said);
});

test.each(["", " "])(
  "a request for the environment %j sends nothing: only no name means all",
  async (name) => {
    const { url, received } = await serveReplies();
    for (const what of ["sync", "refresh", "follow", "wait"]) {
      const { code, stderr } = await fixture.run(["reconcile", what, name, "--url", url]);
      expect([code, stderr]).toEqual([3, expect.stringContaining("environment has no value")]);
    }
    expect(received).toEqual([]);
  },
);

test("who has no role and asks for the status is told to name another token", async () => {
  const { url } = await serveReplies(json(403, { message: "somebody has no role here" }));
  const { stderr } = await fixture.run(["reconcile", "status", "--url", url]);
  expect(stderr).toContain("refuses this (403): somebody has no role here");
  expect(stderr).toContain("INFRASYNC_UI_TOKEN_FILE");
});

test("whoever asks with a wrong token, or with none, is told which", async () => {
  const { url } = await serveReplies(...Array.from({ length: 6 }, () => json(401, {})));
  const file = join(repository.folder, "token");
  writeFileSync(file, "wrong");
  for (const what of ["status", "sync"]) {
    const said = async (env: Record<string, string>) =>
      (await fixture.run(["reconcile", what, "--url", url], { env })).stderr;
    expect(await said({})).toContain("requires a token\n  set its file with INFRASYNC_UI_TOKEN_FILE");
    expect(await said({ INFRASYNC_UI_TOKEN_FILE: file })).toContain(
      `does not know the token in ${file}\n  ask the operator`,
    );
    expect(await said({ INFRASYNC_UI_TOKEN_FILE: `${file}-missing` })).toContain(
      `requires a token, and ${file}-missing is missing, empty or not readable\n`,
    );
  }
});
