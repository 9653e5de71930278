import { formatPath } from "../fields/compare.ts";
import { type Fields, isFields, own } from "../json.ts";
import { statedParts } from "../parts/index.ts";
import { secretsInFields } from "../secrets/index.ts";
import type { Action } from "./action.ts";

type Writing = Extract<Action, { expected: Fields }>;

/** A secret whose value an action sends. */
export interface WrittenSecret {
  /** `secrets.DB_PASSWORD` */
  path: string;
  /** Where the value comes from: `{ from_env: NAME }` or the like. */
  reference: Fields;
}

/** The secrets whose values an action sends. */
export function secretsWritten(action: Action): WrittenSecret[] {
  return "expected" in action ? [...secretsInParts(action), ...secretsOfItself(action)] : [];
}

/** The secrets among the fields of the resource itself: each request that writes it needs all of them. */
function secretsOfItself(action: Writing): WrittenSecret[] {
  const { kind } = action.address;
  const members = new Set(statedParts(kind).map(({ member }) => member));
  const isSent =
    action.type === "create" ||
    action.type === "replace" ||
    action.changes.some(({ path: [top = ""] }) => !members.has(top));
  return (isSent ? secretsInFields(kind.fields, action.expected) : []).map(({ path, reference }) => ({
    path: formatPath(path),
    reference,
  }));
}

function secretsInParts(action: Writing): WrittenSecret[] {
  return statedParts(action.address.kind)
    .filter(({ form }) => form.isWriteOnly)
    .flatMap(({ member }) => {
      const entries = own(action.expected, member);
      if (!isFields(entries)) return [];
      return Object.entries(entries).flatMap(([key, reference]) =>
        isFields(reference) && isWritten(action, member, key)
          ? [{ path: `${member}.${key}`, reference }]
          : [],
      );
    });
}

function isWritten(action: Writing, member: string, key: string): boolean {
  if (action.type === "create" || action.type === "replace") return true;
  return action.changes.some(({ path: [top, inner] }) => top === member && inner === key);
}
