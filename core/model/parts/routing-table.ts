import { type Fields, isFields, textIn } from "../../values/json.ts";
import { keyed, needed, object, text, word } from "../schema/field.ts";
import type { Part, PartListing } from "./part.ts";
import { unknownOf } from "./unknown-members.ts";

const member = "routing_table";

const schema = keyed(
  {
    pattern: String.raw`^[0-9a-fA-F.:]+(/\d{1,3})?$`,
    message: "is not a range of addresses",
    advice: "write one such as 10.0.0.0/16",
  },
  object({
    target: needed(word("Target of the packets: the id of a gateway or of a peering.")),
    description: text("Purpose of the route.", { default: "" }),
  }),
  "Routes by their destinations; only those that are declared are changed.",
);

/** The routes of a cluster. A PUT replaces them all, so every request carries all of them. */
export function routingTable(pathOf: (id: string, parentId: string) => string): Part {
  const listing = (id: string, parentId: string): PartListing => ({ path: pathOf(id, parentId) });
  return {
    name: "route",
    member,
    listing,
    keyOf: (route) => textIn(route, "destination"),
    isConfiguration: true,
    form: {
      schema,
      isWhole: true,
      declaredAs: ({ target = null, description = null }) => ({ target, description }),
      nextRequest(id, changes, listed, parentId) {
        if (changes.length === 0) return undefined;
        const changed = new Set(changes.map(({ key }) => key));
        const remaining = listed.flatMap(({ part, key, response }) =>
          part.member === member && !changed.has(key) ? [routeOf(key, response)] : [],
        );
        const desired = changes.flatMap(({ key, desired: route }) =>
          isFields(route) ? [routeOf(key, route)] : [],
        );
        const routes = [...remaining, ...desired];
        const unknown = new Map(
          listed.map(({ key, response }) => [
            key,
            unknownOf(response, ["destination", "target", "description"]),
          ]),
        );
        return {
          method: "PUT",
          path: pathOf(id, parentId),
          body: { routes },
          withUnknown: () => ({
            routes: routes.map((route) => ({ ...unknown.get(String(route["destination"])), ...route })),
          }),
          keys: [...changed],
          isAnsweredBy: (answer) => isFields(answer) && Array.isArray(answer["results"]),
          listedAfter: () => routes,
        };
      },
    },
  };
}

function routeOf(destination: string, { target = null, description = "" }: Fields): Fields {
  return { destination, target, description };
}
