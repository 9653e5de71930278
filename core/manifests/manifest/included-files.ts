import { realpathSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { fromFolder } from "../../files/files.ts";
import { type Fields, isFields, type Json, once, own, setOwn } from "../../values/json.ts";
import type { Problem } from "../../problems/problem.ts";
import { type FieldSchema, hasMembers, memberOf } from "../../model/schema/field-schema.ts";
import { type Mistake, quote } from "../../source/mistake.ts";
import { readFile } from "../../source/read.ts";
import { standInFor } from "../../source/stand-ins.ts";
import { decodeText } from "../../source/text.ts";
import type { PositionedContent } from "./document.ts";
import { codeOf } from "../../values/error-code.ts";

/**
 * Replaces names of files in the folder of the manifest by their texts; names of secret files, which are read later,
 * become relative to the working directory. An unusable file is a problem.
 */
export async function withFilesBeside(
  schema: FieldSchema,
  fields: Fields,
  { position }: PositionedContent,
  beside: FilesBeside | undefined,
  folder: string | undefined,
): Promise<{ fields: Fields; problems: Problem[] }> {
  const problems: Problem[] = [];
  const isConcerned = Object.keys(fields).some((member) => {
    const inside = memberOf(schema, member);
    return inside && namesFiles(inside);
  });
  if (!isConcerned) return { fields, problems };

  async function members(inside: FieldSchema, value: Fields, path: string[]): Promise<Fields> {
    const result: Fields = {};
    for (const [member, inner] of Object.entries(value)) {
      const memberSchema = memberOf(inside, member) ?? {};
      const here = [...path, member];
      const { readsInto } = memberSchema;
      if (memberSchema.besideManifest && typeof inner === "string")
        result[member] = fileBeside(folder, inner, memberSchema.besideManifest);
      else if (readsInto === undefined || typeof inner !== "string")
        setOwn(result, member, await one(memberSchema, inner, here));
      else {
        const read = await textOf(inner, beside, own(inside.properties ?? {}, readsInto)?.maxBytes);
        if ("text" in read) result[readsInto] = read.text;
        else
          problems.push({
            code: "unreadable",
            ...read,
            message: `${quote(inner)} ${read.message}`,
            position: position(here),
          });
      }
    }
    return result;
  }

  const one = async (inside: FieldSchema, value: Json, path: string[]): Promise<Json> =>
    Array.isArray(value) && inside.items
      ? Promise.all(value.map((element) => one(inside.items ?? {}, element, path)))
      : isFields(value) && hasMembers(inside)
        ? members(inside, value, path)
        : value;

  return { fields: await members(schema, fields, []), problems };
}

const namesFiles = once((schema: FieldSchema): boolean => {
  const { properties = {}, entries, items, readsInto, besideManifest } = schema;
  if (readsInto !== undefined || besideManifest !== undefined) return true;
  return [...Object.values(properties), entries, items].some((inner) => inner && namesFiles(inner));
});

/** A name in a folder, relative to the working directory. */
function fileBeside(
  folder: string | undefined,
  name: string,
  form: NonNullable<FieldSchema["besideManifest"]>,
): string {
  if (folder === undefined) return name;
  const [file = "", ...rest] = form === "path" ? [name] : name.split("#");
  return file === "" ? name : [fromFolder(folder, file), ...rest].join("#");
}

async function textOf(
  name: string,
  beside: FilesBeside | undefined,
  maximum = Infinity,
): Promise<{ text: string } | Mistake> {
  if (!beside)
    return {
      message: "cannot be read: the manifest comes from standard input, so there is no folder beside it",
      advice: "write the text itself",
    };
  const bytes = await beside(name);
  if (bytes && "message" in bytes) return bytes;
  if (!bytes || bytes.length > maximum)
    return { message: `is larger than ${maximum} bytes`, advice: "shorten it" };
  // The service gets the file unchanged.
  const decoded = decodeText(bytes, true);
  return "text" in decoded ? (standInFor(decoded.text) ?? decoded) : decoded.mistake;
}

/** Reads the file of that name in the folder of a manifest; undefined if it is too large. */
export type FilesBeside = (name: string) => Promise<Uint8Array | Mistake | undefined>;

/** The mistake of a name that leads out of the folder of the manifest. */
export const outside: Mistake = {
  message: "is outside the folder of the manifest",
  advice: "move the file into it",
};

export const absent: Mistake = {
  message: "does not exist",
  advice: "write the path relative to the folder of the manifest",
};

/** The files beside a manifest on the disk. @param uses counts the reads of each file, by its real path */
export function besideOnDisk(manifest: string, uses: Map<string, number>): FilesBeside {
  return async (name) => {
    try {
      const folder = realpathSync(dirname(manifest));
      const path = realpathSync(resolve(folder, name));
      const way = relative(folder, path);
      if (way.startsWith("..") || isAbsolute(way)) return outside;
      uses.set(path, (uses.get(path) ?? 0) + 1);
      return await readFile(path);
    } catch (error) {
      const code = codeOf(error) ?? "unknown";
      return code === "ENOENT"
        ? absent
        : { message: `cannot be read (${code})`, advice: "name a file that can be read" };
    }
  };
}
