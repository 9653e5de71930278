import { beforeEach, describe, expect, test } from "vitest";
import { documentOf } from "../captured.ts";
import { steady, useFixture, withoutRequests } from "../fixture.ts";
import { application, job, shop } from "../../fixtures/manifests.ts";

const fixture = useFixture();

const stages = `---
kind: DeploymentStage
environment: shop/staging
name: early
---
kind: Job
environment: shop/staging
name: placed
deployment_stage: early
variables: { LEVEL: info }
secrets: { PASSWORD: { from_env: SHOP_PASSWORD } }
source: { image: { registry: docker-hub, image_name: acme/placed, tag: 1.0.0 } }
schedule: { on_start: {} }
`;

beforeEach(async () => {
  await fixture.write("shop.yaml", shop + job("migrate") + application("api") + stages);
  const env = { ...fixture.env, SHOP_PASSWORD: "canary-secret" };
  const { code, stderr } = await fixture.run(["apply", fixture.folder, "--yes"], { env });
  if (code !== 0) throw new Error(stderr);
  await fixture.takeRequests();
});

describe("list", () => {
  test("shows a table of everything, with one request for each list, each environment's statuses, and the URLs of a service", async () => {
    const { code, stdout } = await fixture.run(["list"]);
    expect(code).toBe(0);
    expect(`\n${withoutRequests(steady(stdout)).replaceAll(/\d+ s(?= +(?:-|https))/g, "N s")}`)
      .toMatchInlineSnapshot(`
      "
      KIND         NAME                  STATE  VERSION  CLUSTER  AGE  URL
      Project      shop                  -      -        -        N s  -
      Environment  shop/staging          READY  -        eu-west  N s  -
      Job          shop/staging/migrate  READY  1        eu-west  N s  -
      Application  shop/staging/api      READY  -        eu-west  N s  https://z{id}.apps.internal
      Job          shop/staging/placed   READY  1.0.0    eu-west  N s  -

      Requests: …
      "
    `);
    expect(await fixture.takeRequests()).toEqual([
      "GET /organization",
      "GET /organization/{id}/project",
      "GET /project/{id}/environment",
      "GET /environment/{id}/services",
      "GET /environment/{id}/statuses",
      "GET /application/{id}/link",
    ]);
  });

  test("reads only what a pattern can choose", async () => {
    expect((await fixture.run(["list", "project:*"])).stdout).toContain("Project  shop");
    expect(await fixture.takeRequests()).toEqual(["GET /organization", "GET /organization/{id}/project"]);
    const { stdout } = await fixture.run(["list", "deploymentstage:shop/staging/*"]);
    expect(stdout.match(/^DeploymentStage.*/gm)?.map((line) => line.split(/ +/)[1])).toEqual([
      "shop/staging/DEFAULT",
      "shop/staging/early",
    ]);
  });

  test("--unmanaged shows what no manifest declares", async () => {
    const file = await fixture.write(
      "shop.yaml",
      shop + job("migrated", "manage: { renamed_from: migrate }"),
    );
    const { code, stdout } = await fixture.run(["list", "--unmanaged", file]);
    expect(code).toBe(0);
    expect(stdout.match(/shop\S*/g)).toEqual(["shop/staging/api", "shop/staging/placed"]);
    const { id } = JSON.parse(
      (await fixture.run(["get", "job:shop/staging/migrate", "--output", "json"])).stdout,
    ) as { id: string };
    const variable = { is_secret: false, variable_scope: "JOB", variable_parent_id: id };
    await fixture.request("POST", "/variable", { key: "BY_HAND", value: "x", ...variable });
    const strict = await fixture.run(["plan", file, "--strict"]);
    expect(strict.stdout).toContain("variable BY_HAND is set, and no document declares it");
    expect((await fixture.run(["list", "--unmanaged", file])).stdout).toMatch(
      /Set in managed resources but missing in the manifests:\n[^]*variable BY_HAND of job:shop\/staging\/migrate/,
    );
    const wrong = await fixture.run(["list", "--unmanaged", "nowhere"]);
    expect(wrong).toMatchObject({ code: 3, stderr: expect.stringContaining("nowhere") });
  });

  test("--unmanaged without a source asks the manifests of the working directory", async () => {
    await fixture.write("here/shop.yaml", shop + job("migrate"));
    const before = process.cwd();
    process.chdir(`${fixture.folder}/here`);
    try {
      const { code, stdout } = await fixture.run(["list", "--unmanaged"]);
      expect(code).toBe(0);
      expect(stdout.match(/shop\S*/g)).toEqual(["shop/staging/api", "shop/staging/placed"]);
    } finally {
      process.chdir(before);
    }
  });

  test("as JSON", async () => {
    const ran = await fixture.run(["list", "job:shop/staging/*", "--output", "json"]);
    expect(documentOf(ran)).toMatchObject({
      ok: true,
      format: "infrasync-list",
      resources: [
        { address: "job:shop/staging/migrate", kind: "Job", state: "READY", cluster: "eu-west" },
        { address: "job:shop/staging/placed", deployment_status: "NEVER_DEPLOYED" },
      ],
    });
  });

  test("a pattern that matches nothing is an error with the nearest name", async () => {
    const { code, stderr } = await fixture.run(["list", "job:shop/staging/migrat"]);
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringContaining(
        '"job:shop/staging/migrat" matches no live resource\n  did you mean job:shop/staging/migrate?',
      ),
    });
  });

  test("resources of the organization, if a pattern names their kind, and nothing else is read", async () => {
    const { code, stdout } = await fixture.run(["list", "cluster:*", "apitoken:**"]);
    expect(code).toBe(0);
    expect(stdout.match(/^(Cluster|ApiToken) +\S+/gm)?.map((line) => line.split(/ +/).join(":"))).toEqual([
      "ApiToken:admin",
      "ApiToken:read",
      "ApiToken:deploy",
      "ApiToken:write",
      "Cluster:eu-west",
      "Cluster:us-east",
    ]);
    expect((await fixture.takeRequests()).toSorted()).toEqual([
      "GET /organization",
      "GET /organization/{id}/apiToken",
      "GET /organization/{id}/cluster",
    ]);
  });

  test.each(["get", "list"])("%s shows all of a kind", async (command) => {
    const { code, stdout } = await fixture.run([command, "members"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("ada@acme.example") });
  });

  test.each([
    ["jobs", "shop/staging/migrate"],
    ["Job", "shop/staging/migrate"],
    ["clusters", "eu-west"],
  ])("%s is not taken as a name", async (word, listed) => {
    const { code, stdout } = await fixture.run(["list", word]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(listed) });
  });
});

