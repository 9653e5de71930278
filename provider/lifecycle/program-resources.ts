import { once, textIn } from "../../core/json.ts";
import { type Kind, findKind } from "../../core/kinds/index.ts";
import { check } from "./check.ts";
import { create } from "./create.ts";
import { deployment } from "./deployment.ts";
import { detailsOf, doubtsAbout, secretChanges, unkeptBy } from "./details.ts";
import { diff } from "./diff.ts";
import { RefusedError } from "./errors.ts";
import { find, read } from "./read.ts";
import { judgeChange, judgeCreation } from "./gate.ts";
import { parentProperty, shownIn, shownPointers } from "./outputs.ts";
import { previewCreation, previewUpdate } from "./preview.ts";
import type { ProgramResource, ResourceLifecycle } from "./program-resource.ts";
import { remove } from "./remove.ts";
import { Secrets } from "./secrets.ts";
import { update } from "./update.ts";

/** The resources that exist only in programs. */
export const programResources: readonly ProgramResource[] = [deployment];

/** The resource of programs with that name; undefined for the name of a kind. */
export function programResource(name: string): ProgramResource | undefined {
  return programResources.find((each) => each.name === name);
}

/** What a program can do with resources of a kind, or of those that exist only in programs. */
export function lifecycleOf(name: string): ResourceLifecycle {
  const kind = findKind(name);
  const found = kind ? kindResource(kind) : programResource(name);
  if (found) return found;
  throw new RefusedError(
    `this version of infrasync has no resource ${name}; \`pulumi state delete\` with its URN takes it out of the state, and leaves what it stands for on the server`,
  );
}

/** What a program can do with the resources of a kind. */
export const kindResource = once((kind: Kind): ResourceLifecycle => ({
  // An import has no such value, and stays as it is when it is read again.
  secretOutputs: (olds) => (olds && shownIn(kind, olds) === undefined ? [] : shownPointers(kind)),
  check: (olds, news, { ledger }) => check(kind, olds, news, ledger),
  judgeCreation: (session, news) => judgeCreation(session, kind, news),
  diff: ({ ledger, begun, now }, id, olds, news, resource) => {
    begun.settle({ kind, parentId: textIn(olds, parentProperty(kind)), name: textIn(olds, "name") });
    const difference = diff(ledger, kind, id, olds, news, resource, now);
    const { fields, answer } = difference;
    const versions = { oldInputs: olds, oldOutputs: olds, inputs: news };
    const notes = [
      ...(answer?.notes ?? []),
      ...secretChanges(kind, fields, versions, new Secrets(news)),
      ...doubtsAbout(kind, textIn(news, "name") ?? "", fields),
    ];
    return { ...difference, notes };
  },
  judgeChange: (session, ...change) => judgeChange(session, kind, ...change),
  details: ({ fields }, versions) => detailsOf(kind, fields, versions),
  preview: (news, adopts) => previewCreation(kind, news, adopts),
  previewUpdate: (olds, news) => previewUpdate(kind, olds, news),
  create: async (session, news, { resource, limit }) => {
    const { unkept, ...made } = await create(session, kind, news, resource, limit);
    return { ...made, notes: unkeptBy(kind, news, unkept) };
  },
  read: (session, id, olds) => read(session, kind, id, olds),
  find: (session, idOrPath) => find(session, kind, idOrPath),
  update: async (session, id, olds, news, { resource, limit }) => {
    const { outs, unkept } = await update(session, kind, id, olds, news, resource, limit);
    return { outs, notes: unkeptBy(kind, news, unkept) };
  },
  remove: (session, id, olds, { resource, limit }) => remove(session, kind, id, olds, resource, limit),
}));
