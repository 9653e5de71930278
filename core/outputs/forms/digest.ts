import { createHash } from "node:crypto";
import { type Fields, mapFields, stableJson } from "../../values/json.ts";
import { type Action, adds, createsAnew, isChange, type Plan } from "../../planning/plan/index.ts";
import type { Problem } from "../../problems/problem.ts";
import { escapeControl, shorten } from "../../values/text.ts";
import type { ActionForm } from "./action-form.ts";
import { encodeAction } from "./encode-plan.ts";

/** A digest of all effects of a plan, in hexadecimal digits, without what depends on the moment: order, cost, unchanged fields. */
export function digestOfActions({
  goal,
  organization,
  actions,
}: Pick<Plan, "goal" | "organization"> & { actions: readonly Action[] }): string {
  const done = actions
    .filter(isChange)
    .map((action) => stableJson(essenceOf(action)))
    .toSorted();
  return createHash("sha256")
    .update(stableJson({ goal, organization: organization.id, actions: done }))
    .digest("hex");
}

/** Why a plan differs from the expected one, which was saved or reviewed; undefined: it does not. */
export function staleProblem(expected: string, now: Plan): Problem | undefined {
  const found = digestOfActions(now);
  return found === expected
    ? undefined
    : staleBecause(
        `its actions have changed: its digest is ${found}, not ${escapeControl(shorten(expected, 100))}`,
      );
}

export function staleBecause(why: string): Problem {
  return { code: "stale", message: `the plan is stale: ${why}`, remedies: [{ again: "plan" }] };
}

/** An action without the members that depend on the time of planning. */
export function essenceOf(action: Action): Fields {
  return essenceOfForm(encodeAction(action));
}

/** The JSON form of an action without the members that depend on the time of planning. */
export function essenceOfForm(action: ActionForm): Fields {
  const encoded = JSON.parse(JSON.stringify(action)) as Fields;
  const makes = createsAnew(action) && adds(action);
  return mapFields(encoded, (value, member) => {
    if (passing.has(member)) return undefined;
    // Unchanged fields of an existing resource are not effects of the plan.
    if (member === "expected" && !makes) return undefined;
    // The server lists losses in any order.
    return Array.isArray(value) && unordered.has(member)
      ? value.map((each) => stableJson(each)).toSorted()
      : value;
  });
}

const passing = new Set([
  "id",
  "after",
  "along_with",
  "cost",
  "parent",
  "fingerprint",
  "may_come_with",
  "reaches",
]);
const unordered = new Set(["losses", "content_ids", "brings"]);
