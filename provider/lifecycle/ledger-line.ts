import Type from "typebox";
import { type StoredForm } from "../../core/files/stored-form.ts";
import type { Kind } from "../../core/model/kinds/index.ts";
import { choice, form, optional } from "../../core/outputs/forms/forms.ts";
import type { ParsedInputs, Properties } from "./inputs.ts";

/**
 * The operations of a program's resource on a live resource in one run. `states`: its state has it, and keeps it.
 * `replaces`: its state has it, and a replacement will be made.
 */
export const entries = ["states", "replaces", "made", "adopted", "written"] as const;

/**
 * `expected`: the program makes it. `moved`: it gives up a place or a claim; `freed`: nothing has that any more. `leaves`: it leaves a replaced resource. `retried`: the creation at a place had an
 * unknown outcome. `lost`: a loss, which counts once. `deleting`, `counted`: a requested deletion, and that all its
 * losses are recorded. `spared`: the losses of a resource do not count.
 */
export const lineForm = form({
  did: choice(
    [
      ...entries,
      "expected",
      "lost",
      "spared",
      "claimed",
      "moved",
      "leaves",
      "freed",
      "retried",
      "deleting",
      "counted",
      "began",
      "joined",
    ] as const,
    "",
  ),
  urn: optional(Type.String()),
  id: optional(Type.String()),
  kind: optional(Type.String()),
  /** The names of the live resource in the state and in the program. */
  names: optional(Type.Array(Type.String())),
  /** The members with unknown values. */
  unknown: optional(Type.Array(Type.String())),
  /** A digest of the entry in the state. */
  state: optional(Type.String()),
  /** Whether the replacement may delete remaining contents. */
  empties: optional(Type.Boolean()),
  /** The place or the claim of a resource. */
  place: optional(Type.String()),
  /** What it gets for it, in lines, the new place first. */
  to: optional(Type.String()),
  /** A loss of the run, or a process that has joined. */
  what: optional(Type.String()),
});

export type LedgerLine = StoredForm<typeof lineForm>;

/** The resource that replaces another one. */
export interface Successor {
  /** The id of the replaced resource. */
  id: string;
  /** The place of the replaced resource, as in `move`. */
  from: string;
  /** Whether its name or parent differs. */
  isMoved: boolean;
  /** Whether its known values need the replacement. */
  isSure: boolean;
  /** Whether the replaced resource stays on the server. */
  isKept?: boolean;
  kind: Kind;
  /** The outputs of the replaced resource. */
  olds: Properties;
  declared: ParsedInputs;
  resource?: string | undefined;
}

/** Whether an operation keeps others from deleting the live resource. Those without a name cannot be attributed. */
export function isHolding({ did, urn }: LedgerLine): boolean {
  return (
    did === "states" || did === "adopted" || ((did === "made" || did === "written") && urn !== undefined)
  );
}

/** Whether two names mean the same resource of a program. The former form, `project/stack/name`, fits any parent. */
export function isSame(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one === other || shortName(one) === other || one === shortName(other);
}

/** `project/stack/name` of a URN: `urn:pulumi:STACK::PROJECT::TYPES::NAME`. */
function shortName(urn: string): string | undefined {
  const [stack = "", project, , ...name] = urn.split("::");
  return stack.startsWith("urn:pulumi:")
    ? `${project}/${stack.slice("urn:pulumi:".length)}/${name.join("::")}`
    : undefined;
}
