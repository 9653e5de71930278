import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { goFolder } from "../../../tools/pulumi/languages.ts";
import { start } from "./shop.ts";
import { makeProject, runAll } from "./template.ts";

test.for(["preview", "typescript", "go", "python"])(
  "pulumi new makes a project from the example %s",
  async (example, context) => {
    const { stack } = await start(context, "");
    const hosts = await goFolder("languages", (line) => process.stderr.write(`${line}\n`));
    stack.environment["PATH"] = [hosts, stack.path].join(path.delimiter);
    await makeProject(stack, example);
  },
);

test.for(["yaml", "shop"])(
  "pulumi new makes a project from the example %s, which runs with the settings of its stack",
  async (example, context) => {
    const { server, stack } = await start(context, "");
    const { url, tokens } = server.emulator;
    for (const name of ["INFRASYNC_BASE_URL", "INFRASYNC_TOKEN"]) delete stack.environment[name];
    // The packages of the program are in the folder above.
    if (example === "yaml")
      await makeProject(stack, example, `--stack dev --config infrasync:baseUrl=${url}`);
    else {
      await makeProject(stack, example);
      await runAll(stack, [
        "pulumi stack init dev --cwd mine",
        `pulumi config set infrasync:baseUrl ${url} --cwd mine`,
      ]);
    }
    await runAll(stack, [
      `pulumi config set --secret infrasync:token ${tokens.admin} --cwd mine`,
      "pulumi up --yes --skip-preview --cwd mine",
    ]);
    expect((await server.everything()).size).toBeGreaterThan(2);
    const settings = await readFile(path.join(stack.folder, "mine", "Pulumi.dev.yaml"), "utf8");
    expect(settings).not.toContain(tokens.admin);
  },
);

test("a program runs with the variables that pulumi env run sets of an environment of ESC, and no token is in the state", async (context) => {
  const { server, stack } = await start(context, "");
  const { url, tokens } = server.emulator;
  for (const name of ["INFRASYNC_BASE_URL", "INFRASYNC_TOKEN"]) delete stack.environment[name];
  await makeProject(stack, "yaml", "--stack dev");
  const variables = `env INFRASYNC_BASE_URL=${url} INFRASYNC_TOKEN=${tokens.admin}`;
  await runAll(stack, [
    `${variables} pulumi up --yes --skip-preview --cwd mine`,
    "pulumi stack export --show-secrets --file state.json --cwd mine",
  ]);
  expect((await server.everything()).size).toBeGreaterThan(2);
  const state = await readFile(path.join(stack.folder, "mine", "state.json"), "utf8");
  expect(state).not.toContain(tokens.admin);
});
