/**
 * npm run sdks: writes the schema and SDKs of the plugin into dist-sdk/, as archives that the registries accept.
 * That for .NET is packed if `dotnet` is on the PATH. Needs Go and Python.
 */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtempDisposable, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { packageSchema } from "./schema/index.ts";
import { packageName, packageVersion } from "../../provider/plugin/types.ts";
import { publication } from "./schema/publication.ts";
import { exampleSections } from "./programs/index.ts";
import { generator, pinnedVersion, sdk } from "./build.ts";
import { findOnPath } from "./engine.ts";
import { goFolder, pythonFolder } from "./languages.ts";

const checkout = path.join(import.meta.dirname, "..", "..");
const version = packageVersion();

/** The path of the module for Go, as programs import it. */
const { goModule: module } = publication();

/** Writes all archives and their schema below a folder. @throws EngineMissingError without Go or Python */
export async function writeSdks(folder: string, report: (line: string) => void): Promise<void> {
  await using temporary = await mkdtempDisposable(path.join(tmpdir(), "infrasync-sdk-"));
  const scratch = temporary.path;
  const schema = path.join(folder, "pulumi.schema.json");
  await mkdir(folder, { recursive: true });
  await writeFile(schema, JSON.stringify(packageSchema(version, publication(), exampleSections())));
  const generated = async (language: "nodejs" | "python" | "go") => {
    const source = path.join(scratch, language);
    const generateSdk = path.join(await goFolder("languages", report), "generate-sdk");
    await run(generateSdk, [language, schema, source]);
    return source;
  };
  for (const name of ["npm", "pypi", "go", "nuget", "java"]) {
    await rm(path.join(folder, name), { recursive: true, force: true });
    await mkdir(path.join(folder, name), { recursive: true });
  }
  await packForNode(await generated("nodejs"), path.join(folder, "npm"));
  await packForPython(await generated("python"), path.join(folder, "pypi"), await pythonFolder(report));
  await packForGo(path.join(await generated("go"), packageName), path.join(folder, "go"), scratch);
  const generateOlder = path.join(await goFolder("older", report), "generate-older");
  const logo = path.join(checkout, "docs", "pictures", "logo.png");
  await run(generateOlder, ["dotnet", schema, path.join(folder, "nuget"), logo]);
  await packForDotnet(path.join(folder, "nuget"), report);
  await run(generateOlder, ["java", schema, path.join(folder, "java"), ""]);
}

/** Compiles the sources as their `npm run build` does, and packs the files for programs. */
async function packForNode(source: string, folder: string): Promise<void> {
  const modules = path.join(checkout, "node_modules");
  await symlink(modules, path.join(source, "node_modules"));
  await run(process.execPath, [path.join(modules, "typescript", "bin", "tsc"), "--project", source]);
  const built = path.join(source, "bin");
  for (const file of ["package.json", "README.md"]) await cp(path.join(source, file), path.join(built, file));
  await cp(path.join(checkout, "LICENSE"), path.join(built, "LICENSE"));
  await run("npm", ["pack", "--silent", "--pack-destination", folder], built);
}

async function packForPython(source: string, folder: string, python: string): Promise<void> {
  await cp(path.join(checkout, "LICENSE"), path.join(source, "LICENSE"));
  const pip = ["-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"];
  const options = ["--no-deps", "--no-build-isolation", "--wheel-dir", folder, source];
  await run(path.join(python, "python3"), [...pip, ...options]);
}

/** Writes a zip of all files below the working directory, without the folders, which Go refuses. */
const zipFiles = `
import pathlib, sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as archive:
    for file in sorted(pathlib.Path(".").rglob("*")):
        if file.is_file():
            archive.write(file)
`;

/** The files of a module proxy for this version, also for `GOPROXY=file://FOLDER`; the zip has `sdk/go/infrasync`. */
async function packForGo(source: string, folder: string, scratch: string): Promise<void> {
  await cp(path.join(checkout, "LICENSE"), path.join(source, "LICENSE"));
  await writeFile(path.join(source, "go.mod"), `module ${module}\n\ngo 1.25\n`);
  const go = { CGO_ENABLED: "0", GOWORK: "off", GOFLAGS: "-mod=mod" };
  await run("go", ["get", `${sdk}@${await pinnedVersion({ ...generator, module: sdk })}`], source, go);
  await run("go", ["mod", "tidy"], source, go);
  const served = path.join(folder, module, "@v");
  await mkdir(served, { recursive: true });
  await cp(path.join(source, "go.mod"), path.join(served, `v${version}.mod`));
  await writeFile(path.join(served, "list"), `v${version}\n`);
  await writeFile(path.join(served, `v${version}.info`), `${JSON.stringify({ Version: `v${version}` })}\n`);
  const tree = path.join(scratch, "tree");
  const inside = path.join(tree, `${module}@v${version}`);
  await mkdir(path.dirname(inside), { recursive: true });
  await rename(source, inside);
  await run("python3", ["-c", zipFiles, path.join(served, `v${version}.zip`)], tree);
}

async function packForDotnet(folder: string, report: (line: string) => void): Promise<void> {
  // The file that a build of Pulumi's own would write.
  await writeFile(path.join(folder, "version.txt"), version);
  if (findOnPath("dotnet") === undefined) {
    report("the SDK for .NET is generated and not packed, because there is no dotnet on the PATH");
    return;
  }
  await run("dotnet", ["pack", "--configuration", "Release", "--output", folder], folder);
}

const execute = promisify(execFile);

async function run(
  program: string,
  args: readonly string[],
  cwd = checkout,
  environment: NodeJS.ProcessEnv = {},
): Promise<void> {
  try {
    await execute(program, args, { cwd, env: { ...process.env, ...environment }, maxBuffer: 2 ** 26 });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(" ")} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

if (import.meta.main)
  await writeSdks(path.join(checkout, "dist-sdk"), (line) => process.stderr.write(`${line}\n`));
