import { join } from "node:path";
import { expect, test } from "vitest";
import { documentOf } from "../captured.ts";
import { steady, useFixture, withoutRequests, writesOf } from "../fixture.ts";
import { cronJob, lifecycleJob, shop } from "../../fixtures/manifests.ts";

const fixture = useFixture();

const apply = (...args: string[]) => fixture.run(["apply", fixture.folder, "--yes", ...args]);
const plan = (...args: string[]) => fixture.run(["plan", fixture.folder, ...args]);
const planFile = () => join(fixture.folder, "plan.json");

test("apply shows the plan, reports each completed change and a summary; the next plan is empty", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly-report"));
  const { code, stdout, stderr } = await apply();
  expect(code).toBe(0);
  expect(`\n${stderr}`).toMatchInlineSnapshot(`
    "

    [1/3] created  Project shop
    [2/3] created  Environment shop/staging
    [3/3] created  Job shop/staging/nightly-report
    "
  `);
  expect(`\n${steady(stdout)}`).toMatchInlineSnapshot(`
    "
    infrasync will make these changes in acme:

      + Project shop
      + Environment shop/staging
          mode     STAGING
          cluster  eu-west
      + Job shop/staging/nightly-report
          source.image.image_name        acme/report
          source.image.tag               1.4.2
          source.image.registry          docker-hub
          schedule.cronjob.scheduled_at  0 3 * * *
          schedule.cronjob.timezone      Europe/Paris
          cpu                            500m
          memory                         512 MB

    Plan: 3 to create.
    Requests: 5 spent on planning, 3 to apply; 995 of 1000 left, resets in N min.

    Done: 3 created.
    Not deployed yet: Job shop/staging/nightly-report. To deploy:
      infrasync deploy job:shop/staging/nightly-report
    Requests: 8 spent (5 reads, 3 creates); 992 of 1000 left, resets in N min.
    "
  `);
  expect(await plan("--detailed-exitcode")).toMatchObject({ code: 0 });
});

test("plan finds drift and apply reverts it", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly-report"));
  const made = documentOf(await apply("--output", "json"));
  const { outcomes } = made["report"] as { outcomes: { address: string; resource_id: string }[] };
  const id = outcomes.find(({ address }) => address === "job:shop/staging/nightly-report")?.resource_id;
  const live = await fixture.request("GET", `/job/${id}`);
  const source = {
    image: { registry_id: fixture.emulator.registries[0]?.id, image_name: "acme/report", tag: "9.9.9" },
  };
  await fixture.request("PUT", `/job/${id}`, { ...live, source });

  expect((await plan()).stdout).toContain("source.image.tag  9.9.9 -> 1.4.2");
  expect(await apply()).toMatchObject({ code: 0 });
  expect(await plan("--detailed-exitcode")).toMatchObject({ code: 0 });
});

test("apply without --yes and without a terminal shows the plan, and writes nothing", async () => {
  await fixture.write("shop.yaml", shop);
  const { code, stdout, stderr } = await fixture.run(["apply", fixture.folder]);
  expect({ code, writes: writesOf(await fixture.takeRequests()) }).toEqual({ code: 3, writes: [] });
  expect(stdout).toContain("Plan: 2 to create.");
  expect(stderr).toMatchInlineSnapshot(`
    "
    error: apply cannot ask for confirmation, because there is no terminal
      add --yes to skip the confirmation; infrasync plan shows the changes

    To allow all of this:
      infrasync apply manifests --yes
    "
  `);
  expect(await fixture.run(["apply", fixture.folder, "--auto-approve"])).toMatchObject({ code: 0 });
});

test("apply reads manifests from standard input", async () => {
  expect(await fixture.run(["apply", "-", "--yes"], { stdin: shop })).toMatchObject({ code: 0 });
  const empty = await fixture.run(["apply", "-", "--yes"], { stdin: "" });
  expect(empty.stderr).toContain("no manifests found in standard input");
  const { code, stderr } = await fixture.run(["apply", "-"], { stdin: shop, columns: 80 });
  expect(code).toBe(3);
  expect(stderr.slice(stderr.lastIndexOf("\u001B[31m"))).toMatchInlineSnapshot(`
    "[31m[1merror:[22m[39m apply cannot ask for confirmation, because standard input contains the
      manifests
      add --yes to skip the confirmation; infrasync plan shows the changes

    To allow all of this:
      infrasync apply - --yes
    "
  `);
});

