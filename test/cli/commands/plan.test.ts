import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { documentOf } from "../captured.ts";
import { steady, useFixture, writesOf } from "../fixture.ts";
import { cronJob, lifecycleJob, shop } from "../../fixtures/manifests.ts";

const fixture = useFixture();

const planOf = async (args: string[], exitCode = 0) => {
  const { code, stdout, stderr } = await fixture.run(["plan", fixture.folder, ...args]);
  expect(stderr).toBe("");
  expect(code).toBe(exitCode);
  return `\n${steady(stdout)}`;
};

const applied = async (...args: string[]) => {
  const ran = await fixture.run(["apply", fixture.folder, "--yes", ...args]);
  expect(ran).toMatchObject({ code: 0 });
};

test("the plan shows a creation with all its fields", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly-report", "description: Sends the report.\n"));
  await fixture.write(
    "api.yaml",
    `kind: Application
environment: shop/staging
name: api
git_repository: { url: https://github.com/acme/api, branch: main }
ports: [{ internal_port: 8080, publicly_accessible: true }]
`,
  );
  expect(await planOf([])).toMatchInlineSnapshot(`
    "
    infrasync will make these changes in acme:

      + Project shop
      + Environment shop/staging
          mode     STAGING
          cluster  eu-west
      + Application shop/staging/api
          git_repository.url                    https://github.com/acme/api
          git_repository.provider               GITHUB
          git_repository.branch                 main
          ports[8080/HTTP].publicly_accessible  true
      + Job shop/staging/nightly-report
          description                    Sends the report.
          source.image.image_name        acme/report
          source.image.tag               1.4.2
          source.image.registry          docker-hub
          schedule.cronjob.scheduled_at  0 3 * * *
          schedule.cronjob.timezone      Europe/Paris
          cpu                            500m
          memory                         512 MB

    Plan: 4 to create.
    Requests: 5 spent on planning, 4 to apply; 995 of 1000 left, resets in N min.
    Digest: {digest}
    "
  `);
});

test("a plan without changes says so in one line, and what it has not read in another", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly-report"));
  await applied();
  await fixture.takeRequests();
  expect(await planOf([])).toMatchInlineSnapshot(`
    "
    No changes to make: 3 resources in acme are as the manifests declare.
    Not checked: settings of 3 resources, variables and secrets of 3, deployments of 1 (use --strict).
    Requests: 4 spent on planning; 988 of 1000 left, resets in N min.
    "
  `);
  expect(writesOf(await fixture.takeRequests())).toEqual([]);
});

test("the plan shows an update field by field, and a long text as a diff", async () => {
  const dockerfile = (install: string) => `source:
  docker:
    git_repository: { url: https://github.com/acme/report, branch: main }
    dockerfile_raw: |
      FROM node:24
      WORKDIR /app
      COPY . .
      RUN ${install}
      CMD node report.js
`;
  const job = (cpu: number, install: string) =>
    cronJob("nightly-report")
      .replace(/source:\n.*\n/, dockerfile(install))
      .replace("cpu: 500", `cpu: ${cpu}`);
  await fixture.write("shop.yaml", shop + job(500, "npm ci"));
  await applied();
  await fixture.write("shop.yaml", shop + job(1000, "npm ci --omit=dev"));
  expect(await planOf([])).toMatchInlineSnapshot(`
    "
    infrasync will make these changes in acme:

      ~ Job shop/staging/nightly-report
          source.docker.dockerfile_raw
             FROM node:24
             WORKDIR /app
             COPY . .
            -RUN npm ci
            +RUN npm ci --omit=dev
             CMD node report.js
          cpu                           500m -> 1000m

    Plan: 1 to update; 2 unchanged.
    Not checked: settings of 3 resources, variables and secrets of 3, deployments of 1 (use --strict).
    Requests: 4 spent on planning, 2 to apply; 989 of 1000 left, resets in N min.
    Digest: {digest}
    "
  `);
});

test("the plan identifies elements of a set by their keys", async () => {
  const api = (ports: string) => `---
kind: Application
environment: shop/staging
name: api
git_repository: { url: https://github.com/acme/api, branch: main }
ports: ${ports}
`;
  await fixture.write(
    "shop.yaml",
    shop +
      api(
        "[{ internal_port: 8080, publicly_accessible: true }, { internal_port: 9090, publicly_accessible: false }]",
      ),
  );
  await applied();
  await fixture.write(
    "shop.yaml",
    shop +
      api(
        "[{ internal_port: 80, publicly_accessible: true }, { internal_port: 8080, publicly_accessible: false }]",
      ),
  );
  expect(await planOf([])).toMatchInlineSnapshot(`
    "
    infrasync will make these changes in acme:

      ~ Application shop/staging/api
          ports[80/HTTP]                        (none) -> { internal_port: 80, publicly_accessible: true }
          ports[8080/HTTP].publicly_accessible  true -> false
          ports[9090/HTTP]
            -internal_port: 9090
            -protocol: HTTP
            -publicly_accessible: false
            -name: p9090
            -is_default: false

    Plan: 1 to update; 2 unchanged.
    Not checked: settings of 3 resources, variables and secrets of 3, custom domains of 1, deployments of 1 (use --strict).
    Requests: 4 spent on planning, 2 to apply; 989 of 1000 left, resets in N min.
    Digest: {digest}
    "
  `);
});

