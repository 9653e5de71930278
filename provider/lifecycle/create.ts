import type { Kind } from "../../core/kinds/index.ts";
import { RefusedError, UnfinishedError } from "./errors.ts";
import { type Properties, readInputs } from "./inputs.ts";
import { make } from "./make.ts";
import { memoryOf, outputsOf, unfinishedOutputs } from "./outputs.ts";
import type { Session } from "./session.ts";
import { liveAfter } from "./written.ts";

/**
 * Makes a resource: creates it, clones it, or takes it over.
 *
 * @throws UnfinishedError when it is there and something after that has failed
 */
export async function create(
  session: Session,
  kind: Kind,
  news: Properties,
): Promise<{ id: string; outs: Properties }> {
  const stated = readInputs(kind, news);
  const { name } = stated;
  const parentId = await session.holderOf(stated.parentId);
  if (!session.claim(kind, parentId, name)) {
    throw new RefusedError(
      `another resource of this program is a ${kind.name} named "${name}" in the same ${kind.parent?.name ?? "organization"}; names are unique, whatever their case: choose another`,
    );
  }
  const memory = memoryOf(stated);
  let known: string | undefined;
  try {
    const { done, fields } = await make({ session, kind, parentId, stated, onId: (id) => (known = id) });
    const { id } = done;
    // What was taken over is not ours to keep when the rest fails; it is taken over again.
    if (!session.adopted.has(id)) known = id;
    const live = await liveAfter(session, kind, parentId, done);
    return { id, outs: outputsOf(live, memory, fields) };
  } catch (error) {
    if (known === undefined) throw error;
    throw new UnfinishedError(known, unfinishedOutputs(kind, name, parentId, memory), error);
  }
}
