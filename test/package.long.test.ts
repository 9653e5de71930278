import { execFile } from "node:child_process";
import { lstat, mkdir, mkdtemp, readFile, readdir, stat, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createEmulator } from "../emulator/index.ts";
import { importsIn } from "../tools/compile.ts";
import { installPackage } from "./fixtures/installed-package.ts";
import { removeFolder } from "./fixtures/remove-folder.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));

let folder = "";
/** The copy of the checkout that npm has packed. */
let source = "";
let tarball = "";
/** A project that has only the package installed. */
let user = "";
/** The package in it. */
let installed = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "infrasync-package-"));
  ({ source, tarball, project: user, installed } = await installPackage(folder));
});
afterAll(() => removeFolder(folder));

/** The targets of the links and pictures of a page. */
function linksOf(text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
}

/** All that npm installs for the package: the sizes of the files by their paths. */
async function sizesBelow(parent: string): Promise<Map<string, number>> {
  const entries = await readdir(parent, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(await Promise.all(files.map(async (file) => [file, (await lstat(file)).size] as const)));
}

const sum = (sizes: Iterable<number>) => [...sizes].reduce((total, size) => total + size, 0);

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

test("a page of the package links to nothing that is not in the package", async () => {
  for (const page of ["README.md", "CHANGELOG.md"]) {
    const text = await readFile(join(installed, page), "utf8");
    expect(linksOf(text).filter((target) => !/^(?:https:|#)/.test(target))).toEqual([]);
    // After the pack, the page of the checkout is as it was.
    expect(await readFile(join(source, page), "utf8")).toBe(await readFile(join(root, page), "utf8"));
  }
});

test("each of the dependencies is imported by a file of the package, and nothing else is", async () => {
  const { dependencies, peerDependencies, scripts } = JSON.parse(
    await readFile(join(installed, "package.json"), "utf8"),
  ) as Record<"dependencies" | "peerDependencies" | "scripts", Record<string, string>>;
  const modules = (await readdir(installed, { recursive: true })).filter((file) =>
    /\.js$|\.d\.ts$/.test(file),
  );
  const imported = new Set<string>();
  for (const file of modules)
    for (const name of importsIn(await readFile(join(installed, file), "utf8")))
      if (!name.startsWith(".") && !isBuiltin(name))
        imported.add(/^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
  imported.delete("infrasync");
  expect([...imported].toSorted()).toEqual(Object.keys({ ...dependencies, ...peerDependencies }).toSorted());
  // npm would warn whoever installs the package about a script that it runs.
  expect(Object.keys(scripts).filter((name) => /^(?:pre|post)?(?:install|prepare)$/.test(name))).toEqual([]);
});

test("the bill of materials names each package that the bundles have the licence of", async () => {
  const { components } = JSON.parse(await readFile(join(installed, "dist/infrasync.cdx.json"), "utf8")) as {
    components: { name: string; version: string }[];
  };
  const licences = await Promise.all(
    ["dist", "dist/provider"].map((name) => readFile(join(installed, name, "LICENSES.txt"), "utf8")),
  );
  const named = components.map(({ name, version }) => `${name} ${version}: `);
  expect(named).toEqual(
    expect.arrayContaining([expect.stringMatching(/^fastify /), expect.stringMatching(/^pg /)]),
  );
  expect(named.filter((name) => !licences.some((text) => text.includes(name)))).toEqual([]);
  const ofLicences = licences.flatMap(
    (text) => text.match(/^(?:@[\w.-]+\/)?[\w.-]+ \d+\.\d+\.\d+\S*: (?=\S+$)/gm) ?? [],
  );
  expect(ofLicences.filter((name) => !named.includes(name))).toEqual([]);
});

test("the package is what its exports and programs need: no tests, no tools, no source maps, no pages but three", async () => {
  const files = [...(await sizesBelow(installed)).keys()].map((file) => relative(installed, file));
  expect(files.filter((file) => !file.startsWith("dist/")).toSorted()).toEqual([
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "package.json",
  ]);
  expect(new Set((await readdir(join(installed, "dist"))).filter((name) => !name.includes(".")))).toEqual(
    new Set(["chunks", "cli", "core", "emulator", "provider", "schemas"]),
  );
  expect(files.filter((file) => !/\.(?:js|d\.ts|json|txt|md)$|^LICENSE$/.test(file))).toEqual([]);
  // Files below it would look for `infrasync` there.
  expect(files).not.toContain("dist/package.json");
  const schema = await readFile(join(installed, "dist/schemas/job.schema.json"), "utf8");
  expect(schema).toBe(JSON.stringify(JSON.parse(schema)));
});

test("the package brings at most 45 packages, and takes at most 3 MB to download, 13 MB unpacked, and 20 MB with its dependencies", async () => {
  const megabyte = 1_000_000;
  const lock = JSON.parse(await readFile(join(user, "node_modules/.package-lock.json"), "utf8")) as {
    packages: Record<string, object>;
  };
  const packages = Object.keys(lock.packages);
  expect(packages.length).toBeLessThanOrEqual(45);
  // Pulumi is there only for those who use it.
  expect(packages.filter((name) => name.includes("@pulumi"))).toEqual([]);
  expect((await stat(tarball)).size).toBeLessThan(3 * megabyte);
  expect(sum((await sizesBelow(installed)).values())).toBeLessThan(13 * megabyte);
  expect(sum((await sizesBelow(join(user, "node_modules"))).values())).toBeLessThan(20 * megabyte);
});

test("in an empty project npx has a plan", async () => {
  const emulator = await createEmulator();
  const env = { ...process.env, INFRASYNC_BASE_URL: emulator.url, INFRASYNC_TOKEN: emulator.tokens.admin };
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
