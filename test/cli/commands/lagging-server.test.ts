import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { cronJob, shop } from "../../fixtures/manifests.ts";
import { useFixture, writesOf } from "../fixture.ts";

const fixture = useFixture({ behaviour: { rate_limit: 0, list_delay_ms: 200_000, duplicate_names: true } });

const run = (...args: string[]) =>
  fixture.run(args, { env: { XDG_CACHE_HOME: join(fixture.folder, "caches") } });

const jobs = ["a", "b", "c", "d", "e", "f"];

/** A server whose lists show nothing of what this machine has just created, and whose events nobody can read. */
beforeEach(async () => {
  await fixture.write("all/shop.yaml", shop);
  await fixture.write("all/jobs.yaml", jobs.map((name) => cronJob(name)).join(""));
  await fixture.write("few/shop.yaml", shop);
  await fixture.advance(300_000);
  await fixture.fault({ path: "/organization/*/events", status: 404 });
  await run("apply", join(fixture.folder, "all"), "--yes");
  await fixture.takeRequests();
});

test("where lists lag and no event can be read, destroy counts what this machine has created, and leaves it alone", async () => {
  const { code, stderr } = await run("destroy", join(fixture.folder, "few"), "--yes");
  expect(stderr).toContain("it contains 6 resources that no document declares");
  expect({ code, writes: writesOf(await fixture.takeRequests()) }).toEqual({ code: 3, writes: [] });
});

test("where lists lag and no event can be read, destroy of an address names what this machine has created in it", async () => {
  const { code, stdout } = await run("destroy", "shop/staging", join(fixture.folder, "few"), "--yes");
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("Plan: 7 to delete.") });
});

test("where lists lag and no event can be read, list and preview list show what this machine has created", async () => {
  const listed = await run("list", "shop/staging/**");
  expect(listed.stdout.match(/shop\/staging\/[a-f]\b/g)).toHaveLength(6);
  await fixture.write("infrasync.reconcile.yaml", "previews: { from: shop/staging }\n");
  const words = ["42", "--policy", fixture.folder, "--yes"];
  expect((await run("preview", "create", ...words)).stderr).toContain("shop/pr-42 is created.");
  expect((await run("preview", "list", "--policy", fixture.folder)).stdout).toContain("shop/pr-42");
});

test("where lists lag and no event can be read, a job whose deletion is refused is still there for the next plan", async () => {
  await fixture.fault({ method: "DELETE", path: "/job/*", status: 403 });
  const all = join(fixture.folder, "all");
  expect((await run("destroy", all, "--target", "job:shop/staging/a", "--yes")).code).toBe(1);
  expect((await run("plan", all)).stdout).toContain("No changes to make: 8 resources");
});
