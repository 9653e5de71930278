import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { writeWhole } from "../../core/files.ts";
import { ensureWritable } from "../../core/writable.ts";
import { findKind, kinds } from "../../core/kinds/index.ts";
import { anyManifestSchema, manifestSchema } from "../../core/manifest/index.ts";
import { nearest } from "../../core/schema/suggest.ts";
import { escapeControl } from "../../core/text.ts";
import type { Console } from "../console.ts";
import { exitCodes } from "../exit-codes.ts";
import { CommandError } from "../failure.ts";

/** `infrasync schema`: the JSON Schemas that editors check manifests with. */
export async function schema(
  kindName: string | undefined,
  { out }: { out?: string },
  console: Console,
): Promise<number> {
  const kind = kindName === undefined ? undefined : findKind(kindName);
  if (kindName !== undefined && !kind) {
    const slugs = kinds.map(({ slug }) => slug);
    const near = nearest(kindName, slugs);
    throw new CommandError("usage", exitCodes.invalid, {
      message: `there is no kind "${kindName}"`,
      advice: near === undefined ? `there are: ${slugs.join(", ")}` : `did you mean ${near}?`,
    });
  }
  if (out === undefined) {
    console.document(kind ? manifestSchema(kind) : anyManifestSchema());
    return exitCodes.done;
  }
  const files = [
    ...(kind ? [] : [{ name: "manifest.schema.json", content: anyManifestSchema() }]),
    ...(kind ? [kind] : kinds).map((one) => ({
      name: `${one.slug}.schema.json`,
      content: manifestSchema(one),
    })),
  ];
  for (const { name } of files) await ensureWritable(join(out, name), true);
  await mkdir(out, { recursive: true });
  for (const { name, content } of files) {
    await writeWhole(join(out, name), `${JSON.stringify(content, undefined, 2)}\n`);
  }
  if (console.json) console.document({ ok: true, files: files.map(({ name }) => join(out, name)) });
  else console.note(`Written to ${escapeControl(out)}: ${files.map(({ name }) => name).join(", ")}.`);
  return exitCodes.done;
}
