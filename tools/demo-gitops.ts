import { playGitops } from "./demo/gitops-demo.ts";
import { DemoStage, startEmulator } from "./demo/stage.ts";
import { tell } from "./demo/tell.ts";

// A refresh each second needs more than a usual quota.
const server = await startEmulator(["--set", "rate_limit=0"]);
await tell(server, (folder) => playGitops(new DemoStage(server, process.stdout), folder));
