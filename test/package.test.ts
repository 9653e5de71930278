import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { lstat, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { decode } from "@jridgewell/sourcemap-codec";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createEmulator } from "../emulator/index.ts";
import { installPackage } from "./fixtures/installed-package.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));

let folder = "";
/** The copy of the checkout that npm has packed. */
let source = "";
let tarball = "";
/** A project that has only the package installed. */
let user = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "infrasync-package-"));
  ({ source, tarball, project: user } = await installPackage(folder));
});
afterAll(() => rm(folder, { recursive: true }));

async function versionOf(installed: string): Promise<string> {
  return (JSON.parse(await readFile(join(installed, "package.json"), "utf8")) as { version: string }).version;
}

/** The targets of the links and pictures of a page. */
function linksOf(text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
}

interface SourceMap {
  sources: string[];
  names: string[];
  mappings: string;
}

/** Whether each segment of a source map refers to a source, a place in it and a name that there are. */
function isWhole({ sources, names, mappings }: SourceMap): boolean {
  return decode(mappings)
    .flat()
    .every(
      ([, file = 0, line = 0, column = 0, name]) =>
        file in sources && line >= 0 && column >= 0 && (name === undefined || name in names),
    );
}

test("the installed command runs", async () => {
  const command = join(user, "node_modules/.bin/infrasync");
  expect((await run(command, ["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  await writeFile(join(user, "shop.yaml"), "kind: Project\nname: shop\n");
  expect((await run(command, ["validate", "shop.yaml"], { cwd: user })).stdout).toBe(
    "Valid: 1 document in 1 file.\n",
  );
});

test("with a wrong token, the installed command ends and says so", async () => {
  const emulator = await createEmulator();
  const env = { ...process.env, INFRASYNC_BASE_URL: emulator.url, INFRASYNC_TOKEN: "wrong" };
  await writeFile(join(user, "depot.yaml"), "kind: Project\nname: depot\n");
  const command = join(user, "node_modules/.bin/infrasync");
  try {
    await expect(run(command, ["plan", "depot.yaml"], { cwd: user, env })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("401"),
    });
  } finally {
    await emulator.close();
  }
});

test("each source map of the package can be decoded, and refers to the sources and names that it has", async () => {
  const installed = join(user, "node_modules/infrasync");
  const maps = (await readdir(installed, { recursive: true })).filter((file) => file.endsWith(".map"));
  expect(maps.length).toBeGreaterThan(50);
  const texts = await Promise.all(maps.map((file) => readFile(join(installed, file), "utf8")));
  expect(maps.filter((_file, index) => !isWhole(JSON.parse(texts[index] ?? "") as SourceMap))).toEqual([]);
});

test("the exports of the package can be imported, with their types", async () => {
  const program = `import { createClient, propose } from "infrasync";
import { createEmulator } from "infrasync/emulator";
import schema from "infrasync/schemas/job.schema.json" with { type: "json" };
import manifest from "infrasync/package.json" with { type: "json" };
const emulator = await createEmulator();
const client = createClient({ baseUrl: emulator.url, token: emulator.tokens.read, onQuota: "fail" });
const organizations = await client.list("/organization");
await emulator.close();
console.log(typeof propose, organizations.length, schema.title, manifest.name);
`;
  await writeFile(join(user, "program.ts"), program);
  expect((await run(process.execPath, ["program.ts"], { cwd: user })).stdout).toBe(
    "function 1 infrasync: Job infrasync\n",
  );
  const options = [
    "--noEmit",
    "--module",
    "nodenext",
    "--target",
    "es2023",
    "--strict",
    "--skipLibCheck",
    "--resolveJsonModule",
    "program.ts",
  ];
  await run(process.execPath, [join(root, "node_modules/typescript7/bin/tsc"), ...options], { cwd: user });
});

test("each link of the README leads to a file of the package, as its page on a registry needs", async () => {
  const installed = join(user, "node_modules/infrasync");
  const targets = linksOf(await readFile(join(installed, "README.md"), "utf8"));
  expect(targets.length).toBeGreaterThan(20);
  const base = `https://unpkg.com/infrasync@${await versionOf(installed)}/`;
  const files = new Set(await readdir(installed, { recursive: true }));
  const dead = targets.filter((target) => {
    const [file = ""] = target.replace(base, "").split("#");
    return !target.startsWith(base) || !files.has(file.replace(/\/$/, ""));
  });
  expect(dead).toEqual([]);
  // After the pack, the README of the checkout is as it was.
  const [before, after] = [join(root, "README.md"), join(source, "README.md")];
  expect(await readFile(after, "utf8")).toBe(await readFile(before, "utf8"));
});

test("each link of a page in the package leads to a file of the package", async () => {
  const installed = join(user, "node_modules/infrasync");
  const pages = (await readdir(installed, { recursive: true })).filter(
    (file) => /^(?:docs|examples)\/.*\.md$|^[A-Z]+\.md$/.test(file) && file !== "README.md",
  );
  expect(pages.length).toBeGreaterThan(25);
  const links = await Promise.all(
    pages.map(async (page) =>
      linksOf(await readFile(join(installed, page), "utf8"))
        .filter((target) => !/^(?:[a-z]+:|#)/.test(target))
        .map((target) => ({ page, file: join(installed, page, "..", target.split("#")[0] ?? "") })),
    ),
  );
  expect(links.flat().filter(({ file }) => !existsSync(file))).toEqual([]);
});

test("the package contains everything that a user needs, and no tests", async () => {
  const files = await readdir(join(user, "node_modules/infrasync"), { recursive: true });
  expect(files).toEqual(
    expect.arrayContaining([
      "LICENSE",
      "dist/cli/main.js",
      "dist/core/index.d.ts",
      "schemas/job.schema.json",
    ]),
  );
  expect(files.filter((file) => /(?:^|\/)(?:test|tools|node_modules)(?:\/|$)/.test(file))).toEqual([]);
  // Files below it would look for `infrasync` there.
  expect(files).not.toContain("dist/package.json");
});

test("the package takes at most 4.5 MB to download, and 42 MB installed with its dependencies", async () => {
  const megabyte = 1_000_000;
  expect((await stat(tarball)).size).toBeLessThan(4.5 * megabyte);
  const modules = join(user, "node_modules");
  const entries = await readdir(modules, { recursive: true });
  // Pulumi is there only for those who use it.
  expect(entries.some((name) => name.startsWith("@pulumi"))).toBe(false);
  const sizes = await Promise.all(entries.map(async (name) => (await lstat(join(modules, name))).size));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(42 * megabyte);
});

test("in an empty project npx has a plan", async () => {
  const emulator = await createEmulator();
  const env = {
    ...process.env,
    INFRASYNC_BASE_URL: emulator.url,
    INFRASYNC_TOKEN: emulator.tokens.admin,
  };
  const manifests = join(user, "manifests");
  await mkdir(manifests);
  await writeFile(join(manifests, "shop.yaml"), "kind: Project\nname: shop\n");
  try {
    const { stdout } = await run("npx", ["infrasync", "plan", "manifests"], { cwd: user, env });
    expect(stdout).toContain("1 to create");
  } finally {
    await emulator.close();
  }
});
