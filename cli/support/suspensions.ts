import { resolve } from "node:path";
import { systemClock } from "../../core/api/clock.ts";
import { InvalidInputError, type Problem } from "../../core/problem.ts";
import { durationOf } from "../../core/schema/duration.ts";
import { escapeControl } from "../../core/text.ts";
import {
  type NamedSuspension,
  type OperatorRules,
  readEnvironmentPattern,
  readSuspensions,
  resume,
  rulesOfSuspensions,
  suspend,
} from "../../reconciler/index.ts";
import { duration } from "../settings/values.ts";
import type { Io } from "../terminal/io.ts";
import type { RepositoryPlace } from "./repository.ts";

interface SuspensionFlags {
  data?: string;
  for?: string;
  until?: string;
  reason?: string;
}

/** Reads what is to be suspended, until when and why. @throws InvalidInputError with all mistakes */
export function readSuspension(
  pattern: string,
  flags: SuspensionFlags,
  io: Io,
): { folder: string; suspension: NamedSuspension } {
  const problems: Problem[] = [];
  const refuse = (message: string, advice: string) => problems.push({ code: "argument", message, advice });
  const folder = dataFolder(flags, io, problems);
  const read = readEnvironmentPattern(pattern);
  if (!("matches" in read)) refuse(`"${escapeControl(pattern)}" ${read.message}`, read.advice ?? "");
  const now = (io.clock ?? systemClock).now();
  const length = flags.for === undefined ? undefined : duration(flags.for);
  const until = endOf(flags, now);
  if (length && "wrong" in length) refuse(`--for ${length.wrong}`, length.advice);
  else if (until === undefined)
    refuse("the end of the suspension is not set", "set it with --for 2h, or --until 2026-12-01T08:00:00Z");
  else if (until <= now) refuse("the end of the suspension is over already", "give a later time");
  const reason = flags.reason?.trim() ?? "";
  if (reason === "") refuse("the reason is not set", "set it with --reason, for those who will wonder");
  if (folder === undefined || until === undefined || problems.length > 0)
    throw new InvalidInputError(problems);
  return { folder, suspension: { pattern, until, reason } };
}

function endOf({ for: length, until }: SuspensionFlags, now: number): number | undefined {
  if (length !== undefined && until === undefined) {
    const milliseconds = durationOf(length);
    return milliseconds === undefined ? undefined : now + milliseconds;
  }
  const time = Date.parse(until ?? "");
  return length !== undefined || Number.isNaN(time) ? undefined : time;
}

/** Suspends environments of the reconciler that keeps its data in a folder. */
export function suspendIn(folder: string, suspension: NamedSuspension, io: Io): Promise<void> {
  return suspend(folder, suspension, (io.clock ?? systemClock).now());
}

/** Ends a suspension. @throws InvalidInputError when there is none */
export async function resumeIn(pattern: string, flags: SuspensionFlags, io: Io): Promise<void> {
  const problems: Problem[] = [];
  const folder = dataFolder(flags, io, problems);
  if (folder === undefined) throw new InvalidInputError(problems);
  if (await resume(folder, pattern, (io.clock ?? systemClock).now())) return;
  const there = (await readSuspensions(folder)).map((each) => escapeControl(each.pattern));
  throw new InvalidInputError([
    {
      code: "argument",
      message: `"${escapeControl(pattern)}" is not suspended in ${folder}`,
      advice: there.length > 0 ? `suspended are: ${there.join(", ")}` : "nothing is suspended there",
    },
  ]);
}

/** The rules of the operator with the suspensions in the data folder. */
export async function withSuspensions(
  rules: OperatorRules,
  { data }: Pick<RepositoryPlace, "data">,
): Promise<OperatorRules> {
  return data === undefined
    ? rules
    : { ...rules, suspensions: rulesOfSuspensions(await readSuspensions(data)) };
}

function dataFolder({ data }: SuspensionFlags, { env }: Io, problems: Problem[]): string | undefined {
  const folder = data ?? env["INFRASYNC_DATA"];
  if (folder) return resolve(folder);
  problems.push({
    code: "argument",
    message: "the data folder of the reconciler is not set",
    advice: "set it with --data, or INFRASYNC_DATA",
  });
  return undefined;
}
