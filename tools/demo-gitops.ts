import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { playGitops } from "./demo/gitops-story.ts";
import { DemoStage, startEmulator } from "./demo/stage.ts";

const started = performance.now();
// A look a second needs more than a usual quota.
const server = await startEmulator("--rate-limit", "0");
const folder = await mkdtemp(join(tmpdir(), "infrasync-demo-"));
try {
  await playGitops(new DemoStage(server, process.stdout), folder);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`\nEvery step had the expected result, in ${seconds} s.`);
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  await server.close();
  await rm(folder, { recursive: true });
}
