// Writes the tables that pages include only on the site, outside Git, to .cache/site/.
import { mkdirSync } from "node:fs";
import path from "node:path";
import { makeChecks } from "../checks.ts";
import { replaceFile } from "../generated-files.ts";

await makeChecks();
const { operationsTable, unservedTable } = await import("../docs/emulator-reference.ts");
const { jsonTables } = await import("../docs/json-reference.ts");
const { resourceTables } = await import("../docs/pulumi-reference.ts");

const folder = ".cache/site";
mkdirSync(path.join(import.meta.dirname, "../..", folder, "resources"), { recursive: true });
for (const [name, text] of Object.entries({
  ...jsonTables(),
  operations: operationsTable(),
  "unserved operations": unservedTable(),
}))
  replaceFile(`${folder}/${name.replaceAll(" ", "-")}.md`, `${text}\n`);
for (const [page, text] of resourceTables()) replaceFile(`${folder}/resources/${page}`, `${text}\n`);
