import type { Fields } from "../values/json.ts";
import type { Kind } from "../model/kinds/index.ts";
import { entriesIn, declaredParts } from "../model/parts/index.ts";

/** Exclusive values in fields, such as a custom domain, which leads to one service. */
export interface UniqueClaim {
  path: [member: string, key: string];
  /** Equal for equal claims, and for people: `custom domain shop.acme.example`. */
  claim: string;
}

/** The exclusive values in fields of a resource. A removed value is free for other resources. */
export function claimsIn(kind: Kind, fields: Fields): UniqueClaim[] {
  return declaredParts(kind).flatMap(({ name, member, form }) =>
    Object.entries(form.isUnique ? entriesIn(fields, member) : {}).flatMap(([key, entry]): UniqueClaim[] =>
      entry === null ? [] : [{ path: [member, key], claim: `${name} ${key}` }],
    ),
  );
}

export interface MovedClaims {
  lost: string[];
  gained: string[];
}

/** The exclusive values that a resource gives up and gets. */
export function movedClaims(kind: Kind, before: Fields, after: Fields): MovedClaims {
  const claims = (fields: Fields) => new Set(claimsIn(kind, fields).map(({ claim }) => claim));
  const [had, has] = [claims(before), claims(after)];
  return {
    lost: [...had].filter((claim) => !has.has(claim)),
    gained: [...has].filter((claim) => !had.has(claim)),
  };
}
