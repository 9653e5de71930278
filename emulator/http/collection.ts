import type { Static, TSchema } from "typebox";
import type { Store } from "../world/records.ts";
import { notFound } from "../world/errors.ts";
import type { Entity, Table } from "../world/store.ts";
import type { World } from "../world/world.ts";
import { type Call, get, list, type Method, post, put, remove, type Route } from "./routing.ts";

interface Collection<Item extends Entity, Body extends TSchema> {
  path: string;
  /** The path under which an element is created, if it is not that of the list. */
  created?: string;
  /** The path of one element, if it is not below the list. */
  one?: string;
  /** The name of an element's id in a path. */
  id: string;
  parentOf(call: Call): Entity;
  table(store: Store): Table<Item>;
  /** Whether an entity of the table is one of its elements; default: all below the parent are. */
  has?(item: NoInfer<Item>): boolean;
  body: Body;
  /** The body of a PUT, if it differs. */
  edit?: TSchema;
  /** The record for a body, or for a PUT of `item`; throws 400 for mistakes that a schema cannot express. */
  admit(body: Static<Body>, world: World, item?: NoInfer<Item>, parentId?: string): Partial<NoInfer<Item>>;
  view(item: NoInfer<Item>, world: World): object;
  /** An element of the list, if it differs from the response of a get. */
  listed?(item: NoInfer<Item>, world: World): object;
  /** Throws when the element cannot be deleted. */
  requireDeletable?(item: NoInfer<Item>, world: World): void;
  /** The response to a creation, if it differs from the response of a get. */
  made?(item: NoInfer<Item>, world: World): object;
  /** The methods that the API does not have for one element. */
  without?: readonly Method[];
}

export function collection<Item extends Entity, Body extends TSchema>({
  path: many,
  created = many,
  id,
  one = `${many}/{${id}}`,
  parentOf,
  table,
  has = () => true,
  body: schema,
  edit = schema,
  admit,
  view,
  listed = view,
  made = view,
  requireDeletable,
  without = [],
}: Collection<Item, Body>): Route[] {
  const itemOf = (call: Call): Item => {
    const items = table(call.world.store);
    const item = items.get(call.param(id));
    const isElsewhere = one.startsWith(many) && item.parentId !== parentOf(call).id;
    if (isElsewhere || !has(item)) throw notFound(items.noun, item.id);
    return item;
  };
  const ofOne = [
    get(one, (call) => view(itemOf(call), call.world)),
    put(one, edit, (call, world, body) => {
      const item = itemOf(call);
      return view(
        world.update(table(world.store), item, admit(body as Static<Body>, world, item, item.parentId)),
        world,
      );
    }),
    remove(one, (call, world) => {
      const item = itemOf(call);
      requireDeletable?.(item, world);
      world.remove(table(world.store), item);
    }),
  ];
  return [
    list(many, (call) => table(call.world.store).under(parentOf(call).id).filter(has), listed),
    post(created, 201, schema, (call, world, body) => {
      const parent = parentOf(call);
      const admitted = admit(body, world, undefined, parent.id);
      // Admitted records have every member of the table beside those of the base.
      const item = { ...world.base(parent.id), ...admitted } as Item;
      return made(world.add(table(world.store), item), world);
    }),
    ...ofOne.filter(({ method }) => !without.includes(method)),
  ];
}
