import type { Fields } from "../json.ts";
import { findKind, type Kind, type Link, type Sibling, statedLinks } from "../kinds/index.ts";
import { allNamed, type Contents, type LiveResource } from "../live/index.ts";
import type { OperationContext } from "./context.ts";
import { isEmpty } from "./body.ts";
import { notShown, OperationError } from "./errors.ts";
import type { WrittenParts } from "./parts.ts";
import { write, type WritePolicy } from "./write.ts";

/** A resource that is linked to siblings. */
type Linked = Pick<LiveResource, "kind" | "id" | "parentId">;

/** The present links of a resource. */
export interface WrittenLinks {
  links: Fields;
  /** Whether anything had to be changed. */
  isChanged: boolean;
}

/** A link may be written any number of times. */
const linkPolicy: WritePolicy = { resends: Infinity, looksAtOnce: false, pause: 0 };

/**
 * Links a resource to the siblings that fields state: one request for each link that is not as stated. The list of the
 * siblings is read only if it is not known. Undefined if no links are stated.
 *
 * @throws OperationError `gone`, `busy`, `unclear` or `pending`
 */
export async function writeLinks(
  context: OperationContext,
  resource: Linked,
  stated: Fields,
): Promise<WrittenLinks | undefined> {
  const links = statedLinks(resource.kind, stated);
  if (links.length === 0) return undefined;
  const written: WrittenLinks = { links: {}, isChanged: false };
  for (const { link, name } of links) {
    const kind = siblingKind(resource.kind, link);
    const list = await context.live.listOf(context.client, kind, resource.parentId);
    const siblings = list?.resources ?? [];
    const target = siblingNamed(kind, list, name);
    if (!link.isMet(resource.id, target.id, siblings)) {
      await writeLink(context, resource, link, kind, target);
      written.isChanged = true;
    }
    written.links[link.member] = target.name;
  }
  return written;
}

async function writeLink(
  context: OperationContext,
  { kind: itsKind, id, parentId }: Linked,
  link: Link,
  kind: Kind,
  target: Sibling,
): Promise<void> {
  const { client, limits, live, looks } = context;
  const inVain = (limit: string): string =>
    `${link.member} of the ${itsKind.name} ${id} could not be written within ${limit}`;
  await write<"put", true>(context, {
    policy: linkPolicy,
    words: {
      perhaps: `${link.member} may or may not have been written`,
      checking: "checking whether that was done",
      vain: inVain,
      busy: inVain,
    },
    limit: limits.busy,
    async look({ isBegun }) {
      if (!isBegun) return { send: "put" };
      const list = await looks.lookInList(kind, parentId);
      return link.isMet(id, target.id, list?.resources ?? []) ? { end: true } : { send: "put" };
    },
    async send() {
      const list = await live.listOf(client, kind, parentId);
      const request = link.request(id, target.id, { parentId, siblings: list?.resources ?? [] });
      const answer = await client.put(request.path, request.body);
      if (!isEmpty(answer)) return true;
      const after = await looks.lookInList(kind, parentId);
      if (link.isMet(id, target.id, after?.resources ?? [])) return true;
      throw notShown(`the change of ${link.member} of the ${itsKind.name} ${id}`);
    },
  });
  const before = await live.listOf(client, kind, parentId);
  const after = link.linked(id, target.id, before?.resources ?? []);
  live.takeInResponses(kind, parentId, new Map(after.map((sibling) => [sibling.id, sibling.response])));
}

/** The kind of the siblings that a link can name. */
function siblingKind(kind: Kind, { sibling, member }: Link): Kind {
  const found = findKind(sibling);
  if (!found) throw new TypeError(`${member} of the kind ${kind.name} names a kind that does not exist`);
  return found;
}

/** The sibling of that name. @throws OperationError `gone` or `twins` */
function siblingNamed(kind: Kind, list: Contents | undefined, name: string): LiveResource {
  const [first, second] = allNamed(list, kind, name);
  if (first && second)
    throw new OperationError(
      "twins",
      `the API has two resources of the kind ${kind.name} with the name "${name}": ${first.id}, ${second.id}`,
      { remedies: [{ keepOne: true }] },
    );
  if (first) return first;
  throw new OperationError("gone", `there is no ${kind.name} "${name}" in the ${kind.parent?.name}`, {
    remedies: [{ again: "plan" }],
  });
}

/** What has been written beside the fields of a resource; undefined if nothing was to be written. */
export function joinedParts(
  parts: WrittenParts | undefined,
  links: WrittenLinks | undefined,
): WrittenParts | undefined {
  if (!parts && !links) return undefined;
  return {
    parts: { ...parts?.parts, ...links?.links },
    reports: parts?.reports ?? {},
    isChanged: parts?.isChanged === true || links?.isChanged === true,
  };
}