test("the plan shows the source, the overrides and the contents of a clone", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly-report") + lifecycleJob("migrate"));
  await applied();
  await fixture.write(
    "preview.yaml",
    `kind: Environment
project: shop
name: preview
clone: { from: shop/staging }
mode: DEVELOPMENT
---
kind: Job
environment: shop/preview
name: migrate
cpu: 250
---
kind: Job
environment: shop/staging
name: migrate-again
clone: { from: shop/staging/migrate }
memory: 1024
`,
  );
  expect(await planOf([])).toMatchInlineSnapshot(`
    "
    infrasync will make these changes in acme:

      + Job shop/staging/migrate-again  cloned from shop/staging/migrate
          memory  512 MB -> 1 GB
      + Environment shop/preview        cloned from shop/staging
          mode  STAGING -> DEVELOPMENT
          also copies: 3 jobs (nightly-report, migrate, migrate-again)
      ~ Job shop/preview/migrate        created by the clone, then updated
          cpu  500m -> 250m

    Plan: 2 to clone, 1 to update; 4 unchanged.
    Not checked: settings of 4 resources, variables and secrets of 2, deployments of 1 (use --strict).
    Requests: 6 spent on planning, 11 to apply; 985 of 1000 left, resets in N min.
    Digest: {digest}
    "
  `);
});

test("the plan shows the reason, the deleted contents and the missing consent of a replacement", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly-report") + lifecycleJob("migrate"));
  await applied();
  const dumped = documentOf(await fixture.run(["plan", fixture.folder, "--output", "json"]));
  const job = (dumped["actions"] as { address: string; resource_id: string }[]).find(
    ({ address }) => address === "job:shop/staging/migrate",
  );
  for (const key of ["DB_URL", "DB_USER"]) {
    await fixture.request("POST", "/variable", {
      key,
      value: "x",
      is_secret: false,
      variable_scope: "JOB",
      variable_parent_id: job?.resource_id,
    });
  }
  await fixture.write("shop.yaml", shop + cronJob("nightly-report") + cronJob("migrate"));
  expect(await planOf([], 3)).toMatchInlineSnapshot(`
    "
    infrasync will make these changes in acme (±: deleted and created again):

      ± Job shop/staging/migrate  must be replaced: a cron job cannot become a lifecycle job, nor the other way round
          source.image.image_name  acme/migrate -> acme/report
          source.image.tag         2.0.0 -> 1.4.2
          schedule.cronjob         (none) -> { scheduled_at: 0 3 * * *, timezone: Europe/Paris }
          schedule.on_start        { arguments: [--up] } -> (none)
          schedule.lifecycle_type  GENERIC -> (none)
          also deletes: 2 variables (DB_URL, DB_USER)

    Notes:
      Set on the server but missing in the manifests: 2 variables (Job shop/staging/migrate); list them with --strict

    infrasync will refuse to apply this plan:
      job:shop/staging/migrate must be replaced: a cron job cannot become a lifecycle job, nor the other way round
        undo the change, or allow it with --allow-replace 'job:shop/staging/migrate', or with \`manage: { consent: replace-{digest} }\` in its document

    To allow all of this:
      infrasync plan manifests --allow-replace job:shop/staging/migrate

    Plan: 1 to replace; 3 unchanged.
    Not checked: settings of 2 resources, variables and secrets of 1, deployments of 1 (use --strict).
    Requests: 10 spent on planning, 6 to apply; 975 of 1000 left, resets in N min.
    Digest: {digest}
    "
  `);
  expect(await planOf(["--allow-replace", "job:shop/staging/*"])).not.toContain("refused");

  const json = documentOf(await fixture.run(["plan", fixture.folder, "--output", "json"]));
  expect(json).toMatchObject({
    ok: false,
    error: { code: "not_approved", message: expect.stringContaining("migrate") },
    applicable: false,
    counts: { replace: 1 },
    problems: [{ address: "job:shop/staging/migrate", blocks: "apply" }],
  });
});

