import { readFileSync } from "node:fs";

/** What tells this process from every other one, also from a later one with the same number. */
export function thisProcess(): string {
  return tokenOf(process.pid);
}

/** Whether the process of that token still runs. */
export function isRunning(token: string): boolean {
  const id = Number(token.split(" ")[0]);
  try {
    process.kill(id, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return tokenOf(id) === token;
}

function tokenOf(id: number): string {
  return `${id} ${startOf(id)}`;
}

/** When a process has started; empty where the system does not tell. */
function startOf(id: number): string {
  try {
    // The name of the program, in parentheses, may contain spaces.
    return readFileSync(`/proc/${id}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19] ?? "";
  } catch {
    return "";
  }
}
