import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { playGitops } from "../../tools/demo/gitops-story.ts";
import { playShop, shopSecrets } from "../../tools/demo/shop-story.ts";
import { DemoStage, startEmulator } from "../../tools/demo/stage.ts";
import { play } from "../../tools/demo/story.ts";
import { proxies } from "../emulator/proxy.ts";
import { programs } from "../fixtures/programs.ts";
import { Captured } from "../cli/captured.ts";

/** Plays a story against an emulator, and checks that all its traffic matches the API description. */
async function played(
  story: (stage: DemoStage, adopted: string) => Promise<void>,
  variables: Record<string, string> = {},
  flags: readonly string[] = [],
): Promise<string> {
  const server = await startEmulator(flags, programs.commandLine);
  onTestFinished(() => server.close());
  const folder = await mkdtemp(join(tmpdir(), "infrasync-demo-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  // Without the proxy beside the checkout the story runs without these checks.
  const [proxy] = await Promise.all(proxies.map((startProxy) => startProxy(server.url)));
  if (proxy) onTestFinished(() => proxy.stop());

  const output = new Captured();
  const stage = new DemoStage({ ...server, url: proxy?.url ?? server.url }, output, variables);
  await story(stage, join(folder, "adopted")).catch((error: unknown) => {
    throw new Error(`the story has ended too early, after:\n${output.text}`, { cause: error });
  });
  if (proxy)
    expect(await proxy.report()).toMatchObject({
      violations: [],
      uncovered: [],
      checked: expect.any(Number),
    });
  return output.text;
}

test("two environments with applications and jobs are applied, cloned, dumped and destroyed", async () => {
  const text = await played((stage, adopted) => play(stage, "examples/gitops", adopted));
  expect(text).toContain("9. Destroy deletes everything, but not by accident");
});

test("the demo brings up a whole shop, deploys it, keeps a preview in step with it and takes it down", async () => {
  const text = await played(
    (stage, adopted) =>
      playShop(stage, { staging: "examples/shop/staging", preview: "examples/shop/preview", adopted }),
    shopSecrets,
  );
  expect(text).toContain("7. All of it is taken down, the preview first");
  for (const value of Object.values(shopSecrets)) expect(text.includes(value)).toBe(false);
});

test("the service applies a push, undoes drift, pauses in a fight, replaces with a consent in git, and previews a pull request", async () => {
  const text = await played((stage, folder) => playGitops(stage, folder), {}, ["--rate-limit", "0"]);
  expect(text).toContain("fight");
  expect(text).toContain("6. The consent is given in git, for just this replacement");
  expect(text).toContain("shop/pr-42 is deleted.");
  expect(text).not.toContain("a-secret-of-the-demo");
});
