import type { ShownChange } from "../../report/block.ts";

/** The words for actions of one type, and their effects. */
interface ActionTypeFacts extends Pick<ShownChange, "symbol" | "diffSymbol" | "tone" | "verb"> {
  doing: string;
  past: string;
  noun: string;
  makes?: true;
  copies?: true;
  updates?: true;
  deletes?: true;
  deploys?: true;
  /** Its changes are differences from the live resource, or from the source of a clone. */
  compares?: true;
}

/** The types of actions. Only the execution switches over them; other code asks this table. */
export const actionTypes = {
  create: {
    symbol: "+",
    diffSymbol: "+",
    tone: "good",
    verb: "create",
    doing: "creating",
    past: "created",
    noun: "creation",
    makes: true,
  },
  clone: {
    symbol: "+",
    diffSymbol: "+",
    tone: "good",
    verb: "clone",
    doing: "cloning",
    past: "cloned",
    noun: "clone",
    makes: true,
    copies: true,
    compares: true,
  },
  update: {
    symbol: "~",
    diffSymbol: "!",
    tone: "note",
    verb: "change",
    doing: "updating",
    past: "updated",
    noun: "change",
    updates: true,
    compares: true,
  },
  replace: {
    symbol: "±",
    diffSymbol: "-",
    tone: "bad",
    verb: "delete and create again",
    doing: "replacing",
    past: "replaced",
    noun: "replacement",
    makes: true,
    deletes: true,
    compares: true,
  },
  delete: {
    symbol: "-",
    diffSymbol: "-",
    tone: "bad",
    verb: "delete",
    doing: "deleting",
    past: "deleted",
    noun: "deletion",
    deletes: true,
  },
  deploy: {
    symbol: ">",
    diffSymbol: "#",
    tone: "plain",
    verb: "deploy",
    doing: "deploying",
    past: "deployed",
    noun: "deployment",
    deploys: true,
  },
  none: {
    symbol: " ",
    diffSymbol: " ",
    tone: "plain",
    verb: "unchanged",
    doing: "checking",
    past: "unchanged",
    noun: "check",
  },
} as const satisfies Record<string, ActionTypeFacts>;

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
  return factsOf(action).makes === true;
}

/** Whether an action creates a resource where there was none. */
export function adds(action: ActionOrOutcome): boolean {
  return makes(action) && !deletes(action);
}

/** Whether an action creates a resource from its own fields, not as a copy. */
export function createsAnew(action: ActionOrOutcome): boolean {
  return makes(action) && factsOf(action).copies !== true;
}

/** Whether an action changes fields of a resource that stays. */
export function updates<Some extends ActionOrOutcome>(action: Some): action is Some & { type: "update" } {
  return factsOf(action).updates === true;
}

/** Whether an action deletes a live resource, also to create it again. */
export function deletes<Some extends ActionOrOutcome>(
  action: Some,
): action is Some & { type: "delete" | "replace" } {
  return factsOf(action).deletes === true;
}

/** Whether an action deletes a resource and creates it again. */
export function isReplacement(action: ActionOrOutcome): boolean {
  return deletes(action) && makes(action);
}

/** Whether an action deploys a resource. */
export function deploys(action: ActionOrOutcome): boolean {
  return factsOf(action).deploys === true;
}
