import { expect, test } from "vitest";
import { servers } from "../conformance/assumptions/servers.ts";
import { ShopOnServer } from "./shop-on-server.ts";

test.each(servers)(
  "on a server with %j, the shop is made, adopted and destroyed, or refused",
  async (behaviour) => {
    const outcome = await ShopOnServer.play(behaviour);
    console.log(
      JSON.stringify(behaviour),
      JSON.stringify(outcome.refusals.map((r) => r.slice(0, 300))),
      outcome.requests,
    );
    expect(outcome).toBeDefined();
  },
);
