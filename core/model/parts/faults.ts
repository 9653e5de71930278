import { type Fields, isFields, own } from "../../values/json.ts";
import type { Help } from "../../problems/remedy.ts";
import { field, type Message, say } from "../../problems/say.ts";
import { shareList } from "./lists.ts";
import type { Part } from "./part.ts";
import { type DeclaredPart, entriesIn, declaredParts, type WithParts } from "./declared-parts.ts";

/** A mistake in the parts of a document that needs no live state. */
export interface PartFault extends Help {
  code: "circle" | "duplicate" | "impossible" | "invalid";
  path: string[];
  message: string | Message;
}

/** Finds wrong aliases, values that the API would take for an alias, reserved values, and keys in two sorts. */
export function partFaults(kind: WithParts, fields: Fields): PartFault[] {
  const parts = declaredParts(kind).filter(({ member }) => own(fields, member) !== undefined);
  return [
    ...parts.flatMap((part) => circles(part, entriesIn(fields, part.member))),
    ...parts.flatMap((part) => mistakes(part, entriesIn(fields, part.member))),
    ...parts.flatMap((part) => takenForAliases(part, parts, fields)),
    ...parts.flatMap((part, index) =>
      parts.slice(index + 1).flatMap((other) => claimedTwice(part, other, fields)),
    ),
  ];
}

function circles(part: DeclaredPart, entries: Fields): PartFault[] {
  const nextOf = (key: string) => {
    const entry = own(entries, key);
    return isFields(entry) ? part.form.needs?.(entry, key).find(({ as }) => as === undefined) : undefined;
  };
  const keys = Object.keys(entries);
  const places = new Map(keys.map((key, index) => [key, index]));
  const placeOf = (key = "") => places.get(key) ?? 0;
  const seen = new Set<string>();
  const rounds = keys.flatMap((start) => {
    const way: string[] = [];
    let key: string | undefined = start;
    for (; key !== undefined && !seen.has(key); key = nextOf(key)?.key) {
      seen.add(key);
      way.push(key);
    }
    // An entry seen on this way closes a circle, which is reported from its first entry in the document.
    const begin = key === undefined ? -1 : way.indexOf(key);
    if (begin < 0) return [];
    const circle = way.slice(begin);
    const first = circle.indexOf(
      circle.reduce((one, other) => (placeOf(one) < placeOf(other) ? one : other)),
    );
    return [[...circle.slice(first), ...circle.slice(0, first)]];
  });
  return rounds
    .toSorted(([one], [other]) => placeOf(one) - placeOf(other))
    .map((way) => {
      const [start = ""] = way;
      return {
        code: "circle",
        path: [part.member, start, nextOf(start)?.member ?? ""],
        message:
          way.length === 1
            ? say`${field([part.member, start])} is an alias of itself`
            : say`${field([part.member, start])}: these are aliases of each other in a circle: ${[...way, start].join(" -> ")}`,
        advice: "name another, or declare a value",
      };
    });
}

function mistakes({ member, form }: DeclaredPart, entries: Fields): PartFault[] {
  return Object.entries(entries).flatMap(([key, entry]) => {
    const mistake = form.mistakeIn?.(key, entry);
    if (!mistake) return [];
    const { message, advice } = mistake;
    return [{ code: "invalid", path: [member, key], message: say`${field([member])}: ${message}`, advice }];
  });
}

function takenForAliases(part: DeclaredPart, parts: readonly Part[], fields: Fields): PartFault[] {
  const beside = parts
    .filter((other) => shareList(part, other))
    .map((other) => entriesIn(fields, other.member));
  return Object.entries(entriesIn(fields, part.member)).flatMap(([key, entry]) => {
    const taken = isFields(entry) ? part.form.isTakenForAliasOf?.(key, entry) : undefined;
    if (taken === undefined || !beside.some((entries) => (own(entries, taken) ?? null) !== null)) return [];
    return [
      {
        code: "impossible",
        path: [part.member, key],
        message: say`${field([part.member, key])}: its value is the key of another ${part.name}, so the API makes it an alias of ${taken}`,
        remedies: [{ declare: "alias", of: taken }],
      },
    ];
  });
}

/** The API has one namespace of keys for all sorts of parts. */
function claimedTwice(part: Part, other: Part, fields: Fields): PartFault[] {
  if (!shareList(part, other) || part.form?.isSingle) return [];
  const others = entriesIn(fields, other.member);
  // Null removes an entry, and makes room for the other.
  return Object.entries(entriesIn(fields, part.member))
    .filter(([key, entry]) => entry !== null && (own(others, key) ?? null) !== null)
    .map(([key]) => ({
      code: "duplicate",
      path: [other.member, key],
      message: say`${key} is declared twice: in ${field([part.member])} and in ${field([other.member])}`,
      advice: "remove one of the two",
    }));
}
