/** npm run check:binary [-- FOLDER]: builds the executable, or takes a release's, and uses it with no program on the PATH. */
import { execFile, spawn } from "node:child_process";
import assert from "node:assert/strict";
import { once } from "node:events";
import { appendFile, mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { parseArgs, promisify } from "node:util";
import own from "../../package.json" with { type: "json" };
import { binaryIn, buildBinary } from "../../tools/binary.ts";
import { removeFolder } from "../fixtures/remove-folder.ts";

const { version } = own;
const checkout = path.join(import.meta.dirname, "..", "..");
const manifests = path.join(checkout, "examples", "gitops");
/** The promised size, in bytes. */
const limit = 130_000_000;

/** Windows needs it to open a socket. */
const { SystemRoot } = process.env;
const system = SystemRoot === undefined ? {} : { SystemRoot };

/** The output of the executable for a command line, with only these variables. */
async function outcome(file: string, args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(file, args, {
    cwd: checkout,
    env: { ...system, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].on("data", (chunk) => void (output[stream] += String(chunk)));
  const [code] = (await once(child, "close")) as [number | null];
  return { ...output, code };
}

async function checkStart(file: string): Promise<void> {
  assert.deepEqual(await outcome(file, ["--version"]), { stdout: `${version}\n`, stderr: "", code: 0 });
  // A word that Node would take for one of its own flags, and an unknown one.
  for (const args of [["--eval", "1"], ["applly"]])
    assert.equal((await outcome(file, args)).code, 3, `${args.join(" ")} is a wrong command line`);
}

/** An internal error names the functions of the sources. */
async function checkReport(file: string, folder: string): Promise<void> {
  const fault = path.join(folder, "fault.cjs");
  await writeFile(
    fault,
    `const { isWellFormed } = String.prototype;
    String.prototype.isWellFormed = function () {
      if (this.includes("shop")) throw new RangeError("nobody expects this");
      return isWellFormed.call(this);
    };`,
  );
  const { stderr } = await outcome(file, ["validate", manifests], { NODE_OPTIONS: `--require ${fault}` });
  assert.match(stderr, /internal error: RangeError: nobody expects this[^]*\bat readScalar \(/);
}

/** From an emulator of the executable itself to a plan without changes. */
async function checkRuns(file: string): Promise<void> {
  const emulator = spawn(file, ["emulator", "--port", "0"], {
    env: system,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const ended = once(emulator, "close").then(([code]) => {
      throw new Error(`the emulator ended with ${String(code)}`);
    });
    const [line] = (await Promise.race([once(createInterface(emulator.stdout), "line"), ended])) as [string];
    const { url, tokens } = JSON.parse(line) as { url: string; tokens: { admin: string } };
    const env = { INFRASYNC_BASE_URL: url, INFRASYNC_TOKEN: tokens.admin };
    for (const [args, expected] of [
      [["validate", manifests], 0],
      [["plan", manifests, "--detailed-exitcode"], 2],
      [["apply", manifests, "--yes"], 0],
      [["plan", manifests, "--detailed-exitcode"], 0],
    ] as const) {
      const { code, stdout, stderr } = await outcome(file, args, env);
      assert.equal(code, expected, `${args.join(" ")}:\n${stdout}${stderr}`);
    }
  } finally {
    emulator.kill();
  }
}

/** The commands of docs/guides/install.md, in the folder with the files; they have to notice a changed file. */
async function checkPage(folder: string): Promise<void> {
  const commands = `
sha256sum --check --ignore-missing --strict SHA256SUMS
install -D infrasync-linux-x64 "$HOME/.local/bin/infrasync"
infrasync --version
`;
  const env = { HOME: folder, PATH: `${folder}/.local/bin:/usr/bin:/bin` };
  const shell = () => promisify(execFile)("bash", ["-e", "-c", commands], { cwd: folder, env });
  const { stdout } = await shell();
  assert(stdout.endsWith(`\n${version}\n`), stdout);
  await appendFile(path.join(folder, "LICENSES.txt"), "changed");
  await assert.rejects(shell, { code: 1, stdout: /^LICENSES\.txt: FAILED$/m });
}

async function checkBill(folder: string): Promise<void> {
  const { components } = JSON.parse(await readFile(path.join(folder, "infrasync.cdx.json"), "utf8")) as {
    components: { name: string; version: string }[];
  };
  const named = new Set(components.map((each) => `${each.name}@${each.version}`));
  const lock = JSON.parse(await readFile(path.join(checkout, "package-lock.json"), "utf8")) as {
    packages: Record<string, { version: string }>;
  };
  // Some packages that a plan, a database and a page need.
  const needed = ["ajv", "got", "yaml", "pg", "fastify"];
  for (const name of needed) {
    const id = `${name}@${lock.packages[`node_modules/${name}`]?.version}`;
    assert(named.has(id), `the bill of materials lacks ${id}`);
  }
  assert(named.has(`node@${process.versions.node}`), "the bill of materials lacks Node");
  const licences = await readFile(path.join(folder, "LICENSES.txt"), "utf8");
  for (const each of components)
    assert(
      each.name === "node" || licences.includes(`${each.name} ${each.version}: `),
      `LICENSES.txt lacks ${each.name}`,
    );
  const tools = components.filter(({ name }) => ["vitest", "typescript", "rolldown"].includes(name));
  assert.deepEqual(tools, [], "only tools of the project need them");
}

const {
  positionals: [built],
} = parseArgs({ allowPositionals: true });
const folder = built ?? (await mkdtemp(path.join(tmpdir(), "infrasync-binary-")));
try {
  const file = built === undefined ? await buildBinary(folder) : binaryIn(path.resolve(built));
  await checkStart(file);
  await checkRuns(file);
  if (built === undefined) {
    const { size } = await stat(file);
    assert(size <= limit, `the executable has ${size} bytes; ${limit} are promised`);
    await checkReport(file, folder);
    await checkBill(folder);
    await checkPage(folder);
  }
  console.log(`${path.basename(file)} starts, validates, plans, applies and runs an emulator without Node.`);
} finally {
  if (built === undefined) await removeFolder(folder);
}
