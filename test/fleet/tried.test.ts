import { execFileSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { migrations } from "../../adapters/database/migrations.ts";
import { infrasync } from "../cli/captured.ts";
import { spawnInfrasync } from "../cli/child.ts";
import { useFixture } from "../cli/fixture.ts";
import { Browser } from "../fixtures/forms.ts";
import { serveHttps } from "../fixtures/git-servers.ts";
import { clientSecret, startIdentityProvider } from "../fixtures/identity-provider.ts";
import { job, shop } from "../fixtures/manifests.ts";
import { mayBeMissing } from "../fixtures/tools.ts";
import { overlaps } from "./api-log.ts";
import { Wire } from "./cut.ts";
import { useFleet } from "./fleet.ts";
import { freePort } from "./postgres.ts";
import { statusOf, type Worker } from "./workers.ts";

const fixture = useFixture({ clock: "real", behaviour: { rate_limit: 0 } });
const fleet = useFleet(fixture);
const wait = { timeout: 90_000, interval: 100 };
const states = async (of: Worker) =>
  Object.fromEntries((await statusOf(of)).sources.map(({ name, state }) => [name, state]));
const statusText = async ({ url }: Worker, path = "") => (await fetch(`${url}${path}/status.json`)).text();
const made = () => fleet.api.writes.filter(({ line }) => /^POST .*\/job$/.test(line)).length;

test("while the database is read-only, nothing is written to the API, the page says why, and afterwards all goes on", async () => {
  await fleet.migrate();
  const repository = fleet.state(["one"]).get("one");
  const worker = await fleet.start();
  await expect.poll(() => states(worker), wait).toEqual({ one: "synced" });
  const { postgres } = fleet;
  const readOnly = async (value: "on" | "off") => {
    await postgres.query(`alter system set default_transaction_read_only = ${value}`);
    await postgres.query("select pg_reload_conf()");
  };
  await readOnly("on");
  await expect.poll(() => statusText(worker), wait).toContain("the database is read-only");
  const before = fleet.api.writes.length;
  repository?.push({ "infra/b.yaml": job("b", "", "one/staging") });
  await new Promise((resolve) => setTimeout(resolve, 5000));
  expect(fleet.api.writes.length).toBe(before);
  await expect(fleet.start()).rejects.toThrow("the database is read-only");
  await readOnly("off");
  await expect.poll(made, wait).toBe(1);
  await expect.poll(() => states(worker), wait).toEqual({ one: "synced" });
}, 200_000);

test("a migration that is killed at any of its messages changes nothing, and the next one completes it", async () => {
  const { postgres } = fleet;
  const version = async () => {
    const [row] = await postgres.query<{ it: string | null }>(
      "select to_regclass('infrasync.worker')::text as it",
    );
    return row?.it;
  };
  for (const message of [4, 9, 16, 24]) {
    const wire = await Wire.to(postgres.port);
    wire.delay = 20;
    const env = { INFRASYNC_DATABASE: postgres.urlAt(wire.port) };
    const child = spawnInfrasync(["reconcile", "migrate"], env);
    await expect.poll(() => wire.messages, { ...wait, interval: 1 }).toBeGreaterThanOrEqual(message);
    child.process.kill("SIGKILL");
    expect(await child.ended).toMatchObject({ signal: "SIGKILL" });
    wire.close();
    expect(await version()).toBeNull();
  }
  expect(await fleet.migrate()).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("were at version 0"),
  });
  fleet.state(["one"]);
  const worker = await fleet.start();
  await expect.poll(() => states(worker), wait).toEqual({ one: "synced" });
}, 200_000);

test("a migration from the version before that is killed changes nothing, and the next one keeps what is there", async () => {
  const { postgres } = fleet;
  await postgres.query("create schema infrasync");
  await postgres.query(
    "create table infrasync.migration (version integer primary key, applied_at timestamptz not null default now())",
  );
  for (const [index, text] of migrations.slice(0, -1).entries()) {
    await postgres.query(text);
    await postgres.query(`insert into infrasync.migration (version) values (${index + 1})`);
  }
  await postgres.query(
    "insert into infrasync.source_file (source, name, content) values ('old', 'audit.jsonl', '')",
  );
  const columns = () =>
    postgres.query(
      "select table_name, column_name from information_schema.columns where table_schema = 'infrasync' order by 1, 2",
    );
  const before = await columns();
  for (const message of [3, 5, 7]) {
    const wire = await Wire.to(postgres.port);
    wire.delay = 50;
    const child = spawnInfrasync(["reconcile", "migrate"], { INFRASYNC_DATABASE: postgres.urlAt(wire.port) });
    await expect.poll(() => wire.messages, { ...wait, interval: 1 }).toBeGreaterThanOrEqual(message);
    child.process.kill("SIGKILL");
    expect(await child.ended).toMatchObject({ signal: "SIGKILL" });
    wire.close();
    expect(await columns()).toEqual(before);
  }
  expect(await fleet.migrate()).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`were at version ${migrations.length - 1}`),
  });
  expect(await postgres.query("select source from infrasync.source_file")).toEqual([{ source: "old" }]);
  fleet.state(["one"]);
  const worker = await fleet.start();
  await expect.poll(() => states(worker), wait).toEqual({ one: "synced" });
}, 200_000);

