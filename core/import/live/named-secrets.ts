import { addressOf } from "../../manifests/manifest/index.ts";
import { isFields, type Json, own, setOwn } from "../../values/json.ts";
import type { LiveResource } from "../../state/live/index.ts";
import { entriesIn, type PartEntry, shareList, declaredParts } from "../../model/parts/index.ts";
import { type DumpContext, type DumpedDocument, sourceOfSecret } from "./document.ts";

/** A document, the secrets of its resource, and the ids of secrets to which other entries of the resource refer. */
export interface DumpedResource {
  document: DumpedDocument;
  secrets: readonly { member: string; key: string; id: Json; shown: Json }[];
  named: readonly Json[];
}

/** Declares the secrets to which other entries refer, each with a source: otherwise the documents could not be applied elsewhere. */
export function declareNamedSecrets(documents: readonly DumpedResource[]): void {
  const all = new Set(documents.flatMap(({ named }) => named));
  for (const { document, secrets } of documents)
    for (const { member, key, id, shown } of secrets) {
      if (!all.has(id)) continue;
      const declared = own(document.fields, member);
      const { names } = addressOf(document);
      setOwn(document.fields, member, {
        ...(isFields(declared) && declared),
        [key]: { ...sourceOfSecret(document.kind, names, key), ...(isFields(shown) && shown) },
      });
    }
}

/** The keys of undeclared secrets of a resource in the lists that a dump reads. */
export function secretsWithoutSource({ document, secrets }: DumpedResource): string[] {
  return secrets
    .filter(({ member, key }) => !Object.hasOwn(entriesIn(document.fields, member), key))
    .map(({ key }) => key);
}

/** Reads the entries of a resource, also those that share a list with dumped ones: no request if known. */
export async function readSecrets(
  { client, live, includes, organizationId }: DumpContext,
  resource: LiveResource,
): Promise<Omit<DumpedResource, "document">> {
  const all = declaredParts(resource.kind);
  const read = all.filter(includes);
  const parts = all.filter((part) => read.some((other) => shareList(part, other)));
  return live.recalled(client, organizationId, resource, parts, {}, (entries = []) => ({
    secrets: entries.flatMap(({ part: { member, form }, key, isOwn, response }) =>
      isOwn && form?.isWriteOnly && member !== undefined
        ? [{ member, key, id: response["id"] ?? "", shown: form.declaredAs(response) }]
        : [],
    ),
    named: secretsNamedIn(entries),
  }));
}

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