test("a plan that apply would refuse exits with 3 and is not saved, also with --detailed-exitcode", async () => {
  await fixture.write("shop.yaml", shop + lifecycleJob("migrate"));
  await applied();
  await fixture.write("shop.yaml", shop + cronJob("migrate"));
  const file = join(fixture.folder, "plan.json");
  for (const more of [[], ["--detailed-exitcode"]]) {
    const { code, stdout, stderr } = await fixture.run(["plan", fixture.folder, "--out", file, ...more]);
    expect({ code, stderr, isSaved: existsSync(file) }).toEqual({ code: 3, stderr: "", isSaved: false });
    expect(stdout).toContain("infrasync will refuse to apply this plan:");
  }
  const consented = ["plan", fixture.folder, "--out", file, "--allow-replace", "job:shop/staging/migrate"];
  expect(await fixture.run(consented)).toMatchObject({ code: 0 });
  expect(existsSync(file)).toBe(true);
});

test("the plan lists all contents of a replaced environment", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly-report") + lifecycleJob("migrate"));
  await applied();
  await fixture.write("shop.yaml", shop.replace("eu-west", "us-east") + cronJob("nightly-report"));
  expect(await planOf([], 3)).toMatchInlineSnapshot(`
    "
    infrasync will make these changes in acme (±: deleted and created again):

      ± Environment shop/staging         must be replaced: an environment cannot be moved to another cluster
          cluster  eu-west -> us-east
          also deletes: 1 job (migrate)
          also deletes and creates again: 1 job (nightly-report)
      ± Job shop/staging/nightly-report  deleted and created again with Environment shop/staging

    infrasync will refuse to apply this plan:
      environment:shop/staging must be replaced: an environment cannot be moved to another cluster
        undo the change, or allow it with --allow-replace 'environment:shop/staging', or with \`manage: { consent: replace-{digest} }\` in its document
      shop.yaml:6:7: Environment shop/staging: it contains 1 resource that no document declares and that would be deleted with it: migrate
        declare them or move them away, or allow it with --prune and \`manage: { prune: true }\` in its document

    Flags for a part of this (fix the rest first):
      --allow-replace environment:shop/staging

    Plan: 2 to replace; 1 more will be deleted with them; 1 unchanged.
    Not checked: settings of 1 resource (use --strict).
    Requests: 13 spent on planning, 10 to apply; 978 of 1000 left, resets in N min.
    Digest: {digest}
    "
  `);
});

test("the plan mentions unmanaged resources and deletes them only with --prune", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly-report") + lifecycleJob("old"));
  await applied();
  await fixture.write("shop.yaml", `${shop}manage: { prune: true }\n${cronJob("nightly-report")}`);
  expect(await planOf([])).toMatchInlineSnapshot(`
    "
    Notes:
      Environment shop/staging: contains 1 resource that no document declares (Job shop/staging/old); delete them with --prune

    No changes to make: 3 resources in acme are as the manifests declare.
    Not checked: settings of 3 resources, variables and secrets of 3, deployments of 1 (use --strict).
    Requests: 4 spent on planning; 987 of 1000 left, resets in N min.
    "
  `);
  expect(await planOf(["--prune"])).toMatchInlineSnapshot(`
    "
    infrasync will make these changes in acme:

      - Job shop/staging/old  no manifest declares it (prune)

    Plan: 1 to delete; 3 unchanged.
    Not checked: settings of 3 resources, variables and secrets of 1, deployments of 1 (use --strict).
    Requests: 6 spent on planning, 5 to apply; 981 of 1000 left, resets in N min.
    Digest: {digest}
    "
  `);
  await fixture.write("shop.yaml", shop + cronJob("nightly-report"));
  expect(await planOf(["--prune"])).toMatchInlineSnapshot(`
    "
    Notes:
      Unmanaged: Job shop/staging/old
      nothing is pruned, because no document declares \`manage: { prune: true }\`

    No changes to make: 1 resource is in acme but missing in the manifests.
    Not checked: settings of 3 resources, variables and secrets of 3, deployments of 1 (use --strict).
    Requests: 4 spent on planning; 977 of 1000 left, resets in N min.
    "
  `);
  const { stdout } = await fixture.run(["plan", `${fixture.folder}/shop.yaml`, "--output", "json"]);
  expect(JSON.parse(stdout)).toMatchObject({ notes: [{ resources: ["job:shop/staging/old"] }] });
});

