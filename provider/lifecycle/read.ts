import { textIn } from "../../core/json.ts";
import type { Kind } from "../../core/kinds/index.ts";
import { findByName } from "../../core/operations/index.ts";
import { fieldsAmong, type Properties } from "./inputs.ts";
import { inputsOf, outputsOf, parentProperty, recall } from "./outputs.ts";
import { readStatedParts } from "./parts.ts";
import { findListed, presentId } from "./live.ts";
import type { ProviderSession } from "./session.ts";
import { shownIn, withShown } from "./shown.ts";

/** A live resource; `id` is empty when it does not exist. */
export interface ReadResource {
  id: string;
  props: Properties;
  inputs?: Properties;
}

/**
 * Reads a resource from the list of its parent's contents. A resource whose creation has an unknown outcome is searched
 * by name, and has an id from then on.
 */
export async function read(
  session: ProviderSession,
  kind: Kind,
  id: string,
  olds: Properties,
): Promise<ReadResource> {
  const parentId = await session.parentIdOf(textIn(olds, parentProperty(kind)));
  const memory = recall(olds);
  const children = await session.listOnce(kind, parentId);
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
  const whole = await readStatedParts(session, live, known, before);
  return {
    id: live.id,
    props: withShown(kind, outputsOf(whole, known, before), shownIn(kind, olds)),
    inputs: inputsOf(whole, known),
  };
}