test("apply of a saved plan reads only the resources that the plan changes", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly-report"));
  const { code, stderr } = await plan("--out", planFile());
  expect({ code, stderr }).toMatchInlineSnapshot(`
    {
      "code": 0,
      "stderr": "
    The plan is saved. To apply exactly this plan:
      infrasync apply --plan plan.json
    ",
    }
  `);
  await fixture.write("shop.yaml", "kind: nonsense");
  await fixture.takeRequests();
  const asTerraform = await fixture.run(["apply", planFile(), "--yes"]);
  expect(asTerraform).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(
      /error: this is a saved plan, not a manifest\n {2}1 \| \{.*\n {4}\| \^\n {2}leave it out, or apply it with infrasync apply --plan FILE\n/,
    ),
  });
  expect(await fixture.run(["apply", "--plan", planFile(), "--yes"])).toMatchObject({ code: 0 });
  expect(await fixture.takeRequests()).toMatchInlineSnapshot(`
    [
      "GET /organization/{id}/project",
      "GET /organization/{id}/cluster",
      "GET /organization/{id}/containerRegistry",
      "GET /organization/{id}/events",
      "POST /organization/{id}/project",
      "POST /project/{id}/environment",
      "POST /environment/{id}/job",
    ]
  `);
});

test("apply refuses a saved plan of another organization than the one in the settings", async () => {
  await fixture.write("shop.yaml", shop);
  const { id } = fixture.emulator.organization;
  await fixture.request("POST", "/organization", { name: "globex", plan: "FREE" });
  const carriedOut = (organization: string) =>
    fixture.run(["apply", "--plan", planFile(), "--yes", "--organization", organization]);
  for (const made of [id, "acme"]) {
    expect(await plan("--out", planFile(), "--organization", made)).toMatchObject({ code: 0 });
    const { code, stderr } = await carriedOut("globex");
    expect(code).toBe(3);
    expect(stderr).toContain(`was made for the organization ${made}, but the settings name globex`);
  }
  expect(writesOf(await fixture.takeRequests())).toEqual(["POST /organization"]);
  await plan("--out", planFile(), "--organization", id);
  expect(await carriedOut("Acme")).toMatchObject({ code: 0 });
});

test("a failed action skips the actions that depend on it and no others, and the report shows both", async () => {
  await fixture.write(
    "shop.yaml",
    `${shop}---\nkind: Environment\nproject: shop\nname: production\nmode: PRODUCTION\ncluster: eu-west\n${cronJob("report")}${lifecycleJob("migrate", "", "shop/production")}`,
  );
  await fixture.fault({
    method: "POST",
    path: "/project/*/environment",
    times: 1,
    status: 400,
    body: { status: 400, error: "Bad Request", message: "mode: \u001b[31mnot today" },
  });
  await fixture.write("infrasync.config.yaml", "parallelism: 1\n");
  const { code, stdout } = await apply();
  expect(code).toBe(1);
  expect(`\n${steady(stdout)}`).toMatchInlineSnapshot(`
    "
    infrasync will make these changes in acme:

      + Project shop
      + Environment shop/staging
          mode     STAGING
          cluster  eu-west
      + Environment shop/production
          mode     PRODUCTION
          cluster  eu-west
      + Job shop/staging/report
          source.image.image_name        acme/report
          source.image.tag               1.4.2
          source.image.registry          docker-hub
          schedule.cronjob.scheduled_at  0 3 * * *
          schedule.cronjob.timezone      Europe/Paris
          cpu                            500m
          memory                         512 MB
      + Job shop/production/migrate
          source.image.image_name      acme/migrate
          source.image.tag             2.0.0
          source.image.registry        docker-hub
          schedule.on_start.arguments  [--up]

    Plan: 5 to create.
    Requests: 5 spent on planning, 5 to apply; 995 of 1000 left, resets in N min.

    Failed:
      Environment shop/staging: 400 on POST /project/{id}/environment: the server does not accept the request; correct the reported mistake. The server says: "mode: \\u001b[31mnot today"

    Not started:
      Job shop/staging/report: needs environment:shop/staging, which was not done

    Not all changes could be made. Done so far: 3 created. Run again to continue.
    Not deployed yet: Job shop/production/migrate. To deploy:
      infrasync deploy job:shop/production/migrate
    Requests: 9 spent (5 reads, 4 creates); 991 of 1000 left, resets in N min.
    "
  `);

  const again = documentOf(await apply("--output", "json"));
  expect(again).toMatchObject({ ok: true, report: { complete: true } });
  expect(await plan("--detailed-exitcode")).toMatchObject({ code: 0 });
});

