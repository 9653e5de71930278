import { expect, test } from "vitest";
import { readPage } from "../../docs/markdown.ts";
import { start } from "./shop.ts";

/** The commands that docs/reference/pulumi.md lists, and the answers to their prompts. */
const commands = [
  { command: "pulumi stack init main" },
  { command: "pulumi config set infrasync:baseUrl https://api.example.com" },
  { command: "pulumi config set --secret infrasync:token", input: "a-token" },
  { command: "pulumi up" },
];

test("the commands of the page create the first stack", async (context) => {
  const { blocks } = readPage("docs/reference/pulumi.md");
  const textOf = (name: string) => blocks.find(({ file }) => file === name)?.lines.join("\n") ?? "";
  const { server, stack } = await start(context, "");
  await stack.rewrite(textOf("index.ts"), "index.ts");
  await stack.write("Pulumi.yaml", textOf("Pulumi.yaml"));
  for (const { command, input = "" } of commands) {
    const { exitCode, stdout, stderr } = await stack.shell(command, input);
    expect(exitCode, `${command}\n${stdout}${stderr}`).toBe(0);
    expect(stdout + stderr).not.toContain("a-token");
  }
  expect([...(await server.everything()).keys()].toSorted()).toEqual([
    "shop",
    "shop/staging",
    "shop/staging/APPLICATION api",
    "shop/staging/JOB nightly",
  ]);
  expect((await stack.export()).text).not.toContain("a-token");
});
