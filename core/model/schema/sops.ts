import type { Mistake } from "../../source/mistake.ts";

/** A file that sops decrypts, and the path of a value in it. */
export interface SopsReference {
  file: string;
  /** Keys of mappings and indices of lists. */
  path: (string | number)[];
}

const name = String.raw`[^.#"'\[\]\s]+`;
const quoted = String.raw`\["[^"\\]+"\]`;

/** `FILE#KEY`. */
export const sopsPattern = String.raw`^([^#]+)#((?:${name}|${quoted})(?:\.${name}|\[\d+\]|${quoted})*)$`;

export const sopsAdvice =
  'write FILE#KEY, where KEY is such as database.password, users[0].password or ["db.password"]';

/** Reads `FILE#KEY`: `database.password`, `users[0].password`, and `["db.password"]` for a key with dots. */
export function sopsReference(text: string): SopsReference | undefined {
  const [, file, key] = new RegExp(sopsPattern, "u").exec(text) ?? [];
  if (file === undefined || key === undefined) return undefined;
  const steps = key.matchAll(/\[(?<index>\d+)\]|\["(?<quoted>[^"]+)"\]|(?<name>[^.[]+)/gu);
  const path = [...steps].map(({ groups = {} }) =>
    groups["index"] === undefined ? (groups["quoted"] ?? groups["name"] ?? "") : Number(groups["index"]),
  );
  return { file, path };
}

/** The mistake of a text without a file and key. */
export function sopsMistake(text: string): Mistake | undefined {
  return sopsReference(text)
    ? undefined
    : { message: "does not name a file and a key in it", advice: sopsAdvice };
}

/** The path for the program sops: `["users"][0]["password"]`. */
export function extractPath({ path }: SopsReference): string {
  return path.map((part) => `[${JSON.stringify(part)}]`).join("");
}
