import { expect, test } from "vitest";
import { identityOfUser } from "../../reconciler/identity.ts";
import { job, shop } from "../fixtures/manifests.ts";
import { startBench } from "./fixture.ts";

const pruning = shop.replace("name: shop\n", "name: shop\nmanage: { prune: [Environment] }\n");
const qa = "---\nkind: Environment\nproject: shop\nname: qa\nmode: STAGING\n";

test("an environment that a commit drops is deleted when a person approves that, and never where the policy keeps it", async () => {
  const bench = await startBench({ prune: true });
  const { repository, server } = bench;
  const policy = (text: string) => ({ "infra/infrasync.reconcile.yaml": text });
  repository.push({ "infra/shop.yaml": pruning + qa + job("a", "", "shop/qa") });
  await bench.cycle();
  const kept = { environments: { "shop/qa": { prune: false } } };
  repository.push({ "infra/shop.yaml": pruning, ...policy(JSON.stringify(kept)) });
  expect((await bench.cycle()).end).toMatchObject({
    environments: [{ undescribed: ["environment:shop/qa"], state: "in_step" }, { state: "in_step" }],
  });

  repository.push(policy("{}"));
  const { end } = await bench.cycle();
  expect(end).toMatchObject({
    type: "blocked",
    problems: [{ code: "contents", address: "environment:shop/qa" }],
    environments: [
      {
        environment: "shop",
        state: "blocked",
        changes: [{ action: "delete", address: "environment:shop/qa" }],
      },
      { environment: "shop/staging", state: "in_step" },
    ],
  });
  const plan = end.environments?.[0]?.plan ?? "";
  await bench.requests.ask(["shop"], { type: "approve", by: identityOfUser("anna"), plan });
  expect((await bench.cycle()).end).toMatchObject({
    type: "applied",
    answered: [{ type: "approve", isCarriedOut: true }],
  });
  expect([...(await server.everything()).keys()].filter((path) => path.startsWith("shop/qa"))).toEqual([]);
});
