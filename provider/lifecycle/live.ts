import { type Fields, type Json, isFields, mapFields, own, sameJson } from "../../core/json.ts";
import { type Kind, outputsUsed, withOutputs } from "../../core/kinds/index.ts";
import { type Contents, type LiveResource, isWhole, readOne, sameId, toLive } from "../../core/live/index.ts";
import { nameKey } from "../../core/names.ts";
import { type Done, OperationError } from "../../core/operations/index.ts";
import {
  type PartEntry,
  entriesIn,
  ownPartFields,
  partFields,
  partReports,
  partsWith,
  shareList,
  statedParts,
} from "../../core/parts/index.ts";
import type { FieldSchema } from "../../core/schema/field-schema.ts";
import { withChangedSecrets, withLastSecrets } from "../../core/secrets/index.ts";
import type { RememberedInputs, ReportedResource } from "./outputs.ts";
import type { ProviderSession } from "./session.ts";

/** A resource that a program has brought to the state of its inputs. */
interface Changed {
  kind: Kind;
  parentId: string;
  /** As it was before; absent: it is new. */
  before?: LiveResource | undefined;
  /** Undefined where nothing had to be changed. */
  done: Done | undefined;
  memory: RememberedInputs;
  /** Its fields as the program states them. */
  fields: Fields;
}

/**
 * A resource after a change, with the parts that the program states: from the answer, if it has every member of the kind;
 * otherwise from the list of its parent, which parallel writes share.
 */
export async function liveAfter(
  session: ProviderSession,
  { kind, parentId, before, done, memory, fields }: Changed,
): Promise<ReportedResource> {
  if (!done && before) return readStatedParts(session, { ...before, parentId }, memory, fields);
  const { id = "", response } = done ?? {};
  const live =
    response && isWhole(kind, response)
      ? toLive(kind, response, parentId)
      : await lookFor(session, kind, parentId, id);
  // What has not been written is as it is planned: as the state has it.
  const parts = done && { ...partFields(kind, fields), ...done.parts };
  return withStatedParts(live, { ...done, ...(parts && { parts }) }, memory);
}

async function lookFor(
  session: ProviderSession,
  kind: Kind,
  parentId: string,
  id: string,
): Promise<LiveResource> {
  const live = await findListed(
    session,
    kind,
    id,
    parentId,
    await session.run.freshLists.readList(kind, parentId),
  );
  if (live) return live;
  throw new OperationError("gone", `the ${kind.name} ${id} was written, but can no longer be found`, {
    remedies: [{ again: "plan" }],
  });
}

/** Searches a list; requests a missing resource by id, because only a 404 for itself, beside the list, says that it does not exist. */
export async function findListed(
  session: ProviderSession,
  kind: Kind,
  id: string,
  parentId: string,
  listed: Contents | undefined,
): Promise<LiveResource | undefined> {
  const found = listed?.resources.find((resource) => resource.id === id && resource.kind === kind);
  return found ?? readOne(session.client, kind, id, parentId);
}

/**
 * The present id of a resource. Some resources, such as invitations, get another id when they become complete: those are
 * found by name. Reads a list only for kinds with such resources.
 *
 * @param name as the state has it
 */
export async function presentId(
  session: ProviderSession,
  kind: Kind,
  { id, parentId, name }: { id: string; parentId: string; name: string | undefined },
): Promise<string> {
  if (!kind.listing.pendingPath || name === undefined) return id;
  const all = (await session.listOf(kind, parentId))?.resources.filter((each) => each.kind === kind) ?? [];
  if (all.some((each) => sameId(each.id, id))) return id;
  return all.find((each) => nameKey(each.name) === nameKey(name))?.id ?? id;
}

/**
 * A live resource whose fields include its parts, but only those that the program states: the state keeps no others.
 */
export function withStatedParts(
  live: LiveResource,
  { parts, reports = {} }: { parts?: Fields; reports?: Fields },
  { shape }: RememberedInputs,
): ReportedResource {
  if (!parts || !isFields(shape)) return live;
  const fields: Fields = { ...live.fields };
  for (const { member, form } of statedParts(live.kind)) {
    const stated = own(shape, member);
    const entries = own(parts, member);
    const { entries: schema } = own(live.kind.fields.properties ?? {}, member) ?? {};
    if (isFields(stated) && isFields(entries))
      fields[member] = mapFields(entries, (entry, key) =>
        Object.hasOwn(stated, key) ? forState(withDefaults(schema, entry, own(stated, key))) : undefined,
      );
    else if (form.isSingle && Object.hasOwn(shape, member) && entries !== undefined) fields[member] = entries;
  }
  return { ...live, fields, reports: statedReports(live.kind, reports, shape) };
}

