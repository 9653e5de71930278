import type { Fields } from "../../json.ts";
import { namelessCatalogues, withReferenceNames } from "../../fields/references.ts";
import { type Kind, kindOf, entryKindOf, nameOfLinked } from "../../kinds/index.ts";
import { withOutputs } from "../../kinds/outputs.ts";
import { type LiveReader, type LiveResource, sameId } from "../../live/index.ts";
import { isDefault, listingKey, ownPartFields, type StatedPart, statedParts } from "../../parts/index.ts";
import { withSources } from "../../secrets/index.ts";
import { type Extent, toStated } from "./stated.ts";

/** A live resource as a manifest document. */
export interface DumpedDocument {
  kind: Kind;
  parent: string | undefined;
  name: string;
  fields: Fields;
  /** The id of the live resource, and that of its parent; absent where it is not live yet. */
  ids?: { own: string; parent: string };
}

/** What a dump contains beside the usual. */
export interface DumpOptions {
  /**
   * Also the parts that are configuration, as far as they differ from their defaults. Each sort takes one request more
   * for every resource that has it, and most resources have the defaults.
   */
  configuration?: boolean;
  /** Which fields with their defaults; default: those that people change on a running resource. */
  extent?: Extent;
}

/** How live resources are read as documents. */
export interface DumpContext extends LiveReader {
  /** Undefined: what a resource refers to by an id alone stays an id. */
  organizationId?: string;
  /** The sorts of parts that a document has. */
  includes: (part: StatedPart) => boolean;
  /** Which fields with their defaults a document states. */
  extent: Extent;
  /** Where the secrets of a resource come from that nobody has named a source for; default: variables with its name. */
  sourcesFor?: typeof sourcesFor;
}

/** The parts that documents can state whole: none could say where the value of a secret comes from. */
export function usualParts({ configuration }: DumpOptions): (part: StatedPart) => boolean {
  return ({ form, isConfiguration }) => !form.isWriteOnly && (configuration === true || !isConfiguration);
}

/** The parts of a resource as fields of it, without those that have their defaults. */
async function dumpParts({ client, live, includes }: DumpContext, resource: LiveResource): Promise<Fields> {
  const parts = statedParts(resource.kind).filter(includes);
  const listings = parts.flatMap(({ form }) => form.defaults ?? []);
  if (parts.length === 0) return {};
  const [entries = [], listed] = await Promise.all([
    live.partsOf(client, resource, parts),
    Promise.all(
      listings.map(async (listing) => [listingKey(listing), await live.defaultsAt(client, listing)] as const),
    ),
  ]);
  // All that the store knows would be copied for each resource.
  const defaults = new Map(listed);
  const fields = ownPartFields(parts, entries);
  return Object.fromEntries(
    parts.flatMap((part) => {
      const all = Object.entries((fields[part.member] ?? {}) as Fields);
      const stated = all.filter(([key, value]) => !isDefault(part, defaults, key, value));
      return stated.length === 0 ? [] : [[part.member, Object.fromEntries(stated)]];
    }),
  );
}

/** The links of a live resource as a document states them, also those that a new resource has by itself. */
export async function linksAsStated(context: LiveReader, resource: LiveResource): Promise<Fields> {
  return statedByLinks(resource, await siblingsOf(context, resource), "all");
}

/** A live resource with its links and its readable parts: all its fields, and those that a document has to state. */
export async function documented(
  context: LiveReader,
  resource: LiveResource,
  extent: Extent = "usual",
): Promise<{ fields: Fields; stated: Fields }> {
  const siblings = await siblingsOf(context, resource);
  return withBelongings(
    { ...context, includes: usualParts({}), extent },
    resource,
    statedByLinks(resource, siblings),
  );
}

/** A live resource with its parts and these links: all its fields, and those that a document has to state. */
export async function withBelongings(
  context: DumpContext,
  resource: LiveResource,
  links: Fields,
): Promise<{ fields: Fields; stated: Fields }> {
  const { kind, name } = resource;
  const named = await withNames(context, kind, resource.fields);
  const parts = withOutputs(
    kind,
    await dumpParts(context, resource),
    await outputSourcesOf(context, resource),
  );
  const fields = { ...named, ...links, ...parts };
  const sources = (context.sourcesFor ?? sourcesFor)(kind, name);
  const stated = withSources(kind.fields, toStated(kind.fields, fields, context.extent), sources);
  return { fields, stated };
}

/** What is beside a resource and has outputs that it can use: in a list that is known already, where the resource was listed. */
async function outputSourcesOf(
  { client, live }: LiveReader,
  { kind, parentId }: LiveResource,
): Promise<LiveResource[]> {
  if (!kind.parent || !statedParts(kind).some(({ form }) => form.takesOutputs)) return [];
  const list = await live.listOf(client, kind, parentId);
  return (list?.resources ?? []).filter((sibling) => sibling.kind.outputs);
}

/** The fields of a response with the names of what it refers to by ids alone: one request for each list. */
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

/** The name of an environment variable: `GITTOKEN_BOT_TOKEN`. */
export function variableName(parts: readonly string[]): string {
  return parts
    .join("_")
    .toUpperCase()
    .replaceAll(/[^A-Z\d]+/g, "_");
}

/** The siblings that a resource can be linked to. */
export async function siblingsOf(
  { live, client }: LiveReader,
  { kind, parentId }: LiveResource,
): Promise<LiveResource[]> {
  const lists = await Promise.all(
    (kind.links ?? []).map(({ sibling }) => live.listOf(client, kindOf(sibling), parentId)),
  );
  return lists.flatMap((list) => list?.resources ?? []);
}

/**
 * The links of a resource as a document states them.
 *
 * @param which those that a new resource does not have by itself, or all
 */
export function statedByLinks(
  { kind, id }: LiveResource,
  siblings: readonly LiveResource[],
  which: "all" | "needed" = "needed",
): Fields {
  return Object.fromEntries(
    (kind.links ?? []).flatMap((link) => {
      const ofKind = siblings.filter((sibling) => sibling.kind.name === link.sibling);
      const name = nameOfLinked(link, id, ofKind);
      return name === undefined || (which === "needed" && link.isImplied(name)) ? [] : [[link.member, name]];
    }),
  );
}
