import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { buildWithGo, cached, goBuilds } from "./build.ts";
import { EngineMissingError, findOnPath } from "./engine.ts";

const run = promisify(execFile);

const pythonVersion = "3.255.0";

/** The folder of programs of a virtual environment of Python with Pulumi's package. @throws EngineMissingError */
export async function pythonFolder(report: (line: string) => void): Promise<string> {
  const python = findOnPath("python3");
  if (!python) throw new EngineMissingError("Python was not found: install Python 3.9 or later");
  const name = `pulumi-python-${pythonVersion}-with-wheel`;
  const folder = cached(name, report, async (building) => {
    report(`installing Pulumi ${pythonVersion} for Python, once`);
    await run(python, ["-m", "venv", building]);
    const packages = [`pulumi==${pythonVersion}`, "parver", "semver", "setuptools", "wheel"];
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages];
    await run(path.join(building, "bin", "python3"), pip);
  });
  return path.join(await orMissing("the package pulumi could not be installed for Python", folder), "bin");
}

/** The folder of programs that Go builds. @throws EngineMissingError without Go, or when it cannot */
export async function goFolder(of: keyof typeof goBuilds, report: (line: string) => void): Promise<string> {
  const go = findOnPath("go");
  if (!go) throw new EngineMissingError("Go was not found: install it (https://go.dev/dl)");
  return orMissing(
    "Go could not build the programs for other languages",
    buildWithGo(go, goBuilds[of], report),
  );
}

/** The result of some work. @throws EngineMissingError where the work fails */
export async function orMissing<Value>(failure: string, work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineMissingError(`${failure}: ${reason}`, { cause: error });
  }
}
