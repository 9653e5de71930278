import type { TSchema } from "typebox";
import type { Named, Store } from "../world/records.ts";
import { get, list, post, put, remove } from "../http/routing.ts";
import type { Call, Route } from "../http/routing.ts";
import { conflict } from "../http/errors.ts";
import type { Table } from "../world/store.ts";
import type { World } from "../world/world.ts";
import { countUses } from "../world/references.ts";
import { organizationOf } from "../http/lookup.ts";

interface Collection<Spec> {
  /** The last part of the list's path. */
  path: string;
  /** The name of an element's id in a path. */
  id: string;
  table(store: Store): Table<Named<Spec>>;
  /** The JSON Schema of `Spec`. */
  body: TSchema;
  view(item: Named<Spec>, world: World): object;
  /** Changes the response of a get into an element of the list. */
  listed?(item: Named<Spec>, world: World): object;
}

/** Routes to list, create, get, edit and delete the named members of an organization. */
export function collection<Spec extends { name: string }>(definition: Collection<Spec>): Route[] {
  const { table, body, view, listed = view } = definition;
  const many = `/organization/{organizationId}/${definition.path}`;
  const one = `${many}/{${definition.id}}`;
  const itemOf = (call: Call) => table(call.world.store).get(call.param(definition.id));

  return [
    list(many, (call) => table(call.world.store).under(organizationOf(call).id), listed),
    post(many, 201, body, (call) => {
      const { world, body: spec } = call as Call<Spec>;
      const item = { ...world.base(organizationOf(call).id), name: spec.name, spec };
      return view(world.add(table(world.store), item), world);
    }),
    get(one, (call) => view(itemOf(call), call.world)),
    put(one, body, (call) => {
      const { world, body: spec } = call as Call<Spec>;
      return view(world.update(table(world.store), itemOf(call), { name: spec.name, spec }), world);
    }),
    remove(one, (call) => {
      const item = itemOf(call);
      const users = countUses(item.id, call.world);
      if (users > 0) throw conflict(`${item.name} is used by ${users} service(s)`);
      call.world.remove(table(call.world.store), item);
    }),
  ];
}