describe("get", () => {
  test.each([
    [["job", "shop/staging/migrate"], "name: migrate"],
    [["cluster", "eu-west"], "name: eu-west"],
    [["job:shop/*/migrate"], "shop/staging/migrate"],
  ])("%j shows what was meant", async (words, shown) => {
    const { code, stdout } = await fixture.run(["get", ...words]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(shown) });
  });

  test("shows a resource as a whole: its fields, variables, stage, id and status", async () => {
    const { code, stdout } = await fixture.run(["get", "job:shop/staging/placed"]);
    expect(code).toBe(0);
    expect(`\n${steadyTimes(stdout)}`).toMatchInlineSnapshot(`
      "
      # id: ID
      # state: READY
      # deployment_status: NEVER_DEPLOYED
      # created_at: TIME
      # updated_at: TIME
      # job_type: LIFECYCLE
      # service_type: JOB
      # maximum_cpu: 64000
      # maximum_memory: 262144
      # maximum_gpu: 8
      # secrets: PASSWORD
      kind: Job
      environment: shop/staging
      name: placed
      description: ""
      source:
        image:
          image_name: acme/placed
          tag: 1.0.0
          registry: docker-hub
      schedule:
        on_start: {}
        lifecycle_type: GENERIC
      cpu: 500
      memory: 512
      gpu: 0
      healthchecks: {}
      auto_deploy: true
      annotations_groups: []
      labels_groups: []
      icon_uri: app://qovery-console/lifecycle-job
      max_nb_restart: 0
      auto_preview: false
      deployment_stage: early
      is_skipped: false
      variables:
        LEVEL: info
      advanced_settings:
        deployment.termination_grace_period_seconds: 60
        deployment.affinity.node.required: {}
        build.timeout_max_sec: 1800
        build.cpu_max_in_milli: 4000
        build.ram_max_in_gib: 8
        build.skip_git_submodules: false
        build.disable_buildkit_cache: false
        cronjob.concurrency_policy: Forbid
        cronjob.failed_jobs_history_limit: 1
        cronjob.success_jobs_history_limit: 1
        security.service_account_name: ""
        security.read_only_root_filesystem: false
        security.automount_service_account_token: false
      deployment_restrictions: []
      "
    `);
    expect((await fixture.takeRequests()).toSorted()).toEqual([
      "GET /environment/{id}/deploymentStage",
      "GET /environment/{id}/services",
      "GET /environment/{id}/statuses",
      "GET /job/{id}/advancedSettings",
      "GET /job/{id}/deploymentRestriction",
      "GET /organization",
      "GET /organization/{id}/project",
      "GET /project/{id}/environment",
      "GET /variable",
    ]);
    expect(stdout).not.toContain("canary");
  });

  test("its manifest is valid, and describes the resource as it is", async () => {
    const { stdout } = await fixture.run(["get", "shop/staging/migrate"]);
    await fixture.write("only/migrate.yaml", stdout);
    const planned = await fixture.run(["plan", `${fixture.folder}/only`]);
    expect(planned.stdout).toContain("No changes");
  });

  test("the state of the validation of custom domains", async () => {
    await fixture.write("api.yaml", application("api", "custom_domains: { shop.example.com: {} }"));
    await fixture.run(["apply", `${fixture.folder}/api.yaml`, "--yes"]);
    const { stdout } = await fixture.run(["get", "shop/staging/api"]);
    expect(stdout).toMatch(
      /^# custom_domain_validation\.shop\.example\.com: \{ status: VALIDATION_PENDING, validation_domain: z[\da-f]{8}\.domains\.internal \}$/m,
    );
    const whole = documentOf(await fixture.run(["get", "shop/staging/api", "-o", "json"]));
    expect(whole).toMatchObject({
      reports: { custom_domain_validation: { "shop.example.com": { status: "VALIDATION_PENDING" } } },
    });
  });

  test("as JSON, and for an environment", async () => {
    const whole = documentOf(await fixture.run(["get", "shop/staging/placed", "-o", "json"]));
    expect(whole).toMatchObject({
      ok: true,
      format: "infrasync-resource",
      address: "job:shop/staging/placed",
      state: "READY",
      reports: { job_type: "LIFECYCLE" },
      manifest: { kind: "Job", deployment_stage: "early", variables: { LEVEL: "info" }, cpu: 500 },
      others: { secrets: ["PASSWORD"] },
    });
    expect(documentOf(await fixture.run(["get", "shop/staging", "-o", "json"]))).toMatchObject({
      address: "environment:shop/staging",
      reports: { cluster_name: "eu-west" },
      manifest: { kind: "Environment", cluster: "eu-west" },
    });
  });

  test.for([
    ["shop/staging/migrat", "shop/staging/migrat does not exist\n  there are: api, migrate, placed"],
    ["jop:shop/staging/api", "did you mean job:shop/staging/api?"],
    ["job:shop/staging/x", "Job shop/staging/x does not exist"],
    ["", "the argument address has no value"],
  ])("%s is an error", async ([text = "", message]) => {
    const { code, stderr } = await fixture.run(["get", text]);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(message ?? "") });
  });
});

