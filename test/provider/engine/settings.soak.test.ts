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
  "$name: where 403 is the answer for what is missing, a refresh sees what somebody has deleted by INFRASYNC_SERVER and infrasync:server",
  async (frontEnd, context) => {
    const { server, stack } = await start(context, shop, { forbiddenForMissing: true }, frontEnd);
    const remove = async () => server.api("DELETE", `/project/${await server.idOf("shop")}`);
    const made = {
      exitCode: 0,
      errors: [],
      steps: expect.arrayContaining(["create Project shop", "create Environment staging"]),
    };
    expect(await stack.up()).toMatchObject(made);
    await remove();
    expect(await stack.refresh()).toMatchObject({
      errors: [expect.stringContaining("403"), expect.stringContaining("403"), "update failed"],
    });

    const setting = '{"forbidden_for_missing": true}';
    stack.environment["INFRASYNC_SERVER"] = setting;
    await stack.configure("infrasync:server", setting, { secret: false });
    expect(await stack.up("--refresh")).toMatchObject(made);
    // By now the state has the configuration, with which a refresh runs.
    delete stack.environment["INFRASYNC_SERVER"];
    await remove();
    expect(await stack.up("--refresh")).toMatchObject(made);
  },
);

test.for(frontEnds)(
  "$name: with INFRASYNC_LEDGER, a program writes its requests into the ledger of the token",
  async (frontEnd, context) => {
    await using postgres = await Postgres.start();
    await infrasync(["reconcile", "migrate"], { env: { INFRASYNC_DATABASE: postgres.url } });
    const { server, stack } = await start(context, shop, { rateLimit: 200 }, frontEnd);
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
