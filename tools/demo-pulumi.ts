// npm run demo:pulumi: runs examples/pulumi with the real Pulumi engine against the emulator, from an empty server to an empty server.
import { PulumiStage } from "./demo/pulumi-stage.ts";
import { play } from "./demo/pulumi-demo.ts";
import { startEmulator } from "./demo/stage.ts";
import { tell } from "./demo/tell.ts";
import { engineFolder } from "./pulumi/engine.ts";

const server = await startEmulator();
await tell(server, async (folder) => {
  const engine = await engineFolder((line) => console.error(line));
  await play(await PulumiStage.set(server, folder, engine));
});