test("the JSON of a failed run names the failed and the skipped actions", async () => {
  await fixture.write("shop.yaml", shop);
  await fixture.fault({
    method: "POST",
    path: "/organization/*/project",
    status: 403,
    body: { status: 403, error: "Forbidden", message: "no" },
  });
  const ran = await apply("--output", "json");
  expect(ran.code).toBe(1);
  expect(documentOf(ran)).toMatchObject({
    ok: false,
    plan: { counts: { create: 2 } },
    report: {
      complete: false,
      outcomes: [
        { address: "project:shop", status: "failed", code: "forbidden" },
        { address: "environment:shop/staging", status: "skipped" },
      ],
      stopped: { reason: "forbidden" },
      requests: { total: 5 },
    },
  });
});

test("an error about a token that the server does not know names the source of the token, as the thing to change", async () => {
  await fixture.write("shop.yaml", shop);
  const { stderr } = await fixture.run(["list"], { env: { INFRASYNC_TOKEN: "unknown" } });
  expect(stderr).toContain("whether its scheme is Token or Bearer; the token is from INFRASYNC_TOKEN");
  await fixture.fault({ method: "POST", path: "/organization/*/project", status: 401 });
  expect((await apply()).stdout).toContain("Set a valid token, then run again to continue.");
});

test("the report gives the reason for a stop once, however many actions it skips", async () => {
  await fixture.write("shop.yaml", shop + cronJob("a") + cronJob("b") + cronJob("c") + cronJob("d"));
  await fixture.fault({
    method: "POST",
    path: "/environment/*/job",
    status: 403,
    body: { status: 403, error: "Forbidden", message: "no" },
  });
  await fixture.write("infrasync.config.yaml", "parallelism: 2\n");
  const { code, stdout } = await apply();
  expect(code).toBe(1);
  expect(`\n${withoutRequests(stdout.slice(stdout.indexOf("Failed:")))}`).toMatchInlineSnapshot(`
    "
    Failed:
      403 on POST /environment/{id}/job: the token may not do this; use a token whose scope (Read, Write, Deploy, Admin) allows it. The server says: "no"
        Job shop/staging/a
        Job shop/staging/b

    Not started:
      the run had stopped
        Job shop/staging/c
        Job shop/staging/d

    Stopped after this failure. Done so far: 2 created. Run again to continue.
    Requests: …
    "
  `);
});

test("apply exits with its own code when the quota runs out midway, and a later run completes the rest", async () => {
  await fixture.write("shop.yaml", shop + cronJob("a") + cronJob("b") + cronJob("c"));
  const creation = { method: "POST", path: "/environment/*/job" };
  await fixture.fault({ ...creation, after: 1, status: 429, headers: { "retry-after": "600" } });
  await fixture.write("infrasync.config.yaml", "parallelism: 1\n");
  const { code, stdout } = await apply();
  expect(code).toBe(4);
  expect(stdout).toContain(
    "Not started:\n  the run had stopped\n    Job shop/staging/b\n    Job shop/staging/c",
  );
  expect(stdout).toMatch(
    /\nStopped: POST \S+ was not carried out: the server takes no requests for a while \(429\) and asks to wait until \S+; run again later, or set quota_patience to a longer time in the settings file, or let infrasync wait with --on-quota wait\. Done so far: 3 created\. Run again/,
  );
  expect(await fixture.takeFaults()).toBe(1);
  expect((await apply()).stdout).toContain("Done: 2 created.");
});

