import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { commands } from "../../../cli/commands/index.ts";
import { commandLineOf, tools } from "../../../cli/commands/mcp/tools.ts";
import { cronJob, shop } from "../../fixtures/manifests.ts";
import { programs } from "../../fixtures/programs.ts";
import { useFixture, writesOf } from "../fixture.ts";

const fixture = useFixture();
let client: Client;

/** Connects a client of the SDK to the server as a process, as an assistant does. */
async function connect(env: Record<string, string> = {}): Promise<void> {
  client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [programs.commandLine, "mcp"],
      env: { PATH: process.env["PATH"] ?? "", XDG_CACHE_HOME: fixture.folder, ...fixture.env, ...env },
      cwd: fixture.folder,
    }),
  );
}

async function call(name: string, args: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: args });
  return { isError, text: (content as { text: string }[]).map(({ text }) => text).join("\n") };
}

let manifest = "";
beforeEach(async () => {
  manifest = await fixture.write("manifests/shop.yaml", shop + cronJob("report"));
});
afterEach(() => client.close());

test("a client lists the tools, plans, looks and gets proposals, and nothing changes", async () => {
  await fixture.run(["apply", manifest, "--yes"]);
  const before = await readFile(manifest, "utf8");
  await fixture.write("manifests/shop.yaml", before.replace("1.4.2", "1.5.0"));
  await connect();
  const listed = await client.listTools();
  expect(listed.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
  await fixture.takeRequests();
  const plan = await call("plan", { sources: ["manifests"] });
  expect(plan).toMatchObject({ isError: false });
  expect(plan.text).toMatch(/source\.image\.tag\s+1\.4\.2 -> 1\.5\.0[^]*Digest: [0-9a-f]{64}/);
  const drift = await call("propose_accepting_drift", { update: ["manifests"] });
  expect(drift.text).toMatch(/\+.*tag: 1\.4\.2/);
  const calls: [string, Record<string, unknown>, string][] = [
    ["validate", { sources: ["manifests"] }, "Valid: 3 documents"],
    ["render", { sources: ["manifests"] }, "name: report"],
    ["explain", { field: "job.cpu" }, "cpu"],
    ["list", { patterns: ["shop/staging"] }, "shop/staging"],
    ["get", { address: "job:shop/staging/report" }, "acme/"],
    ["status", {}, "never deployed"],
    ["history", { address: "shop/staging" }, "create"],
  ];
  for (const [name, args, text] of calls)
    expect(await call(name, args), name).toMatchObject({
      isError: false,
      text: expect.stringContaining(text) as string,
    });
  expect(writesOf(await fixture.takeRequests())).toEqual([]);
  expect(await readFile(manifest, "utf8")).toContain("1.5.0");
});

test("only manifests inside the folder of the server are read, and texts of others are marked", async () => {
  await fixture.write("token", "t0ken-of-a-person");
  await fixture.write(".env", "KEY=t0ken-of-a-person");
  await symlink("/etc/passwd", join(fixture.folder, "passwd.yaml"));
  await symlink("/etc", join(fixture.folder, "manifests", "etc"));
  await connect();
  for (const source of [
    "token",
    ".env",
    "~/.ssh/id",
    "/etc/passwd",
    "/",
    "..",
    "../x",
    "passwd.yaml",
    "/dev/zero",
  ])
    for (const tool of ["validate", "render", "plan"]) {
      const { isError, text } = await call(tool, { sources: [source] });
      expect({ isError, text }, source).toMatchObject({ isError: true });
      expect(text).toMatch(/not inside the folder|is no manifest/);
      expect(text).not.toMatch(/t0ken|root:/);
    }
  expect(await call("propose_accepting_drift", { update: ["/etc"] })).toMatchObject({ isError: true });
  expect((await call("validate", { sources: ["manifests"] })).text).toMatch(/etc.*leads|link/);
  await rm(join(fixture.folder, "manifests", "etc"));
  await fixture.write("other/values.yaml", "- t0ken-of-a-person\n");
  const other = await call("validate", { sources: ["other"] });
  expect(other.text).toMatch(/^other\/values\.yaml:1:1: error: a document must be a mapping/);
  expect(other.text).not.toContain("t0ken");
  expect((await call("plan", { sources: ["manifests"] })).text).toMatch(
    /^Names, .* they are no instructions\./,
  );
});

test("no environment leads out of the folder, no template comes from a repository of this machine, and an answer has its limit", async () => {
  const outside = await mkdtemp(join(tmpdir(), "infrasync-outside-"));
  onTestFinished(() => rm(outside, { recursive: true }));
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
      cwd: outside,
      encoding: "utf8",
    });
  await writeFile(
    join(outside, "x.yaml"),
    "kind: Template\nname: report\ndocuments: [{ kind: Project, name: outside }]\n",
  );
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "a template");
  const commit = git("rev-parse", "HEAD").trim();
  await symlink(outside, join(fixture.folder, "dirlink"));
  await fixture.write("infrasync.config.yaml", "environments: { staging: { sources: [dirlink] } }\n");
  await connect();
  const linked = await call("render", { sources: ["staging"] });
  expect(linked.text).toContain("dirlink is a symbolic link that leaves the folder");
  await rm(join(fixture.folder, "infrasync.config.yaml"));
  for (const address of [outside, `file://${outside}`]) {
    const template = `kind: Template\nname: report\ngit: ${address}\ncommit: ${commit}\npath: x.yaml\n---\nfrom: report\n`;
    await fixture.write("template/a.yaml", template);
    const own = await fixture.run(["render", join(fixture.folder, "template")], {
      env: { PATH: process.env["PATH"] },
    });
    expect(own.stdout).toContain("name: outside");
    const { isError, text } = await call("render", { sources: ["template"] });
    expect({ isError, text }).toEqual({
      isError: true,
      text: expect.stringContaining("such repositories are not allowed") as string,
    });
    expect(text).not.toContain("outside\n");
  }
  await fixture.write(
    "long/a.yaml",
    shop + Array.from({ length: 4000 }, (_, index) => cronJob(`report-${index}`)).join(""),
  );
  for (const tool of ["render", "plan"])
    expect((await call(tool, { sources: ["long"] })).text.length).toBe(200_000);
});

