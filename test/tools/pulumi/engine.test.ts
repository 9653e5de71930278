import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../fixtures/temporary-folder.ts";

const script = path.join(import.meta.dirname, "..", "..", "..", "tools", "pulumi", "engine.ts");

const programs = [
  "pulumi",
  "pulumi-language-nodejs",
  "pulumi-language-yaml",
  "pulumi-resource-pulumi-nodejs",
];

/** Replaces Go, whose real build takes minutes: counts its runs, waits for the gate, writes the file of `-o`. */
const go = `#!/bin/sh
echo "$1" >> "$GO_RUNS"
if [ "$1" = list ]; then echo "$GO_SDK"; exit; fi
[ -n "$GO_FAILS" ] && { echo "go: no such module" >&2; exit 1; }
until [ -e "$GO_GATE" ] || [ ! -e "$0" ]; do /bin/sleep 0.05; done
while [ "$1" != -o ]; do shift; done
echo built > "$2"
`;

async function writeProgram(folder: string, name: string, text = "#!/bin/sh\n"): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, name), text);
  await chmod(path.join(folder, name), 0o755);
}

/** A folder with the replacement, and an environment in which the script finds no other program. */
async function withGo() {
  const folder = temporaryFolder("engine");
  await writeProgram(path.join(folder, "bin"), "go", go);
  await writeProgram(path.join(folder, "sdk", "nodejs", "dist"), "pulumi-resource-pulumi-nodejs");
  const runs = path.join(folder, "runs");
  const environment = {
    PATH: path.join(folder, "bin"),
    XDG_CACHE_HOME: path.join(folder, "cache"),
    GO_SDK: path.join(folder, "sdk"),
    GO_RUNS: runs,
    GO_GATE: path.join(folder, "gate"),
  };
  return {
    environment,
    cache: path.join(folder, "cache", "infrasync"),
    openGate: () => writeFile(environment.GO_GATE, ""),
    runs: () => readFile(runs, "utf8"),
  };
}

async function findEngine(env: NodeJS.ProcessEnv, onProgress?: (text: string) => void) {
  return new Promise<{ exitCode: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, [script], { env }, (_error, stdout, stderr) => {
      resolve({ exitCode: child.exitCode, stdout, stderr });
    });
    if (onProgress) child.stderr?.on("data", onProgress);
  });
}

test("an installed Pulumi is found", async () => {
  const folder = temporaryFolder("engine");
  for (const name of programs) await writeProgram(folder, name);
  expect(await findEngine({ PATH: folder })).toEqual({ exitCode: 0, stdout: `${folder}\n`, stderr: "" });
});

test("without Pulumi and Go the message says which program to install", async () => {
  const { exitCode, stdout, stderr } = await findEngine({ PATH: temporaryFolder("engine") });
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toMatch(
    /^neither Pulumi nor Go was found: install Pulumi \(\S+\) or Go 1\.\d+\.\d+ or later \(\S+\), and put it on the PATH\n$/,
  );
});

test("of two processes one builds, and the other waits", async () => {
  const { environment, cache, openGate, runs } = await withGo();
  const openWhenWaiting = async (text: string) => {
    if (text.includes("another process builds")) await openGate();
  };
  const [one, two] = await Promise.all([
    findEngine(environment, openWhenWaiting),
    findEngine(environment, openWhenWaiting),
  ]);
  expect([one.exitCode, two.exitCode]).toEqual([0, 0]);
  expect(one.stdout).toBe(two.stdout);
  expect(await runs()).toBe("build\nbuild\nbuild\nlist\n");

  const folder = one.stdout.trim();
  expect(path.dirname(folder)).toBe(cache);
  expect(path.basename(folder)).toMatch(/^pulumi-v[\d.]+-nodejs-v[\d.]+-yaml-v[\d.]+-/);
  expect((await readdir(folder)).toSorted()).toEqual(programs);

  expect(await findEngine(environment)).toEqual({ exitCode: 0, stdout: one.stdout, stderr: "" });
  expect(await runs()).toBe("build\nbuild\nbuild\nlist\n");
});

test("a failed build leaves no file that could be mistaken for an engine", async () => {
  const { environment, openGate } = await withGo();
  await openGate();
  const failed = await findEngine({ ...environment, GO_FAILS: "yes" });
  expect({ exitCode: failed.exitCode, stdout: failed.stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(failed.stderr).toContain("Pulumi was not found, and Go could not build it: install Pulumi");
  expect(failed.stderr).toMatch(/`go build` in .* failed:\ngo: no such module\n$/);

  const { stdout } = await findEngine(environment);
  expect((await readdir(stdout.trim())).toSorted()).toEqual(programs);
});
