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
    environments: [{ unmanaged: ["environment:shop/qa"], state: "synced" }, { state: "synced" }],
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
      { environment: "shop/staging", state: "synced" },
    ],
  });
  const plan = end.environments?.[0]?.plan ?? "";
  const by = identityOfUser("anna");
  const to = [{ key: "shop", name: "shop", names: ["shop"] }];
  await bench.requests.change({ to, requested: { type: "approve", plan } }, by, 0);
  expect((await bench.cycle()).end).toMatchObject({
    type: "applied",
    answered: [{ type: "approve", isCarriedOut: true }],
  });
  expect([...(await server.everything()).keys()].filter((path) => path.startsWith("shop/qa"))).toEqual([]);
});

test("a document that lists all of its variables removes those that documents have declared, and no others", async () => {
  const bench = await startBench({ prune: true }, "admin", { onDrift: "apply" });
  const { repository, server } = bench;
  const listing = (variables: string) =>
    repository.push({
      "infra/shop.yaml": shop + job("a", `manage: { exclusive: [variables] }\nvariables: ${variables}`),
    });
  const byHand = async (key: string) => {
    const body = {
      key,
      value: "x",
      variable_scope: "JOB",
      variable_parent_id: await idOf(),
      is_secret: false,
    };
    await server.api("POST", "/variable", body);
  };
  const idOf = () => server.idOf("shop/staging/JOB a");
  const keys = async () =>
    (await server.results(`/variable?parent_id=${await idOf()}&scope=JOB`))
      .filter(({ scope }) => scope === "JOB")
      .map(({ key }) => key)
      .toSorted();
  listing("{ A: a, B: b, C: c }");
  await bench.cycle();
  await byHand("BY_HAND");
  const { end } = await bench.cycle();
  expect(end.type).toBe("synced");
  expect(end.environments?.flatMap(({ unmanaged = [] }) => unmanaged)).toContain(
    "variable BY_HAND of job:shop/staging/a",
  );
  listing("{ A: a, C: c }");
  expect((await bench.cycle()).end.type).toBe("applied");
  expect(await keys()).toEqual(["A", "BY_HAND", "C"]);
  // What the documents have removed is no longer theirs.
  await byHand("B");
  bench.reconciler = bench.restart();
  listing("{ A: a, C: null }");
  expect((await bench.cycle()).end.type).toBe("applied");
  expect(await keys()).toEqual(["A", "B", "BY_HAND"]);
  listing("{ A: a, BY_HAND: null }");
  expect((await bench.cycle()).end.type).toBe("applied");
  expect(await keys()).toEqual(["A", "B"]);
});
