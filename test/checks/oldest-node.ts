// The end of `npm run check:package`: the oldest supported Node runs the programs of the package. It plans and applies
// with the compiled command line, and starts the plugin until it tells its port.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { createEmulator } from "../../emulator/index.ts";
import own from "../../package.json" with { type: "json" };

const checkout = path.join(import.meta.dirname, "..", "..");
const oldest = own.engines.node.replace(">=", "");
const run = promisify(execFile);
const search = ["exec", "--yes", `--package=node@${oldest}`, "--", "node", "--print", "process.execPath"];
/** The path of that Node. npm finds it once, because npm starts more slowly than the programs to run. */
const node = (await run("npm", search, { cwd: checkout })).stdout.trim();

async function runCommandLine(): Promise<void> {
  const emulator = await createEmulator();
  try {
    for (const args of [["apply", "--yes"], ["plan", "--detailed-exitcode"], ["dump"]]) {
      const [command = "", ...flags] = args;
      const sources = command === "dump" ? [] : ["examples/gitops"];
      const line = ["dist/cli/main.js", command, ...sources, ...flags];
      const child = spawn(node, line, {
        cwd: checkout,
        env: { ...process.env, INFRASYNC_BASE_URL: emulator.url, INFRASYNC_TOKEN: emulator.tokens.admin },
        stdio: ["ignore", "ignore", "inherit"],
      });
      const [code] = await once(child, "close");
      if (code !== 0) throw new Error(`Node ${oldest}: \`${line.join(" ")}\` ended with ${String(code)}`);
    }
  } finally {
    await emulator.close();
  }
}

/** The first line of a plugin is the port that the engine calls. */
async function startPlugin(): Promise<void> {
  const child = spawn(node, ["dist/provider/plugin/main.js"], {
    cwd: checkout,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const line = await Promise.race([
    once(createInterface(child.stdout), "line").then(([text]) => String(text)),
    once(child, "close").then(([code]) => `an end with ${String(code)}`),
  ]);
  child.kill();
  if (!/^\d+$/.test(line)) throw new Error(`Node ${oldest}: instead of its port, the plugin gave: ${line}`);
}

/** The package has ES modules only. Every Node that it supports gives them to `require` as well. */
async function requireProvider(): Promise<void> {
  const program = `const { Job } = require("infrasync/provider"); if (typeof Job !== "function") process.exit(1)`;
  await run(node, ["--eval", program], { cwd: checkout });
}

await runCommandLine();
await requireProvider();
await startPlugin();
console.log(`Node ${oldest} applies, plans and dumps, requires the provider, and starts the plugin.`);
