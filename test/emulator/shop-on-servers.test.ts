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

test("on a server whose lists lag, are cut and take each name twice, no run makes again what the run before has made", async () => {
  const behaviour = { list_delay_ms: 150_000, page_cap: 20, silent_pages: true, duplicate_names: true };
  expect((await ShopOnServer.play(behaviour)).refusals).toEqual([]);
});
