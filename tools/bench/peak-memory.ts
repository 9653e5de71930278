import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** The peak of the memory that processes of a program took while some work was done, each by itself, in megabytes. Linux only. */
export async function peakDuring(program: string, work: () => Promise<unknown>): Promise<number> {
  const over = new AbortController();
  const watching = watch(program, over.signal);
  try {
    await work();
  } finally {
    over.abort();
  }
  return Math.round((await watching) / 1024);
}

async function watch(program: string, over: AbortSignal): Promise<number> {
  let peak = 0;
  while (!over.aborted) {
    for (const id of await readdir("/proc")) peak = Math.max(peak, await peakOf(id, program));
    await sleep(20);
  }
  return peak;
}

/** In kB; 0 for a process of another program, or one that has ended. */
async function peakOf(id: string, program: string): Promise<number> {
  if (!/^\d+$/.test(id)) return 0;
  try {
    const commandLine = await readFile(`/proc/${id}/cmdline`, "utf8");
    if (!commandLine.includes(program)) return 0;
    const [, peak] = /^VmHWM:\s*(\d+) kB/m.exec(await readFile(`/proc/${id}/status`, "utf8")) ?? [];
    return Number(peak ?? 0);
  } catch {
    return 0;
  }
}
