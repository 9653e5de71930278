import { expect, test } from "vitest";
import { servers } from "../conformance/assumptions/servers.ts";
import { ShopOnServer } from "./shop-on-server.ts";

/** The other servers are those of `npm run test:long`. */
const paging = servers.filter(([behaviour]) => /page/.test(Object.keys(behaviour).join()));

test.each(paging)(
  "on a server with %j, a shop is made, adopted and destroyed, or refused",
  async (behaviour, _about, refused) => {
    const { refusals } = await ShopOnServer.play(behaviour);
    if (refused) expect(refusals.join("\n")).toMatch(refused);
    else expect(refusals).toEqual([]);
  },
);
