// npm run bench -- fleet: many sources in one service, and in several workers on PostgreSQL: when all are in step, and what that costs then.
import { type ChildProcessByStdio, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { createEmulator, type Emulator } from "../../emulator/index.ts";
import { Postgres } from "../../test/fleet/postgres.ts";
import { emitPackage } from "../package.ts";
import { countRequests } from "./requests.ts";

/** How many environments each source describes. */
const environments = 1;
/** How many sources change one organization: each reads the lists of the whole organization. */
const together = 25;
/** How often the page is asked for while the service is watched. */
const pageReads = 20;
/** Milliseconds for which the service is watched when all sources are in step. */
const watched = 60_000;

const columns = [
  "processes",
  "sources",
  "all in step after",
  "MB a process then",
  "MB a minute later",
  "CPU of that minute",
  "requests in it",
  "transactions in it",
  "slowest page",
];

/**
 * Prints what many sources cost.
 *
 * @param workers numbers of workers on PostgreSQL; 0 is one service without a database
 */
export async function benchFleet(
  sources: readonly number[] = [100],
  workers: readonly number[] = [0, 2, 4],
): Promise<void> {
  console.log(columns.join(" | "));
  console.log(columns.map((name) => "-".repeat(name.length)).join(" | "));
  const scratch = await mkdtemp(join(await realpath(tmpdir()), "infrasync-bench-"));
  try {
    const infrasync = join(scratch, "infrasync");
    await emitPackage(infrasync);
    for (const count of sources)
      for (const several of workers) {
        const folder = await folderOf(join(scratch, `${count}-${several}`), count);
        const cells = await measure({ count, workers: several, infrasync, scratch: folder });
        console.log(cells.map((cell, index) => cell.padStart(columns[index]?.length ?? 0)).join(" | "));
      }
  } finally {
    await rm(scratch, { recursive: true });
  }
}

/** Makes a repository and a document for each source. */
async function folderOf(scratch: string, count: number): Promise<string> {
  const author = join(scratch, "author");
  await mkdir(join(author, "teams"), { recursive: true });
  await mkdir(join(scratch, "sources"));
  const names = [...Array(count).keys()].map((index) => `team-${index}`);
  for (const name of names) {
    await mkdir(join(author, "teams", name));
    const project = `kind: Project\nname: ${name}\n`;
    const inside = [...Array(environments).keys()].map(
      (index) =>
        `---\nkind: Environment\nproject: ${name}\nname: e${index}\nmode: STAGING\ncluster: eu-west\n`,
    );
    await writeFile(join(author, "teams", name, "all.yaml"), project + inside.join(""));
  }
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=bench", "-c", "user.email=bench@example.com", ...args], {
      cwd: author,
    });
  git("init", "--quiet", "--initial-branch", "main");
  git("add", ".");
  git("commit", "--quiet", "--message", "All teams");
  await cp(join(author, ".git"), join(scratch, "origin.git"), { recursive: true });
  const documents = names.map(
    (name, index) =>
      `---\nkind: Source\nname: ${name}\nteam: ${name}\nrepository: ${join(scratch, "origin.git")}\npath: teams/${name}\norganization: ${organizationOf(index)}\n`,
  );
  await writeFile(join(scratch, "sources", "all.yaml"), documents.join(""));
  return scratch;
}

function organizationOf(source: number): string {
  return `organization-${Math.floor(source / together)}`;
}

