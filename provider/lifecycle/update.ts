import { overlay } from "../../core/fields/overlay.ts";
import type { Kind } from "../../core/kinds/index.ts";
import { type LiveResource, readOne } from "../../core/live/index.ts";
import { withoutIgnored } from "../../core/rules/ignored.ts";
import { type Done, limited, OperationError } from "../../core/operations/index.ts";
import { resumeClone, updateFrom } from "../../core/operations/writes.ts";
import { partFields } from "../../core/parts/index.ts";
import { changeOf } from "./diff.ts";
import { statedOver } from "./desired.ts";
import { movedEnd, withEnd } from "./expiry.ts";
import { approved, refuseOthers } from "./gate.ts";
import { ignores } from "./ignored.ts";
import { fieldsAmong, type Properties, readInputs, textOf } from "./inputs.ts";
import { contentsOf } from "./make.ts";
import { memoryOf, outputsOf, parentProperty, recall } from "./outputs.ts";
import { withStatedParts } from "./parts.ts";
import { presentId, liveAfter } from "./live.ts";
import type { ProviderSession } from "./session.ts";
import { shownIn, withShown } from "./shown.ts";
import { readingAround } from "./reading.ts";
import { stateOf } from "./world.ts";

/** Changes a resource: reads it, overlays the fields that the program states, and sends all fields. `limit`: milliseconds for which it may wait. */
export async function update(
  session: ProviderSession,
  kind: Kind,
  id: string,
  olds: Properties,
  news: Properties,
  limit?: number,
): Promise<{ outs: Properties; done: Done }> {
  const stated = readInputs(kind, news);
  const run = limited(session.run, limit);
  const memory = recall(olds);
  const { cloneFrom, isUnfinished } = memory;
  const parentId = await session.parentIdOf(stated.parentId ?? textOf(olds, parentProperty(kind)));
  if (isUnfinished && cloneFrom !== undefined) {
    const name = textOf(olds, "name") ?? stated.name;
    const contents = await contentsOf(session, kind, cloneFrom);
    await resumeClone(run, { kind, parentId, name, stated: {}, contents });
  }
  const current = fieldsAmong(kind, olds);
  const whole = statedOver(kind, memory, stated, current);
  // Nobody else has changed what is not finished yet.
  const compared = isUnfinished ? whole : withoutIgnored(kind.fields, whole, stated.ignored);
  const fields = await session.resolve(kind, compared, current);
  const present = await presentId(session, kind, { id, parentId, name: textOf(olds, "name") });
  const fresh = await readOne(run.client, kind, present, parentId);
  if (!fresh)
    throw new OperationError("gone", `the ${kind.name} ${present} has disappeared meanwhile`, {
      remedies: [{ again: "plan" }],
    });
  const base = withPartsOf(fresh, stateOf(kind, id, olds));
  const { action } = await approved(session, {
    kind,
    id: present,
    parentId,
    question: (given) => changeOf(base, { ...stated, ...(isUnfinished && { ignored: [] }) }, fields, given),
    may: readingAround,
  });
  const expected = overlay(kind.fields, current, fields);
  const expiresAt = session.settings.adopt ? undefined : movedEnd(memory, stated, session.now);
  const done = await updateFrom(run, fresh, {
    stated: expiresAt === memory.expiresAt ? fields : withEnd(fields, stated, expiresAt, memory.expiresAt),
    ...(!ignores(stated.ignored, "name") && { name: stated.name }),
    expected: withoutIgnored(kind.fields, expected, stated.ignored),
    allow: (changes) => refuseOthers(kind, changes, action),
  });
  const live = await liveAfter(session, kind, parentId, done);
  const remembered = { ...memoryOf(stated), cloneFrom, expiresAt, done };
  const outs = outputsOf(withStatedParts(live, done, remembered), remembered, expected);
  return { outs: withShown(kind, outs, shownIn(kind, olds)), done };
}

/** A resource as it is, with its parts as the state has them: those are compared with the server when they are written. */
export function withPartsOf(fresh: LiveResource, { fields }: Pick<LiveResource, "fields">): LiveResource {
  return { ...fresh, fields: { ...fresh.fields, ...partFields(fresh.kind, fields) } };
}
