import { mkdtempDisposable, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Server } from "./stage.ts";

/** Runs a demo on a server, in a folder of its own, and prints the time; a failed step ends it with 1. */
export async function tell(server: Server, demo: (folder: string) => Promise<void>): Promise<void> {
  const started = performance.now();
  await using folder = await mkdtempDisposable(join(await realpath(tmpdir()), "infrasync-demo-"));
  try {
    await demo(folder.path);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`\nEvery step had the expected result, in ${seconds} s.`);
  } catch (error) {
    console.error(`\n${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  } finally {
    await server.close();
  }
}
