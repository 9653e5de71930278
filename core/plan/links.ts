import { type Address, describeAddress, parentAddress } from "../address.ts";
import type { Fields } from "../json.ts";
import { kindOf, type Link, nameOfLinked, presentLinks, type Sibling, statedLinks } from "../kinds/index.ts";
import type { Desired } from "../manifest/desired.ts";
import { nearest } from "../schema/suggest.ts";
import { type Parent, twinsProblem } from "./expectations.ts";
import { type Expected, type ExpectedContents, expectBrought } from "./expected.ts";
import type { Refusal } from "./findings.ts";
import { type Concern, everyBase, type Overlay, type StatedLink } from "./overlay.ts";
import type { Planning } from "./planning.ts";

/**
 * Looks up the siblings that stated fields name, and refuses those of which there is none, or more than one.
 *
 * @throws Unplannable while that is not known
 */
export function findLinked(
  { expectations }: Planning,
  { desired: { address }, parent, stated }: Overlay,
): { links: StatedLink[]; refusals: Refusal[] } {
  const links: StatedLink[] = [];
  const refusals: Refusal[] = [];
  for (const { link, name } of statedLinks(address.kind, stated)) {
    const kind = kindOf(link.sibling);
    const contents = expectations.contentsOf(parent, kind);
    const [first, second] = contents.find(kind, name);
    const target = first ?? comesWith(parent, contents, link, name);
    const path = [link.member];
    if (first && second) {
      const { message, advice } = twinsProblem([first, second]);
      refusals.push({ code: "twins", path, message: `${link.member}: ${message}`, help: advice });
    } else if (target) links.push({ link, target, contents });
    else refusals.push({ code: "reference", path, ...missingSibling(address, contents, link, name) });
  }
  return { links, refusals };
}

/** The sibling of that name that the server makes with a parent that this plan creates. */
function comesWith(
  parent: Parent,
  contents: ExpectedContents,
  link: Link,
  name: string,
): Expected | undefined {
  const brought = expectBrought(kindOf(link.sibling), name, parent);
  if (brought) contents.add(brought);
  return brought;
}

function missingSibling(
  address: Address,
  contents: ExpectedContents,
  { sibling }: Link,
  name: string,
): { message: string; help: string } {
  const names = contents.all.filter(({ kind }) => kind.name === sibling).map((each) => each.name);
  const near = nearest(name, names);
  return {
    message: `there is no ${sibling} "${name}" in ${whereIs(address)}, and no document describes one`,
    help:
      near === undefined
        ? names.length === 0
          ? "describe it"
          : `describe it, or name one of: ${names.toSorted().join(", ")}`
        : `did you mean ${near}?`,
  };
}

function whereIs(address: Address): string {
  const parent = parentAddress(address);
  return parent ? describeAddress(parent) : "the organization";
}

/** The stated fields, with the names of siblings as the plan spells them. */
export function withLinkedNames(stated: Fields, links: readonly StatedLink[]): Fields {
  return links.length === 0
    ? stated
    : { ...stated, ...Object.fromEntries(links.map(({ link, target }) => [link.member, target.name])) };
}

/**
 * The fields of a resource with its present links, where its document states them. A link that needs no request is as
 * stated.
 */
export function withPresentLinks(fields: Fields, resource: Expected, links: readonly StatedLink[]): Fields {
  const result: Fields = { ...fields };
  for (const { link, target, contents } of links) {
    const name = nameOfLinked(link, resource.key, siblingsOf(contents, link), siblingOf(target));
    if (name === undefined) delete result[link.member];
    else result[link.member] = name;
  }
  return result;
}

/** The links that a live resource has before the plan, of those that its document states, for its fingerprint. */
export function liveLinks({ kind, live }: Expected, stated: Fields, links: readonly StatedLink[]): Fields {
  if (!live) return {};
  return presentLinks(kind, live.id, stated, (link) =>
    links
      .find((each) => each.link === link)
      ?.contents.all.flatMap((sibling) =>
        sibling.kind.name === link.sibling && sibling.live ? [sibling.live] : [],
      ),
  );
}

/** Records that the plan links a resource to siblings, unless it is linked to them already. */
export function expectLinks(resource: Expected, links: readonly StatedLink[]): void {
  for (const { link, target, contents } of links) {
    const siblings = siblingsOf(contents, link);
    if (link.isMet(resource.key, target.key, siblings)) continue;
    for (const { expected, response } of link.linked(resource.key, target.key, siblings))
      expected.response = response;
  }
}

/**
 * The links that a resource has and its document does not state, for a replacement, which keeps them. Those that a new
 * resource gets by itself are left out, and those to siblings that the parent will not have.
 *
 * @param before the present parent
 * @throws Unplannable while they have not been read
 */
export function unstatedLinks(
  { expectations }: Planning,
  { address, stated }: Desired,
  resource: Expected,
  before: Parent,
  parent: Parent,
): Fields {
  const { kind } = address;
  const found = (kind.links ?? []).flatMap((link): [string, string][] => {
    if (Object.hasOwn(stated, link.member)) return [];
    const sibling = kindOf(link.sibling);
    const name = nameOfLinked(link, resource.key, siblingsOf(expectations.contentsOf(before, sibling), link));
    const isLeft =
      name !== undefined &&
      !link.isImplied(name) &&
      expectations.contentsOf(parent, sibling).find(sibling, name).length > 0;
    return isLeft ? [[link.member, name]] : [];
  });
  return Object.fromEntries(found);
}

function siblingsOf({ all }: ExpectedContents, link: Link): (Sibling & { expected: Expected })[] {
  return all
    .filter(({ kind }) => kind.name === link.sibling)
    .map((expected) => ({
      ...siblingOf(expected),
      expected,
    }));
}

function siblingOf({ key, name, response }: Expected): Sibling {
  return { id: key, name, response };
}

/** The names of siblings that are no fields of the resource itself, such as that of its deployment stage. */
export const links: Concern = {
  name: "links",
  state: {
    on: everyBase,
    run(planning, overlay) {
      const { on, base, stated, fields } = overlay;
      const found = findLinked(planning, overlay);
      return {
        ...found,
        stated: withLinkedNames(stated, found.links),
        ...(base && on === "existing" && { fields: withPresentLinks(fields, base, found.links) }),
      };
    },
  },
};
