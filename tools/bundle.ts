// Bundles programs: each becomes a few files that contain everything it imports. Node resolves every module of a
// program by itself, and resolving the 600 modules of the command line takes as long as a small plan. Each `import()`
// starts a separate file, which is loaded on demand. No module is changed or omitted: the bundle contains the same code
// that runs from the sources.
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { type OutputChunk, rolldown } from "rolldown";
import { billOfMaterials, type BundledPackage, licencesOf } from "./bill-of-materials.ts";
import { makeChecks } from "./checks.ts";
import { knownCommitOf } from "./commit.ts";
import { sourceFolders } from "./source-folders.ts";

const checkout = path.join(import.meta.dirname, "..");

export const commandLine = { "cli/main": "cli/main.ts", "emulator/index": "emulator/index.ts" };

/** The programs that the Pulumi engine starts, apart, because shared files would load half of the command line. */
const ofPulumi = {
  "lifecycle/calls": "provider/lifecycle/calls.ts",
  "plugin/main": "provider/plugin/main.ts",
};

export const action = { index: "cli/action.ts" };

export const binary = { main: "cli/binary.ts" };

export const plugin = { main: "provider/plugin/main.ts" };

export const pluginBinary = { main: "provider/plugin/binary.ts" };

/** The form of all bundles: small, with the names of functions, which stack traces show. */
const minify = { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } };

/** The ES modules of OpenTelemetry, which its packages name only for bundlers; unused code can be removed from them. */
const modulesOfOpenTelemetry = {
  "@opentelemetry/core": "@opentelemetry/core/build/esm/index.js",
  "@opentelemetry/otlp-transformer": "@opentelemetry/otlp-transformer/build/esm/index.js",
  "@opentelemetry/resources": "@opentelemetry/resources/build/esm/index.js",
  "@opentelemetry/sdk-trace-base": "@opentelemetry/sdk-trace-base/build/esm/index-shim.js",
};

/** Bundles the programs of the package into its folder, with the licences and the bill of materials. */
export async function bundlePackage(folder: string): Promise<void> {
  const bundles = [await bundle(commandLine, folder), await bundle(ofPulumi, path.join(folder, "provider"))];
  const packages = new Map(
    bundles.flatMap((each) => each.packages).map((each) => [`${each.name}@${each.version}`, each]),
  );
  const bill = billOfMaterials([...packages.values()]);
  await writeFile(path.join(folder, "infrasync.cdx.json"), bill);
}

/** Bundles programs (name -> source) with `LICENSES.txt`; `isOneFile`: without unused modules. Throws for a warning too. */
export async function bundle(
  programs: Record<string, string>,
  folder: string,
  { isOneFile = false, format = "esm" }: { isOneFile?: boolean; format?: "esm" | "cjs" } = {},
) {
  await makeChecks();
  const commit = knownCommitOf(checkout);
  const build = await rolldown({
    cwd: checkout,
    input: programs,
    // The gRPC library loads `.proto` files only for services for diagnosis, and pg its native form only on demand.
    // infrasync needs neither.
    external: ["@grpc/proto-loader", "pg-native", "cloudflare:sockets"],
    platform: "node",
    // In their modules the bundler sees unused code; `main` names another form.
    resolve: { alias: modulesOfOpenTelemetry },
    // The only constant that a bundle has and the sources do not: the running commit.
    transform: { define: commit === undefined ? {} : { infrasyncCommit: JSON.stringify(commit) } },
    // No file of the project does anything when it is imported, except programs, so unused files are omitted.
    treeshake: {
      moduleSideEffects: [
        {
          test: new RegExp(`^(?!.*/(?:node_modules/|refuse-old-node)).*/(?:${sourceFolders.join("|")})/`),
          sideEffects: false,
        },
      ],
    },
    // A slow machine must not fail the build.
    checks: { pluginTimings: false },
    onLog: (_level, { message }) => {
      throw new Error(message);
    },
  });
  const { output } = await build.write({
    dir: folder,
    format,
    minify,
    ...(isOneFile
      ? { codeSplitting: false }
      : { codeSplitting: together, chunkFileNames: "chunks/[name]-[hash].js" }),
  });
  await build.close();
  const chunks = output.filter((file) => file.type === "chunk");
  refuseImportsOfPrograms(chunks);
  const packages = await packagesIn(chunks);
  await writeFile(path.join(folder, "LICENSES.txt"), licencesOf(packages));
  return { packages, modules: new Map(chunks.map(({ fileName, moduleIds }) => [fileName, moduleIds])) };
}

/** Shared code is in files of its own: importing the file of a program, other than `index`, would start that program. */
function refuseImportsOfPrograms(chunks: readonly OutputChunk[]): void {
  const programs = new Set(
    chunks.flatMap(({ isEntry, name, fileName }) =>
      isEntry && path.basename(name) !== "index" ? [fileName] : [],
    ),
  );
  for (const { fileName, imports, dynamicImports } of chunks)
    for (const imported of [...imports, ...dynamicImports])
      if (imported !== fileName && programs.has(imported))
        throw new Error(`${fileName} imports the program ${imported}`);
}

/** These files contain a source with its dependencies, because Node takes as long to link a small file as to read a hundred kilobytes. */
const together = {
  groups: [
    // The program itself needs it, before it loads anything else.
    "core/files/own-folder.ts",
    // So that it runs before what an old Node cannot run.
    "emulator/refuse-old-node.ts",
    "cli/process.ts",
    "cli/program.ts",
    "cli/commands/complete.ts",
    "cli/commands/validate.ts",
    "cli/commands/plan.ts",
  ].map((source, index, { length }) => ({
    name: path.basename(source, ".ts"),
    test: (id: string) => id === path.join(checkout, source),
    priority: length - index,
  })),
};

async function packagesIn(chunks: readonly OutputChunk[]): Promise<BundledPackage[]> {
  const folders = new Set(
    chunks
      .flatMap(({ moduleIds }) => moduleIds)
      .flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []),
  );
  return Promise.all([...folders].toSorted().map(packageIn));
}

async function packageIn(folder: string): Promise<BundledPackage> {
  const { name, version, license } = JSON.parse(
    await readFile(path.join(folder, "package.json"), "utf8"),
  ) as BundledPackage;
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const licenceText = file === undefined ? "" : await readFile(path.join(folder, file), "utf8");
  return { name, version, license, licenceText };
}
