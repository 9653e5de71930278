import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { browserPath, useBrowser } from "../../fixtures/browser.ts";
import { GitRepository } from "../../fixtures/git-repository.ts";
import { job, shop } from "../../fixtures/manifests.ts";
import { mayBeMissing } from "../../fixtures/tools.ts";
import { spawnInfrasync } from "../child.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture({ behaviour: { rate_limit: 0 } });
const openTab = useBrowser();

test.skipIf(mayBeMissing(browserPath))(
  "the page of a service whose process stands still becomes stale by itself, and is as before once it goes on",
  async () => {
    using repository = new GitRepository();
    repository.push({ "infra/shop.yaml": shop + job("a") });
    const child = spawnInfrasync(
      [
        "reconcile",
        "--repo",
        repository.origin,
        "--path",
        "infra",
        "--allow-local-repo",
        "--yes",
        "--interval",
        "1s",
        "--listen",
        "127.0.0.1:0",
      ],
      fixture.env,
    );
    onTestFinished(() => void child.process.kill("SIGKILL"));
    const [line] = (await once(child.process.stdout, "data")) as [Buffer];
    const { url } = JSON.parse(String(line)) as { url: string };
    await child.says("the commit is applied");
    const { page } = await openTab();
    await page.clock.install({ time: Date.now() });
    await page.goto(url);
    await page.getByRole("heading", { name: /^1 of 1 environments synced/ }).waitFor();

    child.process.kill("SIGSTOP");
    await page.clock.fastForward(30_000);
    expect(await page.locator("main.stale").count()).toBe(0);
    await page.clock.fastForward(60_000);
    await page.locator("main.stale").waitFor();
    expect(await page.getByText("This state is out of date").isVisible()).toBe(true);

    child.process.kill("SIGCONT");
    await page.clock.setSystemTime(Date.now());
    await page.locator("main:not(.stale)").waitFor();
  },
);
