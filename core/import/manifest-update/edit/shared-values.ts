import { type Alias, isAlias, isScalar, type ParsedNode, visit } from "yaml";
import { referencesIn } from "../../../source/variables.ts";

/** Why a value cannot be changed in place: it is shared, or is written elsewhere. */
export type SharedBy =
  | { by: "variable"; names: string[] }
  | { by: "anchor"; name: string }
  | { by: "alias"; name: string };

/** Thrown where a change would change other values too. */
export class SharedValueError extends Error {
  override readonly name = "SharedValueError";
  readonly reason: SharedBy;
  readonly offset: number;

  constructor(reason: SharedBy, offset: number) {
    super(`a value that stands for others (${reason.by})`);
    this.reason = reason;
    this.offset = offset;
  }
}

/** The targets of the aliases of a document. */
export type Targets = ReadonlyMap<Alias, ParsedNode>;

/** Refuses a change inside a collection that an alias repeats. @throws SharedValueError */
export function refuseRepeated(node: ParsedNode, targets: Targets): void {
  if (isAlias(node)) throw new SharedValueError({ by: "alias", name: node.source }, node.range[0]);
  for (const target of targets.values())
    if (target === node) throw new SharedValueError({ by: "anchor", name: node.anchor ?? "" }, node.range[0]);
}

/** Refuses the removal of shared content: aliases, used anchors, variables. @throws SharedValueError */
export function refuseShared(root: ParsedNode, targets: Targets): void {
  visit(root, {
    Node(key, node) {
      if (key === "key") return;
      refuseRepeated(node as ParsedNode, targets);
      const names = isScalar(node) && typeof node.value === "string" ? referencesIn(node.value) : [];
      if (names.length > 0)
        throw new SharedValueError({ by: "variable", names }, (node as ParsedNode).range[0]);
    },
  });
}
