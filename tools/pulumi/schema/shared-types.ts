import type { Spec } from "./types.ts";
import { nameOfToken, tokenOf } from "../../../provider/plugin/types.ts";

/** Types that are equal have one name, so that a value of one resource fits another. */
export function withSharedTypes(schema: Spec): Spec {
  let shared = schema;
  // What refers to types that have become one may be equal now.
  for (let names = renamings(shared); names.size > 0; names = renamings(shared))
    shared = renamed(shared, names);
  return shared;
}

/** The new names of types that are equal to others, by their names. */
function renamings({ types, resources }: Spec): Map<string, string> {
  const groups = Map.groupBy(Object.entries(types as Record<string, Spec>), ([, spec]) => contentOf(spec));
  const taken = new Set([...Object.keys(types as Spec), ...Object.keys(resources as Spec)].map(nameOfToken));
  return new Map(
    [...groups.values()].flatMap((group) => {
      const names = group.map(([token]) => nameOfToken(token));
      if (names.length === 1) return [];
      const name = nameFor(names, taken);
      return names.flatMap((each) => (each === name ? [] : [[each, name] as const]));
    }),
  );
}

/** What a type is, without its own description. */
function contentOf({ type, properties = {}, required = [], enum: values = [] }: Spec): string {
  const texts = (values as Spec[]).map(({ value }) => String(value)).toSorted();
  return JSON.stringify([type, properties, required, texts]);
}

/** The name of one type in place of several: the words at the end of all of them, or else the shortest of the names. */
function nameFor(names: readonly string[], taken: ReadonlySet<string>): string {
  const words = names.map((name) => name.match(/[A-Z][a-z\d]*/g) ?? [name]);
  const [first = []] = words;
  let count = 0;
  while (count < first.length && words.every((each) => each.at(-1 - count) === first.at(-1 - count)))
    count += 1;
  const common = first.slice(first.length - count).join("");
  const others = names.filter((name) => name !== common);
  if (common !== "" && (others.length < names.length || !taken.has(common))) return common;
  if (common !== "" && !taken.has(`${common}Entry`)) return `${common}Entry`;
  return names.toSorted((left, right) => left.length - right.length || (left < right ? -1 : 1))[0] ?? "";
}

function renamed(schema: Spec, names: ReadonlyMap<string, string>): Spec {
  const types = Object.entries(schema["types"] as Record<string, Spec>).map(([token, spec]) => {
    const name = nameOfToken(token);
    return [tokenOf(names.get(name) ?? name), spec] as const;
  });
  const text = JSON.stringify({
    ...schema,
    types: Object.fromEntries(types.toSorted(([left], [right]) => (left < right ? -1 : 1))),
  });
  const reference = /"#\/types\/([^"]+)"/g;
  return JSON.parse(
    text.replaceAll(reference, (whole, token: string) => {
      const name = names.get(nameOfToken(token));
      return name === undefined ? whole : `"#/types/${tokenOf(name)}"`;
    }),
  ) as Spec;
}
