import { type Fields, isFields, own, setOwn } from "../../json.ts";
import type { LiveResource } from "../../live/index.ts";
import { type PartEntry, shareList, statedParts } from "../../parts/index.ts";
import { type DumpContext, type DumpedDocument, variableName } from "./document.ts";

/** A document, and the live resource that it describes. */
export interface DumpedResource {
  document: DumpedDocument;
  resource: LiveResource;
  names: readonly string[];
}

/**
 * States the secrets that other entries of the documents name, such as those of aliases, each with a source: without them,
 * nobody could apply the documents elsewhere. Sends no request, as the lists of the entries have been read.
 */
export async function stateNamedSecrets(
  context: DumpContext,
  described: readonly DumpedResource[],
): Promise<void> {
  const listed = await Promise.all(described.map((each) => entriesOf(context, each)));
  const named = new Set(listed.flatMap((entries) => secretsNamedIn(entries)));
  for (const [index, { document, names }] of described.entries())
    for (const { part, key, isOwn, response } of listed[index] ?? []) {
      if (!isOwn || !part.form?.isWriteOnly || !named.has(response["id"] ?? "")) continue;
      const stated = own(document.fields, part.member);
      const source = {
        from_env: variableName([...names.slice(0, -1), document.kind.slug, ...names.slice(-1), key]),
      };
      const shown = part.form.statedAs(response);
      setOwn(document.fields, part.member, {
        ...(isFields(stated) && stated),
        [key]: { ...source, ...(isFields(shown) && shown) },
      });
    }
}

/** The entries of a resource, also those of sorts that share a list with what a dump has. */
async function entriesOf(
  { client, live, includes }: DumpContext,
  { resource }: DumpedResource,
): Promise<readonly PartEntry[]> {
  const all = statedParts(resource.kind);
  const read = all.filter(includes);
  const parts = all.filter((part) => read.some((other) => shareList(part, other)));
  return parts.length === 0 ? [] : ((await live.partsOf(client, resource, parts)) ?? []);
}

/** The ids of the secrets that other entries of a resource name. */
function secretsNamedIn(entries: readonly PartEntry[]): Fields[string][] {
  const secrets = entries.filter(({ part }) => part.form?.isWriteOnly);
  return entries
    .filter(({ isOwn, part }) => isOwn && !part.form?.isWriteOnly)
    .flatMap(({ part, response }) =>
      secrets
        .filter((secret) => part.form?.goesWith?.(response, secret.response))
        .map((secret) => secret.response["id"] ?? ""),
    );
}
