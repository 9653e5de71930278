import { Entries } from "./entries.ts";
import type { ProgramResource } from "./program-resource.ts";
import type { EntryName } from "./variable-inputs.ts";

function entryResource(name: EntryName, description: string): ProgramResource {
  const entries = new Entries(name);
  return {
    name,
    description,
    inputs: entries.inputs,
    outputs: {},
    check: (news) => entries.check(news),
    misfits: (inputs, kindOfId) => entries.misfits(inputs, kindOfId),
    diff: (olds, news) => entries.diff(olds, news),
    details: ({ fields, replaces }) =>
      fields.map(({ path: [path = ""], before, after }) => ({
        path,
        how: before === undefined ? "add" : after === undefined ? "delete" : "update",
        isOfInputs: true,
        ...(replaces.includes(path) && { replaces: entries.inputs.properties?.[path]?.immutable ?? "" }),
      })),
    preview: (news) => news,
    previewUpdate: (_olds, news) => news,
    create: async (within, news, options) => ({
      id: entries.idOf(news),
      outs: await within((session) => entries.create(session, news, options)),
    }),
    read: (within, id, olds) => within((session) => entries.read(session, id, olds)),
    placeOf: (outputs) => entries.placeOf(outputs),
    entryOf: (properties) => entries.entryOf(properties),
    isKnown: (outputs) => Object.hasOwn(outputs, "key"),
    find: (within, id) => within((session) => entries.find(session, id)),
    update: async (within, olds, news, options) => ({
      outs: await within((session) => entries.update(session, olds, news, options)),
    }),
    remove: (within, olds, options) => within((session) => entries.remove(session, olds, options)),
  };
}

export const variable = entryResource(
  "Variable",
  "A variable of a project, an environment or a service, as a resource of its own. The input `variables` of these states many at once, with fewer requests.",
);

export const secret = entryResource(
  "Secret",
  "A secret of a project, an environment or a service, as a resource of its own. The input `secrets` of these states many at once, with fewer requests.",
);
