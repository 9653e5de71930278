import { accessSync, constants } from "node:fs";
import path from "node:path";
import { buildWithGo, goBuilds, oldestGo } from "./build.ts";

/** Neither Pulumi nor a way to build it was found. The message tells the needed installation. */
export class EngineMissingError extends Error {
  override readonly name = "EngineMissingError";
}

/** The programs of an installed Pulumi beside it. */
const companions = ["pulumi-language-nodejs", "pulumi-language-yaml", "pulumi-resource-pulumi-nodejs"];

/** The folder of the Pulumi engine for tests and demos, which is found or built. @throws EngineMissingError */
export async function engineFolder(report: (line: string) => void): Promise<string> {
  const pulumi = findOnPath("pulumi");
  if (pulumi && companions.every(findOnPath)) return path.dirname(pulumi);
  const install = `install Pulumi (https://www.pulumi.com/docs/install) or Go ${await oldestGo()} or later (https://go.dev/dl), and put it on the PATH`;
  const go = findOnPath("go");
  if (!go) throw new EngineMissingError(`neither Pulumi nor Go was found: ${install}`);
  try {
    return await buildWithGo(go, goBuilds.engine, report);
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim() : String(error);
    throw new EngineMissingError(`Pulumi was not found, and Go could not build it: ${install}\n${reason}`, {
      cause: error,
    });
  }
}

/** Undefined: the program is not on the PATH. */
export function findOnPath(program: string): string | undefined {
  return (process.env["PATH"] ?? "")
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, program))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

if (import.meta.main) {
  try {
    process.stdout.write(`${await engineFolder((line) => process.stderr.write(`${line}\n`))}\n`);
  } catch (error) {
    if (!(error instanceof EngineMissingError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
