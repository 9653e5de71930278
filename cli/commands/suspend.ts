import { exitCodes } from "../exit-codes.ts";
import type { Command } from "./command.ts";
import { resolve } from "node:path";
import { systemClock } from "../../core/api/index.ts";
import { InvalidInputError, type Problem } from "../../core/problem.ts";
import { durationOf } from "../../core/schema/duration.ts";
import { escapeControl } from "../../core/text.ts";
import {
  type NamedSuspension,
  readEnvironmentPattern,
  readSuspensions,
  resume as endSuspension,
  suspend as beginSuspension,
} from "../../reconciler/index.ts";
import { duration } from "../settings/values.ts";
import type { Io } from "../terminal/io.ts";

interface Flags {
  data?: string;
  for?: string;
  until?: string;
  reason?: string;
}

/** `infrasync suspend`: holds the reconciler of a data folder in some environments for a while. */
export const suspend: Command<[pattern: string], Flags> = {
  examples: [
    "suspend shop/production --for 2h --reason 'a migration by hand' --data /var/lib/infrasync",
    "suspend '**' --until 2026-12-01T08:00:00Z --reason 'no changes over the weekend'",
  ],

  declare(line) {
    line
      .argument("<pattern>", "PROJECT/ENVIRONMENT, with * for anything within a name and ** for any names")
      .option("--for <time>", "how long, such as 40s, 90m or 3d")
      .option("--until <time>", "until when, such as 2026-12-01T08:00:00Z")
      .option("--reason <text>", "why; the page, the log and reconcile status show it")
      .option("--data <folder>", "data folder of the reconciler (default: INFRASYNC_DATA)");
  },

  async run({ args: [pattern], flags, console }) {
    const { folder, suspension } = readSuspension(pattern, flags, console.io);
    await beginSuspension(folder, suspension, now(console.io));
    console.note(
      `Suspended ${suspension.pattern} until ${new Date(suspension.until).toISOString()}. The reconciler sees it in its next cycle; infrasync resume ends it.`,
    );
    return exitCodes.done;
  },
};

/** `infrasync resume`: ends what `suspend` has begun. */
export const resume: Command<[pattern: string], Pick<Flags, "data">> = {
  examples: ["resume shop/production --data /var/lib/infrasync"],

  declare(line) {
    line
      .argument("<pattern>", "the pattern that was given to suspend")
      .option("--data <folder>", "data folder of the reconciler (default: INFRASYNC_DATA)");
  },

  async run({ args: [pattern], flags, console }) {
    const problems: Problem[] = [];
    const folder = dataFolder(flags, console.io, problems);
    if (folder === undefined) throw new InvalidInputError(problems);
    if (!(await endSuspension(folder, pattern, now(console.io))))
      throw new InvalidInputError([notSuspended(pattern, folder, await readSuspensions(folder))]);
    console.note(`Resumed ${pattern}. The reconciler sees it in its next cycle.`);
    return exitCodes.done;
  },
};

/** Reads the environments to suspend, the end and the reason. @throws InvalidInputError with all mistakes */
function readSuspension(
  pattern: string,
  flags: Flags,
  io: Io,
): { folder: string; suspension: NamedSuspension } {
  const problems: Problem[] = [];
  const refuse = (message: string, advice: string) => problems.push({ code: "argument", message, advice });
  const folder = dataFolder(flags, io, problems);
  const read = readEnvironmentPattern(pattern);
  if (!("matches" in read)) refuse(`"${escapeControl(pattern)}" ${read.message}`, read.advice ?? "");
  const length = flags.for === undefined ? undefined : duration(flags.for);
  const until = endOf(flags, now(io));
  if (length && "wrong" in length) refuse(`--for ${length.wrong}`, length.advice);
  else if (until === undefined)
    refuse("the end of the suspension is not set", "set it with --for 2h, or --until 2026-12-01T08:00:00Z");
  else if (until <= now(io)) refuse("the end of the suspension is over already", "give a later time");
  const reason = flags.reason?.trim() ?? "";
  if (reason === "") refuse("the reason is not set", "set it with --reason, for those who will wonder");
  if (folder === undefined || until === undefined || problems.length > 0)
    throw new InvalidInputError(problems);
  return { folder, suspension: { pattern, until, reason } };
}

function endOf({ for: length, until }: Flags, begin: number): number | undefined {
  if (length !== undefined && until === undefined) {
    const milliseconds = durationOf(length);
    return milliseconds === undefined ? undefined : begin + milliseconds;
  }
  const time = Date.parse(until ?? "");
  return length !== undefined || Number.isNaN(time) ? undefined : time;
}

function dataFolder({ data }: Flags, { env }: Io, problems: Problem[]): string | undefined {
  const folder = data ?? env["INFRASYNC_DATA"];
  if (folder) return resolve(folder);
  problems.push({
    code: "argument",
    message: "the data folder of the reconciler is not set",
    advice: "set it with --data, or INFRASYNC_DATA",
  });
  return undefined;
}

function notSuspended(pattern: string, folder: string, suspended: readonly NamedSuspension[]): Problem {
  const there = suspended.map((each) => escapeControl(each.pattern));
  return {
    code: "argument",
    message: `"${escapeControl(pattern)}" is not suspended in ${folder}`,
    advice: there.length > 0 ? `suspended are: ${there.join(", ")}` : "nothing is suspended there",
  };
}

function now({ clock = systemClock }: Io): number {
  return clock.now();
}
