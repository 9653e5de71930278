import { formatAddress } from "../../model/addresses/address.ts";
import { addressOf, type ManifestDocument } from "../../manifests/manifest/index.ts";
import type { Fields } from "../../values/json.ts";
import { namelessCatalogues, withReferenceNames } from "../../model/fields/references.ts";
import { type Kind, entryKindOf, withOutputs } from "../../model/kinds/index.ts";
import { type LiveReader, type LiveResource, sameId } from "../../state/live/index.ts";
import {
  entriesIn,
  fieldOf,
  isDefault,
  listingKey,
  ownPartFields,
  type DeclaredPart,
  declaredParts,
} from "../../model/parts/index.ts";
import { withSources } from "../../secrets/index.ts";
import { type Extent, toDeclared } from "../../model/fields/declared-fields.ts";

/** A live resource as a manifest document. */
export interface DumpedDocument extends Pick<ManifestDocument, "kind" | "parent" | "name" | "fields"> {
  /** The ids of the live resource and its parent; absent: it is not live yet. */
  ids?: { own: string; parent: string };
}

/** `database:shop/staging/orders`. */
export function nameOf(document: Pick<DumpedDocument, "kind" | "parent" | "name">): string {
  return formatAddress(addressOf(document));
}

/** Options for the contents of a dump. */
export interface DumpOptions {
  /** Also the configuration that differs from defaults: each sort takes a request for every resource that has it. */
  configuration?: boolean;
  /** Only the projects of the organization, with their contents. */
  projectsOnly?: boolean;
  /** Also the keys of secrets, without the sources that a manifest needs. */
  secretKeys?: boolean;
  /** Nothing else needs the reads of the dump, so their memory is freed once the documents are made. */
  isAlone?: boolean;
  /** Which default values to declare; default: those that people change on a running resource. */
  extent?: Extent;
}

export interface DumpContext extends LiveReader {
  /** Undefined: ids without a name stay, and nothing is cached. */
  organizationId?: string;
  includes: (part: DeclaredPart) => boolean;
  /** Which default values a document declares. */
  extent: Extent;
  /** The default sources of secrets; default: environment variables with the name of the resource. */
  sourcesFor?: typeof sourcesFor;
}

/** The dumped sorts of parts. By default without secrets, because the sources of their values are unknown. */
export function usualParts({ configuration, secretKeys }: DumpOptions): (part: DeclaredPart) => boolean {
  return ({ form, isConfiguration }) =>
    (secretKeys === true || !form.isWriteOnly) &&
    (configuration === true || !isConfiguration || form.isSingle === true);
}

/** The parts of a resource as fields, without those that have their defaults. */
async function dumpParts(
  { client, live, includes, organizationId }: DumpContext,
  resource: LiveResource,
  sources: readonly LiveResource[],
): Promise<Fields> {
  const parts = declaredParts(resource.kind).filter(includes);
  const listings = parts.flatMap(({ form }) => form.defaults ?? []);
  if (parts.length === 0) return {};
  const [fields, listed] = await Promise.all([
    live.recalled(client, organizationId, resource, parts, {}, (entries = []) =>
      withOutputs(resource.kind, ownPartFields(parts, entries), sources, entries),
    ),
    Promise.all(
      listings.map(async (listing) => [listingKey(listing), await live.defaultsAt(client, listing)] as const),
    ),
  ]);
  // Not the whole store, which would be copied for each resource.
  const defaults = new Map(listed);
  return Object.fromEntries(
    parts.flatMap((part) => {
      const all = Object.entries(entriesIn(fields, part.member));
      const declared = all.filter(([key, value]) => !isDefault(part, defaults, key, value));
      return declared.length === 0 ? [] : fieldOf(part, Object.fromEntries(declared));
    }),
  );
}

/** A live resource with its readable parts: all its fields, and those that a document needs. */
export async function documented(
  context: LiveReader,
  resource: LiveResource,
  extent: Extent = "usual",
): Promise<{ fields: Fields; declared: Fields }> {
  return withBelongings({ ...context, includes: usualParts({}), extent }, resource);
}

/** A live resource with its parts: all its fields, and those that a document needs. */
export async function withBelongings(
  context: DumpContext,
  resource: LiveResource,
): Promise<{ fields: Fields; declared: Fields }> {
  const { kind, name } = resource;
  const named = await withNames(context, kind, resource.fields);
  const parts = await dumpParts(context, resource, await outputSourcesOf(context, resource));
  const fields = { ...named, ...parts };
  const sources = (context.sourcesFor ?? sourcesFor)(kind, name);
  const declared = withSources(
    kind.fields,
    toDeclared(kind.fields, fields, context.extent),
    sources,
    "hidden",
  );
  return { fields, declared };
}

/** The siblings whose outputs a resource can use, from a list that is known if the resource was listed. */
async function outputSourcesOf(
  { client, live }: LiveReader,
  { kind, parentId }: LiveResource,
): Promise<LiveResource[]> {
  if (!kind.parent || !declaredParts(kind).some(({ form }) => form.takesOutputs)) return [];
  const list = await live.listOf(client, kind, parentId);
  return (list?.resources ?? []).filter((sibling) => sibling.kind.outputs);
}

/** The fields of a response with names in place of ids: one request for each list. */
async function withNames(
  { client, live, organizationId }: DumpContext,
  kind: Kind,
  fields: Fields,
): Promise<Fields> {
  if (organizationId === undefined) return fields;
  const lists = new Map(
    await Promise.all(
      namelessCatalogues(kind.fields, fields).map(async (catalogue) => {
        const list = await live.listOf(client, entryKindOf(catalogue), organizationId);
        return [catalogue, list?.resources ?? []] as const;
      }),
    ),
  );
  return withReferenceNames(
    kind.fields,
    fields,
    (catalogue, id) => lists.get(catalogue)?.find((each) => sameId(each.id, id))?.name,
  );
}

/** The default sources of the secrets of a resource: environment variables with its name. */
export function sourcesFor({ slug }: Kind, name: string): (path: readonly string[]) => Fields {
  return (path) => ({ from_env: variableName([slug, name, ...path]) });
}

/** The default source of a secret. */
export function sourceOfSecret({ slug }: Kind, names: readonly string[], key: string): Fields {
  return { from_env: variableName([...names.slice(0, -1), slug, ...names.slice(-1), key]) };
}

/** `GITTOKEN_BOT_TOKEN`. */
function variableName(parts: readonly string[]): string {
  return parts
    .join("_")
    .toUpperCase()
    .replaceAll(/[^A-Z\d]+/g, "_");
}