test("the report contains manifests of resources that a replacement deleted and could not create", async () => {
  await fixture.write("shop.yaml", shop + lifecycleJob("migrate"));
  await apply();
  await fixture.write("shop.yaml", shop + cronJob("migrate"));
  await fixture.fault({
    method: "POST",
    path: "/environment/*/job",
    status: 400,
    body: { status: 400, error: "Bad Request", message: "no" },
  });
  const { code, stdout } = await apply("--allow-replace", "job:**");
  expect(code).toBe(1);
  expect(`\n${steady(stdout)}`).toMatchInlineSnapshot(`
    "
    infrasync will make these changes in acme (±: deleted and created again):

      ± Job shop/staging/migrate  must be replaced: a cron job cannot become a lifecycle job, nor the other way round
          source.image.image_name  acme/migrate -> acme/report
          source.image.tag         2.0.0 -> 1.4.2
          schedule.cronjob         (none) -> { scheduled_at: 0 3 * * *, timezone: Europe/Paris }
          schedule.on_start        { arguments: [--up] } -> (none)
          schedule.lifecycle_type  GENERIC -> (none)

    Plan: 1 to replace; 2 unchanged.
    Not checked: settings of 1 resource, deployments of 1 (use --strict).
    Requests: 10 spent on planning, 6 to apply; 982 of 1000 left, resets in N min.

    Failed:
      Job shop/staging/migrate: the resource was deleted and could not be created again: 400 on POST /environment/{id}/job: the server does not accept the request; correct the reported mistake. The server says: "no"; apply the manifest that follows to create it again

    Job shop/staging/migrate was deleted and could not be created again. This manifest creates it again:

      kind: Job
      environment: shop/staging
      name: migrate
      source:
        image:
          image_name: acme/report
          tag: 1.4.2
          registry: docker-hub
      schedule:
        cronjob:
          scheduled_at: 0 3 * * *
          timezone: Europe/Paris
      auto_deploy: true
      auto_preview: false

    Not all changes could be made. Done so far: 1 deleted and not created again. Run again to continue.
    Requests: 16 spent (14 reads, 1 delete, 1 create); 976 of 1000 left, resets in N min.
    "
  `);
});

test("apply deletes no protected resource, whatever the consent", async () => {
  await fixture.write("shop.yaml", shop + lifecycleJob("migrate"));
  await apply();
  await fixture.write("infrasync.config.yaml", "protect: [shop/staging/**]\n");
  await fixture.write("shop.yaml", shop + cronJob("migrate"));
  await fixture.takeRequests();
  const { code, stderr } = await apply("--allow-replace", "job:**");
  expect({ code, writes: writesOf(await fixture.takeRequests()) }).toEqual({ code: 3, writes: [] });
  expect(stderr).toMatchInlineSnapshot(`
    "
    error: job:shop/staging/migrate cannot be replaced: it is protected by the pattern "shop/staging/**"
      undo the change, or take "shop/staging/**" out of \`protect\` in the settings file
    "
  `);
});

test("apply refuses more deletions than the limit; --max-deletes raises the limit", async () => {
  const jobs = Array.from({ length: 12 }, (_, index) => cronJob(`job-${index}`)).join("");
  await fixture.write("shop.yaml", shop + jobs);
  await apply();
  await fixture.write("shop.yaml", `${shop}manage: { prune: true }\n`);
  const { code, stderr } = await apply("--prune");
  expect(code).toBe(3);
  expect(`\n${stderr}`).toMatchInlineSnapshot(`
    "

    error: 12 resources would be deleted or replaced, and the limit is 10
      make fewer changes at once, or allow this many with --max-deletes 12,100%

    error: 12 of the 12 resources in environment:shop/staging would be deleted or replaced, more than 30 %
      make fewer changes at once, or allow this many with --max-deletes 12,100%

    2 problems; nothing has been changed

    To allow all of this:
      infrasync apply manifests --prune --yes --max-deletes 12,100%
    "
  `);
  expect(await apply("--prune", "--max-deletes", "12")).toMatchObject({ code: 3 });
  expect(await apply("--prune", "--max-deletes", "12,100%")).toMatchObject({ code: 0 });
});

test("apply checks and reports the outcome of a write whose response is not JSON", async () => {
  await fixture.write("shop.yaml", shop + cronJob("report"));
  await fixture.fault({
    method: "POST",
    path: "/environment/*/job",
    times: 1,
    carry_out: true,
    status: 502,
    body: "<html>Bad gateway",
  });
  const { code, stdout } = await apply();
  expect(code).toBe(0);
  expect(stdout).toContain("Remarks:\n  Job shop/staging/report: adopted after an unclear answer");
  expect(await plan("--detailed-exitcode")).toMatchObject({ code: 0 });
});
