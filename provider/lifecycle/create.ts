import type { Kind } from "../../core/kinds/index.ts";
import { type Done, limited, OperationError } from "../../core/operations/index.ts";
import { RefusedError, UnfinishedError } from "./errors.ts";
import { engineProperties, type Properties, readInputs } from "./inputs.ts";
import { make } from "./make.ts";
import { memoryOf, memoryOutputs, outputsOf } from "./outputs.ts";
import type { ProviderSession } from "./session.ts";
import { withShown } from "./shown.ts";
import { liveAfter } from "./live.ts";

/**
 * Makes a resource: creates it, clones it, or takes it over.
 *
 * @param limit milliseconds for which it may wait
 * @throws UnfinishedError when a step after the creation has failed, and when the outcome of the creation is unknown
 */
export async function create(
  session: ProviderSession,
  kind: Kind,
  news: Properties,
  resource?: string,
  limit?: number,
): Promise<{ id: string; outs: Properties; unkept: Done["unkept"] }> {
  const stated = readInputs(kind, news);
  const { name } = stated;
  const parentId = await session.parentIdOf(stated.parentId);
  if (!session.ledger.claim({ kind, parentId, name }, resource)) {
    throw new RefusedError(
      `another resource of this program is a ${kind.name} with the name "${name}" in the same ${kind.parent?.name ?? "organization"}; choose another name: names that differ only in case are the same`,
    );
  }
  const memory = memoryOf(stated);
  let known: string | undefined;
  try {
    const { done, id, live, fields } = await make({
      session,
      kind,
      parentId,
      stated,
      resource,
      run: limited(session.run, limit),
      onId: (made) => (known = made),
    });
    known = id;
    if (live === undefined) session.ledger.note("made", id, resource, { kind: kind.name });
    const made = await liveAfter(session, { kind, parentId, before: live, done, memory, fields });
    const outs = outputsOf(made, memory, fields);
    return {
      id,
      outs: withShown(kind, outs, session.shown.get(id)),
      unkept: done?.unkept,
    };
  } catch (error) {
    const remembered = (isUnclear: boolean): Properties => ({
      ...engineProperties(news),
      ...withShown(
        kind,
        memoryOutputs(kind, name, parentId, { ...memory, isUnfinished: true, isUnclear }),
        session.shown.get(known ?? ""),
      ),
    });
    const { code, made = [] } = error instanceof OperationError ? error : {};
    // A resource that was created twice or under another name must stay in the state, or the next `pulumi up` would
    // create one more.
    known ??= made[0];
    if (known !== undefined) {
      // The error of a pending creation already tells its progress.
      const what = code === "pending" ? "" : `it has been created (${known}), but `;
      throw UnfinishedError.after(known, remembered(false), `${what}it is not finished`, error);
    }
    if (code !== "unclear") throw error;
    throw UnfinishedError.after(
      "unclear",
      remembered(true),
      "it is unknown whether it has been created",
      error,
    );
  }
}
