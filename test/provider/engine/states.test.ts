import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test, type TestContext } from "vitest";
import { packageVersion } from "../../../provider/plugin/types.ts";
import { everyResource, infrastructure, programOfEveryResource } from "./every-resource.ts";
import { type FrontEnd, frontEnds } from "./front-ends.ts";
import { importState, recordedState } from "./recorded-state.ts";
import { nothing, program, start } from "./shop.ts";

const folder = path.join(import.meta.dirname, "states");

const isIn = (state: string, resource: string) => state.includes(`::the${resource}"`);

/** A stack with every resource. */
async function startWhole(context: TestContext, frontEnd: FrontEnd, have?: (resource: string) => boolean) {
  const started = await start(context, programOfEveryResource(have), {}, frontEnd);
  const { stack } = started;
  stack.environment["INFRASYNC_ALLOW_INFRASTRUCTURE"] = infrastructure;
  const up = await stack.up();
  expect(up, up.stdout + up.stderr).toMatchObject({ exitCode: 0, errors: [] });
  return started;
}

test.for(frontEnds)(
  "$name: the state of every resource is as it is recorded for this version",
  async (frontEnd, context) => {
    const { stack } = await startWhole(context, frontEnd);
    const state = await recordedState(stack);
    expect(everyResource.filter((resource) => !isIn(state, resource))).toEqual([]);
    const file = path.join(folder, `${packageVersion()}.${frontEnd.name}.json`);
    await context.expect(state).toMatchFileSnapshot(file);
  },
);

const recorded = frontEnds.flatMap((frontEnd) =>
  readdirSync(folder)
    .filter((file) => file.endsWith(`.${frontEnd.name}.json`))
    .map((file) => ({ file, frontEnd })),
);

test.for(recorded)(
  "a stack with the state $file changes nothing, refreshes, updates every resource, and is destroyed",
  async ({ file, frontEnd }, context) => {
    const text = readFileSync(path.join(folder, file), "utf8");
    const have = (resource: string) => isIn(text, resource);
    const { server, stack } = await startWhole(context, frontEnd, have);
    await importState(stack, text);
    expect(await stack.preview("--diff")).toMatchObject(nothing);
    expect(await stack.up()).toMatchObject(nothing);
    expect(await stack.refresh()).toMatchObject(nothing);
    await stack.rewrite(programOfEveryResource(have, { description: "of this version" }));
    const update = await stack.up();
    expect(update, update.stdout).toMatchObject({ exitCode: 0, errors: [] });
    expect(update.steps.filter((step) => !step.startsWith("update "))).toEqual([]);
    expect(await stack.up()).toMatchObject(nothing);
    const destroy = await stack.destroy();
    expect(destroy, destroy.stdout).toMatchObject({ exitCode: 0, errors: [] });
    expect((await stack.export()).resources).toEqual([]);
    expect([...(await server.everything()).keys()]).toEqual([]);
  },
);

test.for(frontEnds)(
  "$name: a stack with a variable and a secret as resources of their own says how to get on, and keeps their values",
  async (frontEnd, context) => {
    const shop = `const shop = new Project("shop", { name: "shop", REST });`;
    const text = program(
      shop.replace("REST", 'variables: { REGION: "eu" }, secrets: { API_KEY: "a secret" }'),
    );
    const { server, stack } = await start(context, program(shop.replace("REST", "")), {}, frontEnd);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    const entries = { REGION: false, API_KEY: true };
    const project = await server.idOf("shop");
    for (const [key, isSecret] of Object.entries(entries))
      await server.api("POST", "/variable", {
        key,
        value: isSecret ? "a secret" : "eu",
        is_secret: isSecret,
        variable_scope: "PROJECT",
        variable_parent_id: project,
      });
    const all = async () =>
      (await server.results(`/variable?parent_id=${project}&scope=PROJECT`)).map(({ key }) => key);
    const before = await all();
    await importState(
      stack,
      readFileSync(path.join(folder, "entries", `b3a10d59.${frontEnd.name}.json`), "utf8"),
    );
    await stack.rewrite(text);
    const stuck = await stack.up("--continue-on-error");
    for (const kind of ["Variable", "Secret"])
      expect(stuck.errors.join("\n")).toContain(
        `this version of infrasync has no resource ${kind}; \`pulumi state delete\` with its URN removes it from the state; its resource stays on the server`,
      );
    for (const { urn } of (await stack.export()).resources.filter(({ type }) => /Variable|Secret/.test(type)))
      expect(await stack.shell(`pulumi state delete --yes '${urn}'`, "")).toMatchObject({ exitCode: 0 });
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    expect(await stack.up()).toMatchObject(nothing);
    expect(await all()).toEqual(before);
    expect(await stack.destroy()).toMatchObject({ exitCode: 0, errors: [] });
  },
);
