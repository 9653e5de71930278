import { expect, test } from "vitest";
import type { Fields } from "../../../core/values/json.ts";
import { plugin, pluginProject } from "./front-ends.ts";
import { nothing, program, start } from "./shop.ts";

const canary = "hunter2-canary";

/** The shop of the other tests in YAML. `job` replaces parts of the job. */
const yaml = (job: string) => `${pluginProject("yaml")}
resources:
  shop: { type: "infrasync:Project", properties: { name: shop } }
  staging:
    type: infrasync:Environment
    properties: { project: "\${shop.id}", name: staging, cluster: "\${cluster.name}" }
  nightly:
    type: infrasync:Job
    properties:
      environment: \${staging.id}
      name: nightly
      source: { image: { registry: docker-hub, imageName: acme/report, tag: "1.4.2" } }
      schedule: { cronjob: { scheduledAt: "0 3 * * *" } }
      secrets: { DB: ${canary} }
      ${job}
variables:
  cluster: { "fn::invoke": { function: "infrasync:getCluster", arguments: { name: EU-west } } }
outputs:
  jobType: \${nightly.jobType}
`;

test("a program in YAML creates, changes and deletes; no state has a secret", async (context) => {
  const { server, stack } = await start(context, "");
  await stack.write("Pulumi.yaml", yaml(""));
  const up = await stack.up();
  expect(up).toMatchObject({ exitCode: 0, errors: [] });
  expect(up.steps).toEqual(["create Project shop", "create Environment staging", "create Job nightly"]);
  expect((await server.everything()).get("shop/staging")).toMatchObject({ cluster_name: "eu-west" });
  expect((await stack.export()).text.includes(canary)).toBe(false);

  await stack.write("Pulumi.yaml", yaml("cpu: 700"));
  expect(await stack.up("--diff")).toMatchObject({
    steps: ["update Job nightly"],
    stdout: expect.stringMatching(/~ cpu *: 500 => 700/),
  });
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ exitCode: 0, errors: [] });
  expect(await stack.destroy()).toMatchObject({ exitCode: 0, errors: [] });
  expect((await server.everything()).size).toBe(0);
});

const documents: Fields[] = [
  { kind: "Project", name: "shop", description: "the shop" },
  { kind: "Environment", project: "shop", name: "staging", mode: "STAGING", cluster: "eu-west" },
  {
    kind: "Job",
    environment: "shop/staging",
    name: "nightly",
    cpu: 700,
    source: { image: { registry: "docker-hub", image_name: "acme/report", tag: "1.4.2" } },
    schedule: { cronjob: { scheduled_at: "0 3 * * *", timezone: "Europe/Paris" } },
    variables: { LOG_LEVEL: "info" },
  },
];

test("resources are imported by path and by id, and read by get, and the program then shows no changes", async (context) => {
  const { server, stack } = await start(context, "");
  await server.reconcile(documents);
  const [projectId, environmentId] = [await server.idOf("shop"), await server.idOf("shop/staging")];
  await stack.write("Pulumi.yaml", pluginProject("yaml"));
  await server.forgetRequests();
  for (const command of [
    `pulumi import infrasync:index:Project shop ${projectId}`,
    "pulumi import infrasync:index:Environment staging shop/staging",
    "pulumi import infrasync:index:Job nightly shop/staging/nightly",
  ]) {
    const { exitCode, stdout, stderr } = await stack.shell(
      `${command} --generate-code=false --protect=false --skip-preview`,
      "",
    );
    expect(exitCode, stdout + stderr).toBe(0);
  }
  expect(await server.writes()).toEqual([]);
  await stack.write(
    "Pulumi.yaml",
    `${pluginProject("yaml")}
resources:
  shop: { type: "infrasync:Project", properties: { name: shop, description: the shop } }
  staging:
    type: infrasync:Environment
    properties: { project: "\${shop.id}", name: staging, mode: STAGING, cluster: eu-west }
  nightly:
    type: infrasync:Job
    properties:
      environment: ${environmentId}
      name: nightly
      cpu: 700
      source: { image: { registry: docker-hub, imageName: acme/report, tag: "1.4.2" } }
      schedule: { cronjob: { scheduledAt: "0 3 * * *", timezone: Europe/Paris } }
      autoPreview: false
      autoDeploy: true
      variables: { LOG_LEVEL: info }
  got: { type: "infrasync:Job", get: { id: shop/staging/nightly } }
outputs:
  cpu: \${got.cpu}
`,
  );
  const { exitCode, errors, steps, stdout } = await stack.preview("--diff");
  expect({ exitCode, errors, steps: steps.filter((step) => !step.startsWith("read ")) }, stdout).toEqual(
    nothing,
  );
  expect(stdout).toMatch(/cpu *: 700/);
});

test("a stack of the dynamic provider becomes one of the plugin by aliases, without a change", async (context) => {
  const text = (options: string) =>
    program(`
      const of = (kind) => (${options});
      const shop = new Project("shop", { name: "shop" }, of("Project"));
      const staging = new Environment("staging", { project: shop.id, name: "staging" }, of("Environment"));
      new Job("nightly", {
        environment: staging.id, name: "nightly", cpu: 700,
        source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
        schedule: { onStart: {} },
        secrets: { DB: "${canary}" },
      }, of("Job"));
    `);
  const { server, stack } = await start(context, text("{}"));
  expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
  const before = await server.everything();

  for (const [name, file] of Object.entries(plugin.files)) await stack.write(name, file);
  await stack.rewrite(plugin.of(text('{ aliases: [{ type: "pulumi-nodejs:dynamic/infrasync:" + kind }] }')));
  await server.forgetRequests();
  expect(await stack.preview()).toMatchObject(nothing);
  expect(await stack.up()).toMatchObject(nothing);
  expect(await server.seen()).toEqual([]);

  // From the first refresh on, the state has no code of the dynamic provider any more.
  expect(await stack.refresh()).toMatchObject({ exitCode: 0, errors: [] });
  const { text: state } = await stack.export();
  expect(state.includes("__provider")).toBe(false);
  expect(state.includes(canary)).toBe(false);
  await stack.rewrite(plugin.of(text("{}")));
  expect(await stack.up()).toMatchObject(nothing);
  expect(await server.everything()).toEqual(before);
});
