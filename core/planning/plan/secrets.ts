import { formatPath } from "../../model/fields/compare.ts";
import { type Fields, isFields, own } from "../../values/json.ts";
import { declaredParts } from "../../model/parts/index.ts";
import { secretsInFields } from "../../secrets/index.ts";
import type { Action } from "./action.ts";
import { createsAnew } from "./action-types.ts";

/** A secret whose value an action sends. */
export interface WrittenSecret {
  /** `secrets.DB_PASSWORD` */
  path: string;
  /** The path in parts. */
  at: readonly string[];
  /** The source of the value: `{ from_env: NAME }` or the like. */
  reference: Fields;
}

/** The secrets whose values an action sends. */
export function secretsWritten(action: Action): WrittenSecret[] {
  return [...secretsInParts(action), ...secretsOfItself(action)];
}

/** The secrets of the resource itself and of parts that are one object: each of their requests needs all of them. */
function secretsOfItself(action: Action): WrittenSecret[] {
  const { kind } = action.address;
  const members = new Set(declaredParts(kind).map(({ member }) => member));
  const isNew = createsAnew(action);
  const changed = isNew ? [] : action.changes.map(({ path: [top = ""] }) => top);
  const isOwnSent = isNew || changed.some((top) => !members.has(top));
  return secretsInFields(kind.fields, action.expected)
    .filter(({ path: [top = ""] }) => (members.has(top) ? isNew || changed.includes(top) : isOwnSent))
    .map(({ path, reference }) => ({ path: formatPath(path), at: path, reference }));
}

function secretsInParts(action: Action): WrittenSecret[] {
  return declaredParts(action.address.kind)
    .filter(({ form }) => form.isWriteOnly)
    .flatMap(({ member }) => {
      const entries = own(action.expected, member);
      if (!isFields(entries)) return [];
      return Object.entries(entries).flatMap(([key, reference]) =>
        isFields(reference) && isWritten(action, member, key)
          ? [{ path: `${member}.${key}`, at: [member, key], reference }]
          : [],
      );
    });
}

function isWritten(action: Action, member: string, key: string): boolean {
  if (createsAnew(action)) return true;
  return action.changes.some(({ path: [top, inner] }) => top === member && inner === key);
}
