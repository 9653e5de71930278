import type { Console } from "../terminal/console.ts";
import { isInteractive } from "../terminal/colors.ts";
import { JsonLinesStatus } from "./json-lines-status.ts";
import { LineStatus } from "./line-status.ts";
import type { Status } from "./status.ts";

/** Runs work with a status line, which is removed from the terminal when the work ends or fails. */
export async function withStatus<Result>(
  console: Console,
  work: (status: Status) => Promise<Result>,
): Promise<Result> {
  const status = await statusFor(console);
  try {
    return await work(status);
  } finally {
    status.pause();
  }
}

async function statusFor(console: Console): Promise<Status> {
  if (console.jsonLines) return new JsonLinesStatus(console);
  const { stderr, env } = console.io;
  // On terminals that do not report their width, a line cannot be redrawn.
  if (!isInteractive(stderr, env) || (stderr.columns ?? 0) < 20) return new LineStatus(console);
  const { SpinnerStatus } = await import("./spinner-status.ts");
  return new SpinnerStatus(console);
}
