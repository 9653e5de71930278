import { expect, test } from "vitest";
import { makeStack } from "./make-stack.ts";

const outputs = (size: number) => `
  import * as pulumi from "@pulumi/pulumi";
  export const size = ${size};
  export const given = new pulumi.Config("infrasync").require("token").length;
`;

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
  const developers = { INFRASYNC_TOKEN: "of the developer", VAULT_SERVER_URL: "http://127.0.0.1:1" };
  Object.assign(process.env, developers);
  try {
    const [one, two] = await Promise.all([
      makeStack(context, { program: `export const token = process.env["INFRASYNC_TOKEN"] ?? "none";` }),
      makeStack(context, {
        program: `export const other = 2;`,
        environment: { INFRASYNC_TOKEN: "of the test" },
      }),
    ]);
    for (const run of await Promise.all([one.up(), two.up()])) expect(run).toMatchObject({ exitCode: 0 });
    expect((await one.export()).text).toContain('"token": "none"');
    expect((await two.export()).text).not.toContain('"token"');
  } finally {
    for (const name of Object.keys(developers)) delete process.env[name];
  }
});
