import { type Fields, isFields, type Json } from "../../values/json.ts";
import { nameKey } from "../addresses/names.ts";
import type { Part } from "./part.ts";
import type { DeclaredPart } from "./declared-parts.ts";

/** A list of siblings in responses of the API: each has an id and a name. */
export type Siblings = readonly Fields[];

/** A part that refers to a sibling, a resource in the same parent: the list of the siblings shows it. */
export interface SiblingPart {
  /** The member of a document with the name: `deployment_stage`. */
  member: string;
  sibling: string;
  /** The noun of the sibling: `deployment stage`. */
  name: string;
  description: string;
  path(parentId: string): string;
  /** The id of the sibling to which a resource refers. @param desired the answer, if several are equally right */
  targetOf(id: string, siblings: Siblings, desired: string | undefined): string | undefined;
  /** The PUT that makes a resource refer to a sibling. */
  request(
    id: string,
    targetId: string,
    place: { parentId: string; siblings: Siblings },
  ): { path: string; body: Fields };
  listedAfter(id: string, targetId: string, siblings: Siblings): Fields[];
  /** Whether a new resource refers to a sibling of that name by itself; absent: none. */
  isImplied?(name: string): boolean;
}

/** Defines a part that refers to a sibling: one entry, which is never removed. */
export function siblingPart({
  member,
  sibling,
  name,
  description,
  path,
  targetOf,
  request,
  listedAfter,
  isImplied = () => false,
}: SiblingPart): Part {
  return {
    name,
    member,
    listing: (_id, parentId) => ({ path: path(parentId), siblings: sibling }),
    keyOf: () => "",
    isOwn: (entry, id, siblings, desired) =>
      idOf(entry) ===
      targetOf(id, siblings, typeof desired === "string" ? onlyId(siblings, desired) : undefined),
    isConfiguration: true,
    form: {
      schema: { type: "string", format: "name", description, resettable: false, sibling },
      isSingle: true,
      isPermanent: true,
      staysWithSource: true,
      isImplied: (declared) => isImplied(String(declared)),
      declaredAs: ({ name: present = null }, desired) => (isNamed(present, desired) ? desired : present),
      nextRequest(id, [change], listed, parentId) {
        const siblings = listed.filter(({ part }) => part.member === member).map(({ response }) => response);
        const targetId = typeof change?.desired === "string" ? onlyId(siblings, change.desired) : undefined;
        if (targetId === undefined) return undefined;
        return {
          method: "PUT",
          ...request(id, targetId, { parentId, siblings }),
          keys: [""],
          isAnsweredBy: (answer) =>
            Array.isArray(answer) || (isFields(answer) && Object.keys(answer).length > 0),
          listedAfter: (_answer, all) => listedAfter(id, targetId, all),
        };
      },
    },
  };
}

/** The kind of the siblings of a part; undefined for other parts. */
export function siblingKindOf({ listing }: Pick<Part, "listing">): string | undefined {
  return listing("id", "parent").siblings;
}

export function siblingParts(parts: readonly DeclaredPart[]): DeclaredPart[] {
  return parts.filter((part) => siblingKindOf(part) !== undefined);
}

/** The member `after`, which places a resource anywhere behind a sibling. */
export function after({
  place,
  first,
  ...others
}: Pick<SiblingPart, "sibling" | "description" | "path" | "request"> & {
  /** The member of a response with the place of a sibling. */
  place: string;
  first: number;
}): Part {
  return siblingPart({
    ...others,
    name: "place",
    member: "after",
    targetOf(id, siblings, desired) {
      const ids = inOrder(siblings, place).map(idOf);
      // A new one comes last.
      const isBehind = !ids.includes(id) || (desired !== undefined && ids.indexOf(id) > ids.indexOf(desired));
      return isBehind ? desired : ids[ids.indexOf(id) - 1];
    },
    listedAfter: (id, targetId, siblings) =>
      putBehind(id, targetId, inOrder(siblings, place)).map((each, order) => ({
        ...each,
        [place]: order + first,
      })),
  });
}

/** The ids of siblings in order, with one moved behind another. */
export function idsWithBehind(id: string, targetId: string, siblings: Siblings, place: string): string[] {
  return putBehind(id, targetId, inOrder(siblings, place)).map(idOf);
}

function putBehind(id: string, targetId: string, ordered: readonly Fields[]): Fields[] {
  const others = ordered.filter((each) => idOf(each) !== id);
  const index = others.findIndex((each) => idOf(each) === targetId);
  return others.toSpliced(index + 1, 0, ...ordered.filter((each) => idOf(each) === id));
}

function inOrder(siblings: Siblings, member: string): Fields[] {
  const placeOf = ({ [member]: place }: Fields) => (typeof place === "number" ? place : Infinity);
  return siblings.toSorted((one, other) =>
    placeOf(one) === placeOf(other) ? 0 : placeOf(one) - placeOf(other),
  );
}

function idOf({ id }: Fields): string {
  return String(id);
}

function isNamed(name: Json, desired: Json | undefined): desired is string {
  return typeof name === "string" && typeof desired === "string" && nameKey(name) === nameKey(desired);
}

/** Undefined: there is none, or there are several. */
function onlyId(siblings: Siblings, name: string): string | undefined {
  const [first, second] = siblings.filter((each) => isNamed(each["name"] ?? null, name));
  return first && !second ? idOf(first) : undefined;
}
