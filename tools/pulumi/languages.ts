import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { buildConverter, buildDotnetGenerator, buildLanguages, cached } from "./build.ts";
import { EngineMissingError, findOnPath } from "./engine.ts";

const run = promisify(execFile);

const pythonVersion = "3.255.0";

/**
 * Builds the language hosts of Go and Python and the generator of SDKs, unless the cache contains them.
 *
 * @param report takes progress, line by line
 * @returns the folder to put on the PATH
 * @throws EngineMissingError without Go, or when it cannot build them
 */
export function languageFolder(report: (line: string) => void): Promise<string> {
  return built((go) => buildLanguages(go, report));
}

/** `languageFolder` for the YAML reader of `pulumi convert`. */
export function converterFolder(report: (line: string) => void): Promise<string> {
  return built((go) => buildConverter(go, report));
}

/**
 * Makes a virtual environment of Python with Pulumi's package, unless the cache contains it.
 *
 * @returns the folder of its programs, to put first on the PATH
 * @throws EngineMissingError without Python or without its packages
 */
export async function pythonFolder(report: (line: string) => void): Promise<string> {
  const python = findOnPath("python3");
  if (!python) throw new EngineMissingError("Python was not found: install Python 3.9 or later");
  try {
    const folder = await cached(`pulumi-python-${pythonVersion}-with-wheel`, report, async (building) => {
      report(`installing Pulumi ${pythonVersion} for Python, once`);
      await run(python, ["-m", "venv", building]);
      const packages = [`pulumi==${pythonVersion}`, "parver", "semver", "setuptools", "wheel"];
      const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages];
      await run(path.join(building, "bin", "python3"), pip);
    });
    return path.join(folder, "bin");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineMissingError(`the package pulumi could not be installed for Python: ${reason}`, {
      cause: error,
    });
  }
}

/** Writes the sources of an SDK with Pulumi's own generator. @param languages the folder of the generator */
export async function generateSdk(
  languages: string,
  language: "nodejs" | "python" | "go",
  schema: string,
  folder: string,
): Promise<void> {
  await run(path.join(languages, "generate-sdk"), [language, schema, folder]);
}

/** Writes the project of the SDK for .NET with Pulumi's own generator. @throws EngineMissingError */
export async function generateDotnet(
  schema: string,
  logo: string,
  folder: string,
  report: (line: string) => void,
): Promise<void> {
  const generator = await built((go) => buildDotnetGenerator(go, report));
  await run(path.join(generator, "generate-dotnet"), [schema, logo, folder]);
}

/** Builds something with Go. @throws EngineMissingError without Go, or when it cannot */
async function built(build: (go: string) => Promise<string>): Promise<string> {
  const go = findOnPath("go");
  if (!go) throw new EngineMissingError("Go was not found: install it (https://go.dev/dl)");
  try {
    return await build(go);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineMissingError(`Go could not build the programs for other languages: ${reason}`, {
      cause: error,
    });
  }
}
