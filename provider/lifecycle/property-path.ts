import type { Json } from "../../core/values/json.ts";
import type { Kind } from "../../core/model/kinds/index.ts";
import { everything } from "../../core/rules/ignored-fields.ts";
import type { FieldSchema } from "../../core/model/schema/field-schema.ts";
import type { Path } from "../../core/source/mistake.ts";
import { camelCase } from "./casing.ts";

// Paths as Pulumi writes them: `source.image.tag`, `ports[0].internalPort`, `ports[*].internalPort`,
// `variables["app.port"]`.

/** Keys with a character that Pulumi reads as a separator are in brackets and quotes. */
export function formatPropertyPath(path: Path): string {
  return path
    .map((part, index) => {
      if (typeof part === "number") return `[${part}]`;
      if (!/^[^.[\]"]+$/.test(part)) return `["${part.replaceAll(/[\\"]/g, String.raw`\$&`)}"]`;
      return index === 0 ? part : `.${part}`;
    })
    .join("");
}

/** `*` stands for all members or elements. */
export function parsePropertyPath(text: string): Path {
  const parts = text.matchAll(/\["(?<quoted>(?:\\.|[^"\\])*)"\]|\[(?<index>\d+)\]|(?<key>[^.[\]]+)/g);
  return [...parts].map(({ groups = {} }) => {
    const { quoted, index, key = "" } = groups;
    if (index !== undefined) return Number(index);
    return quoted?.replaceAll(/\\(.)/g, "$1") ?? key;
  });
}

/** The option `ignoreChanges` of a resource as paths of its fields in manifest form. */
export function ignoredPaths(kind: Kind, option: Json | undefined): Path[] {
  const texts = Array.isArray(option) ? option.filter((text) => typeof text === "string") : [];
  return texts.map((text) => fieldPath(kind.fields, parsePropertyPath(text)));
}

function fieldPath(schema: FieldSchema, [part, ...inside]: Path): Path {
  if (part === undefined) return [];
  if (typeof part === "number" || part === everything) {
    // Entries that programs declare in a list have no indices in manifest form, so the path means all of them.
    return schema.keyedBy ? [] : [part, ...fieldPath(schema.items ?? schema.entries ?? {}, inside)];
  }
  const [member, inner] = Object.entries(schema.properties ?? {}).find(
    ([name]) => camelCase(name) === part,
  ) ?? [part, schema.entries ?? {}];
  return [member, ...fieldPath(inner, inside)];
}
