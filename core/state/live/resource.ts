import { type Client, type ListNotes, NotFoundError, unexpectedAnswer } from "../../api/index.ts";
import { type Fields, isFields, own, textIn } from "../../values/json.ts";
import { fieldsIn, type Kind } from "../../model/kinds/index.ts";

/** A resource as the API has it. */
export interface LiveResource {
  kind: Kind;
  id: string;
  name: string;
  parentId: string;
  /** Its fields in manifest form; references are `{id, name?}`, elements keep the ids that the API gave them. */
  fields: Fields;
  /** The answer itself. */
  response: Fields;
}

/** A response as a live resource. Throws when it has no id or no name: nothing can be done with it safely. */
export function toLive(kind: Kind, response: unknown, parentId: string): LiveResource {
  const id = isFields(response) ? response["id"] : undefined;
  const name = isFields(response) ? nameIn(kind, response) : undefined;
  if (!isFields(response) || typeof id !== "string" || id === "" || typeof name !== "string") {
    throw unexpectedAnswer(
      kind.listing.path(parentId),
      `the server describes a resource of the kind ${kind.name} without an id or a name`,
    );
  }
  return { kind, id, name, parentId, fields: fieldsIn(kind, response), response };
}

/** The name of the resource of a response; undefined when it has none. */
export function nameIn(kind: Kind, response: Fields): string | undefined {
  return kind.names?.of ? kind.names.of(response) : textIn(response, "name");
}

/** The id of the parent that a response names; undefined when it names none. */
export function parentIdIn(kind: Kind, response: Fields): string | undefined {
  const parent = response[kind.parentMember ?? "organization"];
  const id = isFields(parent) ? parent["id"] : undefined;
  return typeof id === "string" ? id : undefined;
}

/** Whether a response has every member of a list entry of such resources, so that it can replace the entry. */
export function isWhole(kind: Kind, response: Fields): boolean {
  const members = ["id", "created_at", ...Object.keys(kind.reports)];
  return nameIn(kind, response) !== undefined && members.every((member) => Object.hasOwn(response, member));
}

/** Whether two ids are the same to the API. */
export function sameId(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Reads one resource afresh. Undefined when it does not exist: only a 404 says that. */
export async function readOne(
  client: Client,
  kind: Kind,
  id: string,
  parentId: string,
): Promise<LiveResource | undefined> {
  if (kind.listing.isOnlyWay) return listedOne(client, kind, id, parentId);
  const response = await absentWhenNotFound(client.get(kind.requests.one(id, parentId)));
  if (response === undefined) return undefined;
  const live = toLive(kind, response, parentId);
  if (sameId(live.id, id)) return live;
  throw unexpectedAnswer(
    kind.requests.one(id, parentId),
    `the server describes the ${kind.name} ${live.id}, and the request was for ${id}`,
    "check whether a proxy in between caches answers",
  );
}

/** The entries of the list of a kind in a parent, also those that are not complete yet. */
export async function readEntries(
  client: Client,
  { listing, use }: Kind,
  parentId: string,
  notes: ListNotes = {},
): Promise<unknown[]> {
  const { startMember, elementMember } = listing;
  const lists = await Promise.all([
    client.list(listing.path(parentId), undefined, {
      startMember,
      ...notes,
      isReference: use === "reference",
    }),
    listing.pendingPath ? client.list(listing.pendingPath(parentId)) : [],
  ]);
  const elements = lists.flat();
  return elementMember === undefined
    ? elements
    : elements.map((element) => (isFields(element) ? (own(element, elementMember) ?? null) : element));
}

/** A resource that only the list of its parent shows. */
async function listedOne(
  client: Client,
  kind: Kind,
  id: string,
  parentId: string,
): Promise<LiveResource | undefined> {
  const items = await absentWhenNotFound(readEntries(client, kind, parentId));
  const item = items?.find((each) => isFields(each) && sameId(String(each["id"]), id));
  return item === undefined ? undefined : toLive(kind, item, parentId);
}

/** The value, or undefined after a 404; every other failure stays one. */
export async function absentWhenNotFound<Value>(request: Promise<Value>): Promise<Value | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
