import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { playShop, shopSecrets } from "./demo/shop-story.ts";
import { DemoStage, startEmulator } from "./demo/stage.ts";

const started = performance.now();
const server = await startEmulator();
const folder = await mkdtemp(join(tmpdir(), "infrasync-demo-"));
try {
  await playShop(new DemoStage(server, process.stdout, shopSecrets), {
    staging: "examples/shop/staging",
    preview: "examples/shop/preview",
    adopted: join(folder, "adopted"),
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`\nEvery step had the expected result, in ${seconds} s.`);
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  await server.close();
  await rm(folder, { recursive: true });
}
