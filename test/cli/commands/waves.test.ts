import { expect, test } from "vitest";
import { job, shop } from "../../fixtures/manifests.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture({ behaviour: { deploy_delay_ms: 30 } });

const stage = "---\nkind: DeploymentStage\nenvironment: shop/staging\nname: early\nmanage: { wave: -1 }\n";
const documents =
  shop +
  stage +
  job("migrate", "deployment_stage: early") +
  job("api") +
  job("worker", "manage: { wave: 2 }");
const deployments = async () =>
  (await fixture.requests()).filter((request) => request.endsWith("/service/deploy")).length;

test("plan shows the waves, and apply --deploy --wait deploys each after the one before", async () => {
  await fixture.write("shop.yaml", documents);
  const { stdout } = await fixture.run(["plan", fixture.folder, "--deploy"]);
  expect(stdout).toContain(`Waves, in this order:
  wave 1 of 3 in shop/staging: migrate
  wave 2 of 3 in shop/staging: api
  wave 3 of 3 in shop/staging: worker`);
  // A pull request shows who is affected by which wave, too.
  const markdown = await fixture.run(["plan", fixture.folder, "--deploy", "--output", "markdown"]);
  expect(markdown.stdout).toContain(`**Waves, in this order:**

- wave 1 of 3 in shop/staging: migrate
- wave 2 of 3 in shop/staging: api
- wave 3 of 3 in shop/staging: worker`);
  const applied = await fixture.run(["apply", fixture.folder, "--yes", "--deploy", "--wait"]);
  expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining("Done: 6 created, 3 deployed.") });
  expect(await deployments()).toBe(3);
  expect((await fixture.run(["plan", fixture.folder, "--deploy", "--detailed-exitcode"])).code).toBe(0);
});

test("a wave whose deployment fails stops the ones after it", async () => {
  await fixture.write("shop.yaml", documents);
  await fixture.fault({
    method: "POST",
    path: "/environment/*/service/deploy",
    times: 1,
    fail_deployment: true,
  });
  const { code, stdout } = await fixture.run(["apply", fixture.folder, "--yes", "--deploy", "--wait"]);
  expect(code).toBe(1);
  expect(stdout).toContain("its deployment has failed: DEPLOYMENT_ERROR");
  expect(stdout).toContain("  infrasync rollback job:shop/staging/migrate\n");
  expect(stdout).toMatch(/Job shop\/staging\/api.*\n?.*needs job:shop\/staging\/migrate, which was not done/);
  const created = (await fixture.requests()).filter((request) => request === "POST /environment/{id}/job");
  expect(created).toHaveLength(1);
});
