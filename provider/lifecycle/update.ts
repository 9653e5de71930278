import { overlay } from "../../core/model/fields/overlay.ts";
import { withNamesFrom } from "../../core/model/fields/references.ts";
import type { Kind } from "../../core/model/kinds/index.ts";
import { type LiveResource, readOne } from "../../core/state/live/index.ts";
import { withoutIgnored } from "../../core/rules/ignored-fields.ts";
import { awaitClone, findByName, limited, OperationError } from "../../core/operations/index.ts";
import { partFields } from "../../core/model/parts/index.ts";
import { normalizedBy } from "./details.ts";
import { carryOut, type ProgramChange, refuse } from "./gate.ts";
import { placeKey } from "./ledger.ts";
import { awaitName, nameObjection, withClaims } from "./names-in-use.ts";
import type { CallOptions, WrittenResource } from "./program-resource.ts";
import { UnfinishedError } from "./errors.ts";
import { engineProperties, fieldsAmong, type Properties, readInputs } from "./inputs.ts";
import { movedClaims } from "../../core/rules/claims.ts";
import { servicesOfClone } from "../../core/rules/clone.ts";
import { memoryOf, memoryOutputs, outputsOf, placeIn, recall, shownIn, withShown } from "./outputs.ts";
import { presentId, liveAfter } from "./live.ts";
import { changeFrom } from "./plan-request.ts";
import type { ProviderSession } from "./session.ts";
import { stateOf } from "./known-state.ts";

/** Changes a resource: reads it, overlays the declared fields, and sends all. */
export async function update(
  session: ProviderSession,
  kind: Kind,
  id: string,
  olds: Properties,
  news: Properties,
  { resource, limit }: CallOptions,
): Promise<WrittenResource> {
  const declared = readInputs(kind, news);
  const run = limited(session.run, limit);
  const memory = recall(olds);
  const { cloneFrom, isUnfinished } = memory;
  const before = placeIn(kind, olds);
  const parentId = await session.parentIdOf(declared.parentId ?? before.parentId);
  const { name = declared.name } = before;
  if (isUnfinished && cloneFrom !== undefined) {
    const { resources = [], unknown = [] } = (await run.freshLists.read(kind, cloneFrom)) ?? {};
    await awaitClone(run, { kind, parentId, name, contents: servicesOfClone(resources, unknown) });
  }
  const current = fieldsAmong(kind, olds);
  const place = { kind, parentId: declared.parentId ?? parentId, name: declared.name };
  const from = placeKey({ kind, parentId, name });
  const isRenamed = placeKey(place) !== from;
  const there = isRenamed ? findByName(place, await session.listOf(kind, place.parentId)) : undefined;
  const keeper = there && there.id !== id && (await awaitName(session, place, run, there));
  refuse("", keeper ? [nameObjection(session, keeper, true)] : []);
  const write = async () => {
    const present = await presentId(session, kind, { id, parentId, name: before.name });
    const fresh = await readOne(run.client, kind, present, parentId);
    if (!fresh)
      throw new OperationError("gone", `the ${kind.name} "${name}" has disappeared meanwhile`, {
        remedies: [{ again: "plan" }],
      });
    const base = withStateOf(fresh, stateOf(kind, id, olds));
    // An unfinished resource has no changes of others that could be ignored.
    const obeyed = isUnfinished ? { ...declared, ignored: [] } : declared;
    const question = changeFrom(base, memory, obeyed, session.now, current);
    const change: ProgramChange = {
      question,
      purpose: "write",
      freshly: (planned) => {
        const after = overlay(kind.fields, current, planned.declared);
        return { live: fresh, expected: withoutIgnored(kind.fields, after, declared.ignored) };
      },
    };
    const written = await carryOut(session, change, run).catch((error: unknown) => {
      const isStarted = error instanceof OperationError && error.code === "pending";
      // An unfinished resource with a value that was shown once is replaced, and ignoreChanges holds in none.
      if (!isStarted || kind.shownOnce !== undefined || declared.ignored.length > 0) throw error;
      // The state must not say that the server has the values of the last program.
      const half = memoryOutputs(kind, declared.name, parentId, {
        ...memoryOf(declared),
        cloneFrom,
        isUnfinished: true,
      });
      throw UnfinishedError.after(id, { ...engineProperties(news), ...half }, "it is not finished", error);
    });
    return { ...written, fresh };
  };
  const { lost, gained } = movedClaims(kind, current, declared.fields);
  const { fresh, action, done } = await withClaims(session, run, gained, write);
  for (const given of isRenamed ? [...lost, from] : lost)
    session.ledger.record({ did: "freed", place: given });
  if (done) session.ledger.record({ did: "written", id, urn: resource });
  const stored = { ...memoryOf(declared), cloneFrom };
  const fields = action.expected;
  const live = await liveAfter(session, { kind, parentId, before: fresh, done, memory: stored, fields });
  const outs = outputsOf(live, stored, fields);
  return {
    outs: withShown(kind, outs, shownIn(kind, olds)),
    notes: normalizedBy(kind, news, done?.normalized),
  };
}

/** A live resource, with its parts and the names of its references from the state. */
function withStateOf(fresh: LiveResource, { fields }: Pick<LiveResource, "fields">): LiveResource {
  const { kind } = fresh;
  const named = withNamesFrom(kind.fields, fresh.fields, fields);
  // The parts are compared with the server when they are written.
  return { ...fresh, fields: { ...named, ...partFields(kind, fields) } };
}
