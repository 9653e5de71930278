import type { Path } from "../../core/source/mistake.ts";

/*
 * Paths as Pulumi writes them: `source.image.tag`, `ports[0].internalPort`, `ports[*].internalPort`, `variables["app.port"]`.
 */

/** A path as Pulumi reads it: a key with a character that Pulumi reads as a separator is in brackets and quotes. */
export function formatPropertyPath(path: Path): string {
  return path
    .map((part, index) => {
      if (typeof part === "number") return `[${part}]`;
      if (!/^[^.[\]"]+$/.test(part)) return `["${part.replaceAll(/[\\"]/g, String.raw`\$&`)}"]`;
      return index === 0 ? part : `.${part}`;
    })
    .join("");
}

/** Reads a path that Pulumi has written; `*` stands for all members or elements. */
export function parsePropertyPath(text: string): Path {
  const parts = text.matchAll(/\["(?<quoted>(?:\\.|[^"\\])*)"\]|\[(?<index>\d+)\]|(?<key>[^.[\]]+)/g);
  return [...parts].map(({ groups = {} }) => {
    const { quoted, index, key = "" } = groups;
    if (index !== undefined) return Number(index);
    return quoted?.replaceAll(/\\(.)/g, "$1") ?? key;
  });
}
