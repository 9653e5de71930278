import { isLock } from "../../adapters/database/index.ts";

export function lockOf(source: string): string {
  return `infrasync source ${source}`;
}

/** The name of the lock by which the connection of a worker is known. */
export function lockOfWorker(id: string): string {
  return `infrasync worker ${id}`;
}

/** An expression about a row of `infrasync.worker`: ends the connection of the worker, if the process of that number is still its own. */
export const endOfWorker = `case
  when exists (select from pg_locks where pid = lock_process_id and ${isLock(`'${lockOfWorker("")}' || id`)})
  then pg_terminate_backend(lock_process_id) end`;