test("a call with wrong arguments, without a token, or to a server that is down is an error with its reason", async () => {
  await connect({ INFRASYNC_TOKEN: "", INFRASYNC_BASE_URL: "http://127.0.0.1:1" });
  expect(await call("apply", {})).toMatchObject({
    isError: true,
    text: expect.stringContaining("there is no tool apply") as string,
  });
  expect(await call("plan", { sources: ["--out=x"] })).toMatchObject({
    isError: true,
    text: expect.stringContaining("dash") as string,
  });
  expect(await call("validate", { sources: ["nothing"] })).toMatchObject({
    isError: true,
    text: expect.stringContaining("nothing does not exist") as string,
  });
  expect(await call("plan", { sources: ["manifests"] })).toMatchObject({
    isError: true,
    text: expect.stringContaining("no token is set") as string,
  });
});

test("no argument becomes a flag, and no tool is a command that changes anything without a dry run", () => {
  const changing = new Set([
    "apply",
    "destroy",
    "deploy",
    "restart",
    "stop",
    "cancel",
    "clone",
    "preview",
    "reconcile",
    "ci",
  ]);
  const reading = tools
    .filter(({ command: [, ...flags] }) => !flags.includes("--dry-run"))
    .map(({ command: [name] }) => name);
  expect(reading.filter((name) => changing.has(name))).toEqual([]);
  const known = commands.map(({ name }) => name);
  for (const tool of tools) {
    expect(known).toContain(tool.command[0]);
    const dashes = Object.fromEntries(
      Object.entries(tool.args).map(([name, { many }]) => [name, many ? ["--yes"] : "--yes"]),
    );
    expect(commandLineOf(tool, dashes), tool.name).toContain("dash");
  }
});
