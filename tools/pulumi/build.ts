import { execFile } from "node:child_process";
import { chmod, copyFile, mkdir, readFile, rename, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { constants, homedir, setPriority } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

/** The module of Pulumi for programs in Go. */
export const sdk = "github.com/pulumi/pulumi/sdk/v3";

const engine = {
  program: "pulumi",
  folder: path.join(import.meta.dirname, "engine"),
  module: "github.com/pulumi/pulumi/pkg/v3",
  package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
};
const languageHost = {
  program: "pulumi-language-nodejs",
  folder: path.join(import.meta.dirname, "language-host"),
  module: sdk,
  package: `${sdk}/nodejs/cmd/pulumi-language-nodejs`,
};

const yamlHost = {
  program: "pulumi-language-yaml",
  folder: path.join(import.meta.dirname, "yaml-host"),
  module: "github.com/pulumi/pulumi-yaml",
  package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
};

/** Reads programs in YAML for `pulumi convert`. */
export const converter = {
  ...yamlHost,
  program: "pulumi-converter-yaml",
  package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-converter-yaml",
};

const goHost = {
  program: "pulumi-language-go",
  folder: path.join(import.meta.dirname, "go-host"),
  module: sdk,
  package: `${sdk}/go/pulumi-language-go`,
};

const pythonHost = {
  program: "pulumi-language-python",
  folder: languageHost.folder,
  module: sdk,
  package: `${sdk}/python/cmd/pulumi-language-python`,
};

/** The program that writes SDKs, but for .NET and Java. */
export const generator = {
  program: "generate-sdk",
  folder: path.join(import.meta.dirname, "generate-sdk"),
  module: engine.module,
  package: ".",
};

/** Writes SDKs for .NET and Java. */
export const olderGenerator = {
  program: "generate-older",
  folder: path.join(import.meta.dirname, "generate-older"),
  module: engine.module,
  package: ".",
};

/** The script with which the Python host starts a program; the sdk module contains it. */
const pythonProgram = "pulumi-language-python-exec";

/** The script that starts the dynamic provider with the program's own `@pulumi/pulumi`; the sdk module contains it. */
const dynamicProvider = "pulumi-resource-pulumi-nodejs";

/**
 * Builds the engine and the language hosts of Node and YAML with Go, unless the cache contains them.
 *
 * @param go path of the Go program
 * @param report takes progress, line by line
 * @returns the folder that contains the programs
 * @throws when Go fails; the message ends with Go's last lines
 */
export async function buildEngine(go: string, report: (line: string) => void): Promise<string> {
  const engineVersion = await pinnedVersion(engine);
  const hostVersion = await pinnedVersion(languageHost);
  const yamlVersion = await pinnedVersion(yamlHost);
  const name = `pulumi-${engineVersion}-nodejs-${hostVersion}-yaml-${yamlVersion}`;
  return cached(name, report, async (folder) => {
    report(`building Pulumi ${engineVersion} with Go, once; on two cores this takes about five minutes`);
    await goBuild(go, engine, folder, [`-X ${sdk}/go/common/version.Version=${engineVersion}`]);
    report(`building its Node language host ${hostVersion}`);
    await goBuild(go, languageHost, folder, []);
    report(`building its YAML language host ${yamlVersion}`);
    await goBuild(go, yamlHost, folder, []);
    const script = await copyFromSdk(go, path.join("nodejs", "dist", dynamicProvider), folder);
    await chmod(script, 0o755); // The module cache is read-only.
  });
}

/**
 * Builds the language hosts of Go and Python and the generator of SDKs with Go, unless the cache contains them.
 *
 * @param go path of the Go program
 * @param report takes progress, line by line
 * @returns the folder that contains the programs
 * @throws when Go fails; the message ends with Go's last lines
 */
export async function buildLanguages(go: string, report: (line: string) => void): Promise<string> {
  const programs = [goHost, pythonHost, generator];
  const versions = await Promise.all(programs.map(pinnedVersion));
  return cached(`pulumi-languages-${versions.join("-")}`, report, async (folder) => {
    report("building the Pulumi language hosts of Go and Python, and the generator of SDKs, once");
    for (const program of programs) await goBuild(go, program, folder, []);
    const script = await copyFromSdk(go, path.join("python", "cmd", pythonProgram), folder);
    await chmod(script, 0o755);
  });
}

/** Builds one program with Go, unless the cache contains it. @returns the folder that contains it @throws when Go fails */
export async function buildProgram(
  go: string,
  program: typeof engine,
  report: (line: string) => void,
): Promise<string> {
  return cached(`${program.program}-${await pinnedVersion(program)}`, report, async (folder) => {
    report(`building ${program.program}, once`);
    await goBuild(go, program, folder, []);
  });
}

/** A folder of the cache, which appears when it is complete; its name contains all on which the content depends but the platform. */
export async function cached(
  name: string,
  report: (line: string) => void,
  build: (folder: string) => Promise<void>,
): Promise<string> {
  const cache = path.join(process.env["XDG_CACHE_HOME"] || path.join(homedir(), ".cache"), "infrasync");
  const folder = path.join(cache, `${name}-${process.platform}-${process.arch}`);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const onWait = () => report(`another process builds ${name}; waiting for it`);
  return withLock(`${folder}.lock`, onWait, async () => {
    if (existsSync(folder)) return folder;
    const building = `${folder}.building`;
    await rm(building, { recursive: true, force: true });
    await mkdir(building);
    await build(building);
    await rename(building, folder);
    return folder;
  });
}

/** The oldest Go that can build the engine, as its `go.mod` states it. */
export async function oldestGo(): Promise<string> {
  return match(engine, /^go (\S+)$/m);
}

export async function pinnedVersion(program: typeof engine): Promise<string> {
  return match(program, new RegExp(`${program.module} (v\\S+)`));
}

async function match(program: typeof engine, pattern: RegExp): Promise<string> {
  const file = path.join(program.folder, "go.mod");
  const found = pattern.exec(await readFile(file, "utf8"))?.[1];
  if (found === undefined) throw new Error(`${file} has no line that matches ${pattern.source}`);
  return found;
}

async function goBuild(
  go: string,
  program: typeof engine,
  target: string,
  linkerFlags: string[],
): Promise<void> {
  const output = path.join(target, program.program);
  const stripped = ["-s", "-w", ...linkerFlags].join(" ");
  await run(go, ["build", "-trimpath", "-ldflags", stripped, "-o", output, program.package], program.folder);
}

async function copyFromSdk(go: string, file: string, target: string): Promise<string> {
  const source = (await run(go, ["list", "-m", "-f", "{{.Dir}}", sdk], languageHost.folder)).trim();
  const copy = path.join(target, path.basename(file));
  await copyFile(path.join(source, file), copy);
  return copy;
}

const execute = promisify(execFile);

/** Runs Go at low priority and without a C compiler. */
async function run(go: string, args: string[], folder: string): Promise<string> {
  const running = execute(go, args, {
    cwd: folder,
    env: { ...process.env, CGO_ENABLED: "0", GOWORK: "off" },
    maxBuffer: 64 * 1024 * 1024,
  });
  if (running.child.pid !== undefined) {
    setPriority(running.child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  }
  try {
    return (await running).stdout;
  } catch (error) {
    throw new Error(`\`go ${args[0]}\` in ${folder} failed:\n${lastLines(error)}`, { cause: error });
  }
}

/** The last lines of Go's output; the lines before them list downloads. */
function lastLines(error: unknown): string {
  const text = error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
  return text.trimEnd().split("\n").slice(-8).join("\n");
}

const sqliteBusy = 5;

/**
 * Runs `work` while no other process that uses the same lock file runs its own.
 *
 * The lock is SQLite's lock on a file: the operating system releases it when the process that holds it dies, so a killed process leaves no
 * stale lock.
 *
 * @param file path of the lock file; created when absent, and kept
 * @param onWait called once when another process holds the lock
 */
async function withLock<Result>(
  file: string,
  onWait: () => void,
  work: () => Promise<Result>,
): Promise<Result> {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    if (!tryToLock(database)) {
      onWait();
      while (!tryToLock(database)) await sleep(200);
    }
    return await work();
  } finally {
    database.close();
  }
}

function tryToLock(database: DatabaseSync): boolean {
  try {
    database.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (error instanceof Error && "errcode" in error && error.errcode === sqliteBusy) return false;
    throw error;
  }
}