/** The reports of the entries that the program states. */
function statedReports({ parts }: Kind, reported: Fields, shape: Fields): Fields {
  const found: Fields = {};
  for (const { member, reports } of parts) {
    const stated = own(shape, member);
    const entries = reports && own(reported, reports.member);
    if (reports && isFields(entries))
      found[reports.member] = mapFields(entries, (entry, key) =>
        isFields(stated) && Object.hasOwn(stated, key) ? entry : undefined,
      );
  }
  return found;
}

/** An entry with the default of each member that the program states and the API leaves out. */
function withDefaults(schema: FieldSchema | undefined, entry: Json, stated: Json | undefined): Json {
  if (!isFields(entry) || !isFields(stated)) return entry;
  const result: Fields = { ...entry };
  for (const member of Object.keys(stated)) {
    const { default: fallback } = own(schema?.properties ?? {}, member) ?? {};
    if (fallback !== undefined && !Object.hasOwn(entry, member)) result[member] = fallback;
  }
  return result;
}

/** An entry without the members that only the run that writes it learns. */
function forState(entry: Json): Json {
  if (!isFields(entry)) return entry;
  const { rotate: _rotate, ...kept } = entry;
  return kept;
}

/**
 * Adds the parts that the program states, from lists that may be some seconds old: one request for each list.
 *
 * @param before what the state has of the resource, in manifest form
 */
export async function readStatedParts(
  session: ProviderSession,
  live: LiveResource,
  memory: RememberedInputs,
  before: Fields,
): Promise<ReportedResource> {
  const { shape } = memory;
  const parts = partsWith(live.kind, isFields(shape) ? Object.keys(shape) : []);
  const report = async (entries: readonly PartEntry[] | undefined): Promise<ReportedResource> => {
    if (!entries) return live;
    const isUsing = outputsUsed(live.kind, before).length > 0;
    const siblings = isUsing ? ((await session.listOf(live.kind, live.parentId))?.resources ?? []) : [];
    const present = {
      parts: withOutputs(live.kind, ownPartFields(parts, entries), siblings, entries, before),
      reports: partReports({ parts }, entries),
    };
    const found = withStatedParts(live, present, memory);
    return { ...found, fields: withValuesOf(live.kind, found.fields, before) };
  };
  return session.recalled(live, parts, before, report);
}

/** The fields with the values that the API never shows, as they were last written; they are secret in the state. */
function withValuesOf(kind: Kind, fields: Fields, before: Fields): Fields {
  return mapWriteOnly(kind, withLastSecrets(kind.fields, fields, before), before, (entry, earlier) => ({
    ...earlier,
    ...entry,
  }));
}

/** Stated fields with a sign for each value that the API never shows and that is another than the last one. */
export function withChangedValues(kind: Kind, stated: Fields, before: Fields): Fields {
  const changed = withChangedSecrets(kind.fields, stated, before);
  // One that the state does not have may be there with another value.
  return mapWriteOnly(kind, changed, before, (entry, earlier) =>
    earlier && sameJson(entry["value"], earlier["value"]) ? entry : { ...entry, rotate: true },
  );
}

/** Stated fields without the keys that the program stated as another sort of part before: a variable becomes a secret. */
export function withMovedKeys(kind: Kind, stated: Fields, shape: Json): Fields {
  const result: Fields = { ...stated };
  if (!isFields(shape)) return result;
  const parts = statedParts(kind);
  for (const part of parts)
    for (const other of parts) {
      if (part === other || !shareList(part, other)) continue;
      const moved = Object.keys(entriesIn(shape, other.member)).filter(
        (key) =>
          Object.hasOwn(entriesIn(stated, part.member), key) &&
          !Object.hasOwn(entriesIn(stated, other.member), key),
      );
      if (moved.length > 0)
        result[other.member] = {
          ...entriesIn(result, other.member),
          ...Object.fromEntries(moved.map((key) => [key, null])),
        };
    }
  return result;
}

/** The fields with other entries of parts whose values the API never shows. */
function mapWriteOnly(
  kind: Kind,
  fields: Fields,
  before: Fields,
  change: (entry: Fields, earlier: Fields | undefined) => Fields,
): Fields {
  const result: Fields = { ...fields };
  for (const { member, form } of statedParts(kind)) {
    const entries = own(fields, member);
    if (!form.isWriteOnly || !isFields(entries)) continue;
    result[member] = mapFields(entries, (entry, key) => {
      const earlier = own(entriesIn(before, member), key);
      return isFields(entry) ? change(entry, isFields(earlier) ? earlier : undefined) : entry;
    });
  }
  return result;
}
