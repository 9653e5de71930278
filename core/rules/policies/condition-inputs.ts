import type { ASTNode } from "@marcbachmann/cel-js";
import { partsOf } from "./step-counter.ts";

/** The names in a condition, with their positions. */
export interface ConditionInputs {
  /** `["source", "image", "tag"]` of `after.source.image.tag`, up to the first other expression. */
  fields: { path: string[]; text: string; start: number }[];
  kinds: { text: string; start: number }[];
}

/** The fields of a change that a condition reads, and the kinds in it. */
export function askedIn(node: ASTNode): ConditionInputs {
  const field = fieldAt(node);
  const inner = partsOf(node).map(askedIn);
  return {
    fields: field ? [field] : inner.flatMap(({ fields }) => fields),
    kinds: [...kindsAt(node), ...inner.flatMap(({ kinds }) => kinds)],
  };
}

/** The field in a chain such as `after.?source.image`; undefined for any other expression. */
function fieldAt(node: ASTNode): ConditionInputs["fields"][number] | undefined {
  const path: string[] = [];
  let at = node;
  while (at.op === "." || at.op === ".?" || at.op === "[]" || at.op === "[?]") {
    const [inner, member] = at.args;
    const name = typeof member === "string" ? member : textOf(member);
    // Brackets may contain an index, or a value that only the run knows: the rest of the chain is ignored.
    if (name === undefined) path.length = 0;
    else path.unshift(name);
    at = inner;
  }
  if (at.op !== "id" || path.length === 0 || !["before", "after"].includes(at.args)) return undefined;
  return { path, text: `${at.args}.${path.join(".")}`, start: node.start };
}

/** The texts in `kind == "Job"` and `kind in ["Job", "Helm"]`. */
function kindsAt(node: ASTNode): ConditionInputs["kinds"] {
  if (node.op !== "==" && node.op !== "!=" && node.op !== "in") return [];
  const [left, right] = node.args;
  const isKind = ({ op, args }: ASTNode) => op === "id" && args === "kind";
  const other = isKind(left) ? right : node.op !== "in" && isKind(right) ? left : undefined;
  return (other?.op === "list" ? other.args : other ? [other] : []).flatMap((each) => {
    const text = textOf(each);
    return text === undefined ? [] : [{ text, start: each.start }];
  });
}

function textOf({ op, args }: ASTNode): string | undefined {
  return op === "value" && typeof args === "string" ? args : undefined;
}
