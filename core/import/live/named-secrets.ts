import { isFields, type Json, own, setOwn } from "../../json.ts";
import type { LiveResource } from "../../live/index.ts";
import { entriesIn, type PartEntry, shareList, statedParts } from "../../parts/index.ts";
import { type DumpContext, type DumpedDocument, sourceOfSecret } from "./document.ts";

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
  const secretsOf = await Promise.all(described.map((each) => readSecrets(context, each)));
  const named = new Set(secretsOf.flatMap((each) => each.named));
  for (const [index, { document, names }] of described.entries())
    for (const { member, key, id, shown } of secretsOf[index]?.own ?? []) {
      if (!named.has(id)) continue;
      const stated = own(document.fields, member);
      setOwn(document.fields, member, {
        ...(isFields(stated) && stated),
        [key]: { ...sourceOfSecret(document.kind, names, key), ...(isFields(shown) && shown) },
      });
    }
}

/** The keys of the secrets of a resource that its document does not state, as far as the lists that a dump reads show them. */
export async function secretsWithoutSource(context: DumpContext, each: DumpedResource): Promise<string[]> {
  const { own: secrets } = await readSecrets(context, each);
  return secrets
    .filter(({ member, key }) => !Object.hasOwn(entriesIn(each.document.fields, member), key))
    .map(({ key }) => key);
}

/** Reads the entries of a resource, also those of sorts that share a list with what a dump has. */
async function readSecrets(
  { client, live, includes, organizationId }: DumpContext,
  { resource }: DumpedResource,
): Promise<{ own: { member: string; key: string; id: Json; shown: Json }[]; named: Json[] }> {
  const all = statedParts(resource.kind);
  const read = all.filter(includes);
  const parts = all.filter((part) => read.some((other) => shareList(part, other)));
  return live.recalled(client, organizationId, resource, parts, {}, (entries = []) => ({
    own: entries.flatMap(({ part: { member, form }, key, isOwn, response }) =>
      isOwn && form?.isWriteOnly && member !== undefined
        ? [{ member, key, id: response["id"] ?? "", shown: form.statedAs(response) }]
        : [],
    ),
    named: secretsNamedIn(entries),
  }));
}

/** The ids of the secrets that other entries of a resource name. */
function secretsNamedIn(entries: readonly PartEntry[]): Json[] {
  const secrets = entries.filter(({ part }) => part.form?.isWriteOnly);
  return entries
    .filter(({ isOwn, part }) => isOwn && !part.form?.isWriteOnly)
    .flatMap(({ part, response }) =>
      secrets
        .filter((secret) => part.form?.goesWith?.(response, secret.response))
        .map((secret) => secret.response["id"] ?? ""),
    );
}
