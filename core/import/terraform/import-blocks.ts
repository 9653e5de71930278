import { article } from "../../values/text.ts";
import type { DumpedDocument } from "../live/index.ts";
import { addressOf } from "../../manifests/manifest/index.ts";
import { type ResourceType, typesOfKind } from "./resource-types.ts";

/** Terraform's imports of live resources: `import { to = qovery_job.shop_staging_migrate, id = … }`, or a comment. */
export function importBlocks(documents: readonly DumpedDocument[], organizationId: string): string {
  const taken = new Set<string>();
  const blocks = documents.map((document) => {
    const { kind, name, fields, ids } = document;
    const { names } = addressOf(document);
    const found = typesOfKind(kind).find(({ type }) => type.holds?.(fields) ?? true);
    if (!found || !ids)
      return `# ${kind.name} ${literal(names.join("/"))}: the provider has no such resource`;
    const to = freeName(`${found.name}.${localName(names)}`, taken);
    const id = importId(found.type, { own: ids.own, parent: ids.parent, organization: organizationId, name });
    return `${warning(found)}import {\n  to = ${to}\n  id = ${literal(id)}\n}`;
  });
  return blocks.join("\n\n");
}

/** A comment where an import may fail, or where Terraform may replace the imported resource. */
function warning({ name, type }: { name: string; type: ResourceType }): string {
  const { lostByReplacement: lost, importMayFail } = type;
  if (importMayFail)
    return `# The import of ${article(name)} has no place for the organization, so it may end with 404. If it does, leave this block out:\n# a configuration can name the group by its id.\n`;
  if (lost === undefined) return "";
  return `# Terraform replaces ${article(name)} for any difference, also for an empty description that its block leaves out: ${lost}.\n# Apply only if its plan says "0 to destroy".\n`;
}

function importId(
  { kind, importedBy }: ResourceType,
  { own, parent, organization, name }: Record<"own" | "parent" | "organization" | "name", string>,
): string {
  if (importedBy === "name") return `${kind.parent ? parent : organization},${name}`;
  return kind.parent || importedBy === "id" ? own : `${organization},${own}`;
}

/** A valid name in Terraform: letters, digits, `_` and `-`, and no digit first. */
function localName(names: readonly string[]): string {
  return names
    .join("_")
    .replaceAll(/[^\w-]+/g, "_")
    .replace(/^(?=[\d-])/, "_");
}

function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count += 1) free = `${name}_${count}`;
  taken.add(free);
  return free;
}

/** A text of Terraform without interpolation. */
function literal(text: string): string {
  return JSON.stringify(text).replaceAll(/[$%]\{/g, (sign) => sign.charAt(0) + sign);
}
