import { type Address, formatReference } from "../address.ts";
import { nameKey } from "../names.ts";
import type { Fields } from "../json.ts";
import { ForbiddenError, NotFoundError } from "../api/index.ts";
import { compare } from "../fields/compare.ts";
import { namelessCatalogues, withReferenceNames } from "../fields/references.ts";
import { fieldsIn, type Kind, kindOf, kindOfCatalogue, kindsInside, nameOfLinked } from "../kinds/index.ts";
import {
  type Contents,
  joined,
  kindsOnDemand,
  type LiveResource,
  type LiveReader,
  sameId,
} from "../live/index.ts";
import { type Organization, unknownOrganization } from "../organization.ts";
import { isDefault, listingsOf, ownPartFields, type StatedPart, statedParts } from "../parts/index.ts";
import { nameMistake } from "../schema/formats.ts";
import { withSources } from "../secrets/index.ts";
import { findLive } from "./find.ts";
import { toStated } from "./stated.ts";

/** A live resource as a manifest document. */
export interface DumpedDocument {
  kind: Kind;
  parent: string | undefined;
  name: string;
  fields: Fields;
}

/** The result of a dump. */
export interface Dump {
  documents: DumpedDocument[];
  /** The resources without a manifest. */
  leftOut: LeftOut[];
}

/** A resource that no manifest can describe: of a type that no kind stands for, or with a name that none may have. */
export interface LeftOut {
  address: string;
  name: string;
  type: string;
  why: string;
}

/** What a dump contains beside the usual. */
export interface DumpOptions {
  /**
   * Also the parts that are configuration, as far as they differ from their defaults. Each sort takes one request more
   * for every resource that has it, and most resources have the defaults.
   */
  configuration?: boolean;
}

/**
 * Reads a resource with all that it contains, or the whole organization, as manifests that plan as no changes. An
 * organization takes one request for each of its lists, and one for each list of what is in them, and of parts.
 *
 * @param address the resource; undefined: the whole organization
 */
export async function dump(
  reader: LiveReader,
  organization: Organization,
  address?: Address,
  options: DumpOptions = {},
): Promise<Dump> {
  const context: DumpContext = { ...reader, options, organizationId: organization.id };
  const result: Dump = { documents: [], leftOut: [] };
  if (address) {
    const found = await findLive(context, organization, address);
    await collect(context, found, await siblingsOf(context, found), address.names.slice(0, -1), result);
  } else {
    const projects = await context.live.contentsOf(context.client, undefined, organization.id);
    if (!projects) throw unknownOrganization(organization);
    const beside = await listsBeside(context, organization.id, result);
    await collectAll(context, joined(...beside, projects), [], result);
  }
  return result;
}

/** What the organization contains beside projects. A list that the token may not read, or that the server lacks, is left out. */
function listsBeside(
  { client, live }: LiveReader,
  organizationId: string,
  result: Dump,
): Promise<(Contents | undefined)[]> {
  return Promise.all(
    kindsOnDemand(undefined).map(async (kind) => {
      try {
        return await live.listOf(client, kind, organizationId);
      } catch (error) {
        if (!(error instanceof ForbiddenError) && !(error instanceof NotFoundError)) throw error;
        const why =
          error instanceof ForbiddenError
            ? "the token may not read this list"
            : "the server has no such list";
        result.leftOut.push({ address: `${kind.slug}:*`, name: "*", type: kind.name, why });
        return undefined;
      }
    }),
  );
}

interface DumpContext extends LiveReader {
  /** Undefined: what a resource refers to by an id alone stays an id. */
  organizationId?: string;
  options: DumpOptions;
}

/**
 * Requests that a dump costs of a resource that contains nothing: a list for each level, those of its contents and of
 * its parts, and one of the siblings that it can be linked to.
 */
export function dumpCost({ kind, names }: Address): number {
  const hasLinksOutside = kind.links?.some(({ sibling }) => sibling !== kind.name) === true;
  return (
    names.length +
    (kindsInside(kind).length > 0 ? 1 : 0) +
    kindsOnDemand(kind).length +
    listingsOf("id", dumpedParts(kind, {})).size +
    (hasLinksOutside ? 1 : 0)
  );
}

/** The parts that documents can state whole: none could say where the value of a secret comes from. */
function dumpedParts(kind: Kind, { configuration }: DumpOptions): StatedPart[] {
  return statedParts(kind).filter(
    ({ form, isConfiguration }) => !form.isWriteOnly && (configuration || !isConfiguration),
  );
}

