import { article, timeLimit } from "../values/text.ts";
import { isFields } from "../values/json.ts";
import type { PartChange, DeclaredPart } from "../model/parts/index.ts";
import type { Run } from "./run.ts";
import { notShown, OperationError, outdated } from "./errors.ts";
import { duplicated } from "./existing-resource.ts";
import type { PartState, PendingPart } from "./part-state.ts";
import { outsideTurn, pollDelay, until } from "./wait.ts";

/** Reads a list until it no longer has the removed entry: an answer to a removal shows nothing. */
export async function untilGone(
  run: Run,
  state: PartState,
  part: DeclaredPart,
  keys: readonly string[],
): Promise<void> {
  const { clock, limits, signal } = run;
  const listed = (): string[] => state.unlistedBeside(part).filter((key) => keys.includes(key));
  const isDone = await until(clock, limits.busy, signal, async (attempt) => {
    if (listed().length === 0) return true;
    await outsideTurn(run, () => clock.sleep(pollDelay(attempt), signal));
    await state.readBeside(part);
    return listed().length === 0 ? true : undefined;
  });
  if (!isDone) throw notShown(`the removal of ${describeParts(part, listed())}`);
}

/** Reads a list until another request can be sent: what an entry needs has no id before it is listed. */
export async function untilNext(
  run: Run,
  state: PartState,
  { part, changes: [change] }: PendingPart,
): Promise<void> {
  const { clock, limits, signal } = run;
  if (state.isListed(part)) {
    if ((await state.readAnew(part)) && state.nextOfAll()) return;
    throw stuck(part, change);
  }
  const found = await until(clock, limits.busy, signal, async (attempt) => {
    await outsideTurn(run, () => clock.sleep(pollDelay(attempt), signal));
    await state.readBeside(part);
    if (state.nextOfAll()) return true;
    if (state.isListed(part)) throw stuck(part, change);
    return undefined;
  });
  if (!found) throw notListed(state.unlistedBeside(part).join(", "), limits.busy);
}

/** After two possible creations, waits until the list would show both. @throws OperationError `duplicated`, `pending` */
export async function refuseDuplicates(
  run: Run,
  state: PartState,
  part: DeclaredPart,
  keys: readonly string[],
): Promise<void> {
  const twice = state.sends.twiceOf(part.member, keys);
  if (twice.length === 0) return;
  const { clock, limits, signal } = run;
  const between = state.sends.spanOf(part.member, twice);
  let firstSeen: number | undefined;
  const seen = await until(clock, limits.busy, signal, async (attempt) => {
    await outsideTurn(run, () => clock.sleep(pollDelay(attempt), signal));
    await state.readBeside(part);
    const idsOf = (key: string) => state.ownIds(part, key);
    for (const key of twice)
      if (idsOf(key).length > 1) throw duplicated(idsOf(key), describeParts(part, [key]));
    if (!twice.every((key) => idsOf(key).length > 0)) return undefined;
    firstSeen ??= clock.now();
    return clock.now() - firstSeen >= between ? true : undefined;
  });
  if (!seen) throw notListed(twice.join(", "), limits.busy);
}

/** The error for changes of which no request can be made. */
function stuck(
  part: DeclaredPart,
  { key, desired }: PartChange = { key: "", desired: undefined },
): OperationError {
  if (typeof desired === "string" && part.form.isSingle)
    return outdated("gone", `there is no ${part.name} "${desired}", or there are two`);
  const [need] = part.form.needs?.(isFields(desired) ? desired : {}, key) ?? [];
  const why =
    need === undefined
      ? "could not be written: the server keeps showing another value"
      : need.as === undefined
        ? `needs the ${need.what} ${need.key}, which does not exist`
        : `overrides ${article(need.what)}, and no parent has one`;
  return outdated("missing_part", `the ${part.name} ${key} ${why}`);
}

/** @param limit in milliseconds */
function notListed(keys: string, limit: number): OperationError {
  return new OperationError(
    "pending",
    `the server has accepted the change of ${keys}, and has not listed it within ${timeLimit(limit)}`,
    { remedies: [{ again: "run" }] },
  );
}

/** The parts of these keys, for messages. */
export function describeParts({ name }: DeclaredPart, keys: readonly string[]): string {
  return keys.length === 1 ? `the ${name} ${keys.join()}`.trimEnd() : `the ${name}s ${keys.join(", ")}`;
}
