import { type Fields, isFields, type Json, mapFields } from "../../values/json.ts";
import type { FieldSchema } from "../schema/field-schema.ts";
import type { Part, PartForm, PartRequest } from "./part.ts";

/** A part that is one object of a resource, with a request that writes all of it: each member is an entry. */
export interface ObjectPart extends Pick<Part, "name" | "member" | "listing">, Pick<PartForm, "goesWith"> {
  /** Its members; they may be secrets and references. */
  schema: FieldSchema;
  /** The resource of an entry, if the list has several; absent: the list is that of one resource. */
  ownerOf?(entry: Fields): string | undefined;
  /** @param fields all members, also unchanged ones @param unknown members that no schema knows */
  write(id: string, parentId: string, fields: Fields, unknown: Fields): Omit<PartRequest, "keys">;
}

export function memberEntry(name: string, value: Json, others: Fields = {}): Fields {
  return { ...others, name, value };
}

/** Defines a part that is one object. It is configuration: documents and dumps declare it like fields. */
export function objectPart({ name, member, schema, listing, ownerOf, goesWith, write }: ObjectPart): Part {
  return {
    name,
    member,
    listing,
    keyOf: (entry) => (typeof entry["name"] === "string" ? entry["name"] : undefined),
    isOwn: (entry, id) => ownerOf === undefined || ownerOf(entry) === id,
    isConfiguration: true,
    form: {
      schema: { resettable: false, ...schema },
      isWhole: true,
      declaredAs: (entry) => entry["value"] ?? null,
      ...(goesWith && { goesWith }),
      nextRequest(id, changes, listed, parentId, desired = {}) {
        if (changes.length === 0) return undefined;
        const unknown = Object.fromEntries(
          listed
            .filter(({ part, key }) => part.member === member && !Object.hasOwn(schema.properties ?? {}, key))
            .map(({ key, response }) => [key, response["value"] ?? null]),
        );
        const fields = mapFields(desired, (value) => (value === null ? undefined : value));
        return {
          isAnsweredBy: (answer) => isFields(answer) && Object.keys(answer).length > 0,
          ...write(id, parentId, fields, unknown),
          keys: changes.map(({ key }) => key),
        };
      },
    },
  };
}
