// Bundles programs: each becomes a few files that contain everything it imports. Node resolves every module of a program by itself, and
// resolving the 600 modules of the command line takes as long as a small plan. Each `import()` starts a separate file, which is loaded on
// demand. Source maps lead a stack trace back to the sources.
// As a script (the second half of `npm run build`): `node tools/bundle.ts FOLDER` bundles the programs that the package starts into the
// folder of the compiled package.
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type OutputChunk, type Plugin, rolldown } from "rolldown";

const checkout = path.join(import.meta.dirname, "..");

/** The command line. */
export const commandLine = { main: "cli/main.ts" };

/** The program of the GitHub Action. */
export const action = { index: "cli/action.ts" };

/** The plugin of Pulumi. */
export const plugin = { main: "provider/plugin/main.ts" };

/**
 * Bundles the programs that every command loads anew into the folder of the compiled package: `cli/main.js`, and
 * `provider/lifecycle/index.js` and `provider/plugin/main.js`, which the Pulumi engine starts in processes of their own.
 */
export async function bundlePackage(folder: string): Promise<void> {
  await bundle(commandLine, path.join(folder, "cli"));
  await bundle({ index: "provider/lifecycle/index.ts" }, path.join(folder, "provider", "lifecycle"));
  await bundle(plugin, path.join(folder, "provider", "plugin"));
}

/**
 * Writes bundled programs into a folder, with `LICENSES.txt` of the packages in them.
 *
 * @param programs program name -> path of its source, relative to the checkout; NAME.js is the bundled program
 * @param options `isSmall` for programs to download: shortened names, and no source maps; `isOneFile`: all in one file, without
 *   modules of the front ends that nothing in it uses
 * @throws for anything the bundler would only warn about, such as an import that resolves to no file
 */
export async function bundle(
  programs: Record<string, string>,
  folder: string,
  { isSmall = false, isOneFile = false }: { isSmall?: boolean; isOneFile?: boolean } = {},
): Promise<void> {
  const build = await rolldown({
    cwd: checkout,
    input: programs,
    platform: "node",
    plugins: [plainHttp, noProtoLoader],
    ...(isOneFile && {
      treeshake: { moduleSideEffects: [{ test: /\/(?:cli|reconciler)\//, sideEffects: false }] },
    }),
    // A slow machine is no reason to fail.
    checks: { pluginTimings: false },
    onLog: (_level, { message }) => {
      throw new Error(message);
    },
  });
  const { output } = await build.write({
    dir: folder,
    format: "esm",
    sourcemap: !isSmall,
    minify: isSmall,
    ...(isOneFile ? { codeSplitting: false } : { chunkFileNames: "[name]-[hash].js" }),
  });
  await build.close();
  const chunks = output.filter((file) => file.type === "chunk");
  await writeFile(path.join(folder, "LICENSES.txt"), await licencesOf(chunks));
}

/**
 * Importing `node:http` makes Node evaluate all exports of the module. One of them loads a WebSocket client, which infrasync does not use
 * and which takes a tenth of the time of a small plan.
 */
const plainHttp: Plugin = {
  name: "plain-http",
  resolveId: (source) => (/^(?:node:)?http$/.test(source) ? "\0plain-http" : undefined),
  load: (id) =>
    id === "\0plain-http"
      ? `const http = process.getBuiltinModule("node:http");
export default http;
export const { Agent, ClientRequest, createServer, IncomingMessage, METHODS, request, ServerResponse, STATUS_CODES, validateHeaderName, validateHeaderValue } = http;`
      : undefined,
};

/** The gRPC library loads `.proto` files only for services that its users add for diagnosis. infrasync adds none. */
const noProtoLoader: Plugin = {
  name: "no-proto-loader",
  resolveId: (source) => (source === "@grpc/proto-loader" ? "\0no-proto-loader" : undefined),
  load: (id) =>
    id === "\0no-proto-loader"
      ? `export function loadSync() { throw new Error("@grpc/proto-loader is not in the bundle"); }`
      : undefined,
};

/** The licence texts that must accompany the code of the bundled packages. */
async function licencesOf(chunks: readonly OutputChunk[]): Promise<string> {
  const folders = new Set(
    chunks
      .flatMap(({ moduleIds }) => moduleIds)
      .flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []),
  );
  const texts = await Promise.all([...folders].toSorted().map(licenceOf));
  return `The files in this folder contain these packages.\n\n${texts.join("\n")}`;
}

async function licenceOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(
    await readFile(path.join(folder, "package.json"), "utf8"),
  ) as {
    name: string;
    version: string;
    license: string;
  };
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? "" : await readFile(path.join(folder, file), "utf8");
  return `${name} ${version}: ${license}\n\n${text}`;
}

const [, script, folder] = process.argv;
if (script !== undefined && import.meta.url === pathToFileURL(script).href) {
  if (folder === undefined) throw new Error("usage: node tools/bundle.ts FOLDER");
  await bundlePackage(folder);
}
