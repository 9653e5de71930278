import { expect, test } from "vitest";
import { unknownValue } from "../../../core/problems/unknown.ts";
import { isFields } from "../../../core/values/json.ts";
import { type Declared, Stack } from "./stack.ts";
import { useStaging } from "./staging.ts";

const staging = useStaging();
const { pass, api } = staging;

const database = () => ({
  environment: staging.environment.id,
  name: "orders",
  type: "POSTGRESQL",
  version: "16",
  mode: "CONTAINER",
});
const variables = {
  LEVEL: "info",
  DATABASE_HOST: { from: "database:orders", output: "host_internal" },
  DATABASE_PASSWORD: { from: "database:orders", output: "password" },
};

test("a service uses what the platform says of a database, and nothing differs after it", async () => {
  const first = await pass();
  const { id } = await first.create("Database", database());
  const made = await first.create("Application", { ...api(), variables });
  const listed = await staging.server.results(`/variable?parent_id=${made.id}&scope=APPLICATION`);
  const { aliased_variable: target } = listed.find(({ key }) => key === "DATABASE_HOST") ?? {};
  expect(isFields(target) && target["key"]).toBe(
    `QOVERY_POSTGRESQL_Z${id.slice(0, 8).toUpperCase()}_HOST_INTERNAL`,
  );
  const refreshed = (await (await pass()).refresh(made)) ?? made;
  expect(refreshed).toEqual(made);
  expect((await (await pass()).up(refreshed, made.inputs)).step).toBe("same");
  const other = { ...variables, DATABASE_HOST: { from: "database:orders", output: "port" } };
  expect((await (await pass()).up(refreshed, { ...api(), variables: other })).step).toBe("update");
});

test("a database that is not there yet is refused before anything is created", async () => {
  await expect((await pass()).create("Application", { ...api(), variables })).rejects.toThrow(
    'variables.DATABASE_HOST: there is no Database "orders" in the Environment; make the name of that resource an input, so that it is created first',
  );
  expect(await staging.services()).toEqual([]);
});

test("an output that a database does not have is reported by the check", async () => {
  const wrong = { A: { from: "database:orders", output: "hst_internal" } };
  await expect((await pass()).create("Application", { ...api(), variables: wrong })).rejects.toThrow(
    'a Database has no output "hst_internal"; did you mean host_internal?',
  );
});

test("a preview refuses an output of a database that neither the server nor the program has", async () => {
  const { emulator, clock } = staging.server;
  const config = { "infrasync:baseUrl": emulator.url, "infrasync:token": emulator.tokens.admin };
  const stack = new Stack(config, { HOME: "" }, clock);
  const plain = { kind: "Application", inputs: api() };
  const user = { kind: "Application", inputs: { ...api(), variables } };
  const db = { kind: "Database", inputs: database() };
  const missing = 'there is no Database "orders" in the Environment';
  await expect(stack.preview({ user })).rejects.toThrow(missing);
  expect(await stack.preview({ db, user })).toEqual([]);
  await stack.up({ user: plain });
  await expect(stack.preview({ user })).rejects.toThrow(missing);
  await stack.up({ user: plain, db });
  expect(await stack.preview({ user, db })).toEqual([]);
  const renamed = { kind: "Database", inputs: { ...database(), name: "sales" } };
  const ofSales = {
    kind: "Application",
    inputs: { ...api(), variables: { A: { from: "database:sales", output: "port" } } },
  };
  expect(await stack.preview({ db: renamed, user: ofSales })).toEqual([]);
});

/** A stack with a database and a service that uses its outputs. */
async function used() {
  const { emulator, clock } = staging.server;
  const config = { "infrasync:baseUrl": emulator.url, "infrasync:token": emulator.tokens.admin };
  const stack = new Stack(config, { HOME: "" }, clock);
  const program: Record<string, Declared> = {
    db: { kind: "Database", inputs: database() },
    api: { kind: "Application", inputs: { ...api(), variables } },
  };
  await stack.up(program);
  await staging.server.forgetRequests();
  return { stack, program };
}

