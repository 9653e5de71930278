import { expect, test } from "vitest";
import { isFields } from "../../../core/values/json.ts";
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
