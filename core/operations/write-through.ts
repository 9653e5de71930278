import type { WriteEffect } from "../state/live/index.ts";
import type { WriteResult, Run } from "./run.ts";

/** Carries out a step, and enters what `writtenBy` tells in the store; without a certain effect, the store forgets. */
export async function writeThrough<Result>(
  { client, live }: Run,
  { parentId, id }: { parentId: string; id?: string },
  step: () => Promise<Result>,
  writtenBy: (result: Result) => WriteEffect | undefined,
): Promise<Result> {
  const forget = () => live.forget(id === undefined ? { parentId } : { id, parentId });
  try {
    const result = await step();
    const written = writtenBy(result);
    if (written) live.takeIn(written);
    else forget();
    const by = written?.gone === undefined ? Number(written?.there !== undefined && id === undefined) : -1;
    if (written && by !== 0) await client.hasChanged(written.kind.listing.path(parentId), by);
    return result;
  } catch (error) {
    forget();
    throw error;
  }
}

/** The change of the store by a creation or an update; undefined if the result is not as requested. */
export function writtenAs({ kind, parentId }: Pick<WriteEffect, "kind" | "parentId">) {
  return ({ id, response, already, uncertain, normalized }: WriteResult): WriteEffect | undefined =>
    already || uncertain || normalized ? undefined : { kind, parentId, there: { id, response } };
}
