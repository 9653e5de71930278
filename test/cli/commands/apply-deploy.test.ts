import { join } from "node:path";
import { expect, test } from "vitest";
import { documentOf } from "../captured.ts";
import { useFixture, withoutRequests, writesOf } from "../fixture.ts";
import { application, job, shop } from "../../fixtures/manifests.ts";

const fixture = useFixture({ behaviour: { deploy_delay_ms: 30 } });
const apply = (...args: string[]) => fixture.run(["apply", fixture.folder, "--yes", ...args]);

test("apply --deploy --wait lists the deployments in the plan and reports the end of each", async () => {
  await fixture.write("shop.yaml", shop + job("migrate"));
  const { code, stdout, stderr } = await apply("--deploy", "--wait");
  expect(code).toBe(0);
  expect(`\n${withoutRequests(stdout)}`).toMatchInlineSnapshot(`
    "
    infrasync will make these changes in acme:

      + Project shop
      + Environment shop/staging
          mode     STAGING
          cluster  eu-west
      + Job shop/staging/migrate
          source.image.image_name        acme/report
          source.image.tag               "1"
          source.image.registry          docker-hub
          schedule.cronjob.scheduled_at  0 3 * * *
          schedule.cronjob.timezone      UTC
      > Job shop/staging/migrate  deployed after the change

    Plan: 3 to create, 1 to deploy.
    Requests: 5 spent on planning, 5 to apply; 995 of 1000 left, resets in N min.

    Done: 3 created, 1 deployed.

    Environment shop/staging  DEPLOYED
      Job shop/staging/migrate  DEPLOYED  1  N s ago

    Requests: …
    "
  `);
  expect(stderr).toMatchInlineSnapshot(`
    "
    [1/4] created  Project shop
    [2/4] created  Environment shop/staging
    [3/4] created  Job shop/staging/migrate
    [4/4] deployed Job shop/staging/migrate
    "
  `);
  expect(await fixture.run(["plan", fixture.folder, "--deploy", "--detailed-exitcode"])).toMatchObject({
    code: 0,
  });
});

test("a team says once in the settings file that an apply deploys and waits; a variable says otherwise for one run", async () => {
  await fixture.write("shop.yaml", shop + job("migrate"));
  await fixture.write("infrasync.config.yaml", "deploy: true\nwait: true\n");
  const undeployed = await fixture.run(["plan", fixture.folder], { env: { INFRASYNC_DEPLOY: "false" } });
  expect(undeployed).toMatchObject({ stderr: "", stdout: expect.stringContaining("Plan: 3 to create.") });
  expect((await fixture.run(["plan", fixture.folder, "--destroy"])).stdout).not.toContain("to deploy");
  expect((await apply()).stdout).toContain("Done: 3 created, 1 deployed.");
});

test("apply --deploy without --wait starts the deployments and does not wait for them", async () => {
  await fixture.write("shop.yaml", shop + job("migrate"));
  expect((await apply("--deploy")).stdout).toContain("Done: 3 created, 1 being deployed.");
});

test("apply --plan carries out the deployments of a saved plan, also with --wait", async () => {
  await fixture.write("shop.yaml", shop + job("migrate") + application("api"));
  expect(await apply()).toMatchObject({ code: 0 });
  await fixture.write("shop.yaml", shop + job("migrate", "cpu: 750") + application("api"));
  const file = join(fixture.folder, "plan.json");
  const planned = await fixture.run(["plan", fixture.folder, "--deploy", "--out", file, "--output", "json"]);
  expect(documentOf(planned)).toMatchObject({ counts: { update: 1, deploy: 2 } });
  await fixture.takeRequests();
  const { code, stdout } = await fixture.run(["apply", "--plan", file, "--yes", "--wait"]);
  expect(code).toBe(0);
  expect(stdout).toContain("Done: 1 updated, 2 deployed.");
  expect(writesOf(await fixture.takeRequests())).toEqual([
    "PUT /job/{id}",
    "POST /environment/{id}/service/deploy",
  ]);
  const beside = await fixture.run(["apply", "--plan", file, "--yes", "--deploy"]);
  expect(beside).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("cannot be combined with --deploy"),
  });
});

test("a failed deployment ends apply with exit code 1, also with JSON output", async () => {
  await fixture.write("shop.yaml", shop + application("api"));
  await fixture.fault({ method: "POST", path: "/environment/*/service/deploy", fail_deployment: true });
  const ran = await apply("--deploy", "--wait", "--output", "json");
  expect(ran.code).toBe(1);
  expect(documentOf(ran)).toMatchObject({ ok: false, report: { complete: false } });
  expect(JSON.stringify(documentOf(ran))).toContain("its deployment has failed: DEPLOYMENT_ERROR");
});

