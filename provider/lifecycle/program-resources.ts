import { once, textIn } from "../../core/values/json.ts";
import { findKind, type Kind } from "../../core/model/kinds/index.ts";
import { nameKey } from "../../core/model/addresses/names.ts";
import { check } from "./check.ts";
import { create } from "./create.ts";
import { deployment } from "./deployment.ts";
import { detailsOf, doubtsAbout, secretChanges } from "./details.ts";
import { diff, difference } from "./diff.ts";
import { RefusedError } from "./errors.ts";
import { type Properties, readInputs } from "./inputs.ts";
import { pointerOf } from "./internal.ts";
import { placeIn, shownIn, shownOutput } from "./outputs.ts";
import { preview } from "./preview.ts";
import type { ProgramResource, ResourceLifecycle } from "./program-resource.ts";
import { parentIn } from "./ledger.ts";
import { changeInState, deletionOf, newOf, type ResourceQuestion } from "./plan-request.ts";
import { find, read } from "./read.ts";
import { remove } from "./remove.ts";
import { Secrets } from "./secrets.ts";
import type { ProviderSession } from "./session.ts";
import { update } from "./update.ts";

export const programResources: readonly ProgramResource[] = [deployment];

/** Undefined for the name of a kind. */
export function programResource(name: string): ProgramResource | undefined {
  return programResources.find((each) => each.name === name);
}

/** @param name the name of a kind, or of a resource that exists only in programs */
export function lifecycleOf(name: string): ResourceLifecycle {
  const kind = findKind(name);
  const found = kind ? kindResource(kind) : programResource(name);
  if (found) return found;
  throw new RefusedError(
    `this version of infrasync has no resource ${name}; \`pulumi state delete\` with its URN removes it from the state; its resource stays on the server`,
  );
}

const kindResource = once((kind: Kind): ResourceLifecycle => ({
  // An import has no such value, also when it is refreshed.
  secretOutputs: (olds) =>
    olds && shownIn(kind, olds) === undefined
      ? []
      : Object.keys(shownOutput(kind)).map((member) => pointerOf([member])),
  check: (olds, news, { ledger, organization }, resource) =>
    check(kind, olds, news, ledger, resource, organization),
  question: async (session, news, state) =>
    state ? questionOfChange(session, kind, news, state) : questionOfCreation(session, kind, news),
  diff: ({ ledger, started, now }, id, olds, news, resource) => {
    started.settle(placeIn(kind, olds));
    const found = diff(ledger, kind, id, olds, news, resource, now);
    const versions = { oldInputs: olds, oldOutputs: olds, inputs: news };
    const [before, name] = [placeIn(kind, olds).name, textIn(news, "name") ?? ""];
    const isSameName = before !== undefined && before !== name && nameKey(before) === nameKey(name);
    const notes = [
      ...(isSameName
        ? [
            `the ${kind.name} keeps the name "${before}": "${name}" differs only in case, and is the same name`,
          ]
        : []),
      ...(found.answer?.notes ?? []),
      ...secretChanges(kind, found.fields, versions, new Secrets(news)),
      ...doubtsAbout(kind, name, found.fields),
    ];
    return { ...found, notes };
  },
  details: ({ fields }, versions) => detailsOf(kind, fields, versions),
  preview: (olds, news, adopts) => preview(kind, olds, news, adopts),
  create: (session, news, options) => create(session, kind, news, options),
  read: (session, id, olds) => read(session, kind, id, olds),
  find: (session, idOrPath) => find(session, kind, idOrPath),
  update: (session, id, olds, news, options) => update(session, kind, id, olds, news, options),
  remove: (session, id, olds, options) => remove(session, kind, id, olds, options),
}));

function questionOfCreation(
  session: ProviderSession,
  kind: Kind,
  news: Properties,
): Promise<ResourceQuestion | undefined> {
  const declared = readInputs(kind, news);
  const { name, parentId } = declared;
  const { ledger } = session;
  const successor = ledger.successor(
    (each) => each.kind === kind && each.declared.name === name && each.declared.parentId === parentId,
  );
  const above = successor && ledger.goesWithParent(successor.id) ? parentIn(successor.from) : undefined;
  // The new parent has no id yet. It is known as the old one, with what the program declares.
  const known = above !== undefined && ledger.isReplaced(above) ? { ...declared, parentId: above } : declared;
  return newOf(session, kind, known, successor);
}

/** A replacement is judged as a deletion, because the engine deletes the old resource first. */
async function questionOfChange(
  session: ProviderSession,
  kind: Kind,
  news: Properties,
  { id, olds }: { id: string; olds: Properties },
): Promise<ResourceQuestion> {
  const declared = readInputs(kind, news);
  const { replaces, keepsName } = difference(kind, olds, news, id, session.now);
  const question =
    replaces.length > 0
      ? await deletionOf(session, kind, id, olds, true, true)
      : changeInState(kind, id, olds, declared, session.now);
  return keepsName || declared.adopt ? question : { ...question, gets: declared };
}
