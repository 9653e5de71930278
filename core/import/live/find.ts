import { nearest } from "../../model/schema/suggest.ts";
import { type Address, describeAddress, formatReference } from "../../model/addresses/address.ts";
import type { Kind } from "../../model/kinds/index.ts";
import { allNamed, type Contents, type LiveReader, type LiveResource } from "../../state/live/index.ts";
import type { Organization } from "../../state/organization.ts";
import { InvalidInputError } from "../../problems/problem.ts";

/** Finds a live resource, with a list for each level. @throws InvalidInputError, with the existing names */
export async function findLive(
  context: LiveReader,
  organization: Organization,
  address: Address,
): Promise<LiveResource> {
  const chain: Kind[] = [];
  for (let kind: Kind | undefined = address.kind; kind; kind = kind.parent) chain.unshift(kind);
  let parent: LiveResource | undefined;
  for (const [depth, kind] of chain.entries()) {
    const name = address.names[depth] ?? "";
    const list = () => context.live.listOf(context.client, kind, parent?.id ?? organization.id);
    const isListed = allNamed(await list(), kind, name).length > 0;
    if (!isListed) await context.live.complete(context.client, organization.id);
    parent = oneNamed(await list(), { kind, names: address.names.slice(0, depth + 1) }, name);
  }
  if (!parent) throw new TypeError("an address names at least one resource");
  return parent;
}

function oneNamed(contents: Contents | undefined, address: Address, name: string): LiveResource {
  const [first, second] = allNamed(contents, address.kind, name);
  if (first && !second) return first;
  const candidates = contents?.resources.filter(({ kind }) => kind === address.kind) ?? [];
  const names = candidates.map((resource) => resource.name).toSorted();
  const meant = nearest(name, names);
  throw new InvalidInputError([
    second
      ? {
          code: "twins",
          message: `the API has two resources named ${describeAddress(address)}: ${first?.id} and ${second.id}`,
          advice: "delete or rename one of them",
        }
      : {
          code: "not_found",
          unmatched: formatReference(address.names),
          message: `${describeAddress(address)} does not exist`,
          advice:
            names.length === 0
              ? `there is no ${address.kind.name} at that place`
              : `${meant === undefined ? "" : `did you mean ${meant}? `}there are: ${names.join(", ")}`,
        },
  ]);
}