/** Makes the organizations of so many sources, each with a cluster. */
async function addOrganizations({ url, tokens }: Emulator, count: number): Promise<void> {
  const post = async (path: string, body: object) => {
    const response = await fetch(url + path, {
      method: "POST",
      headers: { authorization: `Token ${tokens.admin}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return (await response.json()) as { id: string };
  };
  for (let source = 0; source < count; source += together) {
    const { id } = await post("/organization", { name: organizationOf(source), plan: "FREE" });
    const cluster = { name: "eu-west", cloud_provider: "AWS", region: "eu-west-3" };
    await post(`/organization/${id}/cluster`, cluster);
  }
}

/** Reads a page again and again for a time. @returns the duration of the slowest read, in milliseconds */
async function slowestPage(url: string, milliseconds: number): Promise<number> {
  let slowest = 0;
  for (let read = 0; read < pageReads; read += 1) {
    const begun = performance.now();
    await (await fetch(url)).text();
    slowest = Math.max(slowest, performance.now() - begun);
    await sleep(Math.max(0, milliseconds / pageReads - (performance.now() - begun)));
  }
  return Math.round(slowest);
}

async function measure({
  count,
  workers,
  infrasync,
  scratch,
}: {
  count: number;
  workers: number;
  infrasync: string;
  scratch: string;
}): Promise<string[]> {
  await using stack = new AsyncDisposableStack();
  const emulator = stack.adopt(await createEmulator({ rateLimit: 0 }), (running) => running.close());
  await addOrganizations(emulator, count);
  const postgres = workers > 0 ? stack.use(await Postgres.start()) : undefined;
  const program = join(infrasync, "dist", "cli", "main.js");
  const env = {
    ...process.env,
    INFRASYNC_BASE_URL: emulator.url,
    INFRASYNC_TOKEN: emulator.tokens.admin,
    ...(postgres && { INFRASYNC_DATABASE: postgres.url }),
  };
  if (postgres) execFileSync(process.execPath, [program, "reconcile", "migrate"], { env, stdio: "ignore" });
  const args = ["--sources", join(scratch, "sources"), "--allow-local-repo", "--yes", "--listen", "0"];
  const begun = performance.now();
  const services = [...Array(Math.max(1, workers)).keys()].map((index) => {
    const data = join(scratch, `data-${index}`);
    const child = spawn(process.execPath, [program, "reconcile", ...args, "--data", data], {
      env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return stack.adopt(child, end);
  });
  const urls = await Promise.all(services.map(urlOf));
  const url = urls[0] ?? "";
  for (let inStep = 0; inStep < count; await sleep(1000)) {
    const status = (await (await fetch(`${url}/status.json`)).json()) as { in_step: number };
    inStep = status.in_step;
  }
  const after = performance.now() - begun;
  const usage = () => Promise.all(services.map(({ pid }) => usageOf(pid)));
  const [first, before] = [await usage(), await transactionsOf(postgres)];
  const { result: slowest, requests } = await countRequests(emulator, () => slowestPage(url, watched));
  const [last, transactions] = [await usage(), await transactionsOf(postgres)];
  const cpu = sum(last.map((each) => each.cpu)) - sum(first.map((each) => each.cpu));
  return [
    postgres ? `${workers} workers` : "1",
    String(count),
    `${Math.round(after / 1000)} s`,
    String(Math.max(...first.map(({ megabytes }) => megabytes))),
    String(Math.max(...last.map(({ megabytes }) => megabytes))),
    `${(cpu / 1000).toFixed(1)} s`,
    String(requests),
    postgres ? String(transactions - before) : "",
    `${slowest} ms`,
  ];
}

type Service = ChildProcessByStdio<null, Readable, null>;

async function urlOf({ stdout }: Service): Promise<string> {
  const [line] = (await once(stdout, "data")) as [Buffer];
  return (JSON.parse(String(line)) as { url: string }).url;
}

async function end(service: Service): Promise<void> {
  service.kill("SIGTERM");
  if (service.exitCode === null) await once(service, "close");
}

/** How many transactions a database has ended; a query outside a transaction is one of its own. */
async function transactionsOf(postgres: Postgres | undefined): Promise<number> {
  const [row] =
    (await postgres?.query<{ count: number }>(
      "select (xact_commit + xact_rollback)::integer as count from pg_stat_database where datname = current_database()",
    )) ?? [];
  return row?.count ?? 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

/** The resources that a process has used, without the processes that it has started. */
async function usageOf(pid: number | undefined): Promise<{ megabytes: number; cpu: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const [, resident = "0"] = /^VmRSS:\s*(\d+) kB/m.exec(status) ?? [];
  const stat = (await readFile(`/proc/${pid}/stat`, "utf8")).replace(/^.*\) /, "").split(" ");
  // Ticks of ten milliseconds, in the kernel and outside.
  const cpu = (Number(stat[11]) + Number(stat[12])) * 10;
  return { megabytes: Math.round(Number(resident) / 1024), cpu };
}
