// What the commands that people type most load from the bundle: an import that somebody adds elsewhere must not slow their start unseen.
import { execFile } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../emulator/index.ts";
import { bundle, commandLine } from "../../tools/bundle.ts";
import { removeFolder } from "../fixtures/remove-folder.ts";

let emulator: Emulator;
let folder = "";
/** The sources of each file of the bundle. */
let modules: Awaited<ReturnType<typeof bundle>>["modules"];

beforeAll(async () => {
  emulator = await createEmulator();
  folder = await mkdtemp(path.join(tmpdir(), "infrasync-loads-"));
  ({ modules } = await bundle(commandLine, path.join(folder, "bundle")));
  await writeFile(path.join(folder, "shop.yaml"), "kind: Project\nname: shop\n");
  await run(["apply", "shop.yaml", "--yes"]);
});
afterAll(async () => {
  await emulator.close();
  await removeFolder(folder);
});

/** Prints, at the end of a process, the files that it has loaded and the modules of Node. */
const preload = `import { registerHooks } from "node:module";
const files = [];
const earlier = new Set(process.moduleLoadList);
registerHooks({ load(url, context, next) { files.push(url); return next(url, context); } });
process.on("exit", () => {
  const builtins = process.moduleLoadList.filter((name) => !earlier.has(name)).map((name) => name.replace("NativeModule ", ""));
  process._rawDebug("LOADED" + JSON.stringify({ files, builtins }));
});`;

async function run(args: readonly string[]) {
  const hooks = ["--import", `data:text/javascript,${encodeURIComponent(preload)}`];
  const program = path.join(folder, "bundle", "cli", "main.js");
  const { stderr } = await promisify(execFile)(process.execPath, [...hooks, program, ...args], {
    cwd: folder,
    env: {
      ...process.env,
      INFRASYNC_BASE_URL: emulator.url,
      INFRASYNC_TOKEN: emulator.tokens.admin,
      XDG_CACHE_HOME: folder,
    },
  });
  const { files, builtins } = JSON.parse(/^LOADED(.*)$/m.exec(stderr)?.[1] ?? "{}") as {
    files: string[];
    builtins: string[];
  };
  const ours = files.filter((url) => url.startsWith("file:")).map((url) => fileURLToPath(url));
  const sources = ours.flatMap((file) => modules.get(path.relative(path.join(folder, "bundle"), file)) ?? []);
  return {
    sources,
    packages: [
      ...new Set(sources.flatMap((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? [])),
    ].toSorted(),
    folders: new Set(
      sources.flatMap((source) => {
        const [, two, three] = /((?:core|cli|reconciler)\/[^/]+)(\/[^/]+)?\//.exec(source) ?? [];
        return two === undefined ? [] : [two, `${two}${three}`];
      }),
    ),
    builtins: new Set(builtins),
  };
}

/** Modules of Node that only requests need. */
const network = ["http", "https", "tls", "dns", "zlib"];

/** What ajv has to turn a schema into code, which a build has done. */
const compiler = /\/ajv\/dist\/(?!runtime\/)/;

test("a plan without changes loads no compiler of schemas", async () => {
  const { packages, sources } = await run(["plan", "shop.yaml"]);
  expect(sources.filter((source) => compiler.test(source))).toEqual([]);
  for (const name of ["diff", "typebox", "ora", "pino", "fastify"]) expect(packages).not.toContain(name);
  // It does what a plan does.
  expect(packages).toContain("got");
});

test("validate loads nothing that sends requests", async () => {
  const { packages, sources, builtins } = await run(["validate", "shop.yaml"]);
  expect(sources.filter((source) => compiler.test(source))).toEqual([]);
  for (const name of ["got", "p-queue"]) expect(packages).not.toContain(name);
  for (const name of network) expect(builtins).not.toContain(name);
  expect(packages).toContain("croner");
});

test("a completion from the cache loads nothing that reads manifests, plans or sends requests", async () => {
  await run(["complete", "sh"]);
  const { packages, folders, builtins } = await run(["complete", "sh"]);
  for (const name of ["yaml", "ajv", "croner", "got", "p-queue"]) expect(packages).not.toContain(name);
  for (const unused of ["core/manifests/manifest", "core/planning/plan", "core/operations"])
    expect(folders).not.toContain(unused);
  for (const name of network) expect(builtins).not.toContain(name);
  expect(folders).toContain("core/model/kinds");
});
