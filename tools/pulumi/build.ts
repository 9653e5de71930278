import { execFile } from "node:child_process";
import { chmod, copyFile, mkdir, readFile, rename, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { constants, homedir, setPriority } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { withLock } from "./lock.ts";

const sdk = "github.com/pulumi/pulumi/sdk/v3";

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

/** The script that starts the dynamic provider with the program's own `@pulumi/pulumi`; the sdk module contains it. */
const dynamicProvider = "pulumi-resource-pulumi-nodejs";

/**
 * Builds the engine and the language hosts of Node and YAML with Go, unless the cache contains them.
 *
 * The name of the folder in the cache contains the versions in the `go.mod` files. The folder appears only when it is complete. When
 * several processes ask at the same time, one builds and the others wait.
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
  const cache = path.join(process.env["XDG_CACHE_HOME"] || path.join(homedir(), ".cache"), "infrasync");
  const folder = path.join(
    cache,
    `pulumi-${engineVersion}-nodejs-${hostVersion}-yaml-${yamlVersion}-${process.platform}-${process.arch}`,
  );
  if (existsSync(folder)) return folder;

  await mkdir(cache, { recursive: true });
  const onWait = () => report(`another process builds Pulumi ${engineVersion}; waiting for it`);
  return withLock(`${folder}.lock`, onWait, async () => {
    if (existsSync(folder)) return folder;
    const building = `${folder}.building`;
    await rm(building, { recursive: true, force: true });
    await mkdir(building);
    report(`building Pulumi ${engineVersion} with Go, once; on two cores this takes about five minutes`);
    await goBuild(go, engine, building, [`-X ${sdk}/go/common/version.Version=${engineVersion}`]);
    report(`building its Node language host ${hostVersion}`);
    await goBuild(go, languageHost, building, []);
    report(`building its YAML language host ${yamlVersion}`);
    await goBuild(go, yamlHost, building, []);
    await copyDynamicProvider(go, building);
    await rename(building, folder);
    return folder;
  });
}

/** The oldest Go that can build the engine, as its `go.mod` states it. */
export async function oldestGo(): Promise<string> {
  return match(engine, /^go (\S+)$/m);
}

type GoProgram = typeof engine;

async function pinnedVersion(program: GoProgram): Promise<string> {
  return match(program, new RegExp(`${program.module} (v\\S+)`));
}

async function match(program: GoProgram, pattern: RegExp): Promise<string> {
  const file = path.join(program.folder, "go.mod");
  const found = pattern.exec(await readFile(file, "utf8"))?.[1];
  if (found === undefined) throw new Error(`${file} has no line that matches ${pattern.source}`);
  return found;
}

async function goBuild(go: string, program: GoProgram, target: string, linkerFlags: string[]): Promise<void> {
  const output = path.join(target, program.program);
  const stripped = ["-s", "-w", ...linkerFlags].join(" ");
  await run(go, ["build", "-trimpath", "-ldflags", stripped, "-o", output, program.package], program.folder);
}

async function copyDynamicProvider(go: string, target: string): Promise<void> {
  const source = (await run(go, ["list", "-m", "-f", "{{.Dir}}", sdk], languageHost.folder)).trim();
  const copy = path.join(target, dynamicProvider);
  await copyFile(path.join(source, "nodejs", "dist", dynamicProvider), copy);
  await chmod(copy, 0o755); // The module cache is read-only.
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
