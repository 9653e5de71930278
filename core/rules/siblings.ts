import type { NamedSibling } from "../kinds/index.ts";
import { nameKey } from "../names.ts";
import { nearest } from "../schema/suggest.ts";

/**
 * The mistake in the name of a sibling; undefined if there is such a sibling.
 *
 * @param names those of the siblings of its kind
 * @param otherwise what to do where no other name is meant
 */
export function missingSibling(
  { path, kind, name, output }: NamedSibling,
  names: readonly string[],
  { place, otherwise }: { place: string; otherwise: string },
): { message: string; advice: string } | undefined {
  if (names.some((each) => nameKey(each) === nameKey(name))) return undefined;
  const near = nearest(name, names);
  const written = (each: string) => (output === undefined ? each : `${kind.slug}:${each}`);
  const where = path.length > 1 ? `${path.slice(0, 2).join(".")}: ` : "";
  const others = names.length === 0 ? "" : `, or name one of: ${names.map(written).toSorted().join(", ")}`;
  return {
    message: `${where}there is no ${kind.name} "${name}" in ${place}`,
    advice: near === undefined ? otherwise + others : `did you mean ${written(near)}?`,
  };
}
