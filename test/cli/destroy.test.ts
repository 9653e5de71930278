import { expect, test } from "vitest";
import { useFixture, withoutRequests, writesOf } from "./fixture.ts";
import { cronJob, lifecycleJob, shop } from "./manifests.ts";

const fixture = useFixture();

const destroy = (...args: string[]) => fixture.run(["destroy", fixture.folder, "--yes", ...args]);

test("destroy deletes what the manifests describe, from the inside out", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly-report"));
  await fixture.run(["apply", fixture.folder, "--yes"]);
  const { code, stdout } = await destroy();
  expect(code).toBe(0);
  expect(`\n${withoutRequests(stdout)}`).toMatchInlineSnapshot(`
    "
    infrasync will make these changes in acme:

      - Job shop/staging/nightly-report  goes with Environment shop/staging
      - Environment shop/staging         a document describes it (destroy)
      - Project shop                     a document describes it (destroy)

    Plan: 3 to delete.
    Requests: 4 spent on planning, 8 to apply; 989 of 1000 left, resets in N min.

    Done: 3 deleted.
    Requests: …
    "
  `);
  const { results } = (await fixture.request(
    "GET",
    `/organization/${fixture.emulator.organization.id}/project`,
  )) as { results: unknown[] };
  expect(results).toEqual([]);
  expect((await destroy()).stdout).toContain("No changes");
});

test("what no manifest describes is not deleted along without consent", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly-report") + lifecycleJob("other"));
  await fixture.run(["apply", fixture.folder, "--yes"]);
  await fixture.write("shop.yaml", shop + cronJob("nightly-report"));
  await fixture.takeRequests();
  const { code, stderr } = await destroy();
  expect({ code, writes: writesOf(await fixture.takeRequests()) }).toEqual({ code: 3, writes: [] });
  expect(stderr).toMatchInlineSnapshot(`
    "shop.yaml:6:7: error: Environment shop/staging: it holds 1 that no document describes, and they would be deleted with it: other
      6 | name: staging
        |       ^
      describe them, move them away, or consent: --prune and \`manage: { prune: true }\` in its document
    "
  `);
});

test("--target deletes these alone", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly-report") + lifecycleJob("migrate"));
  await fixture.run(["apply", fixture.folder, "--yes"]);
  expect(await destroy("--target", "job:shop/staging/migrate")).toMatchObject({ code: 0 });
  expect((await fixture.run(["plan", fixture.folder])).stdout).toContain("Plan: 1 to create; 3 unchanged.");
});

test("a target that chooses nothing is a mistake, and sends nothing", async () => {
  await fixture.write("shop.yaml", shop);
  const { code, stderr } = await destroy("--target", "job:shop/stagin/*");
  expect({ code, requests: await fixture.takeRequests() }).toEqual({ code: 3, requests: [] });
  expect(stderr).toMatchInlineSnapshot(`
    "error: --target "job:shop/stagin/*" chooses nothing that the manifests describe
      write an address or a pattern such as job:shop/staging/nightly-report or shop/staging/**
    "
  `);
});
