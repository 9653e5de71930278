import { inSentence } from "../../values/text.ts";
import PQueue from "p-queue";
import { type Address, formatReference } from "../../model/addresses/address.ts";
import { ForbiddenError, NotFoundError } from "../../api/index.ts";
import { compare } from "../../model/fields/compare.ts";
import type { Fields } from "../../values/json.ts";
import { fieldsIn, kindsInside } from "../../model/kinds/index.ts";
import {
  type Contents,
  joined,
  kindsOnDemand,
  type LiveReader,
  type LiveResource,
} from "../../state/live/index.ts";
import { addressOf } from "../../manifests/manifest/index.ts";
import { credentialIn, valueWithoutCredentials } from "../../redaction/credential-forms.ts";
import type { KnownCredentials } from "../../redaction/known-credentials.ts";
import { nameKey } from "../../model/addresses/names.ts";
import { type Organization, unknownOrganization } from "../../state/organization.ts";
import { listingsOf, partFields, declaredParts } from "../../model/parts/index.ts";
import { nameMistake } from "../../model/schema/format.ts";
import {
  type DumpContext,
  type DumpedDocument,
  type DumpOptions,
  nameOf,
  usualParts,
  withBelongings,
} from "./document.ts";
import { findLive } from "./find.ts";
import {
  type DumpedResource,
  readSecrets,
  secretsWithoutSource,
  declareNamedSecrets,
} from "./named-secrets.ts";
import { mentionsIn } from "./mentions.ts";
import { readPasswords, servicesBeside } from "./passwords.ts";
import { withSecretsInPlace } from "./secret-sources.ts";
import { withoutRefused } from "./writable.ts";

/** The result of a dump. */
export interface Dump {
  documents: DumpedDocument[];
  /** The resources without a manifest. */
  leftOut: SkippedItem[];
  /** The credentials that the server has shown. */
  credentials?: KnownCredentials;
}

/** A live resource, field or secret that no manifest can declare. */
export interface SkippedItem {
  address: string;
  name: string;
  type: string;
  why: string;
  /** The manifest of the resource exists, but lacks this. */
  isPart?: true;
  /** The manifest contains it; a person should change it. */
  isWritten?: true;
}

/** Reads a resource with its contents, or the whole organization, as manifests that plan no changes. */
export async function dump(
  reader: LiveReader,
  organization: Organization,
  address?: Address,
  options: DumpOptions = {},
): Promise<Dump> {
  const context: DumpState = {
    ...reader,
    includes: usualParts(options),
    extent: options.extent ?? "usual",
    organizationId: organization.id,
    declared: [],
    isAlone: options.isAlone === true,
  };
  const result: Dump = { documents: [], leftOut: [] };
  await reader.live.complete(reader.client, organization.id);
  const found = address && (await findLive(context, organization, address));
  if (address && found) {
    await collect(context, found, address.names.slice(0, -1), result);
  } else {
    const projects = await context.live.contentsOf(context.client, undefined, organization.id);
    if (!projects) throw unknownOrganization(organization);
    const beside = options.projectsOnly ? [] : await listsBeside(context, organization.id, result);
    await collectAll(context, joined(...beside, projects), [], result);
  }
  const around = async () => (address && found ? servicesBeside(context, found, address.names) : []);
  declareNamedSecrets(context.declared);
  // Documents with keys of secrets are compared, and never written.
  if (options.secretKeys)
    return { ...result, credentials: await readPasswords(context, result.documents, around) };
  const written = result.documents.map((document) => ({ of: document, ...withoutRefused(document) }));
  const whole = written.flatMap(({ document }) => document ?? []);
  const credentials = await readPasswords(context, whole, around);
  const { documents: placed, supplied, withheld } = withSecretsInPlace(whole, credentials);
  // A manifest may need an omitted resource.
  const lacking = new Set(withheld.map(({ document }) => document));
  const checked = placed.map((document) =>
    lacking.has(document)
      ? { of: document, ...withoutRefused(document) }
      : { of: document, document, leftOut: [] },
  );
  const documents = checked.flatMap(({ document }) => document ?? []);
  const byId = namedById(context, whole);
  return {
    documents,
    credentials,
    leftOut: [
      ...result.leftOut,
      ...supplied.map(({ document, from, key, member, source, what }) =>
        leftOutOf(
          document,
          `the value of ${from}.${key} in `,
          `it looks like a credential (${what}): ${member}.${key} takes it from the environment variable ${String(source["from_env"])}, and the first plan removes the variable and creates the secret; to keep the variable, declare its value under ${from} and remove ${member}.${key}`,
        ),
      ),
      ...withheld.map(({ document, path, what }) =>
        leftOutOf(
          document,
          `${path.join(".")} of `,
          `it looks like a credential (${what}), and this field cannot take a secret from a source; the live value stays while no manifest declares the field`,
        ),
      ),
      ...documents.flatMap((document) =>
        mentionsIn(document, byId).map(({ path, of }) => ({
          ...leftOutOf(
            document,
            `${path.join(".")} of `,
            `the live text contains the id or a host of ${of}, and a copy would still refer to that resource: declare an alias of its output, and write {{ALIAS}} in the text`,
          ),
          isWritten: true as const,
        })),
      ),
      ...[...written, ...checked].flatMap(({ of, leftOut }) =>
        leftOut.map(({ field, why }) => leftOutOf(of, field === "" ? "" : `${field} of `, why)),
      ),
      ...context.declared.flatMap((each) =>
        secretsWithoutSource(each).map((key) => leftOutOf(each.document, `secret ${key} of `, unreadable)),
      ),
    ],
  };
}

