import { type Fields, own } from "../json.ts";
import type { Part, PartEntry, PartForm } from "./part.ts";

/** Something with parts: a kind of resource. */
export interface WithParts {
  parts: readonly Part[];
}

/** A part that documents can state. */
type StatedPart = Part & { form: PartForm };

/** The parts of a kind that documents can state. */
export function statedParts({ parts }: WithParts): StatedPart[] {
  return parts.filter((part): part is StatedPart => part.form !== undefined);
}

/** Of the fields of a resource, those that the resource itself has. */
export function withoutParts(kind: WithParts, fields: Fields): Fields {
  const members = new Set(statedParts(kind).map(({ member }) => member));
  return Object.fromEntries(Object.entries(fields).filter(([member]) => !members.has(member)));
}

/** Of the fields of a resource, those that state its parts. */
export function partFields(kind: WithParts, fields: Fields): Fields {
  return Object.fromEntries(
    statedParts(kind).flatMap(({ member }) => {
      const value = own(fields, member);
      return value === undefined ? [] : [[member, value]];
    }),
  );
}

/** The live parts of a resource as fields of it: its own. */
export function ownPartFields(kind: WithParts, entries: readonly PartEntry[]): Fields {
  return Object.fromEntries(
    statedParts(kind).map(({ member, form }) => [
      member,
      Object.fromEntries(
        entries
          .filter(({ part, isOwn }) => part.member === member && isOwn)
          .map(({ key, response }) => [key, form.fieldsOf(response)]),
      ),
    ]),
  );
}
