import { once } from "node:events";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { GitRepository } from "../../fixtures/git-repository.ts";
import { application, job, shop } from "../../fixtures/manifests.ts";
import { spawnInfrasync } from "../child.ts";
import { useFixture } from "../fixture.ts";

// With the usual quota, live resources are checked every 56 s. What takes less than half of that has not waited for it.
const early = { timeout: 28_000, interval: 200 };
const slow =
  "live resources are checked every 56 s instead of 5 s: checks have 20 % of the quota of 1000 requests";

const fixture = useFixture({ clock: "real", behaviour: { rate_limit: 1000, deploy_delay_ms: 12_000 } });
let repository: GitRepository;

beforeEach(() => {
  repository = new GitRepository();
  return () => repository[Symbol.dispose]();
});

/** Starts a service that is to check every 5 s. */
async function serve(...flags: string[]) {
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
      "5s",
      "--listen",
      "127.0.0.1:0",
      ...flags,
    ],
    fixture.env,
  );
  onTestFinished(() => void child.process.kill("SIGKILL"));
  const [line] = (await once(child.process.stdout, "data")) as [Buffer];
  const { url } = JSON.parse(String(line)) as { url: string };
  await child.says(slow);
  return { child, url };
}

test("who opens the page has live resources checked at once, and not only when the quota lets it be anyway", async () => {
  repository.push({ "infra/shop.yaml": shop + job("a", "cpu: 500") });
  const { child, url } = await serve();
  await child.says("the commit is applied");
  await fixture.run(["apply", await fixture.write("shop.yaml", shop + job("a", "cpu: 750")), "--yes"]);
  const page = async () => (await fetch(url, { headers: { accept: "text/html" } })).text();
  await expect.poll(page, early).toContain("cpu 500 -&gt; 750");
});

test("while something deploys, its end is seen soon, although nobody looks", async () => {
  repository.push({ "infra/shop.yaml": shop + application("api") });
  const { child } = await serve("--deploy");
  await child.says("shop/staging is deploying");
  let isSeen = false;
  void child.says("shop/staging is synced").then(() => (isSeen = true));
  await expect.poll(() => isSeen, early).toBe(true);
});
