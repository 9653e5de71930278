// npm run bench -- fleet: one service with many sources: when all are in step, and what it costs after that.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createEmulator, type Emulator } from "../../emulator/index.ts";
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

/** Prints what one service costs with so many sources. @param counts default: 10, 100 and 1000 */
export async function benchFleet(counts: readonly number[] = [10, 100, 1000]): Promise<void> {
  console.log(
    "sources | all in step after | MB then | MB a minute later | CPU of that minute | requests in it | slowest page",
  );
  console.log(
    "--------|-------------------|---------|-------------------|--------------------|----------------|-------------",
  );
  const scratch = await mkdtemp(join(await realpath(tmpdir()), "infrasync-bench-"));
  try {
    const infrasync = join(scratch, "infrasync");
    await emitPackage(infrasync);
    for (const count of counts)
      await measure(count, infrasync, await folderOf(join(scratch, `${count}`), count));
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

async function measure(count: number, infrasync: string, scratch: string): Promise<void> {
  const emulator = await createEmulator({ rateLimit: 0 });
  await addOrganizations(emulator, count);
  const args = [
    "reconcile",
    "--sources",
    join(scratch, "sources"),
    "--allow-local-repo",
    "--yes",
    "--listen",
    "0",
  ];
  const begun = performance.now();
  const child = spawn(
    process.execPath,
    [join(infrasync, "dist", "cli", "main.js"), ...args, "--data", join(scratch, "data")],
    {
      env: { ...process.env, INFRASYNC_BASE_URL: emulator.url, INFRASYNC_TOKEN: emulator.tokens.admin },
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  try {
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const { url } = JSON.parse(String(line)) as { url: string };
    for (let inStep = 0; inStep < count; await sleep(1000)) {
      const status = (await (await fetch(`${url}/status.json`)).json()) as { in_step: number };
      inStep = status.in_step;
    }
    const after = performance.now() - begun;
    const first = await usageOf(child.pid);
    let slowest = 0;
    const { requests } = await countRequests(emulator, async () => {
      slowest = await slowestPage(url, watched);
    });
    const last = await usageOf(child.pid);
    console.log(
      [
        String(count).padStart(7),
        `${Math.round(after / 1000)} s`.padStart(17),
        String(first.megabytes).padStart(7),
        String(last.megabytes).padStart(17),
        `${((last.cpu - first.cpu) / 1000).toFixed(1)} s`.padStart(18),
        String(requests).padStart(14),
        `${slowest} ms`.padStart(12),
      ].join(" | "),
    );
  } finally {
    child.kill("SIGTERM");
    await once(child, "close");
    await emulator.close();
  }
}

/** What a process has used, without the processes that it has started. */
async function usageOf(pid: number | undefined): Promise<{ megabytes: number; cpu: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const [, resident = "0"] = /^VmRSS:\s*(\d+) kB/m.exec(status) ?? [];
  const stat = (await readFile(`/proc/${pid}/stat`, "utf8")).replace(/^.*\) /, "").split(" ");
  // Ticks of ten milliseconds, in the kernel and outside.
  const cpu = (Number(stat[11]) + Number(stat[12])) * 10;
  return { megabytes: Math.round(Number(resident) / 1024), cpu };
}
