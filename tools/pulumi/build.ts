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

/** A program that Go builds: the folder of its `go.mod`, the module that this file pins, and its package. */
function goProgram(program: string, folder: string, module: string, inModule: string) {
  return { program, folder: path.join(import.meta.dirname, folder), module, package: inModule };
}

const engineModule = "github.com/pulumi/pulumi/pkg/v3";
const yamlModule = "github.com/pulumi/pulumi-yaml";

const engine = goProgram("pulumi", "engine", engineModule, `${engineModule}/cmd/pulumi`);
const languageHost = goProgram(
  "pulumi-language-nodejs",
  "language-host",
  sdk,
  `${sdk}/nodejs/cmd/pulumi-language-nodejs`,
);

/** The program that writes SDKs, but for .NET and Java. */
export const generator = goProgram("generate-sdk", "generate-sdk", engineModule, ".");

/** Programs that are built together, into a folder of the cache with this name and their versions. */
interface GoBuild {
  words: string;
  name(versions: readonly string[]): string;
  programs: readonly (typeof engine)[];
  /** A script of the sdk module beside them. */
  script?: string;
}

/** What Go builds for Pulumi: the engine with hosts of Node and YAML, other languages, and what few tests need. */
export const goBuilds = {
  engine: {
    words: "Pulumi with its hosts of Node and YAML; on two cores this takes about five minutes",
    name: ([itself, node, yaml]) => `pulumi-${itself}-nodejs-${node}-yaml-${yaml}`,
    programs: [
      engine,
      languageHost,
      goProgram("pulumi-language-yaml", "yaml-host", yamlModule, `${yamlModule}/cmd/pulumi-language-yaml`),
    ],
    // It starts the dynamic provider with the program's own `@pulumi/pulumi`.
    script: "nodejs/dist/pulumi-resource-pulumi-nodejs",
  },
  languages: {
    words: "the Pulumi language hosts of Go and Python, and the generator of SDKs",
    name: (versions) => `pulumi-languages-${versions.join("-")}`,
    programs: [
      goProgram("pulumi-language-go", "go-host", sdk, `${sdk}/go/pulumi-language-go`),
      goProgram("pulumi-language-python", "language-host", sdk, `${sdk}/python/cmd/pulumi-language-python`),
      generator,
    ],
    // The Python host starts programs with it.
    script: "python/cmd/pulumi-language-python-exec",
  },
  converter: {
    words: "the converter of Pulumi for YAML",
    name: ([version]) => `pulumi-converter-yaml-${version}`,
    programs: [
      goProgram("pulumi-converter-yaml", "yaml-host", yamlModule, `${yamlModule}/cmd/pulumi-converter-yaml`),
    ],
  },
  older: {
    words: "the generator of the SDKs for .NET and Java",
    name: ([version]) => `generate-older-${version}`,
    programs: [goProgram("generate-older", "generate-older", engineModule, ".")],
  },
} satisfies Record<string, GoBuild>;

/** Builds programs with Go, unless the cache has their folder, and returns it. @throws with Go's last lines */
export async function buildWithGo(
  go: string,
  { words, name, programs, script }: GoBuild,
  report: (line: string) => void,
): Promise<string> {
  const versions = await Promise.all(programs.map(pinnedVersion));
  return cached(name(versions), report, async (folder) => {
    report(`building ${words}, once`);
    for (const [index, program] of programs.entries()) await goBuild(go, program, versions[index], folder);
    if (script === undefined) return;
    const copy = path.join(folder, path.basename(script));
    const source = (await run(go, ["list", "-m", "-f", "{{.Dir}}", sdk], languageHost.folder)).trim();
    await copyFile(path.join(source, script), copy);
    await chmod(copy, 0o755); // The module cache is read-only.
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
  version: string | undefined,
  target: string,
): Promise<void> {
  const output = path.join(target, program.program);
  const flags = program === engine ? [`-X ${sdk}/go/common/version.Version=${version}`] : [];
  const stripped = ["-s", "-w", ...flags].join(" ");
  await run(go, ["build", "-trimpath", "-ldflags", stripped, "-o", output, program.package], program.folder);
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

/** Runs `work` alone among the processes with this lock file. SQLite locks it, so a killed process leaves no stale lock. */
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
