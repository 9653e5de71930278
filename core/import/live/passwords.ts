import { formatAddress } from "../../model/addresses/address.ts";
import { type Kind, kindsInside } from "../../model/kinds/index.ts";
import { KnownCredentials } from "../../redaction/known-credentials.ts";
import type { LiveReader, LiveResource } from "../../state/live/index.ts";
import { mayHavePasswords } from "../../rules/credentials.ts";
import { type DumpedDocument, nameOf } from "./document.ts";

export interface WithPassword {
  kind: Kind;
  id: string;
  /** `database:shop/staging/orders` */
  of: string;
}

/** The passwords of resources in the API: a request each, and none if no document can contain one. */
export async function readPasswords(
  { client, live }: LiveReader,
  documents: readonly DumpedDocument[],
  around: () => Promise<readonly WithPassword[]>,
): Promise<KnownCredentials> {
  if (!documents.some(({ kind, fields }) => mayHavePasswords(kind.fields, fields)))
    return new KnownCredentials([]);
  const own = documents.flatMap((document) =>
    document.ids ? [{ kind: document.kind, id: document.ids.own, of: nameOf(document) }] : [],
  );
  const all = new Map([...(await around()), ...own].map((each) => [each.id, each]));
  const reported = await Promise.all(
    [...all.values()].map(async ({ of, ...each }) => {
      const password = await live.passwordOf(client, each);
      return password ? [{ ...password, of }] : [];
    }),
  );
  return new KnownCredentials(reported.flat());
}

export async function servicesBeside(
  { client, live }: LiveReader,
  { kind, parentId }: LiveResource,
  names: readonly string[],
): Promise<WithPassword[]> {
  const inParent =
    kind.parent && !isParent(kind) ? await live.contentsOf(client, kind.parent, parentId) : undefined;
  return (inParent?.resources ?? []).map((each) => named(each, names.slice(0, -1)));
}

export async function resourcesInside(
  reader: LiveReader,
  { kind, id }: LiveResource,
  names: readonly string[],
): Promise<WithPassword[]> {
  if (!isParent(kind)) return [];
  const { resources = [] } = (await reader.live.contentsOf(reader.client, kind, id)) ?? {};
  const deeper = await Promise.all(
    resources.map((each) => resourcesInside(reader, each, [...names, each.name])),
  );
  return [...resources.map((each) => named(each, names)), ...deeper.flat()];
}

const isParent = (kind: Kind) => kindsInside(kind).length > 0;

function named({ kind, id, name }: LiveResource, around: readonly string[]): WithPassword {
  return { kind, id, of: formatAddress({ kind, names: [...around, name] }) };
}
