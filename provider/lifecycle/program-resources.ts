import { once, textIn } from "../../core/values/json.ts";
import { findKind, type Kind } from "../../core/model/kinds/index.ts";
import { nameKey } from "../../core/model/addresses/names.ts";
import { check } from "./check.ts";
import { create } from "./create.ts";
import { deployment } from "./deployment.ts";
import { detailsOf, doubtsAbout, secretChanges } from "./details.ts";
import { diff, preview } from "./diff.ts";
import { RefusedError } from "./errors.ts";
import { pointerOf } from "./internal.ts";
import { placeIn, shownIn, shownOutput } from "./outputs.ts";
import type { ProgramResource, ResourceLifecycle } from "./program-resource.ts";
import { questionOfChange, questionOfCreation } from "./replacements.ts";
import { find, read } from "./read.ts";
import { remove } from "./remove.ts";
import { Secrets } from "./secrets.ts";
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
