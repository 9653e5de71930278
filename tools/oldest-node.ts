// npm run check:oldest: plans and applies with the compiled command line, run by the oldest Node that package.json names.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { createEmulator } from "../emulator/index.ts";

const checkout = path.join(import.meta.dirname, "..");
const { engines }: { engines: { node: string } } = JSON.parse(
  await readFile(path.join(checkout, "package.json"), "utf8"),
);
const oldest = engines.node.replace(">=", "");
const emulator = await createEmulator();
try {
  for (const args of [["apply", "--yes"], ["plan", "--detailed-exitcode"], ["dump"]]) {
    const [command = "", ...flags] = args;
    const sources = command === "dump" ? [] : ["examples/gitops"];
    const line = ["node", "dist/cli/main.js", command, ...sources, ...flags];
    const child = spawn("npm", ["exec", "--yes", `--package=node@${oldest}`, "--", ...line], {
      cwd: checkout,
      env: {
        ...process.env,
        INFRASYNC_BASE_URL: emulator.url,
        INFRASYNC_TOKEN: emulator.tokens.admin,
      },
      stdio: ["ignore", "ignore", "inherit"],
    });
    const [code] = await once(child, "close");
    if (code !== 0) throw new Error(`Node ${oldest}: \`${line.join(" ")}\` ended with ${String(code)}`);
  }
  console.log(`Node ${oldest} applies, plans and dumps.`);
} finally {
  await emulator.close();
}
