import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundlePackage } from "../tools/bundle.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));

let folder = "";
/** A project that has only the package installed. */
let user = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "infrasync-package-"));
  const source = join(folder, "source");
  user = join(folder, "user");
  // A copy, because another test may use the build of the checkout.
  for (const name of ["package.json", "LICENSE", "schemas"])
    await cp(join(root, name), join(source, name), { recursive: true });
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  await run(process.execPath, [
    compiler,
    "--project",
    join(root, "tsconfig.build.json"),
    "--noCheck",
    "--outDir",
    join(source, "dist"),
  ]);
  await bundlePackage(join(source, "dist"));
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: source });
  const tarball = (await readdir(folder)).find((name) => name.endsWith(".tgz")) ?? "";
  await mkdir(user);
  await writeFile(
    join(user, "package.json"),
    JSON.stringify({ name: "user", private: true, type: "module" }),
  );
  await run(
    "npm",
    ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", join(folder, tarball)],
    { cwd: user },
  );
});
afterAll(() => rm(folder, { recursive: true }));

test("the installed command runs", async () => {
  const command = join(user, "node_modules/.bin/infrasync");
  expect((await run(command, ["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  await writeFile(join(user, "shop.yaml"), "kind: Project\nname: shop\n");
  expect((await run(command, ["validate", "shop.yaml"], { cwd: user })).stdout).toBe(
    "Valid: 1 document in 1 file.\n",
  );
});

test("the exports of the package can be imported, with their types", async () => {
  const program = `import { createClient, makePlan } from "infrasync";
import { createEmulator } from "infrasync/emulator";
import schema from "infrasync/schemas/job.schema.json" with { type: "json" };
import manifest from "infrasync/package.json" with { type: "json" };
const emulator = await createEmulator();
const client = createClient({ baseUrl: emulator.url, token: emulator.tokens.read, onQuota: "fail" });
const organizations = await client.list("/organization");
await emulator.close();
console.log(typeof makePlan, organizations.length, schema.title, manifest.name);
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
  await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), ...options], { cwd: user });
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
});