/** The parts of a resource as fields of it, without those that have their defaults. */
async function dumpParts({ client, live, options }: DumpContext, resource: LiveResource): Promise<Fields> {
  const parts = dumpedParts(resource.kind, options);
  const listings = parts.flatMap(({ form }) => form.defaults ?? []);
  const [entries = []] = await Promise.all([
    live.partsOf(client, resource, parts),
    ...listings.map((listing) => live.defaultsAt(client, listing)),
  ]);
  const { defaults } = live.known();
  const fields = ownPartFields(parts, entries);
  return Object.fromEntries(
    parts.map((part) => {
      const all = Object.entries((fields[part.member] ?? {}) as Fields);
      const stated = all.filter(([key, value]) => !isDefault(part, defaults, key, value));
      return [part.member, Object.fromEntries(stated)];
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
): Promise<{ fields: Fields; stated: Fields }> {
  const siblings = await siblingsOf(context, resource);
  return withBelongings({ ...context, options: {} }, resource, statedByLinks(resource, siblings));
}

async function withBelongings(
  context: DumpContext,
  resource: LiveResource,
  links: Fields,
): Promise<{ fields: Fields; stated: Fields }> {
  const { kind, name } = resource;
  const named = await withNames(context, kind, resource.fields);
  const fields = { ...named, ...links, ...(await dumpParts(context, resource)) };
  const stated = withSources(kind.fields, toStated(kind.fields, fields), (path) => ({
    from_env: variableName([kind.slug, name, ...path]),
  }));
  return { fields, stated };
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
        const list = await live.listOf(client, kindOfCatalogue(catalogue), organizationId);
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

/** The name of an environment variable: `GITTOKEN_BOT_TOKEN`. */
function variableName(parts: readonly string[]): string {
  return parts
    .join("_")
    .toUpperCase()
    .replaceAll(/[^A-Z\d]+/g, "_");
}

/** The siblings that a resource can be linked to. */
async function siblingsOf(
  { live, client }: LiveReader,
  { kind, parentId }: LiveResource,
): Promise<LiveResource[]> {
  const lists = await Promise.all(
    (kind.links ?? []).map(({ sibling }) => live.listOf(client, kindOf(sibling), parentId)),
  );
  return lists.flatMap((list) => list?.resources ?? []);
}

async function collect(
  context: DumpContext,
  resource: LiveResource,
  siblings: readonly LiveResource[],
  parentNames: readonly string[],
  result: Dump,
): Promise<void> {
  const { kind, name, id } = resource;
  const names = [...parentNames, name];
  const mistake = nameMistake(name);
  if (mistake) {
    const why = `its name ${mistake.message}`;
    result.leftOut.push({ address: formatReference(names), name, type: kind.name.toUpperCase(), why });
    return;
  }
  const links = statedByLinks(resource, siblings);
  if (isAsMadeWithParent(resource, links)) return;
  result.documents.push({
    kind,
    parent: parentNames.length === 0 ? undefined : formatReference(parentNames),
    name,
    fields: (await withBelongings(context, resource, links)).stated,
  });
  if (kindsInside(kind).length === 0) return;
  const contents = await context.live.allContentsOf(context.client, kind, id);
  if (contents) await collectAll(context, contents, names, result);
}

/**
 * The links of a resource as a document states them.
 *
 * @param which those that a new resource does not have by itself, or all
 */
function statedByLinks(
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

/** Whether a resource is as the server has made it with its parent: then it needs no document. */
function isAsMadeWithParent({ kind, name, fields }: LiveResource, links: Fields): boolean {
  const made = kind.comesWithParent?.(name);
  return (
    made !== undefined &&
    compare(kind.fields, fieldsIn(kind, made), fields).length === 0 &&
    Object.values(links).every(
      (other) => typeof other === "string" && kind.comesWithParent?.(other) !== undefined,
    )
  );
}

async function collectAll(
  context: DumpContext,
  { resources, unknown }: Contents,
  names: readonly string[],
  result: Dump,
): Promise<void> {
  const byName = Map.groupBy(resources, ({ kind, name }) => `${kind.slug} ${nameKey(name)}`);
  const parts = await Promise.all(
    [...byName.values()].map(async ([child, ...twins]) => {
      const part: Dump = { documents: [], leftOut: [] };
      if (child && twins.length > 0) part.leftOut.push(leftOutTwins([child, ...twins], names));
      else if (child) await collect(context, child, resources, names, part);
      return part;
    }),
  );
  for (const part of parts) {
    result.documents.push(...part.documents);
    result.leftOut.push(...part.leftOut);
  }
  for (const service of unknown)
    result.leftOut.push({
      address: formatReference([...names, service.name]),
      name: service.name,
      type: service.type,
      why: "infrasync does not manage this type",
    });
}

/** Several resources with one name are left out: no document could tell them apart. */
function leftOutTwins(twins: [LiveResource, ...LiveResource[]], names: readonly string[]): LeftOut {
  const [{ kind, name }] = twins;
  const ids = twins.map(({ id }) => id).join(" and ");
  return {
    address: formatReference([...names, name]),
    name,
    type: kind.name.toUpperCase(),
    why: `the API has two resources with this name: ${ids}`,
  };
}
