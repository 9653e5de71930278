// Bundles programs: each becomes a few files that contain everything it imports. Node resolves every module of a program by itself, and
// resolving the 600 modules of the command line takes as long as a small plan. Each `import()` starts a separate file, which is loaded on
// demand. Source maps lead a stack trace back to the sources.
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { decode, encode } from "@jridgewell/sourcemap-codec";
import { type OutputChunk, type Plugin, rolldown } from "rolldown";

const checkout = path.join(import.meta.dirname, "..");
const { version: ownVersion } = JSON.parse(await readFile(path.join(checkout, "package.json"), "utf8")) as {
  version: string;
};

/** The command line. */
export const commandLine = { main: "cli/main.ts" };

/** The program of the GitHub Action. */
export const action = { index: "cli/action.ts" };

/** The program of the single executable. */
export const binary = { main: "cli/binary.ts" };

/** The plugin of Pulumi. */
export const plugin = { main: "provider/plugin/main.ts" };

/**
 * Bundles the programs that every command loads anew into the folder of the compiled package: `cli/main.js`, and
 * `provider/lifecycle/index.js` and `provider/plugin/main.js`, which the Pulumi engine starts in processes of their own.
 */
export async function bundlePackage(folder: string): Promise<void> {
  // The bundles contain what the compiler has written here; `dynamic/` uses one file of it.
  for (const room of ["lifecycle", "plugin"])
    for (const file of await readdir(path.join(folder, "provider", room), { recursive: true }))
      if (file.endsWith(".js") && file !== "internal.js") await rm(path.join(folder, "provider", room, file));
  // The emulator and the page of the reconciler start a server; it is a dependency of the package, and a tenth of its size.
  await bundle(commandLine, path.join(folder, "cli"), { external: ["fastify"] });

  await bundle(
    { "lifecycle/index": "provider/lifecycle/index.ts", "plugin/main": plugin.main },
    path.join(folder, "provider"),
  );
}

/**
 * Writes bundled programs into a folder, with `LICENSES.txt` of the packages in them.
 *
 * @param programs program name -> path of its source, relative to the checkout; NAME.js is the bundled program
 * @param options `isSmall` for programs to download: shortened names, and no source maps; `isOneFile`: all in one file, without
 *   modules of the front ends that nothing in it uses; `format`: of the modules; `external`: packages that are left out, and installed
 *   beside the bundle
 * @throws for anything the bundler would only warn about, such as an import that resolves to no file
 */