/** Debian's package libfaketime. */
const faketime = ["x86_64", "aarch64"]
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find((file) => existsSync(file));

test.skipIf(mayBeMissing(faketime))(
  "while the clock of the database jumps two hours ahead, and back, all that is committed is applied once",
  async () => {
    const { postgres } = fleet;
    const file = join(fleet.folder, "time");
    execFileSync("chmod", ["o+rx", fleet.folder]);
    const set = (shift: string) => writeFileSync(file, `${shift}\n`);
    set("+0");
    await postgres.kill();
    postgres.environment = {
      LD_PRELOAD: faketime ?? expect.fail("libfaketime is not installed"),
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    };
    await postgres.begin();
    await fleet.migrate();
    const names = ["one", "two", "three", "four"];
    const repositories = fleet.state(names);
    const workers = [await fleet.start(), await fleet.start()];
    const areSynced = async () => {
      for (const worker of workers)
        await expect
          .poll(() => states(worker), wait)
          .toEqual(Object.fromEntries(names.map((name) => [name, "synced"])));
    };
    await areSynced();
    const distance = async () => {
      const [row] = await postgres.query<{ now: Date }>("select now()");
      return Math.abs(Math.round(((row?.now.getTime() ?? 0) - Date.now()) / 3_600_000));
    };
    for (const [index, shift] of ["+2h", "+0"].entries()) {
      set(shift);
      expect(await distance()).toBe(index === 0 ? 2 : 0);
      for (const [name, repository] of repositories)
        repository.push({ [`infra/j${index}.yaml`]: job(`j${index}`, "", `${name}/staging`) });
      await expect.poll(made, wait).toBe((index + 1) * names.length);
      await areSynced();
    }
    expect(overlaps(fleet.api.writes)).toEqual([]);
  },
  300_000,
);

test("a repository that is closed to the service stops its source alone, says so, and is read again when it is open", async () => {
  await fleet.migrate();
  const repositories = fleet.state(["open", "closed"]);
  const server = await serveHttps(repositories.get("closed") ?? expect.fail(), "token");
  writeFileSync(join(fleet.folder, "files", "token"), server.token);
  const source = `kind: Source\nname: closed\nteam: closed\nrepository: ${server.url}\ngit_token_file: token\npath: infra\n`;
  writeFileSync(join(fleet.folder, "sources", "closed.yaml"), source);
  const worker = await fleet.start({ NODE_EXTRA_CA_CERTS: server.authority });
  await expect.poll(() => states(worker), wait).toEqual({ open: "synced", closed: "synced" });
  server.isClosed = true;
  await expect.poll(() => statusText(worker, "/sources/closed"), wait).toMatch(/403/);
  await expect.poll(async () => (await states(worker))["closed"], wait).toBe("unknown");
  repositories.get("open")?.push({ "infra/b.yaml": job("b", "", "open/staging") });
  await expect.poll(made, wait).toBe(1);
  expect(await states(worker)).toEqual({ open: "synced", closed: "unknown" });
  server.isClosed = false;
  await expect.poll(() => states(worker), wait).toEqual({ open: "synced", closed: "synced" });
}, 300_000);

