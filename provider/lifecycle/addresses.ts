import type { Address } from "../../core/address.ts";
import { type Kind, kindsInside } from "../../core/kinds/index.ts";
import { type Contents, type LiveResource, parentIdIn } from "../../core/live/index.ts";
import { RefusedError } from "./errors.ts";
import type { ProviderSession } from "./session.ts";

/** A resource that a run changes or deletes. */
export interface AddressedResource {
  kind: Kind;
  id: string;
  parentId: string | undefined;
  /** Its names: in the state, on the server, in the program. */
  names: readonly (string | undefined)[];
}

/** Something inside a resource, all levels deep. */
export interface Inner {
  resource: LiveResource;
  /** Its names, from below the resource. */
  names: readonly string[];
}

/** Everything that a resource contains. @param which default: all but data, such as backups, which has a list for each resource */
export async function contentsBelow(
  session: ProviderSession,
  { kind, id }: { kind: Kind; id: string },
  which?: "with data",
): Promise<Inner[]> {
  const { live } = session.run;
  const inside = kindsInside(kind);
  const lists: (Contents | undefined)[] = await Promise.all([
    inside.some(({ use }) => use !== "data") ? live.contentsOf(session.client, kind, id) : undefined,
    ...inside
      .filter(({ use }) => use === "data" && which)
      .map((data) => live.listOf(session.client, data, id)),
  ]);
  const found = await Promise.all(
    lists
      .flatMap((list) => list?.resources ?? [])
      .map(async (resource): Promise<Inner[]> => {
        const below = await contentsBelow(session, resource, which);
        return [
          { resource, names: [resource.name] },
          ...below.map((inner) => ({ ...inner, names: [resource.name, ...inner.names] })),
        ];
      }),
  );
  return found.flat();
}

/**
 * Every address of a resource: with each of its names, and with each that a resource above it has on the server, in the
 * state or in the program. One request for each resource above it.
 */
export async function addressesOf(
  session: ProviderSession,
  { kind, parentId, names }: AddressedResource,
): Promise<Address[]> {
  const above = await namesAbove(session, kind.parent, parentId);
  const own = [...new Set(names.filter((name) => name !== undefined))];
  return above.flatMap((outer) => own.map((name) => ({ kind, names: [...outer, name] })));
}

async function namesAbove(
  session: ProviderSession,
  kind: Kind | undefined,
  id: string | undefined,
): Promise<string[][]> {
  if (!kind || id === undefined) return [[]];
  const live = await session.holder(kind, id);
  if (!live)
    throw new RefusedError(
      `the ${kind.name} ${id} does not exist; run \`pulumi refresh\`, then \`pulumi up\``,
    );
  const above = await namesAbove(session, kind.parent, parentIdIn(kind, live.response));
  const own = new Set([live.name, ...session.bindings.namesOf(id)]);
  return above.flatMap((outer) => [...own].map((name) => [...outer, name]));
}
