import type { Written } from "../live/index.ts";
import type { Done, OperationContext } from "./context.ts";

/** Where a step writes. */
interface Site {
  parentId: string;
  /** Of what is changed or deleted; undefined where something is made. */
  id?: string;
}

/**
 * Carries out a step, and lets the store of what is live take in what it has brought about. After a step that has
 * failed, or of which that cannot be said for sure, the store forgets what the step was about.
 *
 * @param writtenBy what a result stands for; undefined where another has been at work as well
 */
export async function takingIn<Result>(
  { live }: OperationContext,
  { parentId, id }: Site,
  step: () => Promise<Result>,
  writtenBy: (result: Result) => Written | undefined,
): Promise<Result> {
  const forget = (): void => {
    if (id === undefined) live.forgetContents(parentId);
    else live.forgetResource({ id, parentId });
  };
  try {
    const result = await step();
    const written = writtenBy(result);
    if (written) live.takeIn(written);
    else forget();
    return result;
  } catch (error) {
    forget();
    throw error;
  }
}

/** What a resource that has been made or changed is to the store; nothing where something went otherwise than asked. */
export function thereBy({ kind, parentId }: Pick<Written, "kind" | "parentId">) {
  return ({ id, response, already, remark, unkept }: Done): Written | undefined =>
    already || remark !== undefined || unkept ? undefined : { kind, parentId, there: { id, response } };
}
