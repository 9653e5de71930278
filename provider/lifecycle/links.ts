import { nameKey } from "../../core/names.ts";
import { type Fields, isFields, own } from "../../core/json.ts";
import { type Kind, kindOf, nameOfLinked, statedLinks } from "../../core/kinds/index.ts";
import { outputsUsed } from "../../core/kinds/outputs.ts";
import type { LiveResource } from "../../core/live/index.ts";
import { nearest } from "../../core/schema/suggest.ts";
import { camelCase } from "./casing.ts";
import { RefusedError } from "./errors.ts";
import type { Memory } from "./outputs.ts";
import type { ProviderSession } from "./session.ts";

/**
 * A live resource whose fields include the links that the program states, as the list of the siblings shows them: one
 * request for all resources of a parent, and none if the program states no link.
 *
 * @param before what the state has of the resource, in manifest form
 */
export async function withStatedLinks(
  session: ProviderSession,
  live: LiveResource,
  { shape }: Memory,
  before: Fields,
): Promise<LiveResource> {
  const { kind, id, parentId } = live;
  const fields: Fields = { ...live.fields };
  for (const link of kind.links ?? []) {
    if (!isFields(shape) || !Object.hasOwn(shape, link.member)) continue;
    const siblings = await siblingsOf(session, kindOf(link.sibling), parentId);
    const wanted = own(before, link.member);
    const target = siblings.find(
      ({ name }) => typeof wanted === "string" && nameKey(name) === nameKey(wanted),
    );
    const name = nameOfLinked(link, id, siblings, target);
    if (name !== undefined) fields[link.member] = name === target?.name ? (wanted ?? name) : name;
  }
  return { ...live, fields };
}

/** Refuses fields that name a sibling that does not exist, before anything is sent. */
export async function refuseMissingSiblings(
  session: ProviderSession,
  kind: Kind,
  parentId: string,
  stated: Fields,
): Promise<void> {
  for (const { link, name } of statedLinks(kind, stated)) {
    const sibling = kindOf(link.sibling);
    const names = (await siblingsOf(session, sibling, parentId)).map((each) => each.name);
    if (names.some((each) => nameKey(each) === nameKey(name))) continue;
    const near = nearest(name, names);
    const advice =
      near === undefined ? `there are: ${names.toSorted().join(", ")}` : `did you mean "${near}"?`;
    throw new RefusedError(
      `${camelCase(link.member)}: there is no ${sibling.name} "${name}" in the ${kind.parent?.name}; ${advice}`,
    );
  }
  for (const { path, kind: sibling, name } of outputsUsed(kind, stated)) {
    const names = (await siblingsOf(session, sibling, parentId)).map((each) => each.name);
    if (names.some((each) => nameKey(each) === nameKey(name))) continue;
    const near = nearest(name, names);
    const advice =
      near === undefined
        ? "make the name of that resource an input, so that it is created first"
        : `did you mean "${near}"?`;
    throw new RefusedError(
      `${path.join(".")}: there is no ${sibling.name} "${name}" in the ${kind.parent?.name}; ${advice}`,
    );
  }
}

async function siblingsOf(session: ProviderSession, kind: Kind, parentId: string): Promise<LiveResource[]> {
  const list = await session.listOf(kind, parentId);
  return (list?.resources ?? []).filter((resource) => resource.kind === kind);
}
