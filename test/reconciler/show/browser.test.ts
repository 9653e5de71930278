import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { html } from "../../../adapters/web/html.ts";
import type { FleetStatus } from "../../../reconciler/index.ts";
import { renderFleet } from "../../../reconciler/show/page/fleet-overview.ts";
import {
  browserPath,
  focusedText,
  groundOf,
  isTooWide,
  useBrowser,
  violationsOn,
} from "../../fixtures/browser.ts";
import { parseAddress } from "../../../core/model/addresses/address.ts";
import { environmentKeyOf } from "../../../reconciler/policy/index.ts";
import { mayBeMissing } from "../../fixtures/tools.ts";
import { endWith, interval, type ShownPage, showPage, environmentState } from "./page-fixture.ts";

const openTab = useBrowser();

/** A page with an environment in step, one that has drifted and one that is blocked. */
async function showThree(): Promise<ShownPage> {
  const page = await showPage();
  const address = parseAddress("container:shop/staging/web");
  const environment = parseAddress("environment:shop/staging");
  if (!address || !environment) throw new Error("there is no such kind");
  const urls = ["https://a-long-name-of-a-shop-that-people-can-type.example.com"];
  const web = { address, id: "s", status: undefined, version: "1.4.2", urls, changes: [] };
  const services = {
    environment: { address: environment, id: "e", state: "DEPLOYED", deployedAt: undefined },
    organizationId: "o",
    projectId: "p",
    services: [web],
  };
  await page.ended({
    services: new Map([[environmentKeyOf(["shop", "staging"]), services]]),
    ...endWith(
      environmentState("shop/dev", "synced"),
      environmentState("shop/staging", "drift", {
        changes: [
          {
            action: "update",
            cause: "drift",
            address: "job:shop/staging/report",
            fields: ["cpu 500 -> 1000"],
            keep: "cpu: 1000",
          },
        ],
      }),
      environmentState("shop/production", "blocked", {
        problems: [
          { code: "replacement", message: `${"a-name-without-an-end-".repeat(20)} must be replaced` },
        ],
      }),
    ),
  });
  return page;
}

