/** Records a plan and an apply on an emulator as docs/recordings/plan.svg; with --check, fails when it is stale. */
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { styleText } from "node:util";
import { startEmulator } from "../demo/stage.ts";
import { writeFolder } from "../generated-files.ts";
import { terminalSvg } from "./terminal-svg.ts";

const main = path.join(import.meta.dirname, "..", "..", "cli", "main.ts");

const environments = `kind: Project
name: shop
---
kind: Environment
project: shop
name: production
mode: PRODUCTION
cluster: eu-west
---
kind: Environment
project: shop
name: staging
mode: STAGING
cluster: eu-west
`;

const container = (tag: string, memory: number, level: string) => `${environments}---
kind: Container
environment: shop/production
name: api
registry: docker-hub
image_name: acme/api
tag: ${tag}
memory: ${memory}
variables: { LOG_LEVEL: ${level} }
`;

/** Manifests of earlier resources, which were changed manually since. */
const before = container("3.1.0", 1024, "debug");

const desired = `${container("3.2.0", 512, "info")}---
kind: Environment
project: shop
name: preview
clone: { from: shop/production }
`;

const folder = mkdtempSync(path.join(tmpdir(), "infrasync-picture-"));
const server = await startEmulator();
try {
  const infrasync = (...args: string[]): string => {
    const file = path.join(folder, "output");
    const output = openSync(file, "w");
    const { status } = spawnSync(process.execPath, [main, ...args], {
      cwd: folder,
      stdio: ["ignore", output, output],
      env: {
        PATH: process.env["PATH"],
        FORCE_COLOR: "1",
        INFRASYNC_BASE_URL: server.url,
        INFRASYNC_TOKEN: server.token,
      },
    });
    closeSync(output);
    const text = readFileSync(file, "utf8");
    if (status !== 0) throw new Error(`infrasync ${args.join(" ")} ended with ${status}: ${text}`);
    return text;
  };
  const prompt = (command: string) =>
    `${styleText("dim", "$", { validateStream: false })} ${styleText("bold", command, { validateStream: false })}`;
  // The order of the lines is that of the plan.
  writeFileSync(path.join(folder, "infrasync.config.yaml"), "parallelism: 1\n");
  writeFileSync(path.join(folder, "shop.yaml"), before);
  infrasync("apply", "shop.yaml", "--yes", "--deploy", "--wait");
  writeFileSync(path.join(folder, "shop.yaml"), desired);
  const plan = infrasync("plan", "shop.yaml", "--strict");
  const apply = infrasync("apply", "shop.yaml", "--yes");
  const text = [
    prompt("infrasync plan shop.yaml --strict"),
    `${steady(plan)}\n`,
    prompt("infrasync apply shop.yaml --yes"),
    /\[1\/[^]*Done:.*/.exec(apply)?.[0],
  ].join("\n");
  writeFolder(
    "docs/recordings",
    new Map([["plan.svg", terminalSvg(text, "A plan of infrasync, and its apply")]]),
  );
} finally {
  await server.close();
  rmSync(folder, { recursive: true });
}

/** The output without the digest, which differs from run to run; a slow machine shows the reset of a fast one. */
function steady(output: string): string {
  return output
    .replace(/^Digest:.*\n/m, "")
    .replace(/resets in \d+ min/, "resets in 60 min")
    .trimEnd();
}
