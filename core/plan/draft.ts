import { formatReference } from "../address.ts";
import type { Desired } from "../desired.ts";
import { formatPath } from "../fields/compare.ts";
import { missingFields } from "../fields/missing.ts";
import type { PlannedChange } from "../kinds/index.ts";
import type { Action } from "./action.ts";
import { Unplannable } from "./findings.ts";
import { similar } from "./locate.ts";
import type { Planning } from "./planning.ts";

/** An action before what follows from the rest of the plan is filled in. */
export type Draft<Type extends Action = Action> = Type extends Action
  ? Omit<Type, "id" | "address" | "parent" | "after">
  : never;

/** Reports what the kind and the schema find wrong with what would be sent. @throws Unplannable */
export function refuseImpossible(planning: Planning, desired: Desired, change: PlannedChange): void {
  const { expectations, findings, inventory } = planning;
  const { kind } = desired.address;
  const already = new Set(
    missingFields(kind.fields, change.current ?? {}).map(({ path }) => formatPath(path)),
  );
  const lacking = missingFields(kind.fields, change.wanted).filter(
    ({ path }) => change.current === undefined || !already.has(formatPath(path)),
  );
  const near =
    lacking.length > 0 && change.how === "create" ? similar(expectations, desired.address) : undefined;
  // What another document describes is not meant by this one.
  const isMeant = near !== undefined && !inventory.documentOf({ kind, names: near });
  for (const { path, message } of lacking) {
    const what = `${formatPath(path)} ${message}`;
    if (change.how === "create") {
      findings.report(
        desired,
        path,
        `it does not exist, and to create it ${what}`,
        isMeant
          ? `did you mean ${formatReference(near)}? If it is new, state it`
          : `state it, or correct the name if the ${kind.name} exists`,
      );
    } else findings.report(desired, path, what, "state it, or state another value");
  }
  const problem = kind.problem?.(change);
  if (problem) findings.report(desired, [problem.field], problem.message);
  if (lacking.length > 0 || problem) throw new Unplannable();
}
