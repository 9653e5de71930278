import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { useFixture, writesOf } from "../fixture.ts";

const fixture = useFixture();

const parents = (secrets: string, more = "") => `kind: Project
name: shop
---
kind: Environment
project: shop
name: staging
cluster: eu-west
secrets: ${secrets}
${more}---
`;
const job = (rest: string) => `kind: Job
environment: shop/staging
name: migrate
source: { image: { registry: docker-hub, image_name: acme/x, tag: "1" } }
schedule: { on_start: {} }
${rest}`;

const env = { DB: "c4nary-of-the-environment", OTHER: "c4nary-of-the-job" };
const above = "{ DB: { from_env: DB } }";

const apply = async (text: string) => {
  const file = await fixture.write("shop.yaml", text);
  await fixture.takeRequests();
  const { code, stdout, stderr } = await fixture.run(["apply", file, "--yes"], { env });
  expect(stdout + stderr).not.toContain("c4nary");
  return { file, code, text: stdout + stderr, writes: writesOf(await fixture.takeRequests()) };
};

test("a secret overrides that of its environment, and keeps overriding it when it is written again", async () => {
  const overriding = (version: string) =>
    job(`secrets: { DB: { from_env: OTHER, overrides: true, version: "${version}" } }\n`);
  const made = await apply(parents(above) + overriding("1"));
  expect(made).toMatchObject({ code: 0 });
  expect(made.writes).toContain("POST /variable/{id}/override");
  const again = await apply(parents(above) + overriding("1"));
  expect(again).toMatchObject({ code: 0, writes: [] });
  expect(await apply(parents(above) + overriding("2"))).toMatchObject({
    code: 0,
    writes: ["PUT /variable/{id}"],
  });
  // What is not stated is not compared.
  expect(
    await apply(parents(above) + job('secrets: { DB: { from_env: OTHER, version: "2" } }\n')),
  ).toMatchObject({ code: 0, writes: [] });
});

test.each([
  ["nothing", parents("{}")],
  ["a variable, which everybody can read,", parents("{}", "variables: { DB: open }\n")],
])("a secret that overrides %s is refused before anything is sent", async (_what, around) => {
  const refused = await apply(around + job("secrets: { DB: { from_env: OTHER, overrides: true } }\n"));
  expect(refused).toMatchObject({ code: 3, writes: [] });
  expect(refused.text).toContain("secrets.DB: no parent has a secret DB");
});

test("a variable that overrides a secret is refused: its value would be hidden", async () => {
  const refused = await apply(parents(above) + job("variables: { DB: { value: open, overrides: true } }\n"));
  expect(refused).toMatchObject({ code: 3, writes: [] });
  expect(refused.text).toContain("variables.DB: no parent has a variable DB");
});

test("a dump states the secrets that aliases name, so that it can be applied elsewhere", async () => {
  const made = await apply(
    parents("{ DB: { from_env: DB }, UNNAMED: { from_env: OTHER } }") +
      job(
        "secrets: { OWN: { from_env: OTHER } }\nvariables: { A: { alias_of: DB }, B: { alias_of: OWN } }\n",
      ),
  );
  expect(made.code).toBe(0);
  const dumped = await fixture.write("dumped.yaml", (await fixture.run(["dump", "shop"])).stdout);
  const text = await readFile(dumped, "utf8");
  expect(text).toContain("from_env: SHOP_ENVIRONMENT_STAGING_DB");
  expect(text).toContain("from_env: SHOP_STAGING_JOB_MIGRATE_OWN");
  expect(text).not.toContain("UNNAMED");
  expect((await fixture.run(["plan", dumped])).stdout).toContain("No changes");
  const destroyed = await fixture.run([
    "destroy",
    dumped,
    "--yes",
    "--target",
    "shop/staging",
    "--target",
    "shop/staging/**",
  ]);
  expect(destroyed).toMatchObject({ code: 0 });
  const values = { SHOP_ENVIRONMENT_STAGING_DB: "1-of-a-kind", SHOP_STAGING_JOB_MIGRATE_OWN: "2-of-a-kind" };
  expect(await fixture.run(["apply", dumped, "--yes"], { env: values })).toMatchObject({ code: 0 });
});

test("dump --update keeps the source of a secret that is not live", async () => {
  const { file } = await apply(parents("{}") + job("cpu: 500\n"));
  const desired = parents("{}") + job("cpu: 250\nsecrets: { OWN: { from_env: OTHER } }\n");
  await fixture.write("shop.yaml", desired);
  const { code, stdout, stderr } = await fixture.run(["dump", "--update", file, "--yes"]);
  expect(code).toBe(1);
  expect(await readFile(file, "utf8")).toBe(desired.replace("cpu: 250", "cpu: 500"));
  expect(stdout + stderr).toContain("secrets.OWN is not live, and infrasync cannot write its value");
});

test("dump --update removes a secret that the live login excludes", async () => {
  const registry = (login: string) =>
    `kind: ContainerRegistry\nname: images\ntype: ECR\nconfig:\n  region: eu-west-3\n${login}`;
  const byRole = registry("  role_arn: arn\n");
  const { file } = await apply(byRole);
  await fixture.write(
    "shop.yaml",
    registry("  access_key_id: A\n  secret_access_key: { from_env: OTHER }\n"),
  );
  expect(await fixture.run(["dump", "--update", file, "--yes"])).toMatchObject({ code: 0 });
  expect(await readFile(file, "utf8")).toBe(byRole);
  expect((await fixture.run(["plan", file])).stdout).toContain("No changes");
});
