/**
 * Writes the JSON Schemas of the manifests to schemas/; with --check, fails instead when they are not what would be
 * written.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { kinds } from "../core/kinds/index.ts";
import { anyManifestSchema, manifestSchema } from "../core/manifest/index.ts";

const folder = path.join(import.meta.dirname, "..", "schemas");

/** The files of schemas/: name -> text. */
export function schemaFiles(): Map<string, string> {
  const schemas: [string, object][] = [
    ...kinds.map((kind): [string, object] => [kind.slug, manifestSchema(kind)]),
    ["manifest", anyManifestSchema()],
  ];
  return new Map(
    schemas.map(([name, schema]) => [`${name}.schema.json`, `${JSON.stringify(schema, null, 2)}\n`]),
  );
}

function write(files: ReadonlyMap<string, string>): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(path.join(folder, name));
  for (const [name, text] of files) writeFileSync(path.join(folder, name), text);
}

function staleFiles(files: ReadonlyMap<string, string>): string[] {
  const present = readdirSync(folder);
  const changed = [...files].filter(
    ([name, text]) => !present.includes(name) || readFileSync(path.join(folder, name), "utf8") !== text,
  );
  return [...changed.map(([name]) => name), ...present.filter((name) => !files.has(name))];
}

if (import.meta.main) {
  const files = schemaFiles();
  if (process.argv.includes("--check")) {
    const stale = staleFiles(files);
    if (stale.length > 0) {
      console.error(`stale in schemas/: ${stale.join(", ")}; run: npm run generate`);
      process.exitCode = 1;
    }
  } else write(files);
}
