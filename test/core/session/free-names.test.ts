import { expect, test } from "vitest";
import { createClient } from "../../../core/index.ts";
import { Harness } from "../../fixtures/harness.ts";
import { job, shop } from "../../fixtures/manifests.ts";

test.each([
  [true, 1],
  [false, 2],
] as const)(
  "names are not reserved: a run that knows it (%s) does not create what somebody else has just created",
  async (hasFreeNames, count) => {
    await using server = await Harness.start({ profile: { server: { duplicate_names: true } } });
    await server.reconcile(shop);
    const plan = await server.plan(shop + job("migrate"));
    await server.reconcile(shop + job("migrate"));
    const { url: baseUrl, tokens } = server.emulator;
    const client = createClient({ baseUrl, token: tokens.admin, onQuota: "fail", server: { hasFreeNames } });
    await server.apply(plan, { client });
    const environment = await server.idOf("shop/staging");
    expect(await server.results(`/environment/${environment}/job`)).toHaveLength(count);
  },
);
