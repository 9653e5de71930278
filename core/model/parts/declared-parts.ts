import { type Fields, isFields, type Json, once, own, presentIn } from "../../values/json.ts";
import { shareList } from "./lists.ts";
import type { Part, PartEntry, PartForm } from "./part.ts";

export interface WithParts {
  parts: readonly Part[];
}

export type DeclaredPart = Part & { form: PartForm };

export const declaredParts = once(({ parts }: WithParts): readonly DeclaredPart[] =>
  parts.filter((part): part is DeclaredPart => part.form !== undefined),
);

export function lostParts({ parts }: WithParts): Part[] {
  return parts.filter(({ isConfiguration }) => !isConfiguration);
}

/** The parts under some declared members, and those in the same lists. */
export function partsWith(kind: WithParts, members: readonly string[]): DeclaredPart[] {
  const parts = declaredParts(kind);
  const chosen = parts.filter(({ member }) => members.includes(member));
  return parts.filter((part) => chosen.some((other) => shareList(part, other)));
}

/** The fields of a resource without its parts. */
export function withoutParts(kind: WithParts, fields: Fields): Fields {
  const members = new Set(declaredParts(kind).map(({ member }) => member));
  return Object.fromEntries(Object.entries(fields).filter(([member]) => !members.has(member)));
}

/** The fields of a clone: some parts stay with the source. */
export function withoutUncopiedParts(kind: WithParts, fields: Fields): Fields {
  const staying = new Set(
    declaredParts(kind).flatMap(({ member, form }) => (form.staysWithSource ? [member] : [])),
  );
  return Object.fromEntries(Object.entries(fields).filter(([member]) => !staying.has(member)));
}

export function partFields(kind: WithParts, fields: Fields): Fields {
  return Object.fromEntries(
    declaredParts(kind).flatMap(({ member }) => {
      const value = own(fields, member);
      return value === undefined ? [] : [[member, value]];
    }),
  );
}

/** The API's reports about the own parts of a resource, by the member of the reports and the key of the entry. */
export function partReports({ parts }: Pick<WithParts, "parts">, entries: readonly PartEntry[]): Fields {
  return Object.fromEntries(
    parts.flatMap(({ member, reports }) => {
      if (!reports) return [];
      const members = Object.keys(reports.schema.properties ?? {});
      const reported = entries
        .filter(({ part, isOwn }) => part.member === member && isOwn)
        .map(({ key, response }): [string, Fields] => [key, presentIn(response, members)]);
      return [[reports.member, Object.fromEntries(reported)]];
    }),
  );
}

/** The live parts of a resource as fields, without inherited ones. */
export function ownPartFields(parts: readonly DeclaredPart[], entries: readonly PartEntry[]): Fields {
  return Object.fromEntries(
    parts.flatMap((one) => {
      const declared = entries.flatMap(
        ({ part, isOwn, key, response, desired, seenBy }): [string, Json][] => {
          const value =
            part.member === one.member && isOwn ? one.form.declaredAs(response, desired, seenBy) : null;
          return value === null ? [] : [[key, value]];
        },
      );
      return fieldOf(one, Object.fromEntries(declared));
    }),
  );
}

export function entriesIn(fields: Fields, member: string): Fields {
  const value = own(fields, member) ?? null;
  return isFields(value) ? value : value === null || Array.isArray(value) ? {} : { "": value };
}

/** The field with the entries of a part; none without entries. */
export function fieldOf({ member, form }: DeclaredPart, entries: Fields): [string, Json][] {
  const value = form.isSingle ? own(entries, "") : entries;
  return value === undefined ? [] : [[member, value]];
}