test("Ctrl-C during --wait leaves the deployment running and exits with 130", async () => {
  await fixture.write("shop.yaml", shop + application("api"));
  // However busy the machine is, the deployment does not end before the signal.
  await fixture.fault({ method: "GET", path: "/environment/*/statuses", after: 1, delay_ms: 60_000 });
  const interruption = new AbortController();
  const running = fixture.run(["apply", fixture.folder, "--yes", "--deploy", "--wait"], {
    signal: interruption.signal,
  });
  await fixture.arrival("POST /environment/{id}/service/deploy");
  interruption.abort("SIGINT");
  const { code, stdout } = await running;
  expect(code).toBe(130);
  expect(stdout).toContain("infrasync no longer waits for its deployment, which continues");
});

test("plan --deploy has a note for a service without a status: nobody knows whether it needs a deployment", async () => {
  await fixture.write("shop.yaml", shop + job("migrate"));
  await apply();
  const body = { environment: { id: "x", state: "DEPLOYED" }, jobs: [] };
  await fixture.fault({ method: "GET", path: "/environment/*/statuses", status: 200, body });
  expect((await fixture.run(["plan", fixture.folder, "--deploy"])).stdout).toContain(
    "Job shop/staging/migrate: not deployed, because the server does not report whether it needs a deployment",
  );
});

test("--wait without --deploy is an error", async () => {
  await fixture.write("shop.yaml", shop);
  expect(await apply("--wait")).toMatchObject({
    code: 3,
    stderr:
      "error: --wait needs --deploy: without it, there is no deployment to wait for\n  add --deploy, or deploy: true to the settings file\n",
  });
});

test("a changed variable of an environment: apply says which services lack it, status marks them, and plan --deploy deploys them", async () => {
  const level = (value: string) => shop + `variables: { LEVEL: { value: ${value} } }\n` + job("migrate");
  await fixture.write("shop.yaml", level("info"));
  expect((await apply("--deploy", "--wait")).code).toBe(0);
  await fixture.write("shop.yaml", level("debug"));
  const applied = await apply();
  expect(applied.stdout).toContain(
    "Not deployed yet: Job shop/staging/migrate (until then it runs without the changes of Environment shop/staging). To deploy:\n  infrasync deploy job:shop/staging/migrate",
  );
  await fixture.takeRequests();
  const { stdout } = await fixture.run(["status", "shop/staging"]);
  expect(stdout).toMatch(
    /Job shop\/staging\/migrate {2}DEPLOYED {2}\S+ {2}\d+ s ago {2}LEVEL changed since: deploy it/,
  );
  const requested = await fixture.takeRequests();
  expect(requested.filter((request) => /statuses|variable/.test(request))).toEqual([
    "GET /environment/{id}/statuses",
    "GET /variable",
  ]);
  const asJson = await fixture.run(["status", "shop/staging", "--output", "json"]);
  expect(JSON.stringify(documentOf(asJson))).toContain('"changed_around":["LEVEL"]');
  const planned = await fixture.run(["plan", fixture.folder, "--deploy"]);
  expect(planned.stdout).toContain(
    "> Job shop/staging/migrate  variables or secrets of its environment or project have changed since its last deployment",
  );
  expect((await apply("--deploy", "--wait")).stdout).toContain("Done: 1 deployed.");
  expect((await fixture.run(["status", "shop/staging"])).stdout).not.toContain("deploy it");
});

test("what does not run as it is applied is in the footer of plan --deploy, and in the exit code of status", async () => {
  await fixture.write("shop.yaml", shop + job("migrate"));
  const status = async () => (await fixture.run(["status", "--exit-code"])).code;
  await apply();
  expect(await status()).toBe(2);
  await apply("--deploy", "--wait");
  expect(await status()).toBe(0);
  const plan = async () => (await fixture.run(["plan", fixture.folder, "--deploy"])).stdout;
  expect(await plan()).not.toContain("not deployed");
  await fixture.run(["stop", "job:shop/staging/migrate", "--yes", "--wait"]);
  expect(await status()).toBe(2);
  expect((await fixture.run(["status"])).code).toBe(0);
  expect(await plan()).toContain(
    "1 service is not deployed (job:shop/staging/migrate: STOPPED); see infrasync status",
  );
});
