import fc from "fast-check";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { escapeHtml, html } from "../../../adapters/web/html.ts";
import { browserPath, contrasts, isTooWide, useBrowser } from "../../fixtures/browser.ts";
import { cronJob, lifecycleJob, shop } from "../../fixtures/manifests.ts";
import { mayBeMissing } from "../../fixtures/tools.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture();
const openTab = useBrowser();
const script = Array.from({ length: 40 }, (_, index) => `  line ${index}`).join("\n");

/** A plan that creates, changes and replaces, with a long text. */
async function makePlan(...args: string[]) {
  const before = cronJob(
    "nightly-report",
    `variables:\n  SCRIPT: |\n${script.replaceAll("  line", "    line")}\n`,
  );
  await fixture.write("shop.yaml", shop + before + cronJob("import"));
  expect(await fixture.run(["apply", fixture.folder, "--yes"])).toMatchObject({ code: 0 });
  const evil = 'description: "<img src=x onerror=alert(1)>"\n';
  await fixture.write(
    "shop.yaml",
    shop +
      before.replace("cpu: 500", "cpu: 750").replace("line 20", "line twenty") +
      lifecycleJob("import") +
      cronJob("added", evil),
  );
  return fixture.run(["plan", fixture.folder, "--output", "html", ...args]);
}

test("a plan as HTML names what is destroyed first, then fields side by side, and long texts as a difference", async () => {
  const { stdout, code } = await makePlan("--allow-replace", "job:**");
  expect(code).toBe(0);
  const at = (what: string) => stdout.indexOf(what);
  expect(stdout).toContain("<h1>Plan: 1 to create, 1 to update, 1 to replace; 2 unchanged.</h1>");
  expect(at('<h2 id="destroyed">')).toBeLessThan(at('data-action="replace"'));
  expect(at('data-action="replace"')).toBeLessThan(at('data-action="update"'));
  expect(at('data-action="update"')).toBeLessThan(at('data-action="create"'));
  expect(stdout).toMatch(/<code class="before">500m<\/code><\/td>\s*<td><code class="after">750m<\/code>/);
  expect(stdout).toMatch(/<span class="cut">- *line 20<\/span><span class="add">\+ *line twenty<\/span>/);
  expect(stdout).toContain("&lt;img src=x onerror=alert(1)&gt;");
  expect(stdout).not.toContain("<img");
  // Nothing is loaded from elsewhere.
  expect(stdout).not.toMatch(/(?:src|href)="(?!data:,|#content)|url\(|@import|http:\/\//);
});

test("the HTML of a deletion counts the resources and parts that are deleted with it", async () => {
  await fixture.write(
    "shop.yaml",
    shop + cronJob("report", "variables: { LEVEL: info }\n") + cronJob("import"),
  );
  expect(await fixture.run(["apply", fixture.folder, "--yes"])).toMatchObject({ code: 0 });
  await fixture.write("shop.yaml", "kind: Environment\nproject: shop\nname: staging\n");
  const { stdout } = await fixture.run(["plan", "--destroy", fixture.folder, "--output", "html"]);
  const text = stdout.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  expect(text).toContain("What is destroyed (3)");
  expect(text).toMatch(/Also deletes: 2 jobs (report , import|import , report) ; 1 variable report: LEVEL/);
});

test("a clone as HTML names all that comes with it, as the text does", async () => {
  const parts = "variables: { LEVEL: info }\nsecrets: { PASSWORD: { from_env: SHOP_PASSWORD } }\n";
  await fixture.write("shop.yaml", shop.trimEnd() + `\n${parts}` + cronJob("report") + cronJob("import"));
  const env = { ...fixture.env, SHOP_PASSWORD: "x" };
  expect(await fixture.run(["apply", fixture.folder, "--yes"], { env })).toMatchObject({ code: 0 });
  const copy = "---\nkind: Environment\nproject: shop\nname: copy\nclone: { from: shop/staging }\n";
  const file = await fixture.write("copy/copy.yaml", copy);
  const { stdout } = await fixture.run(["plan", file, "--output", "html"]);
  const lines = stdout
    .slice(stdout.indexOf("Also copies"), stdout.indexOf("<script"))
    .replaceAll(/<[^>]*>/g, "")
    .split("\n")
    .join(" ")
    .replaceAll(/ +/g, " ");
  expect(lines).toContain("Also copies: 2 jobs report, import; 1 variable LEVEL");
  expect(lines).toContain("Also copies, without anybody seeing the values: 1 secret PASSWORD");
});

test("a plan that would be refused says so, and exits with 3", async () => {
  const { stdout, code } = await makePlan();
  expect(code).toBe(3);
  expect(stdout).toContain("infrasync will refuse to apply this plan");
  expect(stdout).toContain("--allow-replace &#39;job:shop/staging/import&#39;");
});

test("apply reports as HTML what became of each action; plan and progress go to standard error", async () => {
  await makePlan();
  await fixture.fault({ method: "PUT", path: "/job/*", status: 400 });
  const ran = await fixture.run([
    "apply",
    fixture.folder,
    "--yes",
    "--allow-replace",
    "job:**",
    "--output",
    "html",
  ]);
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain("Plan: 1 to create");
  expect(ran.stdout).toMatch(/^<!doctype html>/);
  expect(ran.stdout).toContain("Not all changes could be made.");
  expect(ran.stdout).toContain('<span class="badge bad">failed</span>');
  expect(ran.stdout).toContain('<span class="badge good">done</span>');
});

test("apply reports as Markdown what became of each action, also of those that failed", async () => {
  await fixture.write("shop.yaml", shop + cronJob("a") + cronJob("b"));
  await fixture.fault({
    method: "POST",
    path: "/environment/*/job",
    times: 1,
    status: 400,
    body: { status: 400, error: "Bad Request", message: "not ``` today" },
  });
  const { code, stdout, stderr } = await fixture.run([
    "apply",
    fixture.folder,
    "--yes",
    "--output",
    "markdown",
  ]);
  expect(stdout).toMatch(/^### Plan: 4 to create/);
  // No text of the server can end the code.
  const [, fence = "", report = ""] = /\*\*Result:\*\*\n\n(`+)\n([^]*)\n\1\n$/.exec(stdout) ?? [];
  expect(fence.length).toBeGreaterThan(3);
  expect(report).toContain("not ``` today");
  expect(report).toContain("3 created");
  expect(stderr).toContain("infrasync will make these changes");
  expect(code).toBe(1);
});

test("no text can leave its place in the HTML", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const escaped = escapeHtml(text);
      expect(escaped).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
      expect(html`<p title="${text}">${text}</p>`.text).toBe(`<p title="${escaped}">${escaped}</p>`);
    }),
  );
});

