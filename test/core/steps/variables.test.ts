import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parsePattern } from "../../../core/model/addresses/pattern.ts";
import { application, environment, job, project } from "../../fixtures/documents.ts";
import type { Fields } from "../../../core/values/json.ts";
import { FaultyServer } from "../../fixtures/faulty-server.ts";

let stage: FaultyServer;
beforeAll(async () => {
  stage = await FaultyServer.open();
});
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(() => stage.reset());

const above = { FIRST: "above", SECOND: "above" };
const own = { ALIAS: { alias_of: "SECOND" }, FIRST: "own", SECOND: "own" };

interface Declared {
  environment: Fields;
  job: Fields;
}

/** The scope of the variable that ALIAS is another name for, and its value. */
async function aliased(path: string, scope: string): Promise<unknown> {
  const { id } = await stage.answer(path);
  const listed = await stage.harness.results(`/variable?parent_id=${String(id)}&scope=${scope}`);
  const alias = listed.find((variable) => variable["key"] === "ALIAS" && variable["scope"] === scope);
  const { key, scope: itsScope, value } = (alias?.["aliased_variable"] ?? {}) as Fields;
  return { key, scope: itsScope, value };
}

describe("an alias names the variable of its own resource, also where a scope above has one of that key", () => {
  test.each([
    ["of an environment", "shop/staging", "ENVIRONMENT", { environment: own, job: {} }],
    ["of a job, whose variables are imported", "shop/staging/JOB a", "JOB", { environment: above, job: own }],
  ])("%s", async (_, path, scope, declared: Declared) => {
    const documents = (variables: Declared) => [
      { ...project("shop"), variables: above },
      { ...environment("shop/staging"), variables: variables.environment },
      { ...job("shop/staging/a"), variables: variables.job },
    ];
    await stage.succeed(documents({ environment: {}, job: {} }));
    await stage.succeed(documents(declared));
    expect(await aliased(path, scope)).toEqual({ key: "SECOND", scope, value: "own" });
  });
});

describe("a variable that is removed takes its alias with it", () => {
  const withAlias = (variables: Fields, rest: Fields = {}) => [
    project("shop"),
    { ...environment("shop/staging"), ...rest, variables },
  ];

  test("the plan lists the alias, and the run after it has nothing to do", async () => {
    await stage.succeed(withAlias({ FIRST: "1", SECOND: "2", ALIAS: { alias_of: "SECOND" } }));
    const { plan } = await stage.succeed(withAlias({ SECOND: null }));
    const changes = plan.actions.flatMap((action) => (action.type === "update" ? action.changes : []));
    expect(changes.map(({ path }) => path.join("."))).toEqual(["variables.ALIAS", "variables.SECOND"]);
    const again = await stage.run(withAlias({ SECOND: null }));
    expect(again.plan.actions.every(({ type }) => type === "none")).toBe(true);
  });

  test("a replacement does not write the alias again", async () => {
    await stage.succeed(withAlias({ SECOND: "2", ALIAS: { alias_of: "SECOND" } }));
    const { plan } = await stage.succeed(withAlias({ SECOND: null }, { cluster: "us-east" }), {
      policy: { allowReplace: [parsePattern("**")] },
    });
    expect(plan.actions.map(({ type }) => type)).toEqual(["none", "replace"]);
  });

  test("a stated alias of it is an error before any write", async () => {
    const before = { SECOND: "2", ALIAS: { alias_of: "SECOND" } };
    await stage.succeed(withAlias(before));
    await expect(stage.run(withAlias({ ...before, SECOND: null }))).rejects.toThrow(
      "variables.ALIAS: there is no variable SECOND",
    );
  });
});

describe("an alias of what a parent has stays, although the own entry of that key is removed in the same run", () => {
  const variable = { variables: { K: "8" } };
  const secret = { secrets: { K: { from_env: "SHOP_FIRST" } } };
  const ownVariable = { variables: { K: { value: "9", overrides: true } } };
  test.each([
    ["of an override", variable, ownVariable, { variables: { K: null, J: { alias_of: "K" } } }],
    [
      "of an override, which had it before",
      variable,
      { variables: { ...ownVariable.variables, J: { alias_of: "K" } } },
      { variables: { K: null, J: { alias_of: "K" } } },
    ],
    [
      "of a secret that overrides another",
      secret,
      { secrets: { K: { from_env: "SHOP_FIRST", overrides: true } } },
      { secrets: { K: null }, variables: { J: { alias_of: "K" } } },
    ],
  ])("%s", async (_, parentHas: Fields, before: Fields, after: Fields) => {
    const documents = (its: Fields) => [
      { ...project("shop"), ...parentHas },
      environment("shop/staging"),
      { ...job("shop/staging/a"), ...its },
    ];
    const policy = { allowReplace: [parsePattern("**")] };
    await stage.succeed(documents(before));
    await stage.succeed(documents(after), { policy });
    const { id } = await stage.answer("shop/staging/JOB a");
    const listed = await stage.harness.results(`/variable?parent_id=${String(id)}&scope=JOB`);
    const shown = listed.filter(({ key }) => key === "J" || key === "K");
    expect(shown.map(({ key, scope }) => `${String(key)}@${String(scope)}`).toSorted()).toEqual([
      "J@JOB",
      "K@PROJECT",
    ]);
    const again = await stage.run(documents(after));
    expect(again.plan.actions.every(({ type }) => type === "none")).toBe(true);
  });
});

