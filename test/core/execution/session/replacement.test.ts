import { describe, expect, test } from "vitest";
import { parsePattern, startRun } from "../../../../core/index.ts";
import { allow } from "../../../fixtures/policy.ts";
import { job, shop } from "../../../fixtures/manifests.ts";
import { clockWith } from "../../../fixtures/fast-clock.ts";
import { Harness, summary } from "../../../fixtures/harness.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";

const harness = useHarness();

describe("replacement", () => {
  const cron = shop + job("a", "cpu: 750");
  const lifecycle = shop + job("a").replace(/schedule: .*/, "schedule: { on_start: {} }");

  test("a replacement requires consent, and the plan lists the deleted contents", async () => {
    await harness.reconcile(cron);
    const id = await harness.idOf("shop/staging/JOB a");
    await harness.api("POST", "/variable", {
      key: "DB_URL",
      value: "x",
      is_secret: false,
      variable_scope: "JOB",
      variable_parent_id: id,
    });
    const plan = await harness.plan(lifecycle);
    expect(plan.problems.map(({ message }) => message)).toEqual([
      "job:shop/staging/a must be replaced: a cron job cannot become a lifecycle job, nor the other way round",
    ]);
    expect(plan.actions.at(-1)).toMatchObject({
      type: "replace",
      losses: [{ what: "variable", name: "DB_URL", recreated: false }],
    });
  });

  test("a replacement with more CPU than the cluster has is refused, because it would delete the old resource first; an update has a note", async () => {
    await harness.reconcile(cron);
    const message = "cpu 99000 is above 64000, the maximum of the cluster";
    const [update, replacement] = [
      cron.replace("750", "99000"),
      `${lifecycle}\ncpu: 99000`.replace(/cpu: 750\n/, ""),
    ];
    expect((await harness.plan(update)).notes.map((note) => note.message)).toContain(message);
    expect((await harness.plan(update)).problems).toEqual([]);
    expect((await harness.plan(replacement)).problems.map((problem) => problem.message)).toEqual([
      `Job shop/staging/a: ${message}`,
    ]);
  });

  test("a resource that disappears while its variables are read is created, not replaced", async () => {
    await harness.reconcile(cron);
    const id = await harness.idOf("shop/staging/JOB a");
    await harness.api("POST", "/_emulator/faults", [
      { path: "/variable", status: 503, headers: { "retry-after": "1" }, times: 1 },
    ]);
    const clock = clockWith(harness.clock, () => harness.api("DELETE", `/job/${id}`));
    const run = startRun(Harness.connect(harness.emulator, "admin", clock));
    expect(summary(await harness.plan(lifecycle, {}, "reconcile", run))).toEqual([
      "create job:shop/staging/a",
    ]);
  });

  test("a replacement is not planned when the server does not return the parts of the resource", async () => {
    await harness.reconcile(cron);
    await harness.api("POST", "/_emulator/faults", [{ path: "/variable", status: 404 }]);
    await expect(harness.plan(lifecycle)).rejects.toThrow("says that its parts do not exist");
  });

  test("a replacement recreates the resource with its live and its declared fields", async () => {
    await harness.reconcile(cron);
    const id = await harness.idOf("shop/staging/JOB a");
    await harness.reconcile(lifecycle, allow("job:shop/staging/a"));
    const after = (await harness.everything()).get("shop/staging/JOB a");
    expect(after).toMatchObject({ cpu: 750, job_type: "LIFECYCLE" });
    expect(after?.["id"]).not.toBe(id);
    expect(summary(await harness.plan(lifecycle))).toEqual([]);
  });

  test("a replacement of an environment recreates the managed services, and lists and counts the others as lost", async () => {
    await harness.reconcile(cron + job("other", "cpu: 100"));
    const moved = cron.replace("eu-west", "us-east").replace("cpu: 750", "memory: 1024");
    const refused = await harness.plan(moved);
    const holdsOther =
      "Environment shop/staging: it contains 1 resource that no document declares and that would be deleted with it: other";
    expect(refused.problems.map(({ message }) => message)).toEqual([
      "environment:shop/staging must be replaced: an environment cannot be moved to another cluster",
      holdsOther,
    ]);
    const plan = await harness.plan(moved, allow("environment:**"));
    expect(plan.problems.map(({ message }) => message)).toEqual([holdsOther]);
    expect(summary(plan).map((line) => line.split(":").slice(0, 2).join(":"))).toEqual([
      "replace environment:shop/staging",
      "replace job:shop/staging/a",
    ]);
    const pruned = moved.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");
    const consent = { ...allow("environment:**"), prune: true };
    expect(plan.actions[1]).toMatchObject({
      losses: [
        { what: "job", name: "a", recreated: true },
        { what: "job", name: "other", recreated: false },
      ],
    });
    expect(
      (await harness.plan(pruned, { ...consent, caps: { count: 2, percent: 100 } })).problems.map(
        ({ message }) => message,
      ),
    ).toEqual(["3 resources would be deleted or replaced, and the limit is 2"]);
    await harness.reconcile(pruned, consent);
    const everything = await harness.everything();
    expect([...everything.keys()]).toEqual(["shop", "shop/staging", "shop/staging/JOB a"]);
    expect(everything.get("shop/staging/JOB a")).toMatchObject({ cpu: 750, memory: 1024 });
    expect(summary(await harness.plan(moved))).toEqual([]);
  });

  test("a replacement is not carried out when the resource has changed since the plan", async () => {
    await harness.reconcile(cron);
    const plan = await harness.plan(lifecycle, allow("**"));
    await harness.reconcile(shop + job("a", "cpu: 100"));
    const report = await harness.apply(plan);
    expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code: "changed" });
    expect((await harness.everything()).get("shop/staging/JOB a")).toMatchObject({
      cpu: 100,
      job_type: "CRON",
    });
  });

  test("a replacement of a protected resource is refused", async () => {
    await harness.reconcile(cron);
    const protections = [
      harness.plan(`${lifecycle}\nmanage: { protect: true }`, allow("**")),
      harness.plan(
        lifecycle.replace("mode: STAGING", "mode: STAGING\nmanage: { protect: true }"),
        allow("**"),
      ),
      harness.plan(lifecycle, { ...allow("**"), protect: [parsePattern("shop/staging/*")] }),
    ];
    for (const plan of await Promise.all(protections)) {
      expect(plan.problems.map(({ message }) => message)).toEqual([
        expect.stringContaining("job:shop/staging/a cannot be replaced: it is protected"),
      ]);
    }
  });
});
