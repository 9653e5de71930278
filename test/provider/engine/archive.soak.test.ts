import { createServer } from "node:http";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, stat, symlink } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, inject, test, type TestContext } from "vitest";
import { writePluginArchive } from "../../../tools/plugin-archive.ts";
import { start } from "./shop.ts";
import { removeFolder } from "../../fixtures/remove-folder.ts";

let folder = "";
let file = "";

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "infrasync-archive-"));
  ({ file } = await writePluginArchive(folder));
}, 300_000);
afterAll(() => removeFolder(folder));

/** A server that has the archive and nothing else: its URL, and the paths that it was asked for. */
async function serve(context: TestContext): Promise<{ url: string; requested: string[] }> {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    requested.push(request.url ?? "");
    if (request.url !== `/${path.basename(file)}`) return void response.writeHead(404).end();
    void readFile(file).then((content) => response.end(content));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  context.onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requested };
}

const yaml = `name: test
runtime: yaml
resources:
  shop: { type: "infrasync:Project", properties: { name: shop } }
`;

/** A stack in YAML whose PATH has Pulumi, and no Node. */
async function withoutNode(context: TestContext) {
  const { server, stack } = await start(context, "");
  await stack.write("Pulumi.yaml", yaml);
  const programs = path.join(stack.folder, "programs");
  await mkdir(programs);
  const engine = inject("pulumi");
  if ("missing" in engine) return context.skip(engine.missing);
  for (const name of ["pulumi", "pulumi-language-yaml"])
    await symlink(path.join(engine.folder, name), path.join(programs, name));
  await symlink("/bin/sh", path.join(programs, "sh"));
  stack.environment["PATH"] = programs;
  expect((await stack.shell("node --version", "")).exitCode).toBe(127);
  return { server, stack };
}

test("Pulumi installs the archive from a server of one's own by its name, and starts the plugin without Node", async (context) => {
  expect((await stat(file)).size).toBeLessThan(45_000_000);
  const { url, requested } = await serve(context);
  const { server, stack } = await withoutNode(context);
  const command = "pulumi plugin install resource infrasync 0.1.0 --server https://plugins.example.com";
  const installed = await stack.shell(command.replace("https://plugins.example.com", url), "");
  expect(installed.exitCode, installed.stdout + installed.stderr).toBe(0);
  expect(requested).toEqual([`/${path.basename(file)}`]);
  expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [], steps: ["create Project shop"] });
  expect([...(await server.everything()).keys()]).toEqual(["shop"]);
});

test("where the build has named the server, the first up installs the plugin by itself", async (context) => {
  const { url, requested } = await serve(context);
  const { server, stack } = await withoutNode(context);
  // As an SDK does, whose schema has what `npm pkg set config.plugin_server=https://plugins.example.com` has set.
  const options = `version: 0.1.0, pluginDownloadURL: '${url}'`;
  await stack.write("Pulumi.yaml", yaml.replace("name: shop }", `name: shop }, options: { ${options} }`));
  const up = await stack.up();
  expect(up, up.stdout + up.stderr).toMatchObject({ exitCode: 0, errors: [] });
  expect(requested).toEqual([`/${path.basename(file)}`]);
  expect([...(await server.everything()).keys()]).toEqual(["shop"]);
});
