import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { cronJob, lifecycleJob, shop } from "../../fixtures/manifests.ts";
import { documentOf, type Ran } from "../captured.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture({ behaviour: { duplicate_names: true } });

const schemaOf = (name: string) =>
  new Ajv({ strict: true, strictRequired: false, allErrors: true }).compile(
    JSON.parse(readFileSync(`schemas/${name}.schema.json`, "utf8")) as object,
  );
const schemas = { plan: schemaOf("plan"), report: schemaOf("report") };

function expectValid(form: keyof typeof schemas, value: unknown): void {
  schemas[form](value);
  expect(schemas[form].errors ?? [], JSON.stringify(value)).toEqual([]);
}

/** Expects the members `plan` and `report` of the output to match the published schemas. */
function expectValidOutput(ran: Ran, code: number): Record<string, unknown> {
  const { plan, report } = documentOf(ran);
  expectValid("plan", plan);
  expectValid("report", report);
  expect(ran.code).toBe(code);
  return documentOf(ran);
}

const environment = (name: string, more = "") =>
  `---\nkind: Environment\nproject: shop\nname: ${name}\ncluster: eu-west\n${more}`;
const everything = shop + cronJob("nightly") + lifecycleJob("migrate");
const json = (...args: string[]) => fixture.run([...args, "--output", "json"]);

test("plan --output json matches the published schema: creations, clones, updates, replacements, deletions and refusals", async () => {
  await fixture.write("shop.yaml", everything);
  expectValid("plan", documentOf(await json("plan", fixture.folder)));
  await fixture.run(["apply", fixture.folder, "--yes"]);
  await fixture.write(
    "shop.yaml",
    shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }") +
      cronJob("nightly", "max_duration_seconds: 60\n") +
      cronJob("migrate") +
      environment("copy", "clone: { from: shop/staging }\n"),
  );
  const plan = documentOf(await json("plan", fixture.folder, "--prune"));
  expectValid("plan", plan);
  expect(plan).toMatchObject({ applicable: false, problems: [{ code: "replacement", blocks: "apply" }] });
  await fixture.write("shop.yaml", shop);
  expectValid("plan", documentOf(await json("plan", fixture.folder)));
  expectValid("plan", documentOf(await json("plan", "--destroy", fixture.folder)));
});

test("apply, clone and destroy with --output json match the published schemas", async () => {
  await fixture.write("shop.yaml", everything);
  expectValidOutput(await json("apply", fixture.folder, "--yes"), 0);
  await fixture.write(
    "shop.yaml",
    shop + cronJob("nightly", "max_duration_seconds: 60\n") + cronJob("migrate"),
  );
  expectValidOutput(
    await json("apply", fixture.folder, "--yes", "--allow-replace", "job:shop/staging/migrate"),
    0,
  );
  expectValidOutput(
    await json("clone", "job", "shop/staging/nightly", "--to", "shop/staging", "--name", "copy", "--yes"),
    0,
  );
  const refused = documentOf(await json("destroy", fixture.folder, "--yes"));
  expectValid("plan", refused["plan"]);
  expect(refused).toMatchObject({ ok: false, problems: [{ code: "contents" }] });
  await fixture.write("shop.yaml", everything + cronJob("copy"));
  expectValidOutput(await json("destroy", fixture.folder, "--yes"), 0);
});

test("the report of a run with a failure, a skipped action and a lost resource matches the published schema", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly"));
  await fixture.run(["apply", fixture.folder, "--yes"]);
  await fixture.fault({ method: "POST", path: "/environment/*/job", status: 422 });
  await fixture.fault({ method: "POST", path: "/project/*/environment", status: 422 });
  await fixture.write(
    "shop.yaml",
    shop + lifecycleJob("nightly") + environment("second") + cronJob("a", "", "shop/second"),
  );
  const output = expectValidOutput(
    await json("apply", fixture.folder, "--yes", "--allow-replace", "job:shop/staging/nightly"),
    1,
  );
  const { outcomes } = output["report"] as { outcomes: { status: string; code?: string }[] };
  expect(outcomes.map(({ status, code }) => code ?? status).toSorted()).toEqual([
    "invalid_request",
    "lost",
    "skipped",
  ]);
});

test.each([0, 2])(
  "a saved plan has the plan in its JSON form, which matches the published schema; apply refuses a plan of version %i with a message",
  async (version) => {
    const file = join(fixture.folder, "plan.json");
    await fixture.write("shop.yaml", everything);
    await fixture.run(["plan", fixture.folder, "--out", file]);
    const saved = JSON.parse(await readFile(file, "utf8")) as { plan: object };
    expectValid("plan", saved.plan);
    await fixture.write("plan.json", JSON.stringify({ ...saved, version }));
    await fixture.takeRequests();
    const ran = await json("apply", "--plan", file, "--yes");
    expect(documentOf(ran)["problems"]).toEqual([
      {
        code: "saved_plan",
        message: `the plan file plan.json is a saved plan of version ${version}, and this infrasync reads version 1`,
        advice: "plan again",
      },
    ]);
    expect({ code: ran.code, requests: await fixture.takeRequests() }).toEqual({ code: 3, requests: [] });
  },
);
