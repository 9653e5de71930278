import type { Static, TSchema } from "typebox";
import { rewritten } from "../world/behaviour.ts";
import { invalid } from "../world/errors.ts";
import type { Entity } from "../world/store.ts";
import { page } from "./paging.ts";
import { mayRead } from "./permissions.ts";
import type { ApiToken } from "../world/records.ts";
import { validate } from "./validation.ts";
import type { World } from "../world/world.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Call<Body = unknown> {
  world: World;
  token: ApiToken;
  param(name: string): string;
  query: Record<string, string | undefined>;
  body: Body;
  /** The address of the request, without the query. */
  address: string;
  /** True, or the reason, if a fault makes the deployment of this request fail. */
  failsDeployment: boolean | string;
  /** The fault for the events of this request. */
  events?: "late" | "reordered" | "equal" | "twice" | "single";
}

/** One operation. `path` is written as in the interface description: `/job/{jobId}`. */
export interface Route {
  method: Method;
  path: string;
  status: number;
  /** The media type of its response; JSON by default. */
  type?: string;
  /** The media type of its request; JSON by default. */
  accepts?: string;
  body?: TSchema;
  run(call: Call): unknown;
}

type Handler<Body, Answer = unknown> = (call: Call<Body>, world: World, body: Body) => Answer;

export function get(path: string, run: Handler<unknown, object | string>): Route {
  return { method: "GET", path, status: 200, run: handled(run) };
}

/** GET of a list: `items` finds its elements, `view` makes the responses of the requested page. */
export function list<Item>(
  path: string,
  items: (call: Call, world: World) => Item[],
  view: (item: Item, world: World) => object = (item) => item as object,
): Route {
  return get(path, (call, world) => {
    const { token, query, address } = call;
    const { behaviour } = world;
    const key = `${address} ${JSON.stringify(query)}`;
    const cached = world.cachedLists.get(key);
    if (cached && world.clock.now() - cached.at < (behaviour.cached_lists_ms ?? 0)) return cached.answer;
    const readable = items(call, world).filter(
      (item) => mayRead(token.spec, item, world) && isListed(item, world),
    );
    const answer = page(readable, query, behaviour, (item) => view(item, world));
    if (behaviour.cached_lists_ms !== undefined)
      world.cachedLists.set(key, { at: world.clock.now(), answer });
    return answer;
  });
}

export function post<Schema extends TSchema>(
  path: string,
  status: number,
  body: Schema,
  run: Handler<Static<Schema>>,
): Route {
  return { method: "POST", path, status, body, run: checked(body, run) };
}

/** The operation with an optional body. */
export function withOptionalBody(route: Route): Route {
  return { ...route, run: (call) => route.run({ ...call, body: call.body ?? {} }) };
}

/** POST without a body. */
export function act(path: string, status: number, run: Handler<unknown>): Route {
  return { method: "POST", path, status, run: handled(run) };
}

export function put<Schema extends TSchema>(
  path: string,
  body: Schema,
  run: Handler<Static<Schema>>,
  status = 200,
): Route {
  return { method: "PUT", path, status, body, run: checked(body, run) };
}

/** PUT without a body. */
export function change(path: string, run: Handler<unknown, object>): Route {
  return { method: "PUT", path, status: 200, run: handled(run) };
}

/** DELETE with a body that is checked against a schema; the response has no body. */
export function removeWith<Schema extends TSchema>(
  path: string,
  body: Schema,
  run: Handler<Static<Schema>, void>,
): Route {
  return { method: "DELETE", path, status: 204, body, run: checked(body, run) };
}

/** DELETE; the response has no body. */
export function remove(path: string, run: Handler<unknown, void>): Route {
  return { method: "DELETE", path, status: 204, run: handled(run) };
}

function handled<Body>(run: Handler<Body>) {
  return (call: Call<Body>) => run(call, call.world, call.body);
}

function checked<Schema extends TSchema>(schema: Schema, run: Handler<Static<Schema>>) {
  return (call: Call) => {
    const { behaviour } = call.world;
    const given = behaviour.refuses_unknown_members ? Object.keys(call.body ?? {}) : [];
    validate(schema, call.body);
    const unknown = given.find((member) => !Object.hasOwn(call.body as object, member));
    if (unknown !== undefined) throw invalid(unknown, "is unknown");
    const { name } = (call.body ?? {}) as { name?: unknown };
    const { longest_name: most = Infinity } = behaviour;
    if (typeof name === "string" && name.length > most && !call.world.isPlanting)
      throw invalid("name", `must have at most ${most} characters`);
    return handled(run)({ ...call, body: rewritten(call.body as Static<Schema>, behaviour) });
  };
}

/** Whether lists contain an element already; an element without a date is always listed. */
function isListed(item: unknown, world: World): boolean {
  return (
    typeof item !== "object" || item === null || !("created_at" in item) || world.isListed(item as Entity)
  );
}
