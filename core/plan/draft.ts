import { formatReference } from "../address.ts";
import type { Desired } from "../desired.ts";
import { formatPath } from "../fields/compare.ts";
import { missingFields } from "../fields/missing.ts";
import type { PlannedChange } from "../kinds/index.ts";
import type { Action } from "./action.ts";
import type { Holder, PlanContext } from "./context.ts";
import type { Expected } from "./expected.ts";
import { similar } from "./similar.ts";

/** An action before what follows from the rest of the plan is filled in. */
export type Draft<Type extends Action = Action> = Type extends Action
  ? Omit<Type, "address" | "kind" | "name" | "parent" | "after" | "cost">
  : never;

/** From now on the resource is expected to be there, inside its holder. */
export function expectNew(context: PlanContext, desired: Desired, holder: Holder, made: Expected): void {
  holder.inside.children?.add(made);
  context.remember(desired.address, made);
}

/** Reports what the kind and the schema find wrong with what would be sent. */
export function isPossible(context: PlanContext, desired: Desired, change: PlannedChange): boolean {
  const { kind } = desired.address;
  const already = new Set(
    missingFields(kind.fields, change.current ?? {}).map(({ path }) => formatPath(path)),
  );
  const lacking = missingFields(kind.fields, change.wanted).filter(
    ({ path }) => change.current === undefined || !already.has(formatPath(path)),
  );
  const near = lacking.length > 0 && change.how === "create" ? similar(context, desired.address) : undefined;
  // What another document describes is not meant by this one.
  const isMeant = near !== undefined && !context.inventory.documentOf({ kind, names: near });
  for (const { path, message } of lacking) {
    const what = `${formatPath(path)} ${message}`;
    if (change.how === "create") {
      context.report(
        desired,
        path,
        `it does not exist, and to create it ${what}`,
        isMeant
          ? `did you mean ${formatReference(near)}? If it is new, state it`
          : `state it, or correct the name if the ${kind.name} exists`,
      );
    } else context.report(desired, path, what, "state it, or state another value");
  }
  const problem = kind.problem?.(change);
  if (problem) context.report(desired, [problem.field], problem.message);
  return lacking.length === 0 && !problem;
}