describe.skipIf(mayBeMissing(browserPath))("in a browser", () => {
  const opened = async (options = {}) => {
    const { stdout } = await makePlan("--allow-replace", "job:**");
    const file = join(fixture.folder, "plan.html");
    await writeFile(file, stdout);
    const tab = await openTab(options);
    await tab.page.goto(`file://${file}`);
    return tab;
  };

  test("the actions of a plan can be filtered by action, kind and text", async () => {
    const { page, mishaps } = await opened();
    const shown = () => page.locator("article:visible h3").allInnerTexts();
    expect(await shown()).toHaveLength(3);
    await page.getByLabel("Action").selectOption("change");
    expect(await shown()).toEqual(["shop/staging/nightly-report"]);
    expect(await page.locator("#shown").innerText()).toBe("1 of 3 shown");
    await page.getByLabel("Action").selectOption("all");
    await page.getByLabel("Text").fill("migrate import");
    expect(await shown()).toEqual(["shop/staging/import"]);
    await page.getByLabel("Kind").selectOption("Job");
    expect(await shown()).toEqual(["shop/staging/import"]);
    expect(mishaps).toEqual([]);
  });

  test("a plan needs no network, a keyboard reaches its filter, and a screen reader hears what each part is", async () => {
    const { page, mishaps } = await opened();
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    await page.reload();
    expect(requested.filter((url) => !/^(?:file|data):/.test(url))).toEqual([]);
    const reached: string[] = [];
    for (let presses = 0; presses < 4; presses += 1) {
      await page.keyboard.press("Tab");
      reached.push(
        await page.evaluate<string>(
          "(document.activeElement.closest('label')?.querySelector('span') ?? document.activeElement).textContent",
        ),
      );
    }
    expect(reached).toEqual(["Skip to the content", "Text", "Action", "Kind"]);
    await page.getByRole("searchbox", { name: "Text" }).fill("nightly");
    expect(await page.getByRole("status").innerText()).toBe("1 of 3 shown");
    await page.getByRole("searchbox", { name: "Text" }).fill("");
    const snapshot = await page.locator("body").ariaSnapshot();
    for (const part of [
      "banner",
      "main",
      'search "Filter"',
      'searchbox "Text"',
      'combobox "Action"',
      'article "change Job shop/staging/nightly-report"',
      'article "delete and create again Job shop/staging/import"',
    ])
      expect(snapshot).toContain(part);
    expect(mishaps).toEqual([]);
  });

  test("a plan fits on a phone, in light and dark, and shows everything without script", async () => {
    for (const options of [
      { viewport: { width: 320, height: 640 } },
      { colorScheme: "dark" },
      { javaScriptEnabled: false },
    ]) {
      const { page } = await opened(options);
      expect(await page.locator("article:visible").count()).toBe(3);
      if ("javaScriptEnabled" in options) expect(await page.locator("#filter:visible").count()).toBe(0);
      else {
        expect(await isTooWide(page)).toBe(false);
        expect(
          Math.min(...(await contrasts(page, "code, .badge, .faint, .diff span"))),
        ).toBeGreaterThanOrEqual(4.5);
      }
      if (process.env["SHOTS"])
        await page.screenshot({
          path: `${process.env["SHOTS"]}/plan-${Object.keys(options)[0]}.png`,
          fullPage: true,
        });
    }
  });
});
