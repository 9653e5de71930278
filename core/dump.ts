import { type Address, describeAddress, formatReference, nameKey } from "./address.ts";
import { compare } from "./fields/compare.ts";
import { type Fields, isFields, type Json, own } from "./json.ts";
import { type FieldSchema, type Kind, kindsInside } from "./kinds/index.ts";
import type { Contents, LiveResource } from "./live/index.ts";
import { nameFault } from "./schema/formats.ts";
import { type Organization, unknownOrganization } from "./organization.ts";
import { InvalidInputError } from "./problem.ts";
import type { OperationContext } from "./steps/index.ts";

/** What is read with, and where it is kept. */
type Reading = Pick<OperationContext, "client" | "live">;

/** A live resource as a manifest document. */
export interface DumpedDocument {
  kind: Kind;
  parent: string | undefined;
  name: string;
  fields: Fields;
}

/** What a dump gives. */
export interface Dump {
  documents: DumpedDocument[];
  /** What has no manifest. */
  leftOut: LeftOut[];
}

/** A resource that no manifest can describe: of a type that no kind stands for, or with a name that none may have. */
export interface LeftOut {
  address: string;
  name: string;
  type: string;
  why: string;
}

/**
 * Reads a resource with all that it holds, or all that the organization holds, as manifests that plan as no changes.
 * The whole of an organization takes one request for its projects, and one for each project and environment.
 */
export async function dump(context: Reading, organization: Organization, address?: Address): Promise<Dump> {
  const result: Dump = { documents: [], leftOut: [] };
  if (address) {
    const found = await findLive(context, organization, address);
    await collect(context, found, address.names.slice(0, -1), result);
  } else {
    const projects = await context.live.contentsOf(context.client, undefined, organization.id);
    if (!projects) throw unknownOrganization(organization);
    await collectAll(context, projects, [], result);
  }
  return result;
}

/** Requests that a dump of a resource costs that holds services, or nothing: a list for each level. */
export function dumpCost({ kind, names }: Address): number {
  return names.length + (kindsInside(kind).length > 0 ? 1 : 0);
}

/** The live resource of an address, found from the organization down. Throws when there is none, saying what there is. */
export async function findLive(
  context: Reading,
  organization: Organization,
  address: Address,
): Promise<LiveResource> {
  const chain: Kind[] = [];
  for (let kind: Kind | undefined = address.kind; kind; kind = kind.parent) chain.unshift(kind);
  let parent: LiveResource | undefined;
  for (const [depth, kind] of chain.entries()) {
    const name = address.names[depth] ?? "";
    const children = await context.live.contentsOf(
      context.client,
      parent?.kind,
      parent?.id ?? organization.id,
    );
    parent = oneNamed(children, { kind, names: address.names.slice(0, depth + 1) }, name);
  }
  if (!parent) throw new TypeError("an address names at least one resource");
  return parent;
}

function oneNamed(children: Contents | undefined, address: Address, name: string): LiveResource {
  const candidates = children?.resources.filter(({ kind }) => kind === address.kind) ?? [];
  const [first, second] = candidates.filter((resource) => nameKey(resource.name) === nameKey(name));
  if (first && !second) return first;
  const names = candidates.map((resource) => resource.name).toSorted();
  throw new InvalidInputError([
    second
      ? {
          message: `the API holds two of ${describeAddress(address)}: ${first?.id} and ${second.id}`,
          advice: "delete or rename one of them",
        }
      : {
          message: `${describeAddress(address)} does not exist`,
          advice:
            names.length === 0
              ? `there is no ${address.kind.name} at that place`
              : `there are: ${names.join(", ")}`,
        },
  ]);
}

async function collect(
  context: Reading,
  resource: LiveResource,
  holderNames: readonly string[],
  result: Dump,
): Promise<void> {
  const { kind, name, id } = resource;
  const names = [...holderNames, name];
  const fault = nameFault(name);
  if (fault) {
    const why = `its name ${fault.message}`;
    result.leftOut.push({ address: formatReference(names), name, type: kind.name.toUpperCase(), why });
    return;
  }
  result.documents.push({
    kind,
    parent: holderNames.length === 0 ? undefined : formatReference(holderNames),
    name,
    fields: toStated(kind.fields, resource.fields),
  });
  if (kindsInside(kind).length === 0) return;
  const children = await context.live.contentsOf(context.client, kind, id);
  if (children) await collectAll(context, children, names, result);
}

async function collectAll(
  context: Reading,
  { resources, unknown }: Contents,
  names: readonly string[],
  result: Dump,
): Promise<void> {
  const byName = Map.groupBy(resources, ({ kind, name }) => `${kind.slug} ${nameKey(name)}`);
  const parts = await Promise.all(
    [...byName.values()].map(async ([child, ...twins]) => {
      const part: Dump = { documents: [], leftOut: [] };
      if (child && twins.length > 0) part.leftOut.push(leftOutTwins([child, ...twins], names));
      else if (child) await collect(context, child, names, part);
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

/** No document could tell which of them it means. */
function leftOutTwins(twins: [LiveResource, ...LiveResource[]], names: readonly string[]): LeftOut {
  const [{ kind, name }] = twins;
  const ids = twins.map(({ id }) => id).join(" and ");
  return {
    address: formatReference([...names, name]),
    name,
    type: kind.name.toUpperCase(),
    why: `the API holds two of that name: ${ids}`,
  };
}

/** The fields as a person would state them: references by name, no ids of elements, nothing that goes without saying. */
export function toStated(schema: FieldSchema, fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([member, memberSchema]) => {
      const value = own(fields, member);
      if (value === undefined || isImplied(member, memberSchema, value)) return [];
      return [[member, statedValue(memberSchema, value)]];
    }),
  );
}

/** Whether a creation without the field gives it that value. */
function isImplied(member: string, schema: FieldSchema, value: Json): boolean {
  const { default: fallback, generated } = schema;
  if (generated !== undefined && typeof value === "string") return new RegExp(generated).test(value);
  return (
    fallback !== undefined &&
    compare({ properties: { [member]: schema } }, {}, { [member]: value }).length === 0
  );
}

function statedValue(schema: FieldSchema, value: Json): Json {
  if (schema.opaque) return value;
  if (schema.reference !== undefined && isFields(value)) return value["name"] ?? value["id"] ?? null;
  if (schema.properties && isFields(value)) return toStated(schema, value);
  const { items } = schema;
  if (items && Array.isArray(value)) return value.map((element) => statedValue(items, element));
  return value;
}
