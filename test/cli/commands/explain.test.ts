import { describe, expect, test } from "vitest";
import { kinds } from "../../../core/model/kinds/index.ts";
import { fieldHelp } from "../../../core/manifests/manifest/index.ts";
import { fieldPaths } from "../../../core/model/schema/field-schema.ts";
import { documentOf, infrasync } from "../captured.ts";

const explained = async (field: string) => (await infrasync(["explain", field])).stdout;

test("the name of a setting, with its dots, is one key, and its default is that of the API", async () => {
  const text = await explained("job.advanced_settings.build.timeout_max_sec");
  expect(text).toContain("Job: advanced_settings.build.timeout_max_sec\n");
  expect(text).toMatch(/null +gives the default/);
});

test("explain shows type, values, default and what a change does, without settings", async () => {
  expect(`\n${await explained("job.schedule.cronjob")}`).toMatchInlineSnapshot(`
    "
    Job: schedule.cronjob
    Runs on a schedule.

      type    mapping
      change  updates the resource
      null    removes the value
      note    A change to another alternative replaces the resource: a cron job cannot become a lifecycle job, nor the other way round.

    Fields:
      scheduled_at  text (cron), needed
          Cron expression of five fields, without seconds.
      timezone  text (time-zone)
          Time zone in which the expression is read, such as Europe/Paris.
      arguments  list of texts
          Arguments of the container's command.
      entrypoint  text
          Entrypoint of the container.
    "
  `);
  expect(`\n${await explained("database.type")}`).toMatchInlineSnapshot(`
    "
    Database: type
    Database system.

      type    text
      values  MONGODB, MYSQL, POSTGRESQL, REDIS
      needed  by every new resource
      change  replaces the resource: the system of a database cannot change
      null    is a mistake
    "
  `);
  expect(`\n${await explained("application.ports.protocol")}`).toMatchInlineSnapshot(`
    "
    Application: ports.protocol
    Protocol.

      type     text
      values   HTTP, GRPC, TCP, UDP
      default  "HTTP"
      change   updates the resource
      null     gives the default
    "
  `);
  expect(`\n${await explained("Job.variables.LEVEL.value")}`).toMatchInlineSnapshot(`
    "
    Job: variables.LEVEL.value
    Value. KEY: text is short for KEY: { value: text }.

      type    text
      change  updates the resource
      null    is a mistake
    "
  `);
  expect(`\n${await explained("job.deployment_stage")}`).toMatchInlineSnapshot(`
    "
    Job: deployment_stage
    Deployment stage of the service: one of its environment, by name.

      type    text (name)
      change  updates the resource
      null    is a mistake
      note    Names a DeploymentStage in the same parent.
    "
  `);
});

test("explain of a kind lists its fields, those of the document too", async () => {
  const text = await explained("deploymentstage");
  expect(text).toMatch(/^DeploymentStage\nA deployment stage/);
  for (const field of ["environment", "manage", "description", "after"])
    expect(text).toContain(`  ${field}  `);
});

test("a change of a field in an alternative replaces only if the alternative changes", async () => {
  expect(await explained("job.schedule.cronjob.scheduled_at")).toContain("updates the resource");
});

test.each([
  ["CronJob.cpu", "Job: cpu"],
  ["webhook.target_secret", "Declare only one of: from_env; or from_file; or from_sops; or from_command.\n"],
])("explain of %s", async (field, text) => {
  expect(await explained(field)).toContain(text);
});

test("as JSON", async () => {
  expect(documentOf(await infrasync(["explain", "job.cpu", "-o", "json"]))).toMatchObject({
    ok: true,
    kind: "Job",
    path: "cpu",
    type: "integer from 1",
    default: 500,
    needed: false,
    null: "default",
  });
});

describe("a mistake", () => {
  test.for([
    ["jop.cpu", '"jop" is not a kind\n  did you mean Job.cpu?'],
    ["Deployment", '"Deployment" is not a kind\n  use Application or Container'],
    ["job.schedul.cronjob", 'job has no field "schedul"\n  did you mean job.schedule.cronjob?'],
    ["job.schedule.cronjob.timezon", "did you mean job.schedule.cronjob.timezone?"],
    ["job.cpu.x", 'job.cpu has no field "x"\n  it is not a mapping'],
    ["job.__proto__", 'job has no field "__proto__"'],
  ])("%s", async ([field = "", message = ""]) => {
    const { code, stderr } = await infrasync(["explain", field]);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(message) });
  });
});

test.for(kinds)("every field of the kind $name is explained", (kind) => {
  for (const path of fieldPaths(kind.fields)) {
    const found = fieldHelp(`${kind.slug}.${path}`);
    expect("help" in found ? found.help.type : found.problem.message, path).toMatch(
      /^(text|integer|true|list|mapping|any value)/,
    );
  }
});

test("explain without a kind lists the kinds, as text and as JSON", async () => {
  const names = [...kinds.map(({ slug }) => slug), "defaults", "template"].toSorted();
  const text = await infrasync(["explain"]);
  const listed = text.stdout.trimEnd().split("\n").slice(1);
  expect(listed.map((line) => line.split(" ")[0])).toEqual(names);
  const json = await infrasync(["explain", "--output", "json"]);
  expect(documentOf(json)).toMatchObject({ fields: names.map((name) => ({ name })) });
});

test("defaults are explained, and have a schema of their own", async () => {
  expect(await explained("Defaults")).toContain(
    'Kind of the resources, or "*" for all kinds that have the fields',
  );
  expect(await explained("defaults.for")).toMatch(/^Defaults: for\n/);
  const { stdout } = await infrasync(["schema", "defaults"]);
  expect(JSON.parse(stdout)).toMatchObject({ title: "infrasync: Defaults", required: ["for"] });
});

test("a field that is deeper in the kind is found", async () => {
  const { stderr } = await infrasync(["explain", "job.image.tag"]);
  expect(stderr).toContain("did you mean job.source.image.tag?");
});
