import { expect, test } from "vitest";
import { ApprovalEffects } from "../../../reconciler/service/settle.ts";
import { decisionIn, type World } from "../decide/world.ts";

test("the effect of an approval is decided again only where something has changed", async () => {
  const effects = new ApprovalEffects();
  const policy = "environments: { 'shop/*': { on_commit: report } }";
  const world: World = { plan: ["delete job:shop/staging/a", "delete job:shop/production/a"], policy };
  const look = async (now: World) => {
    let plans = 0;
    const { view, decision, plan } = decisionIn(now);
    const found = await effects.of(view, decision, (scope) => {
      plans += 1;
      return Promise.resolve(plan(scope));
    });
    return { plans, found: Object.fromEntries(found) };
  };
  const first = await look(world);
  expect(first).toEqual({ plans: expect.any(Number), found: { "shop/staging": {}, "shop/production": {} } });
  expect(first.plans).toBeGreaterThan(1);
  expect(await look(world)).toEqual({ ...first, plans: 0 });

  // What forbids or delays it is noticed, and its end too.
  const low = await look({ ...world, affordable: 0 });
  expect(low.found["shop/staging"]?.delay).toContain("the quota is too low");
  const spent = await look({ ...world, day: { deleted: 1, limit: 1 } });
  expect(spent.found["shop/production"]?.unapprovable).toContain("1 a day are allowed");
  expect((await look({ ...world, mistakes: true })).found["shop/staging"]?.delay).toContain("mistakes");
  expect((await look({ ...world, cap: 0 })).found["shop/staging"]?.unapprovable).toContain(
    "would be deleted",
  );
  expect((await look({ ...world, atWork: ["shop/staging"] })).found["shop/staging"]?.delay).toContain(
    "still in progress",
  );
  expect((await look(world)).found).toEqual(first.found);

  // What it needs elsewhere may come, while its own plan stays the same.
  const [its, needed] = ["update job:shop/staging/b", "update job:shop/production/b"] as const;
  const needy = await look({ ...world, plan: [its, needed], needs: { [its]: needed } });
  expect(needy.found["shop/staging"]?.delay).toContain("it needs shop/production");
  expect((await look({ ...world, plan: [its] })).found).toEqual({ "shop/staging": {} });
});
