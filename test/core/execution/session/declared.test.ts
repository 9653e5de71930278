import { describe, expect, test } from "vitest";
import { encodePlan, parsePattern } from "../../../../core/index.ts";
import { application, job, shop } from "../../../fixtures/manifests.ts";
import { summary } from "../../../fixtures/harness.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";

const harness = useHarness();

describe("declared fields", () => {
  test("ids of ports are kept across updates, and so are their undeclared members", async () => {
    await harness.reconcile(shop + application("api"));
    const before = (await harness.everything()).get("shop/staging/APPLICATION api");
    await harness.reconcile(
      shop +
        application("api", "cpu: 750").replace("publicly_accessible: true", "publicly_accessible: false"),
    );
    const after = (await harness.everything()).get("shop/staging/APPLICATION api");
    const port = (value: unknown) => (Array.isArray(value) ? value[0] : undefined);
    expect(port(after?.["ports"])).toEqual({ ...port(before?.["ports"]), publicly_accessible: false });
    expect(after?.["cpu"]).toBe(750);
  });

  test("a manifest may manage a few fields of an existing resource", async () => {
    await harness.reconcile(shop + job("a"));
    const plan = await harness.plan("kind: Job\nenvironment: Shop/STAGING\nname: A\ncpu: 750\n");
    expect(summary(plan)).toEqual(["update job:Shop/STAGING/A: cpu 500 -> 750"]);
    await harness.apply(plan);
    expect((await harness.everything()).get("shop/staging/JOB a")).toMatchObject({ name: "a", cpu: 750 });
  });

  test("ignored fields are used in a creation and not changed afterwards", async () => {
    const text = shop + job("a", "cpu: 750\nmanage: { ignore: [cpu, schedule.cronjob.timezone] }");
    await harness.reconcile(text);
    expect((await harness.everything()).get("shop/staging/JOB a")).toMatchObject({ cpu: 750 });
    await harness.reconcile(shop + job("a", "cpu: 100").replace("timezone: UTC", "timezone: Europe/Paris"));
    expect(summary(await harness.plan(text))).toEqual([]);
  });

  test("a rename keeps the resource", async () => {
    await harness.reconcile(shop + job("old"));
    const id = await harness.idOf("shop/staging/JOB old");
    const text = shop + job("new", "manage: { renamed_from: old }");
    expect(summary(await harness.reconcile(text))).toEqual([
      'update job:shop/staging/new: name "old" -> "new"',
    ]);
    expect(await harness.idOf("shop/staging/JOB new")).toBe(id);
    expect(summary(await harness.plan(text))).toEqual([]);
  });

  test("an old name that no resource has is noted", async () => {
    const old = "odl";
    await harness.reconcile(shop + job("old"));
    for (const made of ["", "clone: { from: shop/staging/old }\n"]) {
      const plan = await harness.plan(shop + job("new", `${made}manage: { renamed_from: ${old} }`));
      expect(encodePlan(plan).notes.filter(({ code }) => code !== "unmanaged_resources")).toEqual([
        {
          code: "not_renamed",
          message: `created, not renamed: there is no Job "${old}" in Environment shop/staging`,
          address: "job:shop/staging/new",
        },
      ]);
    }
  });

  test("a renamed environment keeps its services", async () => {
    await harness.reconcile(shop + job("a"));
    const id = await harness.idOf("shop/staging/JOB a");
    const text = (shop + job("a", "cpu: 750"))
      .replaceAll("shop/staging", "shop/next")
      .replace("name: staging", "name: next\nmanage: { renamed_from: staging }");
    await harness.reconcile(text);
    expect(await harness.idOf("shop/next/JOB a")).toBe(id);
    expect(summary(await harness.plan(text))).toEqual([]);
  });

  test("a pinned id selects the resource, and an id in another parent is refused", async () => {
    await harness.reconcile(shop + job("a"));
    const id = await harness.idOf("shop/staging/JOB a");
    expect(summary(await harness.plan(shop + job("b", `manage: { id: ${id} }`)))).toEqual([
      'update job:shop/staging/b: name "a" -> "b"',
    ]);
    const plan = await harness.plan(shop + job("b", "manage: { id: 00000000-0000-4000-8000-000000000000 }"));
    expect(plan.problems.map(({ message }) => message)).toEqual([
      "Job shop/staging/b: there is no Job with the id 00000000-0000-4000-8000-000000000000 in its Environment",
    ]);
  });

  test("strict mentions undeclared fields that differ from their default", async () => {
    await harness.reconcile(shop + job("a", "cpu: 750\nmemory: 512"));
    const plan = await harness.plan(shop + job("a"), { strict: true });
    expect(encodePlan(plan).notes).toContainEqual({
      address: "job:shop/staging/a",
      code: "undeclared_field",
      message: "cpu is 750, which no document declares; its default is 500",
    });
    expect(summary(plan)).toEqual([]);
  });

  test("a target that selects nothing is refused", async () => {
    const { problems } = await harness.plan(shop + job("nightly"), {
      targets: [parsePattern("job:shop/staging/nigthly")],
    });
    expect(problems.map(({ message, advice }) => `${message} | ${advice}`)).toEqual([
      'the target "job:shop/staging/nigthly" matches no document | did you mean job:shop/staging/nightly? a target is an address or a pattern, such as job:shop/staging/* or shop/**',
    ]);
  });

  test("a target includes its requirements and nothing else", async () => {
    const plan = await harness.plan(shop + job("a") + job("b"), {
      targets: [parsePattern("job:shop/staging/a")],
    });
    expect(summary(plan)).toEqual([
      "create project:shop",
      "create environment:shop/staging",
      "create job:shop/staging/a",
    ]);
  });
});
