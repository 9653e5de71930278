import { expect, test } from "vitest";
import { servers } from "../conformance/assumptions/servers.ts";
import { ShopOnServer } from "./shop-on-server.ts";

/** Lists that are cut without a word, and those that nobody can read. The other servers are those of `npm run test:long`. */
const paging = servers.filter(([behaviour]) => behaviour.silent_pages && Object.keys(behaviour).length > 1);

test.each(paging)(
  "on a server with %j, a shop is made, adopted and destroyed, or refused",
  async (behaviour, _about, refused) => {
    const { refusals } = await ShopOnServer.play(behaviour);
    if (refused) expect(refusals.join("\n")).toMatch(refused);
    else expect(refusals).toEqual([]);
  },
);
