import { reasonToHold, type Rules } from "../policy/index.ts";
import type { UserActionType } from "./user-action.ts";

/** What is known of a share when somebody asks for something there. */
export interface HeldShare {
  /** Undefined if no cycle has read them yet. */
  rules: Parameters<typeof reasonToHold>[0] | undefined;
  /** Whether nothing of it can be applied before something is mended or allowed. */
  isBlocked: boolean;
}

/**
 * Why an action has no effect in a share now. The service refuses it for that reason, and the page has the reason in the place of the
 * button. An approval and a rollback wait for the end of a pause and for a window; where only a commit ends what holds the
 * share, nothing would come of them.
 */
export function reasonWithoutEffect(
  type: UserActionType,
  { rules, isBlocked }: HeldShare,
): string | undefined {
  if (type === "pause")
    return rules?.onCommit === "off" && rules.onDrift === "off" ? reasonToHold(rules) : undefined;
  const isNow = type === "sync";
  if (!isNow && type !== "approve" && type !== "rollback") return undefined;
  const held = rules && reasonToHold(rules);
  if (isNow && held === undefined && isBlocked) return "something has to be mended or allowed first";
  return !isNow && rules && isPassing(rules) ? undefined : held;
}

/** Whether what holds a share ends without a commit. */
function isPassing({
  suspensions = [],
  closed,
  onCommit,
  onDrift,
}: Pick<Rules, "closed" | "onCommit" | "onDrift"> & {
  suspensions?: Rules["suspensions"] | undefined;
}): boolean {
  const isOpening = closed === undefined || closed.until !== undefined;
  return suspensions.every(({ pause }) => pause) && isOpening && !(onCommit === "off" && onDrift === "off");
}
