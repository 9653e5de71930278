import type { NamedSibling } from "../model/kinds/index.ts";
import { nameKey } from "../model/addresses/names.ts";
import type { Help, Remedy } from "../problems/remedy.ts";
import { field, type Message, say, type Term } from "../problems/say.ts";
import { nearest } from "../model/schema/suggest.ts";

/** The mistake in a sibling's name; undefined: it exists. @param names those of the siblings of its kind */
export function missingSibling(
  { path, kind, name, output }: NamedSibling,
  names: readonly string[],
  place: Term | string,
): { message: Message; help: Help } | undefined {
  if (names.some((each) => nameKey(each) === nameKey(name))) return undefined;
  const near = nearest(name, names);
  const written = (each: string) => (output === undefined ? each : `${kind.slug}:${each}`);
  const where = path.length > 1 ? say`${field(path.slice(0, 2))}: ` : "";
  const others = names.map(written).toSorted();
  return {
    message: say`${where}there is no ${kind.name} "${name}" in ${place}${{ ofDocuments: ", and no document declares one" }}`,
    help:
      near === undefined
        ? { remedies: [{ declare: "missing" }, ...(others.length === 0 ? [] : [another(others)])] }
        : { advice: `did you mean ${written(near)}?` },
  };
}

const another = (names: readonly string[]): Remedy => ({ declare: "another", names });
