import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, mkdtemp } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { browserPath, isTooWide, useBrowser, violationsOn } from "../fixtures/browser.ts";
import { mayBeMissing } from "../fixtures/tools.ts";
import { useFixture } from "../cli/fixture.ts";
import { removeFolder } from "../fixtures/remove-folder.ts";

const fixture = useFixture();

const openTab = useBrowser();
const checkout = path.join(import.meta.dirname, "../..");
const types = new Map([
  [".html", "text/html"],
  [".css", "text/css"],
  [".js", "text/javascript"],
  [".svg", "image/svg+xml"],
]);

let site: string;
let url: string;

beforeAll(async () => {
  site = await mkdtemp(path.join(tmpdir(), "infrasync-site-"));
  const program = path.join(checkout, "node_modules/vitepress/bin/vitepress.js");
  await promisify(execFile)(process.execPath, [program, "build", "tools/site", "--outDir", site], {
    cwd: checkout,
    env: { ...process.env, SITE_EDITOR: "https://git.example.com/acme/infrasync/edit/main/" },
  });
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const file = pathname.replace(/^\/below\//, "").replace(/(?<=^|\/)$/, "index.html");
    readFile(path.join(site, file)).then(
      (content) =>
        response.setHeader("content-type", types.get(path.extname(file)) ?? "text/plain").end(content),
      () => response.writeHead(404).end(),
    );
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/below/`;
  return async () => {
    server.close();
    await removeFolder(site);
  };
});

test("every link of the site leads to a heading of a page", async () => {
  const names = (await readdir(site, { recursive: true })).filter((name) => name.endsWith(".html"));
  const pages = new Map<string, string>();
  for (const name of names) pages.set(name, await readFile(path.join(site, name), "utf8"));
  expect(pages.size).toBeGreaterThan(40);
  const dead = [...pages].flatMap(([name, text]) =>
    [...text.matchAll(/<a\b[^>]* href="([^":]+)"/g)]
      .map(([, href = ""]) => href)
      .filter((href) => {
        if (href.endsWith(".tar.gz")) return !existsSync(path.join(site, path.dirname(name), href));
        const [file = "", anchor] = decodeURI(href).split("#");
        const page = pages.get(file === "" ? name : path.join(path.dirname(name), file));
        return (
          page === undefined ||
          (anchor !== undefined && anchor !== "VPContent" && !page.includes(`id="${anchor}"`))
        );
      })
      .map((href) => `${name}: ${href}`),
  );
  expect(dead).toEqual([]);
});

test.each([
  ["json", "values_not_compared"],
  ["emulator", "/environment/{environmentId}/cancelDeployment"],
  ["pulumi-resources/job", "adoptId"],
])("the site has the tables of the page %s, which git does not keep", async (page, text) => {
  expect(await readFile(path.join(checkout, `docs/reference/${page}.md`), "utf8")).not.toContain(text);
  const html = await readFile(path.join(site, `reference/${page}.html`), "utf8");
  // A long name may break in a narrow cell.
  expect(html.replaceAll("<wbr>", "")).toContain(text);
});

test("the home page leads to the installation and to examples, and a guide to the next and the previous page", async () => {
  const read = (name: string) => readFile(path.join(site, name), "utf8");
  const home = await read("index.html");
  const { version } = JSON.parse(await readFile(path.join(checkout, "package.json"), "utf8")) as {
    version: string;
  };
  for (const text of [
    'href="./guides/install.html"',
    `>${version}<`,
    "New here?",
    "From another tool?",
    "In charge of production?",
  ])
    expect(home).toContain(text);
  const { stdout } = await promisify(execFile)("tar", ["-tzf", path.join(site, "examples/shop.tar.gz")]);
  expect(stdout.split("\n")).toContain("shop/README.md");
  expect(home).toContain('href="examples/shop.tar.gz"');
  const guide = await read("guides/clone.html");
  expect(guide).toMatch(/Previous page.*Next page/s);
  expect(guide).toContain('href="https://git.example.com/acme/infrasync/edit/main/docs/guides/clone.md"');
  expect(home).toContain('href="https://git.example.com/acme/infrasync/edit/main/docs/README.md"');
});

const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

test.skipIf(mayBeMissing(browserPath)).each([
  ["on a desktop", {}],
  ["on a phone", phone],
  ["in the dark", { colorScheme: "dark" }],
  ["on a phone in the dark", { ...phone, colorScheme: "dark" }],
] as const)("the site is accessible and fits the window %s", async (_where, options) => {
  const { page, mishaps } = await openTab(options);
  for (const name of [
    "",
    "tutorials/getting-started.html",
    "guides/reconcile.html",
    "reference/cli.html",
    "reference/pulumi-resources/job.html",
    "reference/troubleshooting.html",
  ]) {
    await page.goto(url + name);
    expect(await isTooWide(page), name).toBe(false);
    expect(await violationsOn(page), name).toEqual([]);
  }
  expect(mishaps).toEqual([]);
});

test.skipIf(mayBeMissing(browserPath))(
  "the first screen of a phone says what this is, and where a newcomer begins",
  async () => {
    const { page } = await openTab(phone);
    await page.goto(url);
    for (const text of ["plan / apply and GitOps", "New here?"]) {
      const box = await page.getByText(text).first().boundingBox();
      expect((box?.y ?? Infinity) + (box?.height ?? 0), text).toBeLessThan(phone.viewport.height);
    }
  },
);

test.skipIf(mayBeMissing(browserPath)).each([
  ["a window of 1,280 pixels", {}],
  ["a phone", phone],
] as const)("the tables of a page fit %s", async (_where, options) => {
  const { page } = await openTab(options);
  const cut: string[] = [];
  for (const name of [
    "reference/configuration",
    "reference/troubleshooting",
    "reference/manifests/job",
    "reference/manifests/cluster",
    "reference/cli/apply",
    "reference/json",
    "reference/pulumi-resources/job",
    "reference/metrics",
    "guides/policies",
    "guides/settings",
    "guides/variables",
    "explanation/comparison",
  ]) {
    await page.goto(`${url}${name}.html`);
    const isCut = await page.evaluate(
      "[...document.querySelectorAll('.vp-doc table')].some((table) => table.scrollWidth > table.parentElement.clientWidth)",
    );
    if (isCut === true) cut.push(name);
  }
  expect(cut).toEqual([]);
});

const container =
  "kind: Container\nenvironment: shop/production\nname: web\nregistry: docker-hub\nimage_name: acme/web\ntag: 1.4.2\n";

/** What somebody runs, with its manifest, and the pages that help with the message. */
const mistakes: readonly [line: string, manifest: string, pages: string][] = [
  ["validate FILE", `${container}memory: 512Mi\n`, "troubleshooting"],
  ["validate FILE", `${container}cpu: 0.5\n`, "troubleshooting"],
  ["validate FILE", `${container}ports: [8080]\n`, "manifests/container"],
  ["validate FILE", `${container}arguments: --port 80\n`, "manifests/container"],
  ["validate FILE", `${container}secrets: { KEY: plain }\n`, "guides/variables"],
  ["validate FILE", `${container}secrets: { KEY: "\${KEY}" }\n`, "guides/variables"],
  ["validate FILE", `${container}image: nginx:1\n`, "troubleshooting"],
  ["validate FILE", `${container}memroy: 512\n`, "troubleshooting"],
  ["validate FILE", `${container}depends_on: [db]\n`, "manifests/container"],
  ["validate FILE", `${container}healthcheck: {}\n`, "manifests/container"],
  ["validate FILE", `${container}custom_domains: [a.example.com]\n`, "guides/settings"],
  ["validate FILE", `${container}deployment_stage: { name: x }\n`, "guides/deployments"],
  ["validate FILE", `${container}variables: [A=1]\n`, "guides/variables"],
  ["validate FILE", `${container}description: \${TAG}\n`, "guides/overlays"],
  ["validate FILE", `${container}kind: Job\n`, "troubleshooting"],
  ["validate FILE", "kind: Pod\nname: a\n", "troubleshooting"],
  ["validate FILE", "services:\n  web: { image: nginx }\n", "guides/coming-from"],
  ["validate FILE", "apiVersion: argoproj.io/v1alpha1\nkind: Application\n", "guides/coming-from"],
  ["validate FILE.missing", container, "troubleshooting"],
  ["plan FILE --dryrun", container, "troubleshooting"],
  ["plan FILE --target production", container, "troubleshooting"],
  ["plan FILE --token-file none", container, "troubleshooting"],
  ["deploy production", container, "troubleshooting"],
  ["apply FILE", container, "troubleshooting"],
  ["destroy FILE", container, "troubleshooting"],
  ["diff shop/production production", container, "troubleshooting"],
  ["apply FILE --max-requests 1 --yes", container, "troubleshooting"],
  ["plan FILE --base-url http://api.example.com", container, "troubleshooting"],
  ["reconcile status --data none", container, "guides/reconcile"],
  ["ci plan FILE", container, "guides/ci"],
  ["preview list", container, "guides/previews"],
];

test.skipIf(mayBeMissing(browserPath))(
  "who pastes a message of the product finds the page that helps among the first five",
  async () => {
    const { page } = await openTab();
    await page.goto(url);
    await openSearch(page);
    const found: Record<string, string> = {};
    for (const [line, manifest, name] of mistakes) {
      const file = await fixture.write("pasted.yaml", manifest);
      const { stderr } = await fixture.run(line.replace("FILE", file).split(" "));
      const [, message = ""] = /^.*?error: (.*)$/m.exec(stderr) ?? [];
      await page.getByRole("searchbox").fill(message);
      const firstFive =
        "[...document.querySelectorAll('[role=option] a')].slice(0, 5).map(({ pathname }) => pathname).join(' ')";
      const isFound = () => page.evaluate(firstFive).then((all) => String(all).includes(`/${name}.html`));
      await expect
        .poll(isFound, { timeout: 5_000 })
        .toBe(true)
        .catch(async () => {
          found[`${line}: ${message}`] = `${name}, not ${String(await page.evaluate(firstFive))}`;
        });
    }
    expect(found).toEqual({});
  },
);

/** Opens the search: on a busy machine, a click on a page whose scripts have not run opens nothing. */
async function openSearch(page: Awaited<ReturnType<typeof openTab>>["page"]): Promise<void> {
  const field = page.getByRole("searchbox");
  await expect
    .poll(async () => {
      if (await field.isVisible()) return true;
      await page
        .getByRole("button", { name: "Search" })
        .click({ timeout: 1000 })
        .catch(() => undefined);
      return field.isVisible();
    })
    .toBe(true);
}

test.skipIf(mayBeMissing(browserPath)).each([
  ["restart", "reference/cli/restart.html"],
  ["uninstall", "guides/leave.html"],
  ["scale", "guides/incident.html"],
  ["quota", "guides/budget.html"],
  ["cron", "reference/manifests/job.html"],
  ["secret rotation", "guides/variables.html"],
  ["503", "explanation/reliability.html"],
  ["healthcheck", "guides/settings.html"],
  ["sops", "guides/variables.html"],
  ["docker compose", "guides/coming-from.html"],
  ["monorepo", "guides/split-a-project.html"],
  ["self-signed certificate in certificate chain", "reference/troubleshooting.html"],
  ["connect ECONNREFUSED 127.0.0.1:443", "reference/troubleshooting.html"],
  ["409 another operation is in progress", "reference/troubleshooting.html"],
  ["error: the token is missing, unknown or expired", "reference/troubleshooting.html"],
])("who looks for %s finds %s among the first five", async (word, found) => {
  const { page } = await openTab();
  await page.goto(url);
  await openSearch(page);
  await page.getByRole("searchbox").fill(word);
  const firstFive =
    "[...document.querySelectorAll('[role=option] a')].slice(0, 5).map(({ pathname }) => pathname).join(' ')";
  await expect.poll(() => page.evaluate(firstFive), { timeout: 20_000 }).toContain(found);
});

test.skipIf(mayBeMissing(browserPath))(
  "the search leads to a heading, and the button of a block copies the commands alone",
  async () => {
    const { page, mishaps } = await openTab({ permissions: ["clipboard-read", "clipboard-write"] });
    await page.goto(url);
    await openSearch(page);
    await page.getByRole("searchbox").fill("proxies and certificates");
    await page.getByRole("option").first().click();
    await expect.poll(() => page.url()).toBe(`${url}reference/configuration.html#proxies-and-certificates`);
    await page.goto(`${url}guides/look.html`);
    await page.locator(".language-console button.copy").first().click();
    await expect
      .poll(() => page.evaluate("navigator.clipboard.readText()"))
      .toBe(
        "infrasync list 'shop/production/**'\ninfrasync list 'environment:**' --output json > environments.json",
      );
    expect(mishaps).toEqual([]);
  },
);
