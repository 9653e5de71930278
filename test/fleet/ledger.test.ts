import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { createClient } from "../../core/api/index.ts";
import { joinLedger, usualShares } from "../../adapters/database/join.ts";
import { createEmulator } from "../../emulator/index.ts";
import { infrasync } from "../cli/captured.ts";
import { useFixture } from "../cli/fixture.ts";
import { GitRepository } from "../fixtures/git-repository.ts";
import { job, shop } from "../fixtures/manifests.ts";
import { Wire } from "./cut.ts";
import { Postgres } from "./postgres.ts";
import { startWorker, statusOf } from "./workers.ts";
import { removeFolder } from "../fixtures/remove-folder.ts";

const quota = 200;
const fixture = useFixture({ clock: "real", behaviour: { rate_limit: quota } });
const wait = { timeout: 60_000, interval: 100 };
let postgres: Postgres;
let folder: string;

beforeEach(async () => {
  postgres = await Postgres.start();
  folder = mkdtempSync(join(tmpdir(), "infrasync-ledger-"));
  await infrasync(["reconcile", "migrate"], { env: { INFRASYNC_DATABASE: postgres.url } });
  return async () => {
    await postgres[Symbol.asyncDispose]();
    await removeFolder(folder);
  };
});

/** A process that sends as many requests as it may. */
async function spender(purpose: string, apiUrl = fixture.emulator.url) {
  const script = fileURLToPath(new URL("ledger-spender.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [script, apiUrl, fixture.emulator.tokens.admin, purpose],
    { env: { PATH: process.env["PATH"], NODE_NO_WARNINGS: "1", INFRASYNC_LEDGER: postgres.url } },
  );
  return JSON.parse(stdout) as { spent: number; message: string };
}

async function received(apiUrl = fixture.emulator.url) {
  const response = await fetch(`${apiUrl}/_emulator/requests`, { headers: { "x-emulator-control": "1" } });
  const { requests } = (await response.json()) as {
    requests: { method: string; path: string; status: number }[];
  };
  return requests;
}

async function statuses(): Promise<number[]> {
  return (await received()).map(({ status }) => status);
}

test("workers, a client that takes all it may and an apply share a token: the server refuses nobody, and the apply has its share", async () => {
  mkdirSync(join(folder, "sources"));
  for (const name of ["one", "two"]) {
    const repository = new GitRepository();
    onTestFinished(() => repository[Symbol.dispose]());
    repository.push({ "infra/a.yaml": shop.replaceAll("shop", name) });
    writeFileSync(
      join(folder, "sources", `${name}.yaml`),
      `kind: Source\nname: ${name}\nrepository: ${repository.origin}\npath: infra\n`,
    );
  }
  const of = {
    folder,
    postgres,
    apiUrl: fixture.emulator.url,
    token: fixture.emulator.tokens.admin,
    env: {},
    args: [],
  };
  const workers = [await startWorker("w0", of), await startWorker("w1", of)];
  for (const { child } of workers) onTestFinished(() => void child.process.kill("SIGKILL"));
  for (const worker of workers)
    await expect
      .poll(async () => (await statusOf(worker)).sources.map(({ state }) => state), wait)
      .toEqual(["synced", "synced"]);
  // Two at once, beside the workers: they leave what is kept for people.
  const greedy = await Promise.all([spender("applying"), spender("applying")]);
  for (const { message } of greedy)
    expect(message).toMatch(
      /the quota of the token is spent, except the part kept for others, until .*; spent: \d+ of 200 by /,
    );
  const env = { INFRASYNC_LEDGER: postgres.url, USER: "ada" };
  const manifest = await fixture.write("person.yaml", `${shop}\n---\n${job("person")}`);
  const applied = await fixture.run(["apply", manifest, "--yes"], { env });
  expect(applied).toMatchObject({ code: 0 });
  // The rest of the window is the person's too, and then everybody waits.
  const rest = await spender("people");
  expect(rest.message).toMatch(/the quota of the token is (?:spent|used up) until .*; spent: \d+ of 200 by /);
  const counted = await statuses();
  expect(counted.filter((status) => status === 429)).toEqual([]);
  expect(counted.length).toBeLessThanOrEqual(quota);
  const refused = await fixture.run(["apply", manifest, "--yes", "--on-quota", "fail"], { env });
  expect(refused.code).toBe(4);
  expect(refused.stderr).toMatch(/spent: \d+ of 200 by /);
  const spent = await postgres.query<{ who: string; requests: number }>(
    "select who, sum(requests)::integer as requests from infrasync.spending group by who",
  );
  expect(spent.map(({ who }) => who).toSorted()).toEqual([
    expect.stringMatching(/^infrasync \(ada@/),
    expect.stringMatching(/^source one \(reconciler on /),
    expect.stringMatching(/^source two \(reconciler on /),
    "spender",
  ]);
  const all = spent.reduce((sum, { requests }) => sum + requests, 0);
  expect(all).toBe(counted.length);
  // There is one ledger, and the token itself is nowhere in the database.
  const rows = await postgres.query<{ text: string }>("select token::text as text from infrasync.token");
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(fixture.emulator.tokens.admin);
});

test("an apply that the ledger refuses midway says what it did and what is left, and the next run waits for the window and completes it", async () => {
  const emulator = await createEmulator({
    behaviour: { latency_ms: 50, rate_limit: quota, rate_window_s: 10 },
  });
  onTestFinished(() => emulator.close());
  const [baseUrl, token] = [emulator.url, emulator.tokens.admin];
  const environment = { INFRASYNC_LEDGER: postgres.url };
  const names = Array.from({ length: 100 }, (_, index) => `job-${index}`);
  const manifest = await fixture.write("jobs.yaml", [shop, ...names.map((name) => job(name))].join(""));
  const config = await fixture.write("settings.yaml", "parallelism: 1\nquota_patience: 0s\n");
  const apply = (policy: string) =>
    infrasync(["apply", manifest, "--yes", "--on-quota", policy, "--config", config], {
      env: { INFRASYNC_BASE_URL: baseUrl, INFRASYNC_TOKEN: token, ...environment },
    });
  const made = async () =>
    (await received(baseUrl)).filter(({ method, path }) => method === "POST" && path.endsWith("/job"));
  const first = apply("fail");
  await expect.poll(async () => (await made()).length, wait).toBeGreaterThan(2);
  const ledger = joinLedger({ baseUrl, token, who: "greedy", shares: usualShares, environment });
  const greedy = createClient({ baseUrl, token, onQuota: "fail", ...(ledger && { ledger }) });
  const spend = async () => {
    for (;;) await greedy.get("/organization");
  };
  await Promise.allSettled(Array.from({ length: 10 }, spend));
  const stopped = await first;
  expect(stopped).toMatchObject({ code: 4 });
  const done = (await made()).length;
  expect(stopped.stdout).toMatch(
    // The answer to its last request may have told the apply itself that nothing is left.
    /\nStopped: POST \S+ was not (?:sent|carried out): the quota of the token is (?:spent|used up) until .*; spent: \d+ of 200 by greedy, \d+ by infrasync .*Run again to continue\./,
  );
  expect(stopped.stdout).toContain(`Done so far: ${done + 2} created`);
  for (const name of names.slice(done)) expect(stopped.stdout).toContain(`    Job shop/staging/${name}\n`);
  const next = await apply("wait");
  expect(next).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`Done: ${names.length - done} created.`),
  });
  expect((await made()).map(({ status }) => status)).toEqual(names.map(() => 201));
  expect((await received(baseUrl)).filter(({ status }) => status === 429)).toEqual([]);
});

test("without its ledger, a run of a person goes on and says so, and a service sends nothing", async () => {
  const manifest = await fixture.write("person.yaml", shop);
  await postgres.kill();
  const env = { INFRASYNC_LEDGER: postgres.url };
  const applied = await fixture.run(["apply", manifest, "--yes"], { env });
  expect(applied).toMatchObject({ code: 0 });
  expect(applied.stderr.match(/cannot be reached/g)).toHaveLength(1);
  expect(applied.stderr).toContain(
    "Note: the ledger of the token (INFRASYNC_LEDGER) cannot be reached: the database does not answer (ECONNREFUSED); this run uses the quota that the server reports.",
  );
  const before = await statuses();
  const { message, spent } = await spender("checking");
  expect(message).toContain("was not sent: the ledger of the token cannot be reached");
  expect(spent).toBe(0);
  expect(await statuses()).toHaveLength(before.length);
  // A URL that is none is not repeated, as it may have a password.
  const wrong = await fixture.run(["plan", manifest], {
    env: { INFRASYNC_LEDGER: "mysql://ada:secret@db/x" },
  });
  expect(wrong.stderr).toContain("the URL in INFRASYNC_LEDGER is not one of PostgreSQL");
  expect(wrong.stderr).not.toContain("secret");
});

test("a ledger that a file names is joined as soon as it is there, has its tables, and can be read", async () => {
  await using bare = await Postgres.start();
  const manifest = await fixture.write("person.yaml", shop);
  const file = join(folder, "ledger");
  const env = { INFRASYNC_LEDGER_FILE: file };
  const planned = async () => (await fixture.run(["plan", manifest], { env })).stderr;
  expect(await planned()).toContain("the file that INFRASYNC_LEDGER_FILE names cannot be read");
  writeFileSync(file, "mysql://ada:secret@db/x");
  const wrong = await planned();
  expect(wrong).toContain("the URL in INFRASYNC_LEDGER_FILE is not one of PostgreSQL");
  expect(wrong).not.toContain("secret");
  writeFileSync(file, bare.url);
  expect(await planned()).toContain("the database has no ledger of tokens");
  const { baseUrl, token } = { baseUrl: fixture.emulator.url, token: fixture.emulator.tokens.admin };
  const holder = { baseUrl, token, who: "service", shares: usualShares };
  const service = joinLedger({ ...holder, environment: { INFRASYNC_LEDGER_FILE: join(folder, "later") } });
  expect(await service?.enter("checking")).toMatchObject({ kind: "away" });
  for (const each of ["ledger", "later"]) writeFileSync(join(folder, each), `${postgres.url}\n`);
  expect(await service?.enter("checking")).toMatchObject({ kind: "entered" });
  expect(await planned()).not.toContain("cannot be reached");
});

test("a far-away process gets its turn beside others that write all the time, and a connection that ends between two queries costs nothing", async () => {
  const wire = await Wire.to(postgres.port);
  onTestFinished(() => wire.close());
  const ledger = joinLedger({
    baseUrl: "http://127.0.0.1",
    token: "t",
    who: "far",
    shares: usualShares,
    environment: { INFRASYNC_LEDGER: postgres.urlAt(wire.port) },
  });
  const enter = async () => {
    const entry = await ledger?.enter("people");
    if (entry?.kind === "entered") entry.settle({ kind: "silent", isAnswer: true });
    return entry?.kind;
  };
  expect(await enter()).toBe("entered");
  const pending = async () =>
    postgres.query(
      "select from infrasync.token, jsonb_each(account -> 'pending') as request(id, its) where its ->> 'who' = 'far'",
    );
  await expect.poll(async () => (await pending()).length, wait).toBe(0);
  await postgres.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'infrasync' and pid <> pg_backend_pid()",
  );
  await sleep(200);
  expect(await enter()).toBe("entered");
  const over = new AbortController();
  const others = (async () => {
    for (; !over.signal.aborted; await turn())
      await postgres.query("update infrasync.token set version = version + 1");
  })();
  wire.delay = 25;
  for (let request = 0; request < 5; request += 1) expect(await enter()).toBe("entered");
  over.abort();
  await others;
});

test("with a slow database, requests one after the other cost one message each, and a rival costs one more", async () => {
  const wires = [await Wire.to(postgres.port), await Wire.to(postgres.port)];
  const spend = async (wire: Wire, who: string) => {
    wire.delay = 100;
    onTestFinished(() => wire.close());
    const environment = { INFRASYNC_LEDGER: postgres.urlAt(wire.port) };
    const ledger = joinLedger({
      baseUrl: "http://127.0.0.1",
      token: "t",
      who,
      shares: usualShares,
      environment,
    });
    for (let request = 0; request < 10; request += 1) {
      const entry = await ledger?.enter("people");
      expect(entry?.kind).toBe("entered");
      if (entry?.kind === "entered") entry.settle({ kind: "silent", isAnswer: true });
    }
    return wire.messages;
  };
  const [alone, beside] = wires as [Wire, Wire];
  // Another two connect and make the account, and as many as that more are for an idle moment of a busy machine.
  expect(await spend(alone, "alone")).toBeLessThanOrEqual(16);
  const before = alone.messages;
  const both = await Promise.all([spend(alone, "alone"), spend(beside, "beside")]);
  expect(Math.max(both[0] - before, both[1])).toBeLessThanOrEqual(28);
}, 60_000);
