import { copyFile, mkdir } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import type { Run } from "./pulumi-run.ts";
import { frontEnds, pluginProject } from "./front-ends.ts";
import { shop, start } from "./shop.ts";

test.for(frontEnds)(
  "$name: a program in a folder of its own obeys the settings file beside Pulumi.yaml, and each run says in one line which file it obeys",
  async (frontEnd, context) => {
    const { server, stack } = await start(context, "", {}, frontEnd, { usesLanguageHost: true });
    await mkdir(path.join(stack.folder, "src"));
    const project = frontEnd.name === "plugin" ? pluginProject("nodejs") : "name: test\nruntime: nodejs\n";
    await stack.write("Pulumi.yaml", `${project}main: src\n`);
    await stack.rewrite(shop());
    await copyFile(path.join(stack.folder, "index.js"), path.join(stack.folder, "src", "index.js"));
    await stack.write(path.join("src", "package.json"), '{ "type": "module", "main": "index.js" }');
    const said = ({ events }: Run) =>
      events.flatMap(({ diagnosticEvent: { message = "" } = {} }) =>
        /rules of (?:the|a) team:/.test(message) ? [message.trim()] : [],
      );
    const first = await stack.up();
    expect(first).toMatchObject({ exitCode: 0, errors: [] });
    expect(said(first)).toEqual([
      `no rules of a team: there is no infrasync.config.yaml in ${path.join(stack.folder, "src")}, or above it up to ${stack.folder}`,
    ]);
    const before = await server.everything();
    const file = path.join(stack.folder, "infrasync.config.yaml");
    await stack.write("infrasync.config.yaml", "protect:\n  - shop\n");
    const refused = await stack.destroy();
    expect(refused.exitCode).not.toBe(0);
    expect(refused.errors.join("\n")).toContain(`take the pattern shop out of ${file}:2`);
    expect(said(refused)).toEqual([`rules of the team: ${file}`]);
    expect(await server.everything()).toEqual(before);
  },
);
