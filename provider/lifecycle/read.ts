import { article } from "../../core/values/text.ts";
import { type Address, encodeName, parseReference } from "../../core/model/addresses/address.ts";
import { withoutShortForms } from "../../core/model/fields/short-form.ts";
import { documented, findLive } from "../../core/import/live/index.ts";
import { isFields, presentIn, textIn } from "../../core/values/json.ts";
import { partFields } from "../../core/model/parts/index.ts";
import { type Kind, pathNamesParent, referenceForm } from "../../core/model/kinds/index.ts";
import { type LiveResource, parentIdIn, readOne } from "../../core/state/live/index.ts";
import { findByName } from "../../core/operations/index.ts";
import { uuid } from "../../core/state/organization.ts";
import { toCamel } from "./casing.ts";
import { RefusedError } from "./errors.ts";
import { type Properties, fieldsAmong, readInputs } from "./inputs.ts";
import { findListed, presentId, readDeclaredParts } from "./live.ts";
import { inputsOf, memoryOf, outputsOf, parentProperty, recall, shownIn, withShown } from "./outputs.ts";
import type { ProviderSession } from "./session.ts";
import { foundShape } from "../../core/model/fields/shape.ts";

/** A live resource; `id` is empty if it does not exist. */
export interface ReadResource {
  id: string;
  props: Properties;
  inputs?: Properties;
}

/** Reads a resource from its parent's list; by name if its creation has an unknown outcome, which gives it an id. */
export async function read(
  session: ProviderSession,
  kind: Kind,
  id: string,
  olds: Properties,
): Promise<ReadResource> {
  const parentId = await session.parentIdOf(textIn(olds, parentProperty(kind)));
  const memory = recall(olds);
  const children = await (memory.isUnclear
    ? session.completeListOf(kind, parentId)
    : session.listOnce(kind, parentId));
  const name = textIn(olds, "name");
  const live = memory.isUnclear
    ? findByName({ kind, parentId, name: name ?? "" }, children)
    : await findListed(
        session,
        kind,
        await presentId(session, kind, { id, parentId, name }),
        parentId,
        children,
      );
  if (!live) return { id: "", props: {} };
  const known = { ...memory, isUnclear: false };
  const before = fieldsAmong(kind, olds);
  const whole = await readDeclaredParts(session, live, known, before);
  return {
    id: live.id,
    props: withShown(kind, outputsOf(whole, known, before), shownIn(kind, olds)),
    inputs: inputsOf(whole, known),
  };
}

/**
 * Reads a resource that is not in the state, for an import. Its inputs are those that a program needs, and those that
 * people often change, so that a later preview shows drift; with a setting all fields. Secrets are missing, because
 * their values cannot be read.
 *
 * @param idOrPath its id, or its names from the project down: `shop/staging/nightly`
 * @returns an empty id when no resource has the id
 * @throws InvalidInputError when no resource has the names
 */
export async function find(session: ProviderSession, kind: Kind, idOrPath: string): Promise<ReadResource> {
  const live = await findAnywhere(session, kind, idOrPath);
  if (!live) return { id: "", props: {} };
  const all = await documented(session.run, live, session.settings.importAllFields ? "all" : "usual");
  const declared = toCamel(kind.fields, withoutShortForms(kind.fields, all.declared));
  const inputs: Properties = {
    ...(isFields(declared) && declared),
    name: live.name,
    ...(kind.parentMember !== undefined && { [kind.parentMember]: live.parentId }),
  };
  const memory = memoryOf(readInputs(kind, inputs));
  memory.shape = foundShape(kind.fields, memory.shape);
  // The state keeps only the declared parts.
  const parts = partFields(kind, presentIn(all.fields, Object.keys(all.declared)));
  return { id: live.id, props: outputsOf({ ...live, fields: { ...live.fields, ...parts } }, memory), inputs };
}

/** The live resource of an id, or of a path of names; undefined if the id is unknown. */
export async function findAnywhere(
  session: ProviderSession,
  kind: Kind,
  idOrPath: string,
): Promise<LiveResource | undefined> {
  if (uuid.test(idOrPath)) return findById(session, kind, idOrPath);
  const names = parseReference(idOrPath);
  if (names.length !== kind.depth + 1 || names.includes(""))
    throw new RefusedError(
      `"${idOrPath}" is neither the id of ${article(kind.name)} nor its path: write the id, or ${referenceForm(kind)}, with / in a name as ${encodeName("/")}`,
    );
  const organization = { id: await session.parentIdOf(undefined) };
  const address: Address = { kind, names };
  return findLive(session.run, organization, address);
}

async function findById(session: ProviderSession, kind: Kind, id: string): Promise<LiveResource | undefined> {
  if (kind.parent && pathNamesParent(kind))
    throw new RefusedError(
      `the API finds ${article(kind.name)} only in its ${kind.parent.name}; name it by its path: ${referenceForm(kind)}`,
    );
  // Only the answer tells the parent.
  const parentId = kind.parent ? "" : await session.parentIdOf(undefined);
  const found = await readOne(session.client, kind, id, parentId);
  if (!found) return undefined;
  const named = parentIdIn(kind, found.response);
  if (named === undefined && kind.parent)
    throw new RefusedError(
      `the server does not say in which ${kind.parent.name} the ${kind.name} ${id} is; name it by its path: ${referenceForm(kind)}`,
    );
  return { ...found, parentId: named ?? (await session.parentIdOf(undefined)) };
}
