import { type Fields, isFields, type Json, textIn } from "../../values/json.ts";
import type { FieldSchema } from "../schema/field-schema.ts";
import type { Part, PartForm, PartListing } from "./part.ts";

/** A part that is one object at a path of its own, whose members are the entries. */
export interface MembersPart extends Pick<Part, "name" | "member">, Pick<PartForm, "mistakeIn"> {
  /** The path of the object of a resource: read and replaced as a whole. */
  pathOf(id: string, parentId: string): string;
  schema: FieldSchema;
  /** The path of the API's list of all members with their defaults; absent: the schema has both. */
  defaultsPath?: string;
}

/** Defines a part that is one object. A PUT replaces it, so every request carries all its members. */
export function membersPart({ name, member, pathOf, schema, defaultsPath, mistakeIn }: MembersPart): Part {
  return {
    name,
    member,
    listing: (id, parentId) => membersAt(pathOf(id, parentId)),
    keyOf: (entry) => textIn(entry, "name"),
    isConfiguration: true,
    form: {
      schema,
      isWhole: true,
      isPermanent: true,
      ...(defaultsPath !== undefined && { defaults: membersAt(defaultsPath) }),
      ...(mistakeIn && { mistakeIn }),
      declaredAs: valueIn,
      nextRequest(id, changes, listed, parentId) {
        if (changes.length === 0) return undefined;
        const ofPart = listed.filter(({ part }) => part.member === member);
        const present = ofPart.map(({ key, response }) => [key, valueIn(response)]);
        // An omitted member gets its default.
        const changed = new Set(changes.map(({ key }) => key));
        const desired = changes.flatMap(({ key, desired: value }) =>
          value === undefined ? [] : [[key, value]],
        );
        const body: Fields = Object.fromEntries([
          ...present.filter(([key]) => !changed.has(String(key))),
          ...desired,
        ]);
        return {
          method: "PUT",
          path: pathOf(id, parentId),
          body,
          keys: [...changed],
          isAnsweredBy: (answer) =>
            isFields(answer) && desired.every(([key]) => Object.hasOwn(answer, String(key))),
          listedAfter: (answer) =>
            isFields(answer) && [...Object.keys(body), ...changed].every((key) => Object.hasOwn(answer, key))
              ? membersOf(answer)
              : undefined,
        };
      },
    },
  };
}

function membersAt(path: string): PartListing {
  return { path, entriesIn: membersOf, plainIn: () => ["name"] };
}

function membersOf(answer: Fields): Fields[] {
  return Object.entries(answer).map(([name, value]) => ({ name, value }));
}

function valueIn(entry: Fields): Json {
  return entry["value"] ?? null;
}
