import { describe, expect, test } from "vitest";
import { costOf } from "../../../../core/planning/plan/index.ts";
import { application, job, shop } from "../../../fixtures/manifests.ts";
import { Harness, summary } from "../../../fixtures/harness.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";

const harness = useHarness();

describe("clone", () => {
  const copy = (rest = "") => `
---
kind: Job
environment: shop/staging
name: copy
clone: { from: shop/staging/a }
${rest}`;

  test("apply waits until the clone is readable, then updates the declared fields", async () => {
    await using slow = await Harness.start({ clock: "frozen", behaviour: { clone_delay_ms: 400 } });
    const text = shop + job("a", "cpu: 750") + copy("memory: 1024");
    await slow.reconcile(text);
    expect((await slow.everything()).get("shop/staging/JOB copy")).toMatchObject({ cpu: 750, memory: 1024 });
    expect(summary(await slow.plan(text))).toEqual([]);
  });

  test("a clone of an environment waits for the services, and carries mode and cluster", async () => {
    await using slow = await Harness.start({ clock: "frozen", behaviour: { clone_delay_ms: 300 } });
    const clone = `\n---\nkind: Environment\nproject: shop\nname: preview\nmode: PREVIEW\ncluster: us-east\nclone: { from: shop/staging }\n${job("a", "cpu: 100", "shop/preview")}`;
    const plan = await slow.reconcile(shop + job("a") + application("api") + clone);
    const everything = await slow.everything();
    expect([...everything.keys()].filter((key) => key.startsWith("shop/preview/")).toSorted()).toEqual([
      "shop/preview/APPLICATION api",
      "shop/preview/JOB a",
    ]);
    expect(everything.get("shop/preview")).toMatchObject({ mode: "PREVIEW", cluster_name: "us-east" });
    expect(everything.get("shop/preview/JOB a")).toMatchObject({ cpu: 100 });
    expect(plan.actions.filter(({ type }) => type === "clone")).toHaveLength(1);
    expect(summary(await slow.plan(shop + job("a") + application("api") + clone))).toEqual([]);
  });

  test("a job from the clone of its environment is renamed and updated in the same run", async () => {
    const clone = `\n---\nkind: Environment\nproject: shop\nname: preview\ncluster: eu-west\nclone: { from: shop/staging }\n`;
    const renamed = (more: string) => shop + job("a") + clone + job("z", more, "shop/preview");
    await harness.reconcile(renamed("cpu: 100\nmanage: { renamed_from: a }"));
    const everything = await harness.everything();
    expect([...everything.keys()].filter((key) => key.startsWith("shop/preview/"))).toEqual([
      "shop/preview/JOB z",
    ]);
    expect(everything.get("shop/preview/JOB z")).toMatchObject({ cpu: 100 });
    expect(summary(await harness.plan(renamed("cpu: 100")))).toEqual([]);
  });

  test("a job from the clone of its environment is cloned in the same run", async () => {
    const text = `${shop + job("a", "cpu: 750")}
---
kind: Environment
project: shop
name: preview
cluster: eu-west
clone: { from: shop/staging }
---
kind: Environment
project: shop
name: other
cluster: eu-west
---
kind: Job
environment: shop/other
name: second
clone: { from: shop/preview/a }
`;
    await harness.reconcile(text);
    const everything = await harness.everything();
    expect(everything.get("shop/other/JOB second")).toMatchObject({ cpu: 750 });
    expect([...everything.keys()].filter((key) => key.startsWith("shop/preview/"))).toEqual([
      "shop/preview/JOB a",
    ]);
    expect(summary(await harness.plan(text))).toEqual([]);
  });

  test("a clone that is not readable in time is pending, and the next run continues with it", async () => {
    await using slow = await Harness.start({ clock: "frozen", behaviour: { clone_delay_ms: 1500 } });
    await slow.reconcile(shop + job("a"));
    const plan = await slow.plan(shop + job("a") + copy("memory: 1024"));
    const report = await slow.apply(plan, { limits: { clone: 300, deletion: 300, busy: 300 } });
    expect(report.outcomes.at(-1)).toMatchObject({ status: "pending", code: "pending" });
    await slow.reconcile(shop + job("a") + copy("memory: 1024"));
    expect([...(await slow.everything()).keys()]).toEqual([
      "shop",
      "shop/staging",
      "shop/staging/JOB a",
      "shop/staging/JOB copy",
    ]);
    expect(summary(await slow.plan(shop + job("a") + copy("memory: 1024")))).toEqual([]);
  });

  test("the estimate covers the look at the stated variables of a copy, which nothing is expected to change", async () => {
    const variables = "variables: { LEVEL: info }";
    await harness.reconcile(shop + job("a", variables));
    await harness.forgetRequests();
    const plan = await harness.plan(shop + job("a", variables) + copy(`memory: 1024\n${variables}`));
    await harness.forgetRequests();
    expect((await harness.apply(plan)).outcomes.every(({ status }) => status === "done")).toBe(true);
    expect(costOf(plan).applying).toBeGreaterThanOrEqual((await harness.seen()).length);
  });

  test("a part of a copy that is declared empty is not read", async () => {
    const variables = "variables: { LEVEL: info }\nadvanced_settings: {}";
    await harness.reconcile(shop + job("a"));
    const plan = await harness.plan(shop + job("a") + copy(variables));
    await harness.forgetRequests();
    await harness.apply(plan);
    const paths = (await harness.seen()).map(({ path }) => path);
    expect(paths.filter((path) => path.includes("advancedSettings"))).toEqual([]);
  });
});
