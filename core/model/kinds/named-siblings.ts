import { entriesIn, siblingKindOf, declaredParts } from "../parts/index.ts";
import type { Fields } from "../../values/json.ts";
import { kindOf } from "./registry.ts";
import type { Kind } from "./kind.ts";
import { outputsUsed } from "./outputs.ts";

/** A sibling to which fields refer by a part, such as `deployment_stage`, or by its output. */
export interface NamedSibling {
  path: [member: string, ...inside: string[]];
  kind: Kind;
  name: string;
  /** The used output: `host_internal`. */
  output?: string;
}

export function siblingsNamed(kind: Kind, fields: Fields): NamedSibling[] {
  const byParts = declaredParts(kind).flatMap((part): NamedSibling[] => {
    const sibling = siblingKindOf(part);
    const name = entriesIn(fields, part.member)[""];
    return sibling !== undefined && typeof name === "string"
      ? [{ path: [part.member], kind: kindOf(sibling), name }]
      : [];
  });
  const byOutputs = outputsUsed(kind, fields).map(({ path, ...used }): NamedSibling => ({
    ...used,
    path: [...path, "from"],
  }));
  return [...byParts, ...byOutputs];
}
