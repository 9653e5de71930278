import type { Console } from "../terminal/console.ts";
import { LineStatus } from "./line-status.ts";
import type { Status } from "./status.ts";

/** Runs work with a status line, which is removed from the terminal when the work ends or fails. */
export async function withStatus<Result>(
  console: Console,
  work: (status: Status) => Promise<Result>,
): Promise<Result> {
  const { isTTY, columns = 0 } = console.io.stderr;
  // On terminals that do not report their width, a line cannot be redrawn.
  const status = isTTY && columns >= 20 ? await spinnerStatus(console) : new LineStatus(console);
  try {
    return await work(status);
  } finally {
    status.pause();
  }
}

async function spinnerStatus(console: Console): Promise<Status> {
  const { SpinnerStatus } = await import("./spinner-status.ts");
  return new SpinnerStatus(console);
}
