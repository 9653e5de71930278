import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cronJob, shop } from "../../../fixtures/manifests.ts";
import { programs } from "../../../fixtures/programs.ts";
import { mayBeMissing } from "../../../fixtures/tools.ts";
import { useFixture } from "../../fixture.ts";
import { atPseudoTerminal, script } from "../../terminal/pseudo-terminal.ts";

const fixture = useFixture();

async function live(): Promise<{ HOME: string; XDG_CACHE_HOME: string }> {
  const other = shop.replace("name: shop", "name: books").replace("project: shop", "project: books");
  await fixture.write("live/shop.yaml", `${shop}${cronJob("nightly")}${cronJob("cleanup")}---\n${other}`);
  expect((await fixture.run(["apply", join(fixture.folder, "live"), "--yes"])).code).toBe(0);
  await fixture.takeRequests();
  return { HOME: fixture.folder, XDG_CACHE_HOME: join(fixture.folder, "cache") };
}

/** The words that are offered, after as many completions as the names above need. */
async function offered(word: string, env: Record<string, string>): Promise<string[]> {
  const { code, stdout, stderr } = await fixture.run(["complete", word], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout.split("\n").filter((line) => line !== "");
}

test("live addresses are offered level by level, with at most two requests each time and none within a minute", async () => {
  const env = await live();
  expect(await offered("", env)).toEqual(["books", "books/", "shop", "shop/"]);
  expect((await fixture.takeRequests()).length).toBe(2);
  expect(await offered("sh", env)).toEqual(["shop", "shop/"]);
  expect(await fixture.takeRequests()).toEqual([]);
  expect(await offered("shop/", env)).toEqual(["shop/staging", "shop/staging/"]);
  expect(await offered("shop/staging/", env)).toEqual(["shop/staging/cleanup", "shop/staging/nightly"]);
  expect((await fixture.takeRequests()).length).toBe(2);
  expect(await offered("job:shop/staging/n", env)).toEqual(["job:shop/staging/nightly"]);
  expect(await offered("job:sh", env)).toEqual(["job:shop/"]);
  expect(await offered("environment:shop/", env)).toEqual(["environment:shop/staging"]);
  expect(await offered("nothing:x", env)).toEqual([]);
  expect(await offered("shop/nowhere/", env)).toEqual([]);
  expect(await fixture.takeRequests()).toEqual([]);
});

test("a deep word without a cache takes two requests, and the next completion goes on", async () => {
  const env = await live();
  expect(await offered("shop/staging/", env)).toEqual([]);
  expect((await fixture.takeRequests()).length).toBe(2);
  expect(await offered("shop/staging/", env)).toEqual(["shop/staging/cleanup", "shop/staging/nightly"]);
  expect((await fixture.takeRequests()).length).toBe(2);
});

test("the cache is for its owner only, and neither its name nor its text has the token", async () => {
  const env = await live();
  await offered("", env);
  const folder = join(fixture.folder, "cache", "infrasync");
  const [name = "", ...others] = await readdir(folder);
  // How the server divides lists is kept with the parts.
  expect(others).toEqual(["parts"]);
  expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  const token = fixture.emulator.tokens.admin;
  expect(name + (await readFile(join(folder, name), "utf8"))).not.toContain(token);
  expect(await offered("", { ...env, INFRASYNC_TOKEN: fixture.emulator.tokens.read })).not.toEqual([]);
  expect((await readdir(folder)).length).toBe(3);
});

test("names count for a minute, and a damaged cache is refreshed", async () => {
  const env = await live();
  await offered("", env);
  const folder = join(fixture.folder, "cache", "infrasync");
  const [name = ""] = await readdir(folder);
  const text = await readFile(join(folder, name), "utf8");
  await fixture.takeRequests();
  await writeFile(
    join(folder, name),
    text.replaceAll(/"at":(\d+)/g, (_all, at: string) => `"at":${Number(at) - 61_000}`),
  );
  expect(await offered("", env)).toEqual(["books", "books/", "shop", "shop/"]);
  expect((await fixture.takeRequests()).length).toBe(2);
  for (const damaged of [
    "{ broken",
    text.replaceAll('"kind"', '"sort"'),
    text.replaceAll(/"name":"[^"]*"/g, '"name":7'),
  ]) {
    await writeFile(join(folder, name), damaged);
    expect(await offered("", env)).toEqual(["books", "books/", "shop", "shop/"]);
  }
});

test.each<[what: string, env: Record<string, string>]>([
  ["no token", { INFRASYNC_TOKEN: "" }],
  ["a wrong token", { INFRASYNC_TOKEN: "wrong-token-of-nobody" }],
  ["no URL", { INFRASYNC_BASE_URL: "" }],
  ["no server", { INFRASYNC_BASE_URL: "http://127.0.0.1:9" }],
  ["a cache that cannot be written", { XDG_CACHE_HOME: "/dev/null" }],
])("with %s, there is silence", async (_what, env) => {
  const given = await live();
  expect(await offered("", { ...given, ...env })).toEqual([]);
});

test.skipIf(mayBeMissing(script))(
  "a settings file does not decide where the token goes, also on a terminal",
  async () => {
    const env = await live();
    await fixture.write("infrasync.config.yaml", `base_url: ${fixture.emulator.url}\n`);
    const seen = { ...env, INFRASYNC_TOKEN: fixture.emulator.tokens.admin };
    const options = { env: seen, columns: 80, cwd: fixture.folder };
    // A command that somebody has typed takes the URL of the file.
    expect(await atPseudoTerminal(["list"], options)).toMatchObject({ code: 0 });
    await fixture.takeRequests();
    expect(await atPseudoTerminal(["complete", "sh"], options)).toEqual({ code: 0, text: "" });
    expect(await fixture.takeRequests()).toEqual([]);
  },
);

test("bash offers live addresses, also behind a kind and its colon, and escapes what a shell would obey", async () => {
  const env = await live();
  const bin = join(fixture.folder, "bin");
  await mkdir(bin);
  const launcher = `#!/bin/sh\nexec ${process.execPath} ${programs.commandLine} "$@"\n`;
  await writeFile(join(bin, "infrasync"), launcher, { mode: 0o755 });
  const functions = (await fixture.run(["completion", "bash"])).stdout;
  const complete = (line: string) => {
    const program = `${functions}\nCOMP_LINE='${line}'\nCOMP_POINT=${line.length}\n_infrasync\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
    const ran = spawnSync("bash", ["--norc", "-c", program], {
      encoding: "utf8",
      env: { ...process.env, ...fixture.env, ...env, PATH: `${bin}:${process.env["PATH"]}` },
    });
    expect(ran.stderr).toBe("");
    return ran.stdout.split("\n").filter((word) => word !== "");
  };
  await offered("shop/", env);
  await offered("shop/staging/", env);
  expect(complete("infrasync deploy sh")).toEqual(["shop", "shop/"]);
  expect(complete("infrasync plan --target job:shop/staging/n")).toEqual(["shop/staging/nightly"]);
  expect(complete("infrasync clone job shop/staging/")).toEqual([
    "shop/staging/cleanup",
    "shop/staging/nightly",
  ]);
  expect(complete("infrasync restart shop/staging/cle")).toEqual(["shop/staging/cleanup"]);
  await fixture.write("live/evil.yaml", cronJob('"weekly $(touch stolen)"'));
  expect((await fixture.run(["apply", join(fixture.folder, "live/evil.yaml"), "--yes"])).code).toBe(0);
  const fresh = { ...env, XDG_CACHE_HOME: join(fixture.folder, "another") };
  await offered("shop/", fresh);
  await offered("shop/staging/", fresh);
  Object.assign(env, fresh);
  expect(complete("infrasync deploy shop/staging/week")).toEqual([
    String.raw`shop/staging/weekly\ \$\(touch\ stolen\)`,
  ]);
});
