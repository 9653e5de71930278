import { type FieldSchema, type Kind, kinds } from "../../core/kinds/index.ts";
import type { Fields } from "../../core/json.ts";
import { entriesIn } from "../../core/parts/index.ts";
import { programSchema } from "./inputs.ts";

/** The members of resources whose entries can be resources of their own, by the name of such a resource. */
export const entryMembers = { Variable: "variables", Secret: "secrets" } as const;

export type EntryName = keyof typeof entryMembers;

/** The kinds that have variables, or secrets. */
export function ownersOf(name: EntryName): Kind[] {
  return kinds.filter(({ fields }) => fields.properties?.[entryMembers[name]]?.part);
}

/** The inputs of one variable or one secret, besides its owner and its key. */
export function entrySchema(name: EntryName): FieldSchema {
  const entries = ownersOf(name).map(
    (kind) => programSchema(kind).properties?.[entryMembers[name]]?.entries ?? {},
  );
  // Services can have more than what contains them.
  return entries.toSorted((left, right) => sizeOf(right) - sizeOf(left))[0] ?? {};
}

function sizeOf({ properties = {} }: FieldSchema): number {
  return Object.keys(properties).length;
}

/** The inputs of a variable or a secret as a resource of its own. Their check is built from this schema. */
export function entryInputs(name: EntryName): FieldSchema {
  const owners = ownersOf(name);
  const { properties } = entrySchema(name);
  // The program knows the value that the API never shows, so that it is compared.
  const { neverShown: _neverShown, ...value } = properties?.["value"] ?? {};
  return {
    type: "object",
    additionalProperties: false,
    properties: {
      owner: ownerInput("project, environment or service", name),
      ...Object.fromEntries(owners.map((kind) => [kind.slug, ownerInput(kind.name, name)])),
      key: {
        type: "string",
        description: "Its key.",
        immutable: "a key cannot be changed",
      },
      adopt: {
        type: "boolean",
        description: `Whether a creation adopts an existing ${name} of that key instead of failing.`,
      },
      ...properties,
      value: {
        ...value,
        description: "Its value.",
        ...(name === "Secret" && { secret: true }),
      },
    },
    required: name === "Secret" ? ["key", "value"] : ["key"],
    alternatives: [["owner"], ...owners.map(({ slug }) => [slug])],
  };
}

function ownerInput(kind: string, name: EntryName): FieldSchema {
  return {
    type: "string",
    format: "uuid",
    description: `Id of the ${kind} that has it.`,
    immutable: `a ${name} cannot be moved`,
  };
}

/** The entries that a resource states in fields of its own, of the sorts that can be resources. */
export function entriesStatedIn(fields: Fields, id: string): string[] {
  return Object.values(entryMembers).flatMap((member) =>
    Object.entries(entriesIn(fields, member)).flatMap(([key, entry]) =>
      entry === null ? [] : [entryOf(id, key)],
    ),
  );
}

/** A variable or a secret: both have their keys in one list of their owner. */
export function entryOf(ownerId: string, key: string): string {
  return `${ownerId.toLowerCase()}/${key}`;
}
