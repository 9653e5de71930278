import { formatReference } from "../address.ts";
import type { Desired } from "../manifest/desired.ts";
import { formatPath } from "../fields/compare.ts";
import type { PlannedChange } from "../kinds/index.ts";
import { objectionsTo } from "../concerns/possible.ts";
import type { Action } from "./action.ts";
import { Unplannable } from "./findings.ts";
import { similar } from "./locate.ts";
import type { Planning } from "./planning.ts";

/** An action without the members that depend on the rest of the plan. */
export type Draft<Type extends Action = Action> = Type extends Action
  ? Omit<Type, "id" | "address" | "parent" | "after">
  : never;

/**
 * Reports what is wrong with the request that would be sent, by the rules of the kind and the schema.
 *
 * @throws Unplannable
 */
export function refuseImpossible(planning: Planning, desired: Desired, change: PlannedChange): void {
  const { expectations, findings, inventory } = planning;
  const { kind } = desired.address;
  const objections = objectionsTo(kind, change);
  if (objections.length === 0) return;
  const near = change.how === "create" ? similar(expectations, desired.address) : undefined;
  // A resource that another document describes is no candidate.
  const isMeant = near !== undefined && !inventory.documentOf({ kind, names: near });
  for (const { path, message, isMissing } of objections) {
    const what = `${formatPath(path)} ${message}`;
    if (!isMissing) findings.report("impossible", desired, path, message);
    else if (change.how === "create") {
      findings.report(
        "invalid",
        desired,
        path,
        `it does not exist, and to create it ${what}`,
        isMeant
          ? `did you mean ${formatReference(near)}? If it is new, state it`
          : `state it, or correct the name if the ${kind.name} exists`,
      );
    } else findings.report("impossible", desired, path, what, "state it, or state another value");
  }
  throw new Unplannable();
}
