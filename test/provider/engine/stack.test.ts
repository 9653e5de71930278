import { expect, test } from "vitest";
import { makeStack } from "../fixture.ts";

/** A dynamic resource that lives nowhere but in the state; the size 13 is refused, 666 fails half-way. */
const program = `
  import * as pulumi from "@pulumi/pulumi";

  const provider: pulumi.dynamic.ResourceProvider = {
    async check(_olds, inputs) {
      return { inputs, failures: inputs.size === 13 ? [{ property: "size", reason: "13 is unlucky" }] : [] };
    },
    async diff(_id, olds, news) {
      return {
        changes: olds.size !== news.size || olds.place !== news.place,
        replaces: olds.place === news.place ? [] : ["place"],
        deleteBeforeReplace: true,
      };
    },
    async create(inputs) {
      const id = "id-in-" + inputs.place;
      if (inputs.size === 666) {
        throw Object.assign(new Error("failed"), { id, properties: { ...inputs, size: 0 }, reasons: ["half-way"] });
      }
      return { id, outs: inputs };
    },
    async update(_id, _olds, news) {
      return { outs: news };
    },
    async delete() {},
  };

  class Thing extends pulumi.dynamic.Resource {
    constructor(name: string, inputs: Record<string, unknown>) {
      super(provider, name, inputs, {}, "test", "Thing");
    }
  }

  const first = new Thing("first", { size: Number(process.env.SIZE), place: process.env.PLACE });
  new Thing("second", { size: 1, place: first.id });
`;

const outputs = (size: number) => `
  import * as pulumi from "@pulumi/pulumi";
  export const size = ${size};
  export const given = new pulumi.Config("infrasync").require("token").length;
`;

const nothing = { exitCode: 0, errors: [], steps: [] };

test("a stack goes from nothing to nothing", async (context) => {
  const stack = await makeStack(context, { program, environment: { SIZE: "1", PLACE: "here" } });
  const created = ["create Thing first", "create Thing second"];

  expect(await stack.preview()).toMatchObject({ exitCode: 0, errors: [], steps: created });
  expect((await stack.export()).resources).toEqual([]);
  expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [], steps: created });
  expect(await stack.up()).toMatchObject(nothing);
  expect((await stack.export()).resources).toMatchObject([
    { id: "id-in-here", outputs: { size: 1, place: "here" } },
    { id: "id-in-id-in-here", outputs: { size: 1, place: "id-in-here" } },
  ]);

  stack.environment["SIZE"] = "2";
  expect(await stack.up()).toMatchObject({ exitCode: 0, steps: ["update Thing first"] });
  expect(await stack.refresh()).toMatchObject(nothing);

  stack.environment["PLACE"] = "there";
  expect(await stack.up()).toMatchObject({
    exitCode: 0,
    steps: [
      "delete-replaced Thing second",
      "delete-replaced Thing first",
      "create-replacement Thing first",
      "create-replacement Thing second",
    ],
  });

  expect(await stack.destroy()).toMatchObject({
    exitCode: 0,
    steps: ["delete Thing second", "delete Thing first"],
  });
});

test("a refused input and a failure half-way are reported", async (context) => {
  const stack = await makeStack(context, { program, environment: { SIZE: "13", PLACE: "here" } });
  const refused = await stack.preview();
  expect(refused.exitCode).not.toBe(0);
  expect(refused.steps).toEqual([]);
  expect(refused.errors.join()).toContain("13 is unlucky");
  expect(refused.stdout).toContain("13 is unlucky");

  stack.environment["SIZE"] = "666";
  const failed = await stack.up();
  expect(failed.exitCode).not.toBe(0);
  expect(failed.steps).toEqual(["failed create Thing first"]);
  expect(failed.errors.join()).toContain("half-way");
  expect((await stack.export()).resources).toMatchObject([
    { id: "id-in-here", outputs: { size: 0 }, initErrors: ["half-way"] },
  ]);

  stack.environment["SIZE"] = "6";
  expect(await stack.up()).toMatchObject({
    exitCode: 0,
    steps: ["update Thing first", "create Thing second"],
  });
});

test("a new program, flags and secret configuration reach the engine", async (context) => {
  const stack = await makeStack(context, { program: outputs(1) });
  await stack.configure("infrasync:token", "a-secret-token", { secret: true });
  expect(await stack.up("--message", "first")).toMatchObject({ exitCode: 0, errors: [] });
  await stack.rewrite(outputs(2));
  const { stdout } = await stack.up();
  expect(stdout).toMatch(/size *: 1 => 2/);
  const { text } = await stack.export();
  expect(text).toContain('"given": 14');
  expect(text).not.toContain("a-secret-token");
});

test("stacks do not see each other, nor the settings of the developer", async (context) => {
  process.env["INFRASYNC_TOKEN"] = "of the developer";
  try {
    const [one, two] = await Promise.all([
      makeStack(context, { program: `export const token = process.env["INFRASYNC_TOKEN"] ?? "none";` }),
      makeStack(context, {
        program: `export const other = 2;`,
        environment: { INFRASYNC_TOKEN: "of the test" },
      }),
    ]);
    await Promise.all([one.up(), two.up()]);
    expect((await one.export()).text).toContain('"token": "none"');
    expect((await two.export()).text).not.toContain('"token"');
  } finally {
    delete process.env["INFRASYNC_TOKEN"];
  }
});
