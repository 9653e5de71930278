import { expect, test } from "vitest";
import { cronJob, shop } from "../../fixtures/manifests.ts";
import { GitRepository } from "../../fixtures/git-repository.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture();

test("history, status and plan say who changed what", async () => {
  const path = await fixture.write("shop.yaml", shop + cronJob("report"));
  await fixture.run(["apply", path, "--yes"]);
  const { code, stdout } = await fixture.run(["history", "shop/staging"]);
  expect({
    code,
    lines: stdout
      .replaceAll(/\d+ s /g, "N s ")
      .split("\n")
      .slice(0, 3),
  }).toEqual({
    code: 0,
    lines: [
      "AGE  WHO    BY         WHAT    RESOURCE",
      "N s  admin  infrasync  create  job:shop/staging/report",
      "N s  admin  infrasync  create  environment:shop/staging",
    ],
  });
  const { entries } = JSON.parse((await fixture.run(["history", "-o", "json", "--limit", "1"])).stdout);
  expect(entries).toEqual([
    expect.objectContaining({
      who: "admin",
      event: "CREATE",
      type: "JOB",
      names: ["shop", "staging", "report"],
    }),
  ]);
  expect((await fixture.run(["status", "--who"])).stdout).toMatch(
    /Job shop\/staging\/report {2}READY {2}1\.4\.2 {2}never deployed; changed by admin, infrasync, \d+ s ago/,
  );
  await fixture.write("shop.yaml", shop + cronJob("report", "max_nb_restart: 2\n"));
  expect((await fixture.run(["plan", path, "--who"])).stderr).toMatch(
    /Job shop\/staging\/report: changed by admin, infrasync, \d+ s ago/,
  );
});

test("history tells the reconciler from a person with the same token", async () => {
  using repository = new GitRepository();
  repository.push({ "shop.yaml": shop });
  await fixture.run(["reconcile", "--repo", repository.origin, "--allow-local-repo", "--once", "--yes"], {
    env: { PATH: process.env["PATH"] },
  });
  expect((await fixture.run(["history", "shop/staging", "--limit", "1"])).stderr).toContain(
    "The newest 1 entry;",
  );
  expect((await fixture.run(["history", "shop/staging"])).stdout).toMatch(
    /admin  infrasync-reconciler  create/,
  );
});
