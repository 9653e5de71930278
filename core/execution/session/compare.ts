import { formatPath } from "../../model/fields/compare.ts";
import { stableJson } from "../../values/json.ts";
import { type Action, byResource, type Plan, updates } from "../../planning/plan/index.ts";
import { essenceOf } from "../../outputs/forms/digest.ts";

export interface ComparedPlans {
  /** Actions of the change alone. Of an update in both plans, the fields of the change alone. */
  own: Action[];
  /** Actions that an apply of the base would make too. */
  earlier: Action[];
  /** Actions of the base alone: the change makes them unnecessary. */
  settled: Action[];
}

/** Compares two plans of one reading of live state. Actions without a change are left out. */
export function comparePlans(base: Pick<Plan, "actions">, head: Pick<Plan, "actions">): ComparedPlans {
  const own: Action[] = [];
  const earlier: Action[] = [];
  const [before, after] = byResource(base.actions, head.actions);
  for (const [key, action] of after) {
    const { common, rest } = divide(action, before.get(key));
    if (common) earlier.push(common);
    if (rest) own.push(rest);
  }
  const settled = [...before].flatMap(([key, action]) => {
    const other = after.get(key);
    // A field with another value in the change belongs to the change.
    if (other) return withoutFields(action, other) ?? [];
    return [action];
  });
  return { own, earlier, settled };
}

/** The common part of two actions, and the rest of the first. */
function divide(action: Action, other: Action | undefined): { common?: Action; rest?: Action } {
  if (!other) return { rest: action };
  if (stableJson(essenceOf(action)) === stableJson(essenceOf(other))) return { common: action };
  if (!updates(action) || !updates(other)) return { rest: action };
  const known = new Set(other.changes.map((change) => stableJson(JSON.parse(JSON.stringify(change)))));
  const isKnown = (change: (typeof action.changes)[number]) =>
    known.has(stableJson(JSON.parse(JSON.stringify(change))));
  const common = action.changes.filter(isKnown);
  const rest = action.changes.filter((change) => !isKnown(change));
  return {
    ...(common.length > 0 && { common: { ...action, changes: common } }),
    ...(rest.length > 0 && { rest: { ...action, changes: rest } }),
  };
}

/** An update without the fields of another action; undefined: nothing is left. */
function withoutFields(action: Action, other: Action): Action | undefined {
  if (!updates(action) || !updates(other)) return undefined;
  const changed = new Set(other.changes.map(({ path }) => formatPath(path)));
  const changes = action.changes.filter(({ path }) => !changed.has(formatPath(path)));
  return changes.length > 0 ? { ...action, changes } : undefined;
}