const lostBy = (...keys: string[]) =>
  `database:shop/staging/orders would also delete ${keys.map((key) => `the variable ${key}`).join(", ")}; remove the lost parts in an earlier run, and declare them again after this change, or allow it: add database:shop/staging/orders to infrasync:allowLosses (or INFRASYNC_ALLOW_LOSSES)`;
const lost = lostBy("DATABASE_HOST of api", "DATABASE_PASSWORD of api");

const mysql = () => ({ kind: "Database", inputs: { ...database(), type: "MYSQL", version: "8" } });

test("a preview and a run refuse to replace a database whose outputs another service uses", async () => {
  const { stack, program } = await used();
  const { db: _, ...rest } = program;
  for (const next of [
    { db: mysql(), ...rest },
    { ...rest, db: mysql() },
  ]) {
    await expect(stack.preview(next)).rejects.toThrow(lost);
    await expect(stack.up(next)).rejects.toThrow(lost);
  }
  expect(await staging.server.writes()).toEqual([]);
});

test("a service that gives up the outputs of a database lets it be replaced, in the same run if it comes first", async () => {
  const { stack, program } = await used();
  const without = { kind: "Application", inputs: { ...api(), variables: { LEVEL: "info" } } };
  await stack.up({ ...program, api: without });
  expect(await stack.up({ db: mysql(), api: without })).toEqual(["delete db", "create db"]);
  expect(await stack.up({ ...program, db: mysql() })).toEqual(["update api"]);
  expect(await stack.up({ api: without, db: program["db"] ?? mysql() })).toEqual([
    "update api",
    "delete db",
    "create db",
  ]);
});

test("a run refuses to delete a database, that is taken out while a service uses its outputs", async () => {
  const { stack, program } = await used();
  const { db: _, ...rest } = program;
  await expect(stack.up(rest)).rejects.toThrow(lost);
  expect(await staging.server.writes()).toEqual([]);
});

test("a destruction deletes a database before the service that uses its outputs, and a replaced environment takes both along", async () => {
  const { stack, program } = await used();
  const entries = [...stack.state.values()].map((each) => ({ ...each, initErrors: [] }));
  const run = await pass();
  run.diff(staging.environment, { ...staging.environment.inputs, cluster: "us-east" }, "environment");
  for (const each of entries) run.diff(each, { ...each.inputs, environment: unknownValue }, each.kind);
  for (const each of entries) await run.remove(each, each.kind);
  await stack.refresh();
  await stack.up(program);
  expect(await stack.up({})).toEqual(["delete api", "delete db"]);
  await stack.up(program);
  const destroyed = await pass();
  for (const each of stack.state.values()) await destroyed.remove({ ...each, initErrors: [] });
  expect(await staging.services()).toEqual([]);
});

test("a run refuses a database that the user replaces, also if it gets another name, and a preview warns", async () => {
  const { stack, program } = await used();
  const renamed = { ...program, db: { kind: "Database", inputs: { ...database(), name: "sales" } } };
  for (const next of [program, renamed]) {
    await expect(stack.up(next, {}, "db")).rejects.toThrow(lost);
  }
  expect(await stack.preview(program, "db")).toContain(
    `if this run replaces the Database "orders", \`pulumi up\` refuses: ${lost}`,
  );
  expect(await staging.server.writes()).toEqual([]);
});

test("what the program does not have loses no output of a deleted database without an approval", async () => {
  const { stack } = await used();
  const alone = new Map([...stack.state].filter(([name]) => name === "db"));
  const own = stack.with(alone);
  await expect(own.preview({ db: mysql() })).rejects.toThrow(lost);
  await expect(own.up({ db: mysql() })).rejects.toThrow(lost);
  expect(await staging.server.writes()).toEqual([]);
  await expect(own.up({ other: { kind: "Job", inputs: staging.nightly() } })).rejects.toThrow(lost);
  const consent = { "infrasync:allowLosses": "database:shop/staging/orders" };
  expect(await own.up({ db: mysql() }, consent)).toEqual(["delete db", "create db", "delete other"]);
});