/** The read live resources, by the first eight characters of their ids. */
function namedById({ live }: LiveReader, documents: readonly DumpedDocument[]): ReadonlyMap<string, string> {
  const { contents, lists } = live.known();
  const listed = [...contents.values(), ...lists.values()].flatMap(({ resources }) => resources);
  return new Map([
    ...listed.map(({ id, kind, name }) => [startOf(id), `${kind.slug}:${name}`] as const),
    ...documents.flatMap((document) =>
      document.ids ? [[startOf(document.ids.own), nameOf(document)] as const] : [],
    ),
  ]);
}

const startOf = (id: string) => id.slice(0, 8).toLowerCase();

const unreadable = "the API returns no secret values: declare it under secrets, with a source";

function leftOutOf(document: DumpedDocument, what: string, why: string): SkippedItem {
  return {
    address: formatReference(addressOf(document).names),
    name: document.name,
    type: `${what}${document.kind.name}`,
    why,
    ...(what !== "" && { isPart: true as const }),
  };
}

/** The settings of a dump, and its resources so far. */
interface DumpState extends DumpContext {
  declared: DumpedResource[];
  isAlone: boolean;
}

/** The contents of the organization beside projects, without lists that the token may not read or the server lacks. */
function listsBeside(
  { client, live }: LiveReader,
  organizationId: string,
  result: Dump,
): Promise<(Contents | undefined)[]> {
  return Promise.all(
    kindsOnDemand(undefined)
      .filter(({ use }) => use !== "reference")
      .map(async (kind) => {
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

/** The requests of a dump without contents: the events, a list for each level, those of its contents and of its parts. */
export function dumpCost({ kind, names }: Address): number {
  const listings = listingsOf({ id: "id", parentId: "parent" }, declaredParts(kind).filter(usualParts({})));
  return (
    1 +
    names.length +
    (kindsInside(kind).length > 0 ? 1 : 0) +
    kindsOnDemand(kind).length +
    [...listings.values()].filter(({ siblings }) => siblings !== kind.name).length
  );
}

async function collect(
  context: DumpState,
  resource: LiveResource,
  parentNames: readonly string[],
  result: Dump,
): Promise<void> {
  const { kind, name, id } = resource;
  const names = [...parentNames, name];
  // A webhook without a description has its URL as its name.
  const what = credentialIn(name);
  const mistake = what === undefined ? nameMistake(name)?.message : `looks like a credential (${what})`;
  if (mistake !== undefined) {
    const of = named(parentNames, name);
    result.leftOut.push({ ...of, type: kind.name.toUpperCase(), why: `its name ${mistake}` });
    return;
  }
  const { fields, declared } = await withBelongings(context, resource);
  if (isAsMadeWithParent(resource, fields)) return;
  const document: DumpedDocument = {
    kind,
    parent: parentNames.length === 0 ? undefined : formatReference(parentNames),
    name,
    fields: declared,
    ids: { own: id, parent: resource.parentId },
  };
  result.documents.push(document);
  context.declared.push({ document, ...(await readSecrets(context, resource)) });
  if (kindsInside(kind).length === 0) return;
  const contents = await context.live.contents.readAll(context.client, kind, id);
  if (contents) await collectAll(context, contents, names, result);
  if (context.isAlone) context.live.setAside(id);
}

/** Whether a resource is unchanged since the server created it with its parent, so that it needs no document. */
function isAsMadeWithParent({ kind, name, fields }: LiveResource, withParts: Fields): boolean {
  const made = kind.comesWithParent?.(name);
  return (
    made !== undefined &&
    compare(kind.fields, fieldsIn(kind, made), fields).length === 0 &&
    Object.values(partFields(kind, withParts)).every(
      (other) => typeof other === "string" && kind.comesWithParent?.(other) !== undefined,
    )
  );
}

/** The resources of one parent that are read at the same time: more requests would only wait, and keep memory. */
const mostAtOnce = 20;

async function collectAll(
  context: DumpState,
  { resources, unknown }: Contents,
  names: readonly string[],
  result: Dump,
): Promise<void> {
  const byName = Map.groupBy(resources, ({ kind, name }) => `${kind.slug} ${nameKey(name)}`);
  const parts = await new PQueue({ concurrency: mostAtOnce }).addAll(
    [...byName.values()].map(([child, ...duplicates]) => async () => {
      const part: Dump = { documents: [], leftOut: [] };
      if (child && duplicates.length > 0) part.leftOut.push(leftOutDuplicates([child, ...duplicates], names));
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

/** A resource without a manifest, whose name may have a credential in it. */
function named(parentNames: readonly string[], whole: string): Pick<SkippedItem, "address" | "name"> {
  const name = valueWithoutCredentials(whole);
  return { address: formatReference([...parentNames, name]), name };
}

/** Duplicates are skipped: no document could distinguish them. */
function leftOutDuplicates(
  duplicates: [LiveResource, ...LiveResource[]],
  names: readonly string[],
): SkippedItem {
  const [{ kind, name }] = duplicates;
  const ids = inSentence(duplicates.map(({ id }) => id));
  return {
    ...named(names, name),
    type: kind.name.toUpperCase(),
    why: `the API has two resources with this name: ${ids}`,
  };
}
