import { join } from "node:path";
import { playShop, shopSecrets } from "./demo/shop-demo.ts";
import { DemoStage, startEmulator } from "./demo/stage.ts";
import { tell } from "./demo/tell.ts";

const server = await startEmulator();
await tell(server, (folder) =>
  playShop(new DemoStage(server, process.stdout, shopSecrets), {
    staging: "examples/shop/staging",
    preview: "examples/shop/preview",
    adopted: join(folder, "adopted"),
  }),
);
if (process.exitCode === undefined)
  console.log("\nTo do this yourself, in ten minutes: docs/tutorials/getting-started.md");
