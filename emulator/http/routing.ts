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

export function get(path: string, run: (call: Call) => object | string): Route {
  return { method: "GET", path, status: 200, run };
}

/** GET of a list: `items` finds its elements, `view` makes the responses of the requested page. */
export function list<Item>(
  path: string,
  items: (call: Call) => Item[],
  view: (item: Item, world: World) => object,
): Route {
  return {
    method: "GET",
    path,
    status: 200,
    run: (call) => {
      const { world, token, query, address } = call;
      const { behaviour } = world.settings;
      const cached = world.cachedLists.get(`${address} ${JSON.stringify(query)}`);
      if (cached && world.clock.now() - cached.at < (behaviour.cached_lists_ms ?? 0)) return cached.answer;
      const readable = items(call).filter(
        (item) => mayRead(token.spec, item, world) && isListed(item, world),
      );
      const answer = page(readable, query, behaviour, (item) => view(item, world));
      if (behaviour.cached_lists_ms !== undefined)
        world.cachedLists.set(`${address} ${JSON.stringify(query)}`, { at: world.clock.now(), answer });
      return answer;
    },
  };
}

export function post<Schema extends TSchema>(
  path: string,
  status: number,
  body: Schema,
  run: (call: Call<Static<Schema>>) => unknown,
): Route {
  return { method: "POST", path, status, body, run: checked(body, run) };
}

/** POST with an optional body. */
export function postOptional<Schema extends TSchema>(
  path: string,
  status: number,
  body: Schema,
  run: (call: Call<Static<Schema>>) => unknown,
): Route {
  const check = checked(body, run);
  return { method: "POST", path, status, body, run: (call) => check({ ...call, body: call.body ?? {} }) };
}

/** POST without a body. */
export function act(path: string, status: number, run: (call: Call) => unknown): Route {
  return { method: "POST", path, status, run };
}

export function put<Schema extends TSchema>(
  path: string,
  body: Schema,
  run: (call: Call<Static<Schema>>) => unknown,
  status = 200,
): Route {
  return { method: "PUT", path, status, body, run: checked(body, run) };
}

export function putOptional<Schema extends TSchema>(
  path: string,
  body: Schema,
  run: (call: Call<Static<Schema>>) => object,
): Route {
  const check = checked(body, run);
  return { method: "PUT", path, status: 200, body, run: (call) => check({ ...call, body: call.body ?? {} }) };
}

/** PUT without a body. */
export function change(path: string, run: (call: Call) => object): Route {
  return { method: "PUT", path, status: 200, run };
}

/** DELETE with a body that is checked against a schema; the response has no body. */
export function removeWith<Schema extends TSchema>(
  path: string,
  body: Schema,
  run: (call: Call<Static<Schema>>) => void,
): Route {
  return { method: "DELETE", path, status: 204, body, run: checked(body, run) };
}

/** DELETE; the response has no body. */
export function remove(path: string, run: (call: Call) => void): Route {
  return { method: "DELETE", path, status: 204, run };
}

function checked<Schema extends TSchema>(schema: Schema, run: (call: Call<Static<Schema>>) => unknown) {
  return (call: Call) => {
    const { behaviour } = call.world.settings;
    const given = behaviour.refuses_unknown_members ? Object.keys(call.body ?? {}) : [];
    validate(schema, call.body);
    const unknown = given.find((member) => !Object.hasOwn(call.body as object, member));
    if (unknown !== undefined) throw invalid(unknown, "is unknown");
    const { name } = (call.body ?? {}) as { name?: unknown };
    const { longest_name: most = Infinity } = behaviour;
    if (typeof name === "string" && name.length > most && !call.world.isPlanting)
      throw invalid("name", `must have at most ${most} characters`);
    return run({ ...call, body: rewritten(call.body as Static<Schema>, behaviour) });
  };
}

/** Whether lists contain an element already; an element without a date is always listed. */
function isListed(item: unknown, world: World): boolean {
  return (
    typeof item !== "object" || item === null || !("created_at" in item) || world.isListed(item as Entity)
  );
}
