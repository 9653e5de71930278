import { describe, expect, test } from "vitest";
import { costOf } from "../../../../core/index.ts";
import { job, shop } from "../../../fixtures/manifests.ts";
import { allow } from "../../../fixtures/policy.ts";
import { summary } from "../../../fixtures/harness.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";

const harness = useHarness();

describe("requests", () => {
  test("a no-op plan reads one list for each environment and project, and two more", async () => {
    const services = Array.from({ length: 8 }, (_, index) => job(`job-${index}`)).join("");
    const second = `
---
kind: Environment
project: shop
name: production
mode: PRODUCTION
${job("report", "", "shop/production")}`;
    const text = shop + services + second;
    await harness.reconcile(text);
    await harness.forgetRequests();
    expect(summary(await harness.plan(text))).toEqual([]);
    expect(
      (await harness.seen())
        .map(({ method, path }) => `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, "{id}")}`)
        .toSorted(),
    ).toEqual([
      "GET /environment/{id}/services",
      "GET /environment/{id}/services",
      "GET /organization/{id}/project",
      "GET /project/{id}/environment",
    ]);
  });

  test("an update reads the resource again, sends it once, and reads nothing else", async () => {
    await harness.reconcile(shop + job("a"));
    const plan = await harness.plan(shop + job("a", "cpu: 750"));
    await harness.forgetRequests();
    await harness.apply(plan);
    expect((await harness.seen()).map(({ method }) => method)).toEqual(["GET", "PUT"]);
  });

  test("the estimate counts a file that becomes a value, which no import carries", async () => {
    await harness.reconcile(shop + job("a", "variables: { A: { file: { mount_path: /a, text: one } } }"));
    const plan = await harness.plan(shop + job("a", "variables: { A: one, B: two, C: three }"));
    await harness.forgetRequests();
    await harness.apply(plan);
    expect((await harness.seen()).map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /variable",
      "POST /variable/import",
      "POST /variable",
    ]);
    expect(costOf(plan).applying).toBe(3);
  });

  test("N creations cost N + E + P + 8 at most, planning included; a clone 2 more and its polls", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `job-${index}`);
    const environments = ["one", "two", "three"];
    const text = [
      "kind: Project\nname: shop\n",
      ...environments.map((name) => `kind: Environment\nproject: shop\nname: ${name}\nmode: STAGING\n`),
      ...environments.flatMap((name) => names.map((each) => job(each, "", `shop/${name}`))),
    ].join("---\n");
    const creations = 1 + environments.length + environments.length * names.length;
    await harness.forgetRequests();
    const plan = await harness.reconcile(text);
    expect(plan.actions.filter(({ type }) => type === "create")).toHaveLength(creations);
    expect((await harness.seen()).length).toBeLessThanOrEqual(creations + environments.length + 1 + 8);

    const clone = `---\nkind: Job\nenvironment: shop/one\nname: copy\nclone: { from: shop/two/job-0 }\ncpu: 750\n`;
    const cloning = await harness.plan(text + clone);
    await harness.forgetRequests();
    await harness.apply(cloning);
    const seen = (await harness.seen()).map(({ method }) => method);
    expect(seen.filter((method) => method !== "GET")).toEqual(["POST", "PUT"]);
    expect(seen.length).toBeLessThanOrEqual(2 + 2);
  });

  test("deletions in one environment share the reads of its list; each adds only its own 404", async () => {
    const names = ["a", "b", "c", "d", "e"];
    await harness.reconcile(shop + names.map((name) => job(name)).join(""));
    const plan = await harness.plan(shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }"), {
      prune: true,
    });
    await harness.forgetRequests();
    await harness.apply(plan);
    const seen = await harness.seen();
    expect(seen.filter(({ method }) => method === "DELETE")).toHaveLength(5);
    const reads = seen.filter(({ method }) => method === "GET");
    expect(reads.filter(({ path }) => path.endsWith("/services")).length).toBeLessThanOrEqual(3);
    expect(reads.filter(({ path }) => path.startsWith("/job/")).map(({ status }) => status)).toEqual(
      names.map(() => 404),
    );
  });

  test.each([
    [
      "an empty environment that is replaced",
      shop,
      shop.replace("eu-west", "us-east"),
      allow("**"),
      "reconcile",
    ],
    ["an empty environment that is deleted", shop, shop, {}, "destroy"],
    [
      "an environment with a job that is replaced",
      shop + job("a"),
      shop.replace("eu-west", "us-east") + job("a"),
      allow("**"),
      "reconcile",
    ],
  ] as const)(
    "the estimate counts the proofs that nothing is in %s",
    async (_what, before, after, policy, goal) => {
      await harness.reconcile(before);
      const plan = await harness.plan(after, policy, goal);
      await harness.forgetRequests();
      await harness.apply(plan);
      expect(costOf(plan).applying).toBe((await harness.seen()).length);
    },
  );
});
