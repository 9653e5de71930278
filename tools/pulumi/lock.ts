import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

const sqliteBusy = 5;

/**
 * Runs `work` while no other process that uses the same lock file runs its own.
 *
 * The lock is SQLite's lock on a file: the operating system releases it when the process that holds it dies, so a killed process leaves no
 * stale lock.
 *
 * @param file path of the lock file; created when absent, and kept
 * @param onWait called once when another process holds the lock
 */
export async function withLock<Result>(
  file: string,
  onWait: () => void,
  work: () => Promise<Result>,
): Promise<Result> {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    if (!tryToLock(database)) {
      onWait();
      while (!tryToLock(database)) await sleep(200);
    }
    return await work();
  } finally {
    database.close();
  }
}

function tryToLock(database: DatabaseSync): boolean {
  try {
    database.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (error instanceof Error && "errcode" in error && error.errcode === sqliteBusy) return false;
    throw error;
  }
}
