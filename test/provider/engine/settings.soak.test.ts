import { expect, test } from "vitest";
import { infrasync } from "../../cli/captured.ts";
import { Postgres } from "../../fleet/postgres.ts";
import { frontEnds } from "./front-ends.ts";
import { program, start } from "./shop.ts";

const shop = program(`
  const shop = new Project("shop", { name: "shop" });
  new Environment("staging", { project: shop.id, name: "staging" });
`);

test.for(frontEnds)(
  "$name: with INFRASYNC_LEDGER, a program writes its requests into the ledger of the token",
  async (frontEnd, context) => {
    await using postgres = await Postgres.start();
    await infrasync(["reconcile", "migrate"], { env: { INFRASYNC_DATABASE: postgres.url } });
    const { server, stack } = await start(context, shop, { behaviour: { rate_limit: 200 } }, frontEnd);
    stack.environment["INFRASYNC_LEDGER"] = postgres.url;
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    const spending = await postgres.query(
      "select who, sum(requests)::integer as requests from infrasync.spending group by who",
    );
    expect(spending).toEqual([
      { who: expect.stringMatching(/^pulumi \(/), requests: (await server.seen()).length },
    ]);
  },
);
