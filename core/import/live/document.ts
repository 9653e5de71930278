import { formatReference, parseReference } from "../../model/addresses/address.ts";
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
  statedParts,
} from "../../model/parts/index.ts";
import { withSources } from "../../secrets/index.ts";
import { type Extent, toStated } from "../../model/fields/declared-fields.ts";

/** A live resource as a manifest document. */
export interface DumpedDocument {
  kind: Kind;
  parent: string | undefined;
  name: string;
  fields: Fields;
  /** The id of the live resource, and that of its parent; absent where it is not live yet. */
  ids?: { own: string; parent: string };
}

/** `database:shop/staging/orders`. */
export function nameOf({ kind, parent, name }: Pick<DumpedDocument, "kind" | "parent" | "name">): string {
  return `${kind.slug}:${formatReference([...(parent === undefined ? [] : parseReference(parent)), name])}`;
}

/** Options for the contents of a dump. */
export interface DumpOptions {
  /**
   * Also the parts that are configuration, as far as they differ from their defaults. Each sort takes one request more
   * for every resource that has it, and most resources have the defaults.
   */
  configuration?: boolean;
  /** Only the projects of the organization, with their contents. */
  projectsOnly?: boolean;
  /** Also the keys of secrets, without a source of their values: no manifest may say that. */
  secretKeys?: boolean;
  /** Nothing else needs what the dump reads, so that its memory is free as soon as the documents are made. */
  isAlone?: boolean;
  /** Which fields with their defaults; default: those that people change on a running resource. */
  extent?: Extent;
}

/** Options for reading live resources as documents. */
export interface DumpContext extends LiveReader {
  /** Undefined leaves ids without a name as they are, and remembers nothing. */
  organizationId?: string;
  includes: (part: DeclaredPart) => boolean;
  /** Which fields with their defaults a document states. */
  extent: Extent;
  /** Where the secrets of a resource come from that nobody has named a source for; default: variables with its name. */
  sourcesFor?: typeof sourcesFor;
}

/** The sorts of parts that a dump states. By default without secrets, because it does not know the sources of their values. */
export function usualParts({ configuration, secretKeys }: DumpOptions): (part: DeclaredPart) => boolean {
  return ({ form, isConfiguration }) =>
    (secretKeys === true || !form.isWriteOnly) &&
    (configuration === true || !isConfiguration || form.isSingle === true);
}

/** The parts of a resource as fields of it, without those that have their defaults. */
async function dumpParts(
  { client, live, includes, organizationId }: DumpContext,
  resource: LiveResource,
  sources: readonly LiveResource[],
): Promise<Fields> {
  const parts = statedParts(resource.kind).filter(includes);
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
  // All that the store knows would be copied for each resource.
  const defaults = new Map(listed);
  return Object.fromEntries(
    parts.flatMap((part) => {
      const all = Object.entries(entriesIn(fields, part.member));
      const stated = all.filter(([key, value]) => !isDefault(part, defaults, key, value));
      return stated.length === 0 ? [] : fieldOf(part, Object.fromEntries(stated));
    }),
  );
}

/** A live resource with its readable parts: all its fields, and those that a document has to state. */
export async function documented(
  context: LiveReader,
  resource: LiveResource,
  extent: Extent = "usual",
): Promise<{ fields: Fields; stated: Fields }> {
  return withBelongings({ ...context, includes: usualParts({}), extent }, resource);
}

/** A live resource with its parts: all its fields, and those that a document has to state. */
export async function withBelongings(
  context: DumpContext,
  resource: LiveResource,
): Promise<{ fields: Fields; stated: Fields }> {
  const { kind, name } = resource;
  const named = await withNames(context, kind, resource.fields);
  const parts = await dumpParts(context, resource, await outputSourcesOf(context, resource));
  const fields = { ...named, ...parts };
  const sources = (context.sourcesFor ?? sourcesFor)(kind, name);
  const stated = withSources(kind.fields, toStated(kind.fields, fields, context.extent), sources, "hidden");
  return { fields, stated };
}

/** The siblings whose outputs a resource can use, from a list that is known already if the resource was listed. */
async function outputSourcesOf(
  { client, live }: LiveReader,
  { kind, parentId }: LiveResource,
): Promise<LiveResource[]> {
  if (!kind.parent || !statedParts(kind).some(({ form }) => form.takesOutputs)) return [];
  const list = await live.listOf(client, kind, parentId);
  return (list?.resources ?? []).filter((sibling) => sibling.kind.outputs);
}

/** The fields of a response with names in the place of ids: one request for each list. */
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

/** Where the secrets of a resource come from that nobody has named a source for: from variables with its name. */
export function sourcesFor({ slug }: Kind, name: string): (path: readonly string[]) => Fields {
  return (path) => ({ from_env: variableName([slug, name, ...path]) });
}

/** Where the value of a secret of a resource comes from that nobody has named a source for. */
export function sourceOfSecret({ slug }: Kind, names: readonly string[], key: string): Fields {
  return { from_env: variableName([...names.slice(0, -1), slug, ...names.slice(-1), key]) };
}

/** The name of an environment variable: `GITTOKEN_BOT_TOKEN`. */
function variableName(parts: readonly string[]): string {
  return parts
    .join("_")
    .toUpperCase()
    .replaceAll(/[^A-Z\d]+/g, "_");
}
