import { execFile } from "node:child_process";
import { chmod, copyFile, mkdir, mkdtempDisposable, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs, promisify } from "node:util";
import type { BundledPackage } from "./bill-of-materials.ts";
import { bundle } from "./bundle.ts";

const run = promisify(execFile);

/** The place where Node looks for a program in its own executable. */
const place = [
  "--sentinel-fuse",
  "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2",
  "--macho-segment-name",
  "NODE_SEA",
];

export interface Target {
  node: string;
  target: string;
}

export const ownTarget: Target = { node: process.execPath, target: `${process.platform}-${process.arch}` };

/** The machine of `--node FILE --target SYSTEM-PROCESSOR`; default: this one. @throws for a wrong command line of the script */
export function targetRequested(script: string, args: string[]): Target {
  const { values } = parseArgs({ args, options: { node: { type: "string" }, target: { type: "string" } } });
  const { node, target } = values;
  if (node !== undefined && target !== undefined) return { node, target };
  if (node === undefined && target === undefined) return ownTarget;
  throw new Error(`usage: npm run ${script} [-- --node FILE --target SYSTEM-PROCESSOR]`);
}

/** Writes a program as one executable with Node in it, and returns the packages in it. */
export async function buildExecutable(
  file: string,
  program: { main: string },
  { node, target }: Target,
): Promise<BundledPackage[]> {
  await mkdir(path.dirname(file), { recursive: true });
  await rm(file, { force: true });
  await copyFile(node, file);
  await chmod(file, 0o755);
  // Names of functions within Node are an eighth of it, and only a debugger needs them.
  if (target === ownTarget.target && process.platform === "linux") await run("strip", [file]);
  if (target.startsWith("darwin") && process.platform === "darwin")
    await run("codesign", ["--remove-signature", file]);
  await using folder = await mkdtempDisposable(path.join(tmpdir(), "infrasync-binary-"));
  const { packages } = await bundle(program, folder.path, { isOneFile: true, format: "cjs" });
  const postject = path.join(import.meta.dirname, "..", "node_modules", "postject", "dist", "cli.js");
  const injected = await preparation(folder.path, target);
  await run(process.execPath, [postject, file, "NODE_SEA_BLOB", injected, ...place]);
  // macOS runs signed programs only.
  if (target.startsWith("darwin") && process.platform === "darwin")
    await run("codesign", ["--sign", "-", file]);
  return packages;
}

/** The file to inject: the bundle, compiled if this machine can do that. */
async function preparation(folder: string, target: string): Promise<string> {
  const settings = {
    // Relative, since stack traces contain it.
    main: "main.js",
    output: "main.blob",
    disableExperimentalSEAWarning: true,
    // Only the same version on the same processor can read V8's compiled code, which halves the start.
    useCodeCache: target === ownTarget.target,
  };
  await writeFile(path.join(folder, "settings.json"), JSON.stringify(settings));
  await run(process.execPath, ["--experimental-sea-config", "settings.json"], { cwd: folder });
  return path.join(folder, settings.output);
}
