import type { Console } from "./console.ts";
import { LineStatus } from "./line-status.ts";
import type { Status } from "./status.ts";

/** Runs something with a status that is taken off the terminal when it ends, however it ends. */
export async function withStatus<Result>(
  console: Console,
  work: (status: Status) => Promise<Result>,
): Promise<Result> {
  const { isTTY, columns = 0 } = console.io.stderr;
  // Some terminals do not know how wide they are: a line that changes cannot be drawn there.
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
