import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { infrasync } from "../cli/captured.ts";
import { useFixture } from "../cli/fixture.ts";
import { GitRepository } from "../fixtures/git-repository.ts";
import { job, shop } from "../fixtures/manifests.ts";
import { Postgres } from "./postgres.ts";
import { startWorker, statusOf } from "./workers.ts";

const quota = 200;
const fixture = useFixture({ rateLimit: quota });
const wait = { timeout: 60_000, interval: 100 };
let postgres: Postgres;
let folder: string;

beforeEach(async () => {
  postgres = await Postgres.start();
  folder = mkdtempSync(join(tmpdir(), "infrasync-ledger-"));
  await infrasync(["database", "migrate"], { env: { INFRASYNC_DATABASE: postgres.url } });
  return async () => {
    await postgres[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
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

async function statuses(): Promise<number[]> {
  const response = await fetch(`${fixture.emulator.url}/_emulator/requests`, {
    headers: { "x-emulator-control": "1" },
  });
  const { requests } = (await response.json()) as { requests: { status: number }[] };
  return requests.map(({ status }) => status);
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
    sources: join(folder, "sources"),
    postgres,
    apiUrl: fixture.emulator.url,
    token: fixture.emulator.tokens.admin,
    writes: [],
    env: {},
    args: [],
  };
  const workers = [await startWorker("w0", of), await startWorker("w1", of)];
  for (const { child } of workers) onTestFinished(() => void child.process.kill("SIGKILL"));
  for (const worker of workers)
    await expect
      .poll(async () => (await statusOf(worker)).sources.map(({ state }) => state), wait)
      .toEqual(["in_step", "in_step"]);
  // Two at once, beside the workers: they leave what is kept for people.
  const greedy = await Promise.all([spender("applying"), spender("applying")]);
  for (const { message } of greedy)
    expect(message).toMatch(
      /the quota of the token is spent but what is kept for others until .*; spent: \d+ of 200 by /,
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
  // The token itself is nowhere in the database.
  const rows = await postgres.query<{ text: string }>("select token::text as text from infrasync.token");
  expect(JSON.stringify(rows)).not.toContain(fixture.emulator.tokens.admin);
});

test("without its ledger, a run of a person goes on and says so, and a service sends nothing", async () => {
  const manifest = await fixture.write("person.yaml", shop);
  await postgres.kill();
  const env = { INFRASYNC_LEDGER: postgres.url };
  const applied = await fixture.run(["apply", manifest, "--yes"], { env });
  expect(applied).toMatchObject({ code: 0 });
  expect(applied.stderr.match(/cannot be asked/g)).toHaveLength(1);
  expect(applied.stderr).toContain(
    "Note: the ledger of the token (INFRASYNC_LEDGER) cannot be asked: the database does not answer (ECONNREFUSED); this run trusts what the server says is left.",
  );
  const before = await statuses();
  const { message, spent } = await spender("looking");
  expect(message).toContain("was not sent: the ledger of the token cannot be asked");
  expect(spent).toBe(0);
  expect(await statuses()).toHaveLength(before.length);
  // A URL that is none is not repeated, as it may have a password.
  const wrong = await fixture.run(["plan", manifest], {
    env: { INFRASYNC_LEDGER: "mysql://ada:secret@db/x" },
  });
  expect(wrong.stderr).toContain("the URL in INFRASYNC_LEDGER is not one of PostgreSQL");
  expect(wrong.stderr).not.toContain("secret");
});