test("a new alias reads the variables again, and no other list of its resource", async () => {
  await stage.succeed([project("shop"), environment("shop/staging")]);
  await stage.requests();
  const domains = { "shop.example.com": {} };
  await stage.succeed([
    project("shop"),
    environment("shop/staging"),
    { ...application("shop/staging/web"), variables: own, custom_domains: domains },
  ]);
  const reads = (await stage.requests()).filter((request) => /^GET .*(variable|customDomain)/.test(request));
  expect(reads).toEqual(["GET /variable"]);
});

test("a variable is written again when the server accepts the request and does not store it", async () => {
  const documents = [project("shop"), { ...environment("shop/staging"), variables: { FIRST: "1" } }];
  const accepted = { status: 202, body: { id: "00000000-0000-4000-8000-000000000000", name: "FIRST" } };
  await stage.breaks({ method: "POST", path: "/variable", times: 1, ...accepted });
  await stage.succeed(documents);
  const { id } = await stage.answer("shop/staging");
  const listed = await stage.harness.results(`/variable?parent_id=${String(id)}&scope=ENVIRONMENT`);
  expect(listed.filter(({ key }) => key === "FIRST")).toMatchObject([{ value: "1" }]);
});

test("a removal that the server has accepted is not sent again, and is reported as pending while a list shows the variable", async () => {
  const documents = (variables: Fields) => [project("shop"), { ...environment("shop/staging"), variables }];
  await stage.succeed(documents({ FIRST: "1" }));
  await stage.breaks({ method: "DELETE", path: "/variable/*", times: 1, status: 202 });
  await stage.requests();
  const { report } = await stage.run(documents({ FIRST: null }));
  expect(report.outcomes.at(-1)).toMatchObject({ status: "pending" });
  const removals = (await stage.requests()).filter((request) => request.startsWith("DELETE /variable"));
  expect(removals).toHaveLength(1);
});

describe("a value that is the key of another variable, which the API would make an alias, is an error before any write", () => {
  test.each([
    ["of the project", { project: { REGION: "eu" }, environment: {}, job: { AREA: "REGION" } }],
    ["of the environment", { project: {}, environment: { REGION: "eu" }, job: { AREA: "REGION" } }],
    ["that the resource has itself", { project: {}, environment: {}, job: { AREA: "REGION", REGION: "eu" } }],
  ])("%s", async (_, { project: ofProject, environment: ofEnvironment, job: ofJob }) => {
    const documents = [
      { ...project("shop"), variables: ofProject },
      { ...environment("shop/staging"), variables: ofEnvironment },
      { ...job("shop/staging/a"), variables: ofJob },
    ];
    await stage.requests();
    await expect(stage.run(documents)).rejects.toThrow(
      "variables.AREA: its value is the key of another variable, so the API makes it an alias of REGION",
    );
    expect((await stage.requests()).filter((request) => !request.startsWith("GET"))).toEqual([]);
  });

  test("that no document declares", async () => {
    const documents = (ofJob: Fields) => [
      project("shop"),
      environment("shop/staging"),
      { ...job("shop/staging/a"), variables: ofJob },
    ];
    await stage.succeed([{ ...project("shop"), variables: { REGION: "eu" } }]);
    await stage.succeed(documents({ OWN: "x" }));
    await expect(stage.run(documents({ AREA: "REGION" }))).rejects.toThrow("an alias of REGION");
    await expect(stage.run(documents({ AREA: "OWN" }))).rejects.toThrow("an alias of OWN");
    await stage.succeed(documents({ AREA: "REGIONS", OWN: "OWN" }));
  });
});

describe("a secret of a secret manager", () => {
  const manager = "7f1f6e5e-2b5c-4c70-9d8d-0c6c5a5b3a11";
  const documents = (external: Fields) => [
    project("shop"),
    {
      ...environment("shop/staging"),
      variables: { DB: { external: { secret_manager: manager, ...external } } },
    },
  ];
  const listed = async () => {
    const { id } = await stage.answer("shop/staging");
    const all = await stage.harness.results(`/variable?parent_id=${String(id)}&scope=ENVIRONMENT`);
    return all.find(({ key }) => key === "DB");
  };

  test("is written, changed and compared by its name", async () => {
    await stage.succeed(documents({ reference: "prod/db" }));
    expect(await listed()).toMatchObject({
      value: "prod/db",
      variable_type: "EXTERNAL_SECRET",
      is_secret: false,
    });
    await stage.succeed(documents({ reference: "prod/db2" }));
    expect(await listed()).toMatchObject({ value: "prod/db2", secret_manager_access_id: manager });
    const { plan } = await stage.run(documents({ reference: "prod/db2" }));
    expect(plan.actions.every(({ type }) => type === "none")).toBe(true);
  });

  test("is mounted as a file", async () => {
    await stage.succeed(documents({ reference: "prod/db", mount_path: "/run/db" }));
    expect(await listed()).toMatchObject({ variable_type: "FILE_EXTERNAL_SECRET", mount_path: "/run/db" });
  });
});
