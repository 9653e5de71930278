import { overlay } from "../../core/fields/overlay.ts";
import type { Kind } from "../../core/kinds/index.ts";
import { withoutIgnored } from "../../core/rules/ignored.ts";
import { type Done, limited } from "../../core/operations/index.ts";
import { resumeClone, updateResource } from "../../core/operations/writes.ts";
import { refuseWithoutConsent } from "./consent.ts";
import { wantedOf } from "./diff.ts";
import { movedEnd, withEnd } from "./expiry.ts";
import { ignores } from "./ignored.ts";
import { fieldsAmong, type Properties, readInputs, textOf } from "./inputs.ts";
import { refuseLast } from "./keeps-one.ts";
import { contentsOf } from "./make.ts";
import { lossesOf, refuseLosses } from "./losses.ts";
import { refuseMissingSiblings } from "./siblings.ts";
import { memoryOf, outputsOf, parentProperty, recall } from "./outputs.ts";
import { objections, refuse } from "./possible.ts";
import { withStatedParts } from "./parts.ts";
import { presentId, liveAfter } from "./live.ts";
import type { ProviderSession } from "./session.ts";
import { shownIn, withShown } from "./shown.ts";

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
  refuseWithoutConsent(
    kind,
    [textOf(olds, "name") ?? stated.name, stated.name],
    "changed",
    session.settings.allowInfrastructure,
  );
  const memory = recall(olds);
  const { cloneFrom } = memory;
  const parentId = await session.parentIdOf(stated.parentId ?? textOf(olds, parentProperty(kind)));
  if (memory.isUnfinished && cloneFrom !== undefined) {
    const name = textOf(olds, "name") ?? stated.name;
    const contents = await contentsOf(session, kind, cloneFrom);
    await resumeClone(run, { kind, parentId, name, stated: {}, contents });
  }
  const current = fieldsAmong(kind, olds);
  const fields = await session.resolve(kind, wantedOf(kind, memory, stated, current), current);
  if (!memory.isUnfinished) refuse("", objections(kind, { how: "update", current, stated: fields }));
  await refuseMissingSiblings(session, kind, parentId, fields);
  const present = await presentId(session, kind, { id, parentId, name: textOf(olds, "name") });
  const expected = overlay(kind.fields, current, fields);
  await refuseLast(session, kind, { id: present, parentId }, expected);
  const expiresAt = session.settings.adopt ? undefined : movedEnd(memory, stated, session.now);
  const done = await updateResource(
    run,
    { kind, id: present, parentId },
    {
      stated: expiresAt === memory.expiresAt ? fields : withEnd(fields, stated, expiresAt, memory.expiresAt),
      ...(!ignores(stated.ignored, "name") && { name: stated.name }),
      expected: withoutIgnored(kind.fields, expected, stated.ignored),
      // The live resource may have more than the state.
      allow: (changes) =>
        refuseLosses(
          session,
          { kind, id, parentId, names: [textOf(olds, "name"), stated.name] },
          lossesOf(kind, changes),
        ),
    },
  );
  const live = await liveAfter(session, kind, parentId, done);
  const remembered = { ...memoryOf(stated), cloneFrom, expiresAt, done };
  const whole = withStatedParts(live, done, remembered);
  const outs = outputsOf(whole, remembered, expected);
  return { outs: withShown(kind, outs, shownIn(kind, olds)), done };
}
