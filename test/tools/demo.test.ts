import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { DemoStage, startEmulator } from "../../tools/demo/stage.ts";
import { play } from "../../tools/demo/story.ts";
import { proxies } from "../emulator/proxy.ts";
import { Captured } from "../cli/captured.ts";

test("the demo succeeds, and all its traffic matches the API description", async () => {
  const server = await startEmulator();
  onTestFinished(() => server.close());
  const folder = await mkdtemp(join(tmpdir(), "infrasync-demo-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  // Without the proxy beside the checkout the demo runs without these checks.
  const [proxy] = await Promise.all(proxies.map((startProxy) => startProxy(server.url)));
  if (proxy) onTestFinished(() => proxy.stop());

  const output = new Captured();
  await play(
    new DemoStage({ ...server, url: proxy?.url ?? server.url }, output),
    "examples/gitops",
    join(folder, "adopted"),
  );
  expect(output.text).toContain("9. Destroy deletes everything, but not by accident");
  if (proxy) expect(await proxy.report()).toMatchObject({ violations: [], checked: expect.any(Number) });
});
