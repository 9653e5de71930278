import { addressKey, parentAddress } from "../address.ts";
import { type Kind, kindsInside, statedLinks } from "../kinds/index.ts";
import { outputsUsed } from "../kinds/outputs.ts";
import { compare, type FieldChange } from "../fields/compare.ts";
import { type Fields, mapFields, own } from "../json.ts";
import { type Action, type Plan } from "./action.ts";
import { costOfNewParts, costOfPartChanges } from "./cost-of-parts.ts";

/** How many requests a plan costs. */
export interface Cost {
  /** The requests that planning has sent. */
  planning: number;
  /** The requests that an apply will send, as far as the plan knows. */
  applying: number;
}

/**
 * The requests of a plan: those of its actions, two lists of each parent from which something is deleted, and one of each
 * new parent in which a resource uses outputs of another.
 */
export function costOf({ actions, spent }: Plan): Cost {
  const parents = new Set<string>();
  for (const { type, address, alongWith } of actions) {
    if (type !== "delete" || alongWith !== undefined) continue;
    const parent = parentAddress(address);
    parents.add(parent ? addressKey(parent) : "");
  }
  const lists = 2 * parents.size + newPlacesWithOutputs(actions);
  const applying = actions.reduce((sum, action) => sum + costOfAction(action), lists);
  return { planning: spent, applying };
}

function newPlacesWithOutputs(actions: readonly Action[]): number {
  const places = actions.flatMap((action) => {
    const { address, parent } = action;
    const isUsing = action.type === "create" && outputsUsed(address.kind, action.expected).length > 0;
    return isUsing && "madeBy" in parent ? [parent.madeBy] : [];
  });
  return new Set(places).size;
}

/**
 * The requests of an action: those that it surely sends, and one check for each thing that it waits for. Deletions
 * share their checks, which therefore count once for the whole plan.
 */
export function costOfAction(action: Action): number {
  const { kind } = action.address;
  switch (action.type) {
    case "none":
      return 0;
    case "create":
      return (
        1 +
        costOfCompletion(kind, action.expected) +
        costOfNewParts(kind, action.expected) +
        costOfNewLinks(kind, action.expected)
      );
    case "update":
      return (
        (ownChanges(action).length > 0 ? 2 : 0) +
        costOfPartChanges(
          kind,
          action.changes,
          action.expected,
          action.resourceId === undefined ? action.stated : undefined,
        ) +
        costOfLinkChanges(kind, action.changes)
      );
    case "clone":
      return (
        3 +
        (ownChanges(action).length > 0 ? 1 : 0) +
        (action.brings.length > 0 ? 1 : 0) +
        costOfPartChanges(kind, action.changes, action.expected, action.stated) +
        costOfLinkChanges(kind, action.changes)
      );
    case "deploy":
      // One request lists the environment, one deploys its services.
      return action.alongWith === undefined ? 2 : 0;
    case "replace":
      return (
        (action.alongWith === undefined ? 5 + looksInside(action) : 1) +
        costOfNewParts(kind, action.expected) +
        costOfNewLinks(kind, action.expected)
      );
    case "delete":
      return action.alongWith === undefined ? 2 + looksInside(action) : 0;
    default:
      return action.type satisfies never;
  }
}

/** The update that writes what the creation of a resource does not carry. */
function costOfCompletion({ createCarries, fields }: Kind, expected: Fields): number {
  if (!createCarries) return 0;
  const carried = mapFields(expected, (value, member) =>
    createCarries.includes(member) ? value : undefined,
  );
  return compare(fields, carried, expected).length > 0 ? 1 : 0;
}

/** The requests that link a new resource. To a sibling of its own kind it is linked as it is created: it comes last. */
function costOfNewLinks(kind: Kind, fields: Fields): number {
  return statedLinks(kind, fields).filter(({ link }) => link.sibling !== kind.name).length;
}

/** The requests that link an existing resource to others: one for each link. */
function costOfLinkChanges({ links = [] }: Kind, changes: readonly FieldChange[]): number {
  const members = new Set(links.map(({ member }) => member));
  return changes.filter(({ path: [member = ""] }) => members.has(member)).length;
}

/** The changes of the resource itself, without those of its parts. */
function ownChanges({ address, changes }: Action): FieldChange[] {
  const { properties = {} } = address.kind.fields;
  return changes.filter(({ path: [member = ""] }) => !own(properties, member)?.part);
}

/** The contents of a parent are listed before it is deleted. */
function looksInside({ address }: Action): number {
  return kindsInside(address.kind).length > 0 ? 1 : 0;
}
