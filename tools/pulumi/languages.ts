import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { buildLanguages, cached } from "./build.ts";
import { EngineMissingError, findOnPath } from "./engine.ts";

const run = promisify(execFile);

/** The version of Pulumi's Python package. */
const pythonVersion = "3.255.0";

/**
 * Builds the language hosts of Go and Python and the generator of SDKs, unless the cache contains them.
 *
 * @param report takes progress, line by line
 * @returns the folder to put on the PATH
 * @throws EngineMissingError without Go, or when it cannot build them
 */
export async function languageFolder(report: (line: string) => void): Promise<string> {
  const go = findOnPath("go");
  if (!go) throw new EngineMissingError("Go was not found: install it (https://go.dev/dl)");
  try {
    return await buildLanguages(go, report);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineMissingError(`Go could not build the language hosts: ${reason}`, { cause: error });
  }
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

/**
 * Writes an SDK of the plugin with Pulumi's own generator.
 *
 * @param languages the folder of the generator
 */
export async function writeSdk(
  languages: string,
  language: "nodejs" | "python" | "go",
  folder: string,
): Promise<void> {
  const schema = path.join(import.meta.dirname, "..", "..", "schemas", "pulumi.schema.json");
  await run(path.join(languages, "generate-sdk"), [language, schema, folder]);
}