test("while the identity provider is away, nobody new signs in, who has signed in stays so, and sources go on", async () => {
  await fleet.migrate();
  const repository = fleet.state(["one"]).get("one");
  const port = await freePort();
  const page = `http://127.0.0.1:${port}`;
  let provider: Wire | undefined;
  const issuer = await startIdentityProvider(page, { anna: ["sre"] }, async (own) => {
    provider = await Wire.to(own);
    return provider.port;
  });
  onTestFinished(() => provider?.close());
  const access = join(fleet.folder, "access.yaml");
  writeFileSync(
    access,
    `sign_in: { issuer: "${issuer.href}", client_id: infrasync, url: "${page}" }\nroles: [{ role: approve, group: sre }]\n`,
  );
  const args = ["--access-file", access, "--listen", String(port)];
  provider?.silence();
  await fleet.start({ INFRASYNC_OIDC_CLIENT_SECRET: clientSecret }, args);
  const refused = await fetch(`${page}/sign-in`, { redirect: "manual" });
  expect([refused.status, await refused.text()]).toEqual([502, expect.stringContaining("does not answer")]);
  provider?.restore();
  const anna = new Browser();
  await anna.get(`${page}/sign-in`);
  await anna.submit({ login: "anna", password: "any" });
  await anna.submit({});
  provider?.silence();
  repository?.push({ "infra/b.yaml": job("b", "", "one/staging") });
  await expect.poll(made, wait).toBe(1);
  expect((await anna.get(`${page}/`)).text).toContain("Signed in as anna@example.com (anna)");
  provider?.restore();
  const next = new Browser();
  await next.get(`${page}/sign-in`);
  await next.submit({ login: "anna", password: "any" });
  expect(await next.submit({})).toMatchObject({ status: 200 });
}, 200_000);

test("a backup of 20 hours ago, before the last deletions, is restored, and no disk remembers: they count, nothing is written, and a rollback that no commit has ended holds again", async () => {
  await fleet.migrate();
  const names = ["one", "two"];
  const repositories = fleet.state(names, {
    manifest: (name) =>
      shop
        .replaceAll("shop", name)
        .replace("kind: Environment", "kind: Environment\nmanage: { prune: true }"),
    more: () => "policy: { max_deletes_per_day: 1 }\n",
  });
  const push = (name: string, cpu: number, ...jobs: string[]) =>
    repositories
      .get(name)
      ?.push({ "infra/b.yaml": jobs.map((each) => job(each, `cpu: ${cpu}`, `${name}/staging`)).join("") }) ??
    "";
  const ask = async (...args: string[]) => {
    const env = { INFRASYNC_DATABASE: fleet.postgres.url };
    expect(await infrasync(["reconcile", ...args], { env })).toMatchObject({ code: 0 });
  };
  const deleted = () => fleet.api.writes.filter(({ line }) => line.startsWith("DELETE")).length;
  const areIn = async (of: Worker, one: string, two: string) => {
    await expect.poll(() => states(of), wait).toEqual({ one, two });
  };
  const worker = await fleet.start({}, ["--prune"]);
  for (const name of names) {
    const first = push(name, 100, "b", "c", "d");
    await expect.poll(() => statusText(worker, `/sources/${name}`), wait).toContain(`"applied":"${first}"`);
    const second = push(name, 200, "b", "c", "d");
    await expect.poll(() => statusText(worker, `/sources/${name}`), wait).toContain(`"applied":"${second}"`);
    await ask("rollback", `${name}/staging`, "--source", name, "--to", first);
  }
  await areIn(worker, "rolled_back", "rolled_back");
  const backup = fleet.postgres.backup();
  for (const name of names) await ask("follow", `${name}/staging`, "--source", name);
  await areIn(worker, "synced", "synced");
  push("one", 200, "b", "c");
  await expect.poll(deleted, wait).toBe(1);
  await areIn(worker, "synced", "synced");
  worker.child.process.kill("SIGTERM");
  await worker.child.ended;
  await fleet.postgres.query("drop schema infrasync cascade");
  await fleet.postgres.query(backup);
  rmSync(join(fleet.folder, worker.name), { recursive: true });
  const before = fleet.api.writes.length;
  const later = String(20 * 3_600_000);
  const next = await fleet.start({ INFRASYNC_TEST_CLOCK_SHIFT: later }, ["--prune"]);
  await areIn(next, "synced", "drift");
  expect(await statusText(next, "/sources/two")).toContain('"rolled_back":{"commit":');
  await ask("follow", "two/staging", "--source", "two");
  await areIn(next, "synced", "synced");
  expect(fleet.api.writes.slice(before).map(({ line }) => line)).toEqual([]);
  push("one", 200, "b");
  await areIn(next, "blocked", "synced");
  expect(await statusText(next, "/sources/one")).toMatch(/"reasons":\[[^\]]*delet/);
  expect(deleted()).toBe(1);
}, 300_000);
