// Bundles programs: each becomes a few files that contain everything it imports. Node resolves every module of a program by itself, and
// resolving the 600 modules of the command line takes as long as a small plan. Each `import()` starts a separate file, which is loaded on
// demand. No module is changed or left out: what the bundle contains is what runs from the sources too.
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { type OutputChunk, rolldown } from "rolldown";
import { makeChecks } from "./checks.ts";

const checkout = path.join(import.meta.dirname, "..");

/** The command line. */
export const commandLine = { main: "cli/main.ts" };

/** The program of the GitHub Action. */
export const action = { index: "cli/action.ts" };

/** The program of the single executable. */
export const binary = { main: "cli/binary.ts" };

/** The plugin of Pulumi. */
export const plugin = { main: "provider/plugin/main.ts" };

/** The program of the plugin as one executable. */
export const pluginBinary = { main: "provider/plugin/binary.ts" };

/**
 * Bundles the programs that every command loads anew into the folder of the compiled package: `cli/main.js`, and
 * `provider/lifecycle/calls.js` and `provider/plugin/main.js`, which the Pulumi engine starts in processes of their own.
 */
export async function bundlePackage(folder: string): Promise<void> {
  // The bundle contains what the compiler has written here; `dynamic/` uses one file of it.
  const lifecycle = path.join(folder, "provider", "lifecycle");
  for (const file of await readdir(lifecycle, { recursive: true }))
    if (file.endsWith(".js") && file !== "internal.js") await rm(path.join(lifecycle, file));
  // The client of the database is no dependency of the package: the bundle has it.
  await rm(path.join(folder, "database"), { recursive: true, force: true });
  // The emulator and the page of the reconciler start a server; it is a dependency of the package, and a tenth of its size.
  await bundle(commandLine, path.join(folder, "cli"), { external: ["fastify"] });

  await bundle(
    { "lifecycle/calls": "provider/lifecycle/calls.ts", "plugin/main": plugin.main },
    path.join(folder, "provider"),
    // Pulumi reads source maps in a way of its own, and does not end where it cannot.
    { form: "readable" },
  );
}

/**
 * The way from a stack trace to the sources: by source maps beside short names; not at all, for what is downloaded at each run; by names,
 * lines and comments that stay as they are.
 */
type Form = "mapped" | "small" | "readable";

/**
 * Writes bundled programs into a folder, with `LICENSES.txt` of the packages in them.
 *
 * @param programs program name -> path of its source, relative to the checkout; NAME.js is the bundled program
 * @param options `isOneFile`: all in one file, without modules of the front ends that nothing in it uses; `format`: of the modules;
 *   `external`: packages that are left out, and installed beside the bundle
 * @returns the packages whose code is in the programs
 * @throws for anything the bundler would only warn about, such as an import that resolves to no file
 */
export async function bundle(
  programs: Record<string, string>,
  folder: string,
  {
    form = "mapped",
    isOneFile = false,
    format = "esm",
    external = [],
  }: { form?: Form; isOneFile?: boolean; format?: "esm" | "cjs"; external?: string[] } = {},
): Promise<BundledPackage[]> {
  await makeChecks();
  const build = await rolldown({
    cwd: checkout,
    input: programs,
    // The gRPC library loads `.proto` files only for services that its users add for diagnosis, and pg its native form only for
    // who asks for that. infrasync does neither.
    external: [...external, "@grpc/proto-loader", "pg-native", "cloudflare:sockets"],
    platform: "node",
    // No file of the project does anything when it is imported, except programs: files that nothing uses are left out.
    treeshake: {
      moduleSideEffects: [
        {
          test: /\/(?:core|database|git|forge|web|probe|cli|reconciler|provider|emulator)\//,
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
    sourcemap: form === "mapped",
    // A stack trace needs places, not texts.
    sourcemapExcludeSources: true,
    minify: form !== "readable",
    ...(isOneFile
      ? { codeSplitting: false }
      : { codeSplitting: together, chunkFileNames: "[name]-[hash].js" }),
  });
  await build.close();
  const chunks = output.filter((file) => file.type === "chunk");
  refuseImportsOfPrograms(chunks);
  const packages = await packagesIn(chunks);
  await writeFile(path.join(folder, "LICENSES.txt"), licencesOf(packages));
  return packages;
}

/**
 * Code that programs share is in files of its own: what is put into a program would start it wherever it is needed.
 *
 * @throws where a file imports a program. `index` is the name of what other files may import
 */
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

/**
 * Each of these files of the bundle contains a source and whatever that needs and no earlier one contains. All other sources are shared
 * out by the `import()`s that lead to them, into many small files; but Node takes as long to find and link one as to read a hundred
 * kilobytes, and these few are needed by nearly every command.
 */
const together = {
  groups: [
    // The program itself needs it, before it loads anything else.
    "core/own-folder.ts",
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

/** A package whose code is in a bundle. */
export interface BundledPackage {
  name: string;
  version: string;
  /** As in its package.json, such as `MIT`. */
  license: string;
  licenceText: string;
}

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

/** The licence texts that must accompany the code of bundled packages. */
export function licencesOf(packages: readonly BundledPackage[]): string {
  const texts = packages.map(
    ({ name, version, license, licenceText }) => `${name} ${version}: ${license}\n\n${licenceText}`,
  );
  return `The files in this folder contain these packages.\n\n${texts.join("\n")}`;
}
