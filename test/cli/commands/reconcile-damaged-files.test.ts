import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { impatientClock } from "../../fixtures/fast-clock.ts";
import { GitRepository } from "../../fixtures/git-repository.ts";
import { json, serveReplies } from "../../fixtures/http-server.ts";
import { job, shop } from "../../fixtures/manifests.ts";
import { infrasync, type Ran } from "../captured.ts";
import { useFixture, writesOf } from "../fixture.ts";

const fixture = useFixture({ behaviour: { rate_limit: 0 } });

interface Damage {
  put(path: string, text: string): Promise<unknown>;
  /** It may be intact, and is not touched. */
  isUnreadable?: true;
}

const damages: Readonly<Record<string, Damage>> = {
  "no JSON": { put: (path) => writeFile(path, "{broken") },
  nothing: { put: (path) => writeFile(path, "") },
  "another form": { put: (path) => writeFile(path, "[7]\n") },
  "a half of it": { put: (path, text) => writeFile(path, text.slice(0, text.length / 2)) },
  "a directory": { put: (path) => mkdir(path) },
  "a broken link": { put: (path) => symlink("nowhere", path), isUnreadable: true },
  // Stands for what this user may not read: root may read everything.
  "a link to itself": { put: (path) => symlink(path, path), isUnreadable: true },
};

/** The stored files of a service with one source, and of one with many. */
const ofOne = ["state.json", "requests.json", "journal.jsonl", "quota.json", "notified.json"];
const ofMany = ["followed.json", "journal.jsonl", "notified.json"];

const nothingRequested = '{"version":1,"requested":{},"rollbacks":{},"pauses":[],"ended":[],"known":[]}\n';

/** Runs a service in this process. Its interval takes a quarter of an hour, so that what it does within minutes it does soon. */
async function start(...given: string[]) {
  const receiver = await serveReplies(json(200, {}));
  const stop = new AbortController();
  let text = "";
  const running = infrasync(["reconcile", "--yes", "--interval", "12h", "--listen", "off", ...given], {
    env: { ...fixture.env, INFRASYNC_NOTIFY_URL: receiver.url },
    clock: impatientClock(),
    signal: stop.signal,
    onError: (more) => (text += more),
  });
  let ended: Ran | undefined;
  void running.then((end) => (ended = end));
  onTestFinished(() => stop.abort("the test is over"));
  return {
    async says(said: string): Promise<void> {
      await vi
        .waitUntil(() => ended !== undefined || text.includes(said), { timeout: 240_000 })
        .catch(() => undefined);
      expect({ ended, text }).toMatchObject({ ended: undefined, text: expect.stringContaining(said) });
    },
    async stop(): Promise<void> {
      stop.abort("SIGTERM");
      // Its six seconds for requests under way are a tenth of one here: on a busy machine, it ends without their answers.
      expect([0, 1]).toContain((await running).code);
    },
  };
}

async function applied(...given: string[]): Promise<void> {
  const service = await start(...given);
  await service.says("the commit is applied");
  await service.stop();
}

const writes = async () => writesOf(await fixture.requests()).length;

const damaged = (files: readonly string[]) =>
  files.flatMap((file) => Object.keys(damages).map((damage) => [file, damage] as const));

/** Damages a file; gives whether it cannot be read then, and what mends it. */
async function put(damage: string, path: string) {
  const text = await readFile(path, "utf8").catch(() => nothingRequested);
  await rm(path, { force: true });
  const { put: damaging, isUnreadable = false } = damages[damage] as Damage;
  await damaging(path, text);
  return {
    isUnreadable,
    async mend() {
      await rm(path, { recursive: true });
      await writeFile(path, text);
    },
  };
}

/** A repository, and the flags of a service that follows it. */
function folderOfOne() {
  const repository = new GitRepository();
  onTestFinished(() => repository[Symbol.dispose]());
  const data = join(repository.folder, "data");
  repository.push({ "infra/shop.yaml": shop });
  const given = ["--repo", repository.origin, "--path", "infra", "--allow-local-repo", "--data", data];
  return { repository, data, given };
}

test.each(damaged(ofOne))(
  "where %s has %s, the service says so and goes on, or changes nothing until it is mended",
  async (file, damage) => {
    const { repository, data, given } = folderOfOne();
    await applied(...given);
    const path = join(data, file);
    const { isUnreadable, mend } = await put(damage, path);
    repository.push({ "infra/a.yaml": job("a") });
    const service = await start(...given);
    await service.says(`${path} ${isUnreadable ? "cannot be read" : "is damaged"}`);
    if (isUnreadable || file === "requests.json") {
      await service.says(file === "requests.json" ? "paused by the service" : "waiting before the next try");
      expect(await writes()).toBe(2);
      await mend();
    }
    await service.says("the commit is applied");
    expect(await writes()).toBe(3);
    await service.stop();
  },
);

test.each(damaged(["audit.jsonl"]))(
  "where %s has %s, nobody's request is done that it cannot hold",
  async (_file, damage) => {
    const { data, given } = folderOfOne();
    await applied(...given);
    const { isUnreadable, mend } = await put(damage, join(data, "audit.jsonl"));
    const service = await start(...given);
    await service.says("the commit is applied");
    const pausing = ["reconcile", "pause", "shop/staging", "--for", "1h", "--reason", "r", "--data", data];
    if (isUnreadable || damage === "a directory") {
      const refused = await fixture.run(pausing);
      expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining(join(data, "audit.jsonl")) });
      await mend();
    }
    expect(await fixture.run(pausing)).toMatchObject({ code: 0 });
    await service.stop();
  },
);

test.each([...ofOne, "audit.jsonl"])(
  "a service whose %s is removed goes on with what it knows",
  async (file) => {
    const { repository, data, given } = folderOfOne();
    const service = await start(...given);
    await service.says("the commit is applied");
    await rm(join(data, file), { force: true });
    const commit = repository.push({ "infra/a.yaml": job("a") });
    await fixture.run(["reconcile", "refresh", "--data", data]);
    await service.says(`${commit.slice(0, 7)} is applied in shop/staging`);
    expect(await writes()).toBe(3);
    await service.stop();
  },
);

test("a service whose control folder is removed says so, and makes it again", async () => {
  const { data, given } = folderOfOne();
  const service = await start(...given, "--interval", "1s");
  await service.says("the commit is applied");
  await rm(join(data, "control"), { recursive: true });
  await service.says("the socket for commands was removed");
  expect(await fixture.run(["reconcile", "status", "--data", data])).toMatchObject({ code: 0 });
  await service.stop();
});

test.each(damaged(ofMany))(
  "where %s of a service of many sources has %s, it says so and goes on, or starts no source until it is mended",
  async (file, damage) => {
    const { repository } = folderOfOne();
    const sources = join(repository.folder, "sources");
    const data = join(repository.folder, "fleet");
    await mkdir(sources);
    const source = { name: "one", repository: `file://${repository.origin}`, path: "infra" };
    await writeFile(join(sources, "one.yaml"), JSON.stringify({ kind: "Source", ...source }));
    const all = ["--sources", sources, "--allow-local-repo", "--data", data];
    await applied(...all);
    const path = join(data, file);
    const { isUnreadable, mend } = await put(damage, path);
    repository.push({ "infra/a.yaml": job("a") });
    const service = await start(...all);
    await service.says(`${path} ${isUnreadable ? "cannot be read" : "is damaged"}`);
    if (isUnreadable) {
      expect(await writes()).toBe(2);
      await mend();
    }
    await service.says("the commit is applied");
    expect(await writes()).toBe(3);
    await service.stop();
  },
);
