#!/usr/bin/env node
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, realpathSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";
import { refusalOfNode } from "../core/files/old-node.ts";
import { compileCacheFolder } from "./compile-cache.ts";

// An old Node has to read this file, and nothing else: it would end with a SyntaxError elsewhere.
// `npm ci` installs a newer one in a checkout: it runs the program, also where `npm link` has made the command.
const ownNode = fileURLToPath(new URL("../../node_modules/node/bin/node", import.meta.url));
const refusal = refusalOfNode(process.versions);
if (refusal !== undefined) {
  if (existsSync(ownNode) && realpathSync(ownNode) !== process.execPath) await goOnWith(ownNode);
  process.stderr.write(refusal);
  process.exit(3);
}
// Caches compiled modules: everything imported below loads in two thirds of the time.
const compiled = compileCacheFolder(process.env, process.geteuid?.());
if (compiled !== undefined) module.enableCompileCache(compiled);
await import("./process.ts").then(({ runProcess }) => runProcess()).catch(refuseUnbuilt);

/** A checkout lacks what `npm ci` installs and builds. */
function refuseUnbuilt(error: unknown): never {
  if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")) throw error;
  process.stderr.write("error: this checkout is not built; build first: npm ci\n");
  process.exit(3);
}

/** Runs the same command line with another Node, and ends with its exit code. The other one ends with this one, however it ends. */
async function goOnWith(node: string): Promise<never> {
  const endTogether = "process.on('disconnect', () => process.kill(process.pid, 'SIGKILL')).channel?.unref()";
  const first = `--import=data:text/javascript,${encodeURIComponent(endTogether)}`;
  const args = [first, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const child = spawn(node, args, { stdio: ["inherit", "inherit", "inherit", "ipc"] });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, "exit")) as [number | null];
  return process.exit(code ?? 1);
}
