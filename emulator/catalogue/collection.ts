import type { TSchema } from "typebox";
import type { Named, Store } from "../world/records.ts";
import { get, list, post, put, remove, type Call, type Route } from "../http/routing.ts";
import { requireUnused, usersOf } from "../world/in-use.ts";
import type { Table } from "../world/store.ts";
import type { World } from "../world/world.ts";
import { organizationOf } from "../http/lookup.ts";

interface Collection<Spec> {
  /** The last part of the list's path. */
  path: string;
  /** The name of an element's id in a path. */
  id: string;
  table(store: Store): Table<Named<Spec>>;
  /** The JSON Schema of `Spec`. */
  body: TSchema;
  /** Throws 400 for mistakes that a schema cannot express, and returns what to store. */
  admit?(spec: Spec, world: World): Spec;
  view(item: Named<Spec>, world: World): object;
  /** Changes the response of a get into an element of the list. */
  listed?(item: Named<Spec>, world: World): object;
  /** Throws when the element cannot be deleted; by default, when services or clusters use it. */
  requireDeletable?(item: Named<Spec>, world: World): void;
}

/** Routes to list, create, get, edit and delete the named members of an organization. */
export function collection<Spec extends { name: string }>(definition: Collection<Spec>): Route[] {
  const { table, body, view, listed = view, admit = (spec) => spec } = definition;
  const { requireDeletable = requireNoUsers } = definition;
  const many = `/organization/{organizationId}/${definition.path}`;
  const one = `${many}/{${definition.id}}`;
  const itemOf = (call: Call) => table(call.world.store).get(call.param(definition.id));

  return [
    list(many, (call) => table(call.world.store).under(organizationOf(call).id), listed),
    post(many, 201, body, (call) => {
      const { world, body: wanted } = call as Call<Spec>;
      const spec = admit(wanted, world);
      const item = { ...world.base(organizationOf(call).id), name: spec.name, spec };
      return view(world.add(table(world.store), item), world);
    }),
    get(one, (call) => view(itemOf(call), call.world)),
    put(one, body, (call) => {
      const { world, body: wanted } = call as Call<Spec>;
      const item = itemOf(call);
      const spec = admit(wanted, world);
      return view(world.update(table(world.store), item, { name: spec.name, spec }), world);
    }),
    remove(one, (call) => {
      const item = itemOf(call);
      requireDeletable(item, call.world);
      call.world.remove(table(call.world.store), item);
    }),
  ];
}

function requireNoUsers({ id, name }: Named, world: World): void {
  requireUnused(name, usersOf(id, world));
}
