import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

export interface Usage {
  /** Wall-clock time from start to end. */
  milliseconds: number;
  /** CPU time of all threads, including those of the garbage collector and the compiler. */
  cpuMilliseconds: number;
  /** The peak of its memory. */
  megabytes: number;
}

// On Linux the peak of resourceUsage() counts the process that started this one too; that of /proc does not.
const writeUsage = `
  import { existsSync, readFileSync, writeFileSync } from "node:fs";
  process.on("exit", () => {
    const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
    const [, peak] = /^VmHWM:\\s*(\\d+) kB/m.exec(status) ?? [];
    const usage = process.resourceUsage();
    if (peak) usage.maxRSS = Number(peak);
    writeFileSync(process.env.USAGE_FILE, JSON.stringify(usage));
  });`;

/** Runs the command line of a package in a process of its own, as a user does. Throws when its exit code is not 0. */
export async function runOnce(
  infrasync: string,
  args: readonly string[],
  environment: Record<string, string>,
): Promise<Usage> {
  const usageFile = path.join(infrasync, "usage.json");
  const preload = ["--import", `data:text/javascript,${encodeURIComponent(writeUsage)}`];
  const commandLine = [path.join(infrasync, "dist", "cli", "main.js"), ...args];
  const env = { ...process.env, ...environment, USAGE_FILE: usageFile };
  const start = performance.now();
  await promisify(execFile)(process.execPath, [...preload, ...commandLine], { env, maxBuffer: 1 << 28 });
  const milliseconds = Math.round(performance.now() - start);
  const usage = JSON.parse(await readFile(usageFile, "utf8")) as NodeJS.ResourceUsage;
  return {
    milliseconds,
    cpuMilliseconds: Math.round((usage.userCPUTime + usage.systemCPUTime) / 1000),
    megabytes: Math.round(usage.maxRSS / 1024),
  };
}
