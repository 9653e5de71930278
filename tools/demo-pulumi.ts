// npm run demo:pulumi: runs examples/pulumi with the real Pulumi engine against the emulator, from an empty server to an empty server.
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { PulumiStage } from "./demo/pulumi-stage.ts";
import { play } from "./demo/pulumi-story.ts";
import { startEmulator } from "./demo/stage.ts";
import { engineFolder, EngineMissingError } from "./pulumi/engine.ts";

const folder = await mkdtemp(path.join(await realpath(tmpdir()), "infrasync-demo-"));
const server = await startEmulator();
try {
  const engine = await engineFolder((line) => console.error(line));
  const started = performance.now();
  await play(await PulumiStage.set(server, folder, engine));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`\nEvery step had the expected result, in ${seconds} s.`);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(error instanceof EngineMissingError ? error.message : `\n${error.message}`);
  process.exitCode = 1;
} finally {
  await server.close();
  await rm(folder, { recursive: true, force: true });
}
