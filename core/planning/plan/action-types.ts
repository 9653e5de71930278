import type { ShownChange } from "../../report/block.ts";

/** The words for actions of one type, and their effects. */
interface ActionTypeFacts extends Pick<ShownChange, "symbol" | "diffSymbol" | "tone" | "verb"> {
  doing: string;
  past: string;
  noun: string;
  effects: readonly ("makes" | "copies" | "updates" | "deletes" | "deploys" | "compares")[];
}

function row(
  [symbol, diffSymbol, tone]: readonly [string, string, ActionTypeFacts["tone"]],
  [verb, doing, past, noun]: readonly [string, string, string, string],
  ...effects: ActionTypeFacts["effects"]
): ActionTypeFacts {
  return { symbol, diffSymbol, tone, verb, doing, past, noun, effects };
}

/** The types of actions. Only the execution switches over them; other code asks this table. */
export const actionTypes = {
  create: row(["+", "+", "good"], ["create", "creating", "created", "creation"], "makes"),
  clone: row(["+", "+", "good"], ["clone", "cloning", "cloned", "clone"], "makes", "copies", "compares"),
  update: row(["~", "!", "note"], ["change", "updating", "updated", "change"], "updates", "compares"),
  replace: row(
    ["±", "-", "bad"],
    ["delete and create again", "replacing", "replaced", "replacement"],
    "makes",
    "deletes",
    "compares",
  ),
  delete: row(["-", "-", "bad"], ["delete", "deleting", "deleted", "deletion"], "deletes"),
  deploy: row([">", "#", "plain"], ["deploy", "deploying", "deployed", "deployment"], "deploys"),
  none: row([" ", " ", "plain"], ["unchanged", "checking", "unchanged", "check"]),
};

/** The type of an action: `create`, `update`. */
export type ActionType = keyof typeof actionTypes;

/** In the order in which reports count them. */
export const allActionTypes = Object.keys(actionTypes) as ActionType[];

/** An action, or the outcome of one. */
interface ActionOrOutcome {
  type: ActionType;
}

/** The words for a type of action, and its effects. */
export function factsOf({ type }: ActionOrOutcome): ActionTypeFacts {
  return actionTypes[type];
}

/** Whether an action changes or deploys anything. */
export function isChange({ type }: ActionOrOutcome): boolean {
  return type !== "none";
}

/** Whether an action creates a resource with a new id. */
export function makes(action: ActionOrOutcome): boolean {
  return factsOf(action).effects.includes("makes");
}

/** Whether an action creates a resource where there was none. */
export function adds(action: ActionOrOutcome): boolean {
  return makes(action) && !deletes(action);
}

/** Whether an action creates a resource from its own fields, not as a copy. */
export function createsAnew(action: ActionOrOutcome): boolean {
  return makes(action) && !factsOf(action).effects.includes("copies");
}

/** Whether an action changes fields of a resource that stays. */
export function updates<Some extends ActionOrOutcome>(action: Some): action is Some & { type: "update" } {
  return factsOf(action).effects.includes("updates");
}

/** Whether an action deletes a live resource, also to create it again. */
export function deletes<Some extends ActionOrOutcome>(
  action: Some,
): action is Some & { type: "delete" | "replace" } {
  return factsOf(action).effects.includes("deletes");
}

/** Whether an action deletes a resource and creates it again. */
export function isReplacement(action: ActionOrOutcome): boolean {
  return deletes(action) && makes(action);
}

/** Whether the changes of an action are differences from the live resource, or from the source of a clone. */
export function compares(action: ActionOrOutcome): boolean {
  return factsOf(action).effects.includes("compares");
}

/** Whether an action deploys a resource. */
export function deploys(action: ActionOrOutcome): boolean {
  return factsOf(action).effects.includes("deploys");
}