describe.skipIf(mayBeMissing(browserPath))("in a browser", () => {
  test("the page shows a change by itself, and keeps what the reader has opened and typed", async () => {
    const shown = await showThree();
    const { page, mishaps } = await openTab();
    await page.goto(shown.url);
    await page.getByText("What to paste").click();
    await page.locator("#search").fill("prod");
    await shown.ended(
      endWith(
        environmentState("shop/staging", "drift", {
          changes: [
            { action: "update", cause: "drift", address: "job:shop/staging/report", keep: "cpu: 750" },
          ],
        }),
      ),
    );
    await page
      .getByRole("heading", { name: "shop/staging has drift, 0 of 1 environments synced with 3f2c1a9" })
      .waitFor();
    expect(await page.locator("pre.paste").innerText()).toBe("cpu: 750");
    expect(await page.locator("#search").inputValue()).toBe("prod");
    expect(await page.locator("#search:focus").count()).toBe(1);
    expect(await page.locator("#announcement").innerText()).toContain("0 of 1 environments synced");
    expect(mishaps).toEqual([]);
  });

  test("times go on, and a state becomes stale by itself when the service has gone", async () => {
    const shown = await showThree();
    const { page } = await openTab();
    await page.clock.install({ time: shown.clock.now() });
    await page.goto(shown.url);
    expect(await page.locator("main.stale").count()).toBe(0);
    await page.route("**/*", (route) => route.abort());
    await page.clock.fastForward(2 * interval);
    await page.getByText("checked 2 min ago").or(page.getByText("checked 120 s ago")).first().waitFor();
    expect(await page.locator("main.stale").count()).toBe(0);
    await page.clock.fastForward(2 * interval);
    await page.locator("main.stale").waitFor();
    expect(await page.getByText("This state is out of date").isVisible()).toBe(true);
    const colour = (name: string) => groundOf(page, `article[aria-label="${name}"] .badge`);
    expect(await colour("shop/dev")).toBe(await colour("shop/production"));
  });

  test("the page works without script: search, states and refresh", async () => {
    const shown = await showThree();
    const { page } = await openTab({ javaScriptEnabled: false });
    await page.goto(shown.url);
    expect(await page.locator("article").count()).toBe(3);
    await page.locator("#search").fill("staging");
    await page.locator("#search").press("Enter");
    await page.waitForURL("**/?q=staging");
    expect(await page.locator("article").count()).toBe(1);
    await page.goto(`${shown.url}/?q=web`);
    expect(await page.locator("article h3").allInnerTexts()).toEqual(["shop/staging"]);
    await page.goto(shown.url);
    await page.getByRole("navigation", { name: "States" }).getByText("blocked").click();
    await page.waitForURL("**/?state=blocked");
    expect(await page.locator("article h3").allInnerTexts()).toEqual(["shop/production"]);
    expect(await page.locator("noscript meta[http-equiv=refresh], meta[http-equiv=refresh]").count()).toBe(1);
  });

  test.each([
    ["a phone", { viewport: { width: 320, height: 640 } }],
    ["a handler of actions", {}],
  ])("on %s, nothing is wider than the window", async (_where, options) => {
    const shown = await showThree();
    const { page, mishaps } = await openTab(options);
    for (const path of ["/", "/journal"]) {
      await page.goto(shown.url + path);
      expect(await isTooWide(page)).toBe(false);
    }
    expect(mishaps).toEqual([]);
  });

  test("the table of services has no empty column", async () => {
    const shown = await showThree();
    const { page } = await openTab();
    await page.goto(shown.url);
    const titles = await page.getByRole("columnheader").allInnerTexts();
    expect(titles).toEqual(["Service", "State", "Version", "Address"]);
  });

  test("a keyboard reaches everything, beginning with the way past the head", async () => {
    const shown = await showThree();
    const { page } = await openTab();
    await page.goto(shown.url);
    const reached: string[] = [];
    for (let presses = 0; presses < 20; presses += 1) {
      await page.keyboard.press("Tab");
      reached.push(await focusedText(page));
    }
    expect(reached[0]).toBe("Skip to the content");
    expect(reached).toEqual(expect.arrayContaining(["Now", "Journal", "all 3", "What to paste"]));
  });

  test.each(["light", "dark"] as const)("axe finds nothing on the %s page", async (colorScheme) => {
    const shown = await showThree();
    const { page } = await openTab({ colorScheme });
    for (const path of ["/", "/journal", "/audit"]) {
      await page.goto(shown.url + path);
      for (const folded of await page.locator("details").all())
        await folded.evaluate("(element) => { element.open = true; }");
      expect(await violationsOn(page), path).toEqual([]);
    }
  });

  test.each([
    ["light", {}],
    ["dark", { colorScheme: "dark" }],
    ["phone", { viewport: { width: 360, height: 740 } }],
  ] as const)(
    "axe finds nothing on the page to sign in, nor on that of many sources: %s",
    async (_where, options) => {
      const file = join((await showPage()).folder, "token");
      await writeFile(file, "token-of-the-page");
      const shown = await showPage({ type: "token", file });
      const { page } = await openTab(options);
      await page.goto(shown.url);
      await page.getByText("Token of this page").waitFor();
      expect(await violationsOn(page)).toEqual([]);
      const since = "2026-12-01T08:00:00.000Z";
      const commit = { id: "3f2c1a9".padEnd(40, "0"), subject: "Raise the memory", author: "Ada", at: since };
      const environment = { since, services: ["api"], commit };
      const source = { repository: "https://git.example.com/a.git", synced: 1, checked_at: since };
      const status: FleetStatus = {
        format: "infrasync-fleet-status",
        version: 1,
        now: since,
        synced: 0,
        problems: ["a.yaml: a mistake"],
        sources: [
          {
            ...source,
            name: "away",
            state: "down",
            environments: [],
            failure: { since, reason: "no worker" },
          },
          {
            ...source,
            name: "shop",
            team: "blue",
            state: "unhealthy",
            environments: [
              {
                ...environment,
                name: "shop/live",
                state: "unhealthy",
                reason: "container api: its probe fails",
              },
              { ...environment, name: "shop/dev", state: "synced" },
            ],
          },
        ],
      };
      const selection = { search: "", page: 1, state: undefined, team: undefined };
      await page.setContent(renderFleet(status, selection, html``));
      expect(await page.locator("article").count()).toBe(3);
      expect(await violationsOn(page)).toEqual([]);
      expect(await isTooWide(page)).toBe(false);
    },
  );
});
