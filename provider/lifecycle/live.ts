import { type Fields, isFields } from "../../core/values/json.ts";
import { type Kind, outputsUsed, withOutputs } from "../../core/model/kinds/index.ts";
import {
  type Contents,
  isWhole,
  type LiveResource,
  readOne,
  sameId,
  toLive,
} from "../../core/state/live/index.ts";
import { nameKey } from "../../core/model/addresses/names.ts";
import { type WriteResult, OperationError } from "../../core/operations/index.ts";
import {
  ownPartFields,
  type PartEntry,
  partFields,
  partReports,
  partsWith,
  withLastValues,
  withPartsInShape,
} from "../../core/model/parts/index.ts";
import type { StoredInputs, ReportedResource } from "./outputs.ts";
import type { ProviderSession } from "./session.ts";

/** A resource after a write. */
interface ChangedResource {
  kind: Kind;
  parentId: string;
  /** The resource before; absent: it is new. */
  before?: LiveResource | undefined;
  /** Undefined: no change was needed. */
  done: WriteResult | undefined;
  memory: StoredInputs;
  /** Its declared fields. */
  fields: Fields;
}

/**
 * A resource after a change, with the declared parts: from the answer, if it has every member of the kind; otherwise
 * from the list of its parent, which parallel writes share.
 */
export async function liveAfter(
  session: ProviderSession,
  { kind, parentId, before, done, memory, fields }: ChangedResource,
): Promise<ReportedResource> {
  if (!done && before) return readDeclaredParts(session, { ...before, parentId }, memory, fields);
  const { id = "", response } = done ?? {};
  const { freshLists } = session.run;
  const live =
    response && isWhole(kind, response)
      ? toLive(kind, response, parentId)
      : await findListed(session, kind, id, parentId, await freshLists.readList(kind, parentId));
  if (!live)
    throw new OperationError("gone", `the ${kind.name} ${id} was written, but can no longer be found`, {
      remedies: [{ again: "plan" }],
    });
  // Unwritten parts have their planned values, which are those of the state.
  const parts = done && { ...partFields(kind, fields), ...done.parts };
  return {
    ...live,
    ...withPartsInShape(kind, live.fields, { ...done, ...(parts && { parts }) }, memory.shape),
  };
}

/** Searches a list, then requests a missing resource by id: only its own 404 proves that it does not exist. */
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
 * The present id of a resource. Some resources, such as invitations, get another id when they become complete: those
 * are found by name. Reads a list only for kinds with such resources.
 *
 * @param name the name in the state
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
 * Adds the declared parts, from lists that may be some seconds old: one request for each list.
 *
 * @param before the resource in the state, in manifest form
 */
export async function readDeclaredParts(
  session: ProviderSession,
  live: LiveResource,
  memory: StoredInputs,
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
    const { fields, ...reported } = withPartsInShape(live.kind, live.fields, present, shape);
    return { ...live, ...reported, fields: withLastValues(live.kind, fields, before) };
  };
  return session.recalled(live, parts, before, report);
}