test("plan --strict lists undeclared fields that differ from their default", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly-report", "max_nb_restart: 3\n"));
  await applied();
  await fixture.write("shop.yaml", shop + cronJob("nightly-report"));
  expect(await planOf(["--strict"])).toMatchInlineSnapshot(`
    "
    Notes:
      Job shop/staging/nightly-report: max_nb_restart is 3, which no document declares; its default is 0
      1 service is not deployed (job:shop/staging/nightly-report: never deployed); see infrasync status

    No changes to make: 1 field is in acme but missing in the manifests.
    Requests: 14 spent on planning; 978 of 1000 left, resets in N min.
    "
  `);
});

test("plan --target includes the chosen resources and their requirements", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly-report") + lifecycleJob("migrate"));
  expect(await planOf(["--target", "job:shop/*/migrate"])).toMatchInlineSnapshot(`
    "
    infrasync will make these changes in acme:

      + Project shop
      + Environment shop/staging
          mode     STAGING
          cluster  eu-west
      + Job shop/staging/migrate
          source.image.image_name      acme/migrate
          source.image.tag             2.0.0
          source.image.registry        docker-hub
          schedule.on_start.arguments  [--up]

    Plan: 3 to create.
    Requests: 5 spent on planning, 3 to apply; 995 of 1000 left, resets in N min.
    Digest: {digest}
    "
  `);
});

test("-t and -o are short for --target and --output", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly-report") + lifecycleJob("migrate"));
  const target = "job:shop/staging/migrate";
  const { stdout } = await fixture.run(["plan", fixture.folder, "-t", target, "-ojson"]);
  const joined = await fixture.run(["plan", fixture.folder, `-t${target}`, "-ojson"]);
  expect(documentOf(joined)["actions"]).toEqual(documentOf({ stdout })["actions"]);
  const { actions } = documentOf({ stdout }) as { actions: { address: string }[] };
  expect(actions.map(({ address }) => address)).toEqual([
    "project:shop",
    "environment:shop/staging",
    "job:shop/staging/migrate",
  ]);
});

test("plan says that a plan does not contain the flag of apply that waits", async () => {
  await fixture.write("shop.yaml", shop);
  expect(await fixture.run(["plan", fixture.folder, "--wait"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Plan: 2 to create."),
    stderr: "A plan does not store --wait; give it to infrasync apply.\n",
  });
});

test("the plan escapes control characters in names and values from the API", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly-report"));
  await applied();
  const { results } = (await fixture.request(
    "GET",
    `/organization/${fixture.emulator.organization.id}/environments`,
  )) as { results: { id: string }[] };
  const services = (await fixture.request("GET", `/environment/${results[0]?.id}/services`)) as {
    results: Record<string, unknown>[];
  };
  const job = services.results[0] ?? {};
  const source = {
    image: { registry_id: fixture.emulator.registries[0]?.id, image_name: "acme/report", tag: "1.4.2" },
  };
  await fixture.request("PUT", `/job/${String(job["id"])}`, {
    ...job,
    source,
    description: "\u001b[2J\u202egnp.exe\u0007",
  });
  await fixture.write("shop.yaml", shop + cronJob("nightly-report", "description: fine\n"));
  const text = await planOf([]);
  expect(text).toContain(String.raw`description  "\u001b[2J\u202egnp.exe\u0007" -> fine`);
  const { stdout } = await fixture.run(["plan", fixture.folder, "--output", "json"]);
  for (const character of "\u001B\u202E\u0007") expect(stdout).not.toContain(character);
  expect(stdout).toContain("\\u202egnp.exe");
});

test("plan --detailed-exitcode reports changes in the exit code", async () => {
  await fixture.write("shop.yaml", shop);
  expect(await fixture.run(["plan", fixture.folder, "--detailed-exitcode"])).toMatchObject({ code: 2 });
  await applied();
  expect(await fixture.run(["plan", fixture.folder, "--detailed-exitcode"])).toMatchObject({ code: 0 });
});

test("the JSON plan contains the same information as the text", async () => {
  await fixture.write("shop.yaml", shop);
  const json = documentOf(await fixture.run(["plan", fixture.folder, "--output", "json"]));
  expect(json).toMatchObject({
    ok: true,
    format: "infrasync-plan",
    version: 3,
    organization: { name: "acme" },
    has_changes: true,
    applicable: true,
    counts: { create: 2, clone: 0, update: 0, replace: 0, delete: 0, none: 0 },
    actions: [
      { type: "create", address: "project:shop", kind: "Project", name: "shop", expected: {} },
      {
        type: "create",
        address: "environment:shop/staging",
        expected: { mode: "STAGING", cluster: { name: "eu-west" } },
      },
    ],
    problems: [],
    notes: [],
    cost: { planning: 4, applying: 2 },
    budget: { limit: 1000, remaining: 996 },
  });
});
