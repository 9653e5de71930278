import { afterAll, beforeEach, expect, test } from "vitest";
import type { Fields } from "../../../core/json.ts";
import { Harness } from "../../fixtures/harness.ts";
import { job, shop } from "../../fixtures/manifests.ts";

// Between the moment when somebody sees a plan and the moment when it is carried out, others go on working.

const server = await Harness.start({ clock: "frozen" });
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => server.api("POST", "/_emulator/reset"));

const database = `---
kind: Database
environment: shop/staging
name: orders
type: POSTGRESQL
version: "16"
mode: CONTAINER
`;

const idOf = async (type: string, name: string) =>
  String((await server.everything()).get(`shop/staging/${type} ${name}`)?.["id"]);

/** Somebody writes a variable or a secret of job a by hand. */
async function writeByHand(key: string, value: string, isSecret: boolean): Promise<string> {
  const body = {
    key,
    value,
    is_secret: isSecret,
    variable_scope: "JOB",
    variable_parent_id: await idOf("JOB", "a"),
  };
  return String(((await server.api("POST", "/variable", body)) as Fields)["id"]);
}

const failed = (message: RegExp) => ({
  outcomes: expect.arrayContaining([
    expect.objectContaining({ status: "failed", message: expect.stringMatching(message) }),
  ]),
});

test("a secret that somebody has made meanwhile is not overwritten by a variable of its key", async () => {
  await server.reconcile(shop + job("a"));
  const plan = await server.plan(shop + job("a", "variables: { LEVEL: info }"));
  const id = await writeByHand("LEVEL", "precious", true);
  await server.forgetRequests();
  const report = await server.apply(plan);
  expect(report).toMatchObject(
    failed(/has changed meanwhile: LEVEL is a secret now, and the variable would overwrite it/),
  );
  expect(await server.writes()).toEqual([]);
  expect(id).not.toBe("undefined");
});

test("a secret that has been written again, or is another one, is not removed", async () => {
  await server.reconcile(shop + job("a"));
  for (const again of [true, false]) {
    const first = await writeByHand("PASSWORD", "first", true);
    const plan = await server.plan(shop + job("a", "secrets: { PASSWORD: null }"));
    await server.advance(60_000);
    if (again) await server.api("PUT", `/variable/${first}`, { key: "PASSWORD", value: "second" });
    else {
      await server.api("DELETE", `/variable/${first}`);
      await writeByHand("PASSWORD", "second", true);
    }
    await server.forgetRequests();
    expect(await server.apply(plan)).toMatchObject(failed(/the secret PASSWORD has been written since/));
    expect(await server.writes()).toEqual([]);
    await server.apply(await server.plan(shop + job("a", "secrets: { PASSWORD: null }")));
  }
});

test("a database is not deleted if it has got a backup since the plan", async () => {
  const goals = [
    ["the database", () => server.plan(database, {}, "destroy")],
    ["its environment", () => server.plan(shop + database, {}, "destroy")],
  ] as const;
  for (const [, planned] of goals) {
    await server.reconcile(shop + database);
    const plan = await planned();
    const id = await idOf("DATABASE", "orders");
    await server.api("POST", `/database/${id}/backup`, { name: "before-the-move", message: "" });
    await server.forgetRequests();
    expect(await server.apply(plan)).toMatchObject(
      failed(/have appeared since the plan was made \(before-the-move\)/),
    );
    expect(await idOf("DATABASE", "orders")).toBe(id);
    await server.api("POST", "/_emulator/reset");
  }
});