export async function bundle(
  programs: Record<string, string>,
  folder: string,
  {
    isSmall = false,
    isOneFile = false,
    format = "esm",
    external = [],
  }: { isSmall?: boolean; isOneFile?: boolean; format?: "esm" | "cjs"; external?: string[] } = {},
): Promise<void> {
  const build = await rolldown({
    cwd: checkout,
    input: programs,
    external,
    platform: "node",
    plugins: [withStandIns, withoutImportsOfNode, withLateFormatters],
    // No file of the project does anything when it is imported, except programs: files that nothing uses are left out.
    treeshake: {
      moduleSideEffects: [
        { test: /\/(?:core|git|forge|web|cli|reconciler|provider|emulator)\//, sideEffects: false },
      ],
    },
    // A slow machine is no reason to fail.
    checks: { pluginTimings: false },
    onLog: (_level, { message }) => {
      throw new Error(message);
    },
  });
  const { output } = await build.write({
    dir: folder,
    format,
    sourcemap: !isSmall,
    minify: true,
    ...(isOneFile
      ? { codeSplitting: false }
      : { codeSplitting: together, chunkFileNames: "[name]-[hash].js" }),
  });
  await build.close();
  for (const file of output)
    if (file.type === "asset" && file.fileName.endsWith(".map"))
      await lighten(path.join(folder, file.fileName));
  const chunks = output.filter((file) => file.type === "chunk");
  refuseImportsOfPrograms(chunks);
  await writeFile(path.join(folder, "LICENSES.txt"), await licencesOf(chunks));
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

/** Modules in whose place a bundle has other code, wherever they are imported or in some packages only. */
const standIns: readonly { module: RegExp; from?: RegExp; code: string }[] = [
  {
    // The parser of the command line loads it for subcommands that are programs of their own. infrasync has none.
    module: /^node:child_process$/,
    from: /\/commander\//,
    code: "export default {};",
  },
  // Cryptography, TLS and decompression take half of the time of a bare start: they are loaded where they are needed.
  {
    module: /^node:crypto$/,
    from: /\/(?:core|git|forge|web|cli|reconciler|provider|emulator|got)\//,
    code: ["createHash", "createHmac", "randomBytes", "randomUUID", "timingSafeEqual"]
      .map(
        (name) =>
          `export const ${name} = (...values) => process.getBuiltinModule("node:crypto").${name}(...values);`,
      )
      .join("\n"),
  },
  {
    module: /^node:https$/,
    code: `const https = () => process.getBuiltinModule("node:https");
export function Agent(options) { return new (https().Agent)(options); }
export const request = (...values) => https().request(...values);
export default { request, Agent, get globalAgent() { return https().globalAgent; } };`,
  },
  {
    module: /^node:tls$/,
    from: /\/got\//,
    code: `export const checkServerIdentity = (...values) => process.getBuiltinModule("node:tls").checkServerIdentity(...values);
export default {};`,
  },
  {
    module: /^node:zlib$/,
    from: /\/(?:got|decompress-response)\//,
    code: `const names = ["createBrotliDecompress", "createInflateRaw", "createUnzip", ...("zstd" in process.versions ? ["createZstdDecompress"] : [])];
export default Object.fromEntries(names.map((name) => [name, (...values) => process.getBuiltinModule("node:zlib")[name](...values)]));`,
  },
  // What the HTTP client (got) has for HTTP/2, which infrasync does not ask for, for caches, which it does not give,
  // and for listeners of diagnostics, which it does not have.
  { module: /^node:http2$/, code: "export class Http2ServerResponse {}\nexport const constants = {};" },
  { module: /^\.\/utils\/http2-client\.js$/, code: "export default {};" },
  { module: /^\.\/utils\/dns-cache\.js$/, code: "export default class {}" },
  {
    module: /^cacheable-request$/,
    code: "export default class {}\nexport class CacheError extends Error {}",
  },
  {
    module: /\/diagnostics-channel\.js$/,
    from: /\/got\//,
    code: [
      "generateRequestId",
      "publishRequestCreate",
      "publishRequestStart",
      "publishResponseStart",
      "publishResponseEnd",
      "publishRetry",
      "publishError",
      "publishRedirect",
    ]
      .map((name) => `export const ${name} = () => undefined;`)
      .join("\n"),
  },
  {
    // The gRPC library loads `.proto` files only for services that its users add for diagnosis. infrasync adds none.
    module: /^@grpc\/proto-loader$/,
    code: `export function loadSync() { throw new Error("@grpc/proto-loader is not in the bundle"); }`,
  },
  {
    // A bundle can be anywhere; the sources read the file.
    module: /\/version\.ts$/,
    code: `export const packageVersion = () => ${JSON.stringify(ownVersion)};`,
  },
];

const withStandIns: Plugin = {
  name: "stand-ins",
  resolveId(source, importer = "") {
    const index = standIns.findIndex(
      ({ module, from }) => module.test(source) && (from?.test(importer) ?? true),
    );
    return index === -1 ? undefined : `\0stand-in:${index}:${source}`;
  },
  load(id) {
    const [, index] = /^\0stand-in:(\d+):/.exec(id) ?? [];
    return index === undefined ? undefined : standIns[Number(index)]?.code;
  },
};

/**
 * The HTTP client checks types with a library that makes two formatters of lists when it is loaded, for the message of a wrong type. That
 * takes a twentieth of the time of a small plan. In a bundle they are made for the message.
 */
const withLateFormatters: Plugin = {
  name: "late-formatters",
  transform(code, id) {
    if (!id.endsWith("/@sindresorhus/is/distribution/index.js")) return undefined;
    const changed = code.replaceAll("new Intl.ListFormat(", "lateFormatter(");
    if (changed === code) throw new Error(`${id} makes no formatters: this plugin is not needed any more`);
    const late = `function lateFormatter(...values) { return { format: (list) => new Intl.ListFormat(...values).format(list) }; }`;
    // The lines stay where they are.
    return { code: `${changed}\n${late}`, map: null };
  },
};

/** Modules of Node with functions only, that load many more: this one loads what asks people questions at a terminal. */
const late: ReadonlySet<string> = new Set(["node:fs/promises"]);

/**
 * Importing a module of Node makes it evaluate all exports of the module, and some of these load more modules: a WebSocket client, Web
 * Crypto, the workers, a parser of arguments. That takes a tenth of the time of a small plan. A bundle takes the same modules without
 * importing them, and of their exports only those that it uses. (A program that refuses an old Node imports them: that one has no such
 * function.) The functions of `late` modules are taken when they are called.
 */
const withoutImportsOfNode: Plugin = {
  name: "without-imports-of-node",
  renderChunk(code, { moduleIds }, { format }) {
    if (format !== "es" || moduleIds.some((id) => id.endsWith("/core/old-node.ts"))) return undefined;
    // Each import is a line of its own; the places of all other code stay.
    const changed = code.replaceAll(
      /^import (?:([\w$]+|\* as [\w$]+)(?:, )?)?(?:\{ (.*) \} )? ?from "(node:[\w/]+)";$/gm,
      (_line, whole: string | undefined, named: string | undefined, name: string) => {
        const from = `globalThis.process.getBuiltinModule("${name}")`;
        if (late.has(name) && whole === undefined)
          return (named ?? "")
            .split(", ")
            .map((each) => each.split(" as "))
            .map(([its = "", own = its]) => `const ${own} = (...values) => ${from}.${its}(...values);`)
            .join(" ");
        return [
          ...(whole === undefined ? [] : [`const ${whole.replace("* as ", "")} = ${from};`]),
          ...(named === undefined ? [] : [`const { ${named.replaceAll(" as ", ": ")} } = ${from};`]),
        ].join(" ");
      },
    );
    return { code: changed, map: null };
  },
};

/**
 * Each of these files of the bundle contains a source and whatever that needs and no earlier one contains. All other sources are shared
 * out by the `import()`s that lead to them, into many small files; but Node takes as long to find and link one as to read a hundred
 * kilobytes, and these few are needed by nearly every command. For the same reason, the commands that people type most `import()` one
 * module of their own, which imports the rest.
 */
const together = {
  groups: [
    "cli/process.ts",
    "cli/program.ts",
    "cli/engine/complete-addresses.ts",
    "cli/engine/validate-manifests.ts",
    "cli/engine/plan-manifests.ts",
  ].map((source, index, { length }) => ({
    name: path.basename(source, ".ts"),
    // Stand-ins are small, and shared: elsewhere they would make the files that need one load each other.
    test: (id: string) => id === path.join(checkout, source) || (index === 0 && id.startsWith("\0stand-in:")),
    priority: length - index,
  })),
};

/**
 * Leaves in a source map what a stack trace needs, which is a quarter: files and lines of the project. Texts, columns within a line, and
 * the lines of packages go.
 */
async function lighten(file: string): Promise<void> {
  const map = JSON.parse(await readFile(file, "utf8")) as { sources: string[]; mappings: string };
  const isOurs = map.sources.map((source) => !source.includes("node_modules"));
  const lines = decode(map.mappings).map((segments) => {
    const placed = segments.filter((segment) => segment.length > 1);
    return placed.filter(([, source = 0, line], index) => {
      const [, sourceBefore = 0, lineBefore] = placed[index - 1] ?? [];
      return index === 0 || source !== sourceBefore || (isOurs[source] === true && line !== lineBefore);
    });
  });
  await writeFile(
    file,
    JSON.stringify({ ...map, sourcesContent: undefined, names: [], mappings: encode(lines) }),
  );
}

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
