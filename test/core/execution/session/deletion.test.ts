import { describe, expect, test } from "vitest";
import { defaultCaps } from "../../../../core/planning/plan/index.ts";
import { systemClock } from "../../../../core/api/index.ts";
import { costOf, encodePlan, formatAddress, parsePattern } from "../../../../core/index.ts";
import { LiveStore } from "../../../../core/state/live/index.ts";
import { propose } from "../../../../core/execution/session/index.ts";
import { desiredOf } from "../../../fixtures/desired.ts";
import { application, job, shop } from "../../../fixtures/manifests.ts";
import { Harness, summary } from "../../../fixtures/harness.ts";
import { openPolicy } from "../../../fixtures/policy.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";
import { withArgocdApp } from "../../../argocd.ts";

const harness = useHarness();

describe("prune and destroy", () => {
  const pruned = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");

  test("prune requires the flag and the document of the environment", async () => {
    await harness.reconcile(shop + job("a") + job("b"));
    expect(summary(await harness.plan(pruned + job("a")))).toEqual([]);
    expect(encodePlan(await harness.plan(pruned + job("a"))).notes).toEqual([
      {
        code: "unmanaged_resources",
        address: "environment:shop/staging",
        message: "contains 1 resource that no document declares (Job shop/staging/b)",
      },
    ]);
    expect(summary(await harness.plan(shop + job("a"), { prune: true }))).toEqual([]);
    expect(summary(await harness.reconcile(pruned + job("a"), { prune: true }))).toEqual([
      "delete job:shop/staging/b",
    ]);
    expect([...(await harness.everything()).keys()]).toEqual(["shop", "shop/staging", "shop/staging/JOB a"]);
  });

  test("prune keeps services of unknown types and protected resources", async () => {
    await harness.reconcile(shop + job("a"));
    const withApp = harness.through(await withArgocdApp(harness.emulator.url, "web"));
    const plan = await withApp.plan(pruned, { prune: true, protect: [parsePattern("job:**")] });
    expect(summary(plan)).toEqual([]);
    expect(plan.notes.map(({ message }) => message)).toEqual([
      'ARGOCD_APP "web" stays as it is, because infrasync does not manage this type',
      'not pruned, because it is protected by the pattern "job:**"',
    ]);
  });

  test("prune with targets keeps a resource that a document renames", async () => {
    await harness.reconcile(shop + job("old") + job("b"));
    const text = pruned + job("new", "manage: { renamed_from: old }") + job("b");
    const plan = await harness.plan(text, {
      prune: true,
      targets: [
        parsePattern("environment:**"),
        parsePattern("job:shop/staging/b"),
        parsePattern("job:shop/staging/old"),
      ],
    });
    expect(summary(plan)).toEqual([]);
  });

  test("more deletions than the limits are refused", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `job-${index}`);
    await harness.reconcile(shop + names.map((name) => job(name)).join(""));
    const plan = await harness.plan(
      pruned +
        names
          .slice(0, 8)
          .map((name) => job(name))
          .join(""),
      { prune: true, caps: { count: 3, percent: 30 } },
    );
    expect(plan.problems.map(({ message, remedies }) => ({ message, remedies }))).toEqual([
      {
        message: "4 resources would be deleted or replaced, and the limit is 3",
        remedies: [{ setting: "max_deletes", value: "4,34%" }],
      },
      {
        message:
          "4 of the 12 resources in environment:shop/staging would be deleted or replaced, more than 30 %",
        remedies: [{ setting: "max_deletes", value: "4,34%" }],
      },
    ]);
  });

  test("a copy that a document has made for a while counts as one, with all that is in it", async () => {
    const jobs = Array.from({ length: 12 }, (_, index) => job(`job-${index}`)).join("");
    await harness.reconcile(shop + jobs);
    const copy = (mode: string) =>
      `kind: Environment\nproject: shop\nname: pr-1\nmode: ${mode}\nclone: { from: shop/staging }\nmanage: { prune: true }\n`;
    const codes = async (text: string) =>
      (await harness.plan(text, { prune: true, caps: defaultCaps }, "destroy")).problems.map(
        ({ code }) => code,
      );
    await harness.reconcile(copy("PREVIEW"));
    expect(await codes(copy("PREVIEW"))).toEqual([]);
    expect(await codes(copy("PREVIEW").replace("clone: { from: shop/staging }\n", ""))).toEqual([
      "too_many",
      "too_many",
    ]);
    await harness.reconcile(copy("DEVELOPMENT").replace("pr-1", "dev"));
    expect(await codes(copy("DEVELOPMENT").replace("pr-1", "dev"))).toEqual(["too_many", "too_many"]);
  });

  test("destroy deletes the managed resources in reverse order, an environment with its contents", async () => {
    await harness.reconcile(shop + job("a") + application("api"));
    await harness.forgetRequests();
    const plan = await harness.plan(shop + job("a") + application("api"), {}, "destroy");
    expect(summary(plan)).toEqual([
      "delete application:shop/staging/api",
      "delete job:shop/staging/a",
      "delete environment:shop/staging",
      "delete project:shop",
    ]);
    const report = await harness.apply(plan);
    expect(report.outcomes.map(({ status }) => status)).toEqual(["done", "done", "done", "done"]);
    expect(
      (await harness.writes())
        .filter(({ method }) => method === "DELETE")
        .map(({ path }) => path.split("/")[1]),
    ).toEqual(["environment", "project"]);
    expect(await harness.everything()).toEqual(new Map());
  });

  test("a destroy costs as many requests as its plan says", async () => {
    await harness.reconcile(shop + job("a") + application("api"));
    const plan = await harness.plan(shop + job("a") + application("api"), {}, "destroy");
    await harness.forgetRequests();
    await harness.apply(plan);
    expect((await harness.seen()).length).toBe(costOf(plan).applying);
  });

  test.each([
    [0, "no list is read twice", [0, 6]],
    [5_000, "everything is read again", [4, 5 + 4 + 4]],
  ])("where a run carries out its own plan after %i ms, %s", async (pause, _, expected) => {
    const text = shop + job("a", "variables: { A: x }") + job("b", "variables: { A: x }");
    await harness.reconcile(text);
    let now = Date.now();
    const clock = { ...systemClock, now: () => now };
    const run = harness.context({ clock, live: new LiveStore(clock) });
    const policy = { ...openPolicy, isForThisRun: true };
    const { resources } = desiredOf(text);
    const { plan } = await propose(run, harness.organization, "destroy", resources, policy);
    now += pause;
    await harness.forgetRequests();
    const { outcomes } = await harness.apply(plan, run);
    expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => "done"));
    const seen = (await harness.seen()).map(({ method, path }) => `${method} ${path.split("/")[1]}`);
    // Two lists until each is gone, with two requests; and before, the variables of the environment, its jobs and the project.
    const reads = seen.filter((request) => request === "GET variable");
    expect([reads.length, seen.length]).toEqual(expected);
  });

  test("destroy of services keeps their environment", async () => {
    await harness.reconcile(shop + job("a") + job("b"));
    const plan = await harness.plan(job("a").replace("---", ""), {}, "destroy");
    await harness.apply(plan);
    expect([...(await harness.everything()).keys()]).toEqual(["shop", "shop/staging", "shop/staging/JOB b"]);
  });

  test("destroy of an environment with unmanaged contents requires the consent of a prune", async () => {
    await harness.reconcile(shop + job("a") + job("b"));
    const refused = await harness.plan(shop + job("a"), {}, "destroy");
    expect(refused.problems.map(({ message }) => message)).toEqual([
      "Environment shop/staging: it contains 1 resource that no document declares and that would be deleted with it: b",
    ]);
    expect((await harness.plan(pruned + job("a"), { prune: true }, "destroy")).problems).toEqual([]);
  });

  test("an environment with a resource that appeared after the plan is not deleted", async () => {
    await harness.reconcile(shop + job("a"));
    const plan = await harness.plan(shop + job("a"), {}, "destroy");
    await harness.reconcile(shop + job("b"));
    const report = await harness.apply(plan);
    expect(
      report.outcomes.find(({ address }) => formatAddress(address) === "environment:shop/staging"),
    ).toMatchObject({ status: "failed", code: "changed" });
    expect([...(await harness.everything()).keys()]).toContain("shop/staging/JOB b");
  });

  test("destroy waits for asynchronous deletions", async () => {
    await using slow = await Harness.start({ clock: "frozen", behaviour: { delete_delay_ms: 400 } });
    await slow.reconcile(shop + job("a"));
    const report = await slow.apply(await slow.plan(shop + job("a"), {}, "destroy"));
    expect(report.outcomes.map(({ status }) => status)).toEqual(["done", "done", "done"]);
    expect(await slow.everything()).toEqual(new Map());
  });
});
