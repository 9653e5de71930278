import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kinds } from "../../../core/model/kinds/index.ts";
import { documentOf, infrasync } from "../captured.ts";
import { useFixture } from "../fixture.ts";
import { outputForms } from "../../../core/outputs/forms/index.ts";

const fixture = useFixture();

test("schema prints the schema of all kinds, or of one", async () => {
  expect(documentOf(await infrasync(["schema"]))).toMatchObject({
    properties: { kind: { enum: [...kinds.map(({ name }) => name), "Defaults", "Template"] } },
  });
  expect(documentOf(await infrasync(["schema", "JOB"]))).toMatchObject({ title: "infrasync: Job" });
});

test("schema --out writes the same files for editors as the package contains", async () => {
  const out = join(fixture.folder, "schemas");
  const { code, stderr } = await fixture.run(["schema", "--out", out]);
  expect(code).toBe(0);
  expect(stderr).toMatchInlineSnapshot(`
    "Written to schemas: manifest.schema.json, settings.schema.json, reconcile.schema.json, project.schema.json, deploymentrule.schema.json, environment.schema.json, deploymentstage.schema.json, application.schema.json, container.schema.json, database.schema.json, backup.schema.json, helm.schema.json, job.schema.json, terraform.schema.json, annotationsgroup.schema.json, apitoken.schema.json, awscredentials.schema.json, azurecredentials.schema.json, cluster.schema.json, containerregistry.schema.json, customrole.schema.json, gcpcredentials.schema.json, gittoken.schema.json, helmrepository.schema.json, labelsgroup.schema.json, member.schema.json, organization.schema.json, onpremisecredentials.schema.json, scalewaycredentials.schema.json, webhook.schema.json.
    "
  `);
  const shipped = new URL("../../../schemas/", import.meta.url);
  const ofOutput = [
    "service.openapi.json",
    "plan.schema.json",
    "report.schema.json",
    "reconcile-status.schema.json",
    "fleet-status.schema.json",
    "deployment.schema.json",
    "status.schema.json",
    "logs.schema.json",
    "list.schema.json",
    "entries.schema.json",
    "facts.schema.json",
    "urls.schema.json",
    "resource.schema.json",
    ...Object.keys(outputForms).map((name) => `${name}.schema.json`),
  ];
  expect([...(await readdir(out)), ...ofOutput].toSorted()).toEqual((await readdir(shipped)).toSorted());
  for (const name of await readdir(out)) {
    expect(JSON.parse(await readFile(join(out, name), "utf8"))).toEqual(
      JSON.parse(await readFile(new URL(name, shipped), "utf8")),
    );
  }
});

test("schema reports an unknown kind", async () => {
  expect(await infrasync(["schema", "jop"])).toEqual({
    code: 3,
    stdout: "",
    stderr: 'error: unknown kind "jop"\n  did you mean job?\n',
  });
  expect(documentOf(await infrasync(["schema", "x", "--output", "json"]))).toMatchObject({
    ok: false,
    error: { code: "usage" },
  });
});