function steadyTimes(text: string): string {
  return text.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, "ID").replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, "TIME");
}

describe("get lists what manifests can name", () => {
  test.each([
    [
      "clusters",
      [
        "NAME     CLOUD PROVIDER  REGION     STATUS    ID",
        "eu-west  AWS             eu-west-3  DEPLOYED  {id}",
      ],
    ],
    ["tokens", ["NAME         TYPE    ID", "github-main  GITHUB  {id}"]],
    ["repositories", ["The list is empty."]],
  ])("%s", async (word, lines) => {
    const { code, stdout } = await fixture.run(["get", word]);
    expect(code).toBe(0);
    expect(steady(stdout).split("\n").slice(0, lines.length)).toEqual(lines);
    expect((await fixture.takeRequests()).length).toBe(2);
  });

  test("groups of both sorts, and registries without their credentials", async () => {
    const groups = await fixture.run(["get", "groups"]);
    expect(groups.stdout).toMatch(/^annotation group {2}team-annotations {2}example\.com\/team/m);
    expect(groups.stdout).toMatch(/^label group {7}team-labels {7}team/m);
    const registries = await fixture.run(["get", "registries", "--output", "json"]);
    expect(documentOf(registries)).toMatchObject({
      format: "infrasync-entries",
      entries: [
        { sort: "containerRegistry", name: "docker-hub", details: { kind: "DOCKER_HUB" } },
        { name: "ecr-production" },
      ],
    });
    expect(registries.stdout).not.toContain("AKIAEXAMPLE");
  });
});
