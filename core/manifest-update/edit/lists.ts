import { diffArrays } from "diff";
import { type Json, stableJson } from "../../json.ts";
import { elementKey } from "../../schema/elements.ts";
import type { FieldSchema } from "../../schema/field-schema.ts";

/** The elements of a changed list, in their order. */
export type ListStep =
  /** The element stays, perhaps with another value. */
  | { do: "keep"; index: number; value: Json }
  | { do: "remove"; index: number }
  /** A new element after that one; -1: before all. */
  | { do: "add"; after: number; value: Json };

/** The steps from one list to another. Elements of a set with one key are the same; others are where they are equal. */
export function alignLists(before: readonly Json[], after: readonly Json[], schema: FieldSchema): ListStep[] {
  const keyOf = (element: Json) => (schema.set ? elementKey(schema, element) : stableJson(element));
  const steps: ListStep[] = [];
  let index = 0;
  let next = 0;
  let last = -1;
  let removed: number[] = [];
  const keep = (old: number) => {
    steps.push({ do: "keep", index: old, value: after[next++] ?? null });
    last = old;
  };
  const drop = () => {
    for (const old of removed) steps.push({ do: "remove", index: old });
    removed = [];
  };
  for (const chunk of diffArrays(before.map(keyOf), after.map(keyOf))) {
    if (chunk.removed) for (let count = 0; count < chunk.count; count++) removed.push(index++);
    else if (chunk.added)
      for (let count = 0; count < chunk.count; count++) {
        // A new element takes the place of an old one, so that the comments there stay with it.
        const old = removed.shift();
        if (old === undefined) steps.push({ do: "add", after: last, value: after[next++] ?? null });
        else keep(old);
      }
    else {
      drop();
      for (let count = 0; count < chunk.count; count++) keep(index++);
    }
  }
  drop();
  return steps;
}
