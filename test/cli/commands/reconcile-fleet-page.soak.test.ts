import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { FleetStatus } from "../../../reconciler/index.ts";
import { browserPath, isTooWide, useBrowser, violationsOn } from "../../fixtures/browser.ts";
import { GitRepository } from "../../fixtures/git-repository.ts";
import { mayBeMissing } from "../../fixtures/tools.ts";
import { spawnInfrasync } from "../child.ts";
import { useFixture } from "../fixture.ts";
import { temporaryFolder } from "../../fixtures/temporary-folder.ts";

const fixture = useFixture({ clock: "real", behaviour: { rate_limit: 0 } });
const openTab = useBrowser();
/** Where the pictures go: people look at them. */
const pictures = join(import.meta.dirname, "../../../.cache/pictures");

const teams = [
  ...Array.from({ length: 60 }, (_, index) => ({ name: `team-${index}`, environments: 10 })),
  { name: "single", environments: 1 },
];

function documentsOf({ name, environments }: (typeof teams)[number]): string {
  const inside = Array.from(
    { length: environments },
    (_, index) => `---
kind: Environment
project: ${name}
name: env-${index}
mode: ${index === 0 ? "PRODUCTION" : "STAGING"}
cluster: eu-west
---
kind: Container
environment: ${name}/env-${index}
name: api
registry: docker-hub
image_name: acme/api
tag: "1.${index}"
memory: 512
`,
  );
  return `kind: Project\nname: ${name}\n${inside.join("")}`;
}

const windows = {
  desktop: {},
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  dark: { colorScheme: "dark" },
} as const;

test.skipIf(mayBeMissing(browserPath))(
  "on the page of a live service of 60 sources with 10 environments each, the one that drifts comes first, in sight, by itself",
  async () => {
    const folder = temporaryFolder("fleet-page");
    using repository = new GitRepository();
    repository.push(Object.fromEntries(teams.map((team) => [`${team.name}/a.yaml`, documentsOf(team)])));
    mkdirSync(join(folder, "sources"));
    mkdirSync(pictures, { recursive: true });
    writeFileSync(
      join(folder, "sources/all.yaml"),
      teams
        .map(({ name }) => `kind: Source\nname: ${name}\nrepository: ${repository.origin}\npath: ${name}\n`)
        .join("---\n"),
    );
    const flags = ["--allow-local-repo", "--yes", "--interval", "5s", "--listen", "127.0.0.1:0"];
    const child = spawnInfrasync(
      ["reconcile", "--sources", join(folder, "sources"), "--data", join(folder, "data"), ...flags],
      fixture.env,
    );
    onTestFinished(() => void child.process.kill("SIGKILL"));
    const [line] = (await once(child.process.stdout, "data")) as [Buffer];
    const { url } = JSON.parse(String(line)) as { url: string };
    const status = async () => (await (await fetch(`${url}/status.json`)).json()) as FleetStatus;
    const synced = async () =>
      (await status()).sources.flatMap(({ environments }) =>
        environments.filter(({ name, state }) => name.includes("/") && state === "synced"),
      ).length;
    const begun = performance.now();
    await expect.poll(synced, { timeout: 1_200_000, interval: 2_000 }).toBe(601);
    const figures: Record<string, number> = { "seconds until all are created": since(begun) };

    const { page, mishaps } = await openTab();
    await page.goto(url);
    await page.getByRole("heading", { name: "601 of 601 environments synced, in 61 sources" }).waitFor();
    const { results } = (await fixture.request(
      "GET",
      `/organization/${fixture.emulator.organization.id}/services`,
    )) as { results: { id: string; project_name: string; environment_name: string }[] };
    const id = results.find(
      (each) => each.project_name === "team-37" && each.environment_name === "env-6",
    )?.id;
    const fields = await fixture.request("GET", `/container/${id}`);
    const registry = (fields["registry"] as { id: string }).id;
    await fixture.takeRequests();
    const changed = performance.now();
    await fixture.request("PUT", `/container/${id}`, { ...fields, registry_id: registry, memory: 1024 });
    await page
      .getByRole("heading", {
        name: "team-37/env-6 has drift, 600 of 601 environments synced, in 61 sources",
      })
      .waitFor({ timeout: 120_000 });
    figures["seconds from the change to the open page"] = since(changed);
    figures["requests of the API meanwhile"] = (await fixture.takeRequests()).length;
    const asked = performance.now();
    figures["bytes of the page"] = (
      await (await fetch(url, { headers: { accept: "text/html" } })).text()
    ).length;
    figures["seconds of the answer"] = since(asked);

    for (const [name, options] of Object.entries(windows)) {
      const tab = await openTab(options);
      const height = tab.page.viewportSize()?.height ?? 0;
      for (const [shown, path] of [
        ["fleet-600", ""],
        ["source-10", "/sources/team-37/"],
        ["source-1", "/sources/single/"],
      ] as const) {
        await tab.page.goto(url + path);
        await tab.page.screenshot({ path: join(pictures, `${shown}-${name}.png`) });
        expect(await isTooWide(tab.page), `${shown} ${name}`).toBe(false);
        expect(await violationsOn(tab.page), `${shown} ${name}`).toEqual([]);
        if (shown === "source-1") continue;
        const first = tab.page.locator("article").first();
        expect(await first.innerText()).toMatch(/team-37\/env-6[^]*drift/);
        expect((await first.boundingBox())?.y, `${shown} ${name}`).toBeLessThan(height * 0.75);
      }
      expect(tab.mishaps).toEqual([]);
    }
    expect(mishaps).toEqual([]);
    console.log(figures);
  },
);

function since(start: number): number {
  return Math.round((performance.now() - start) / 100) / 10;
}
