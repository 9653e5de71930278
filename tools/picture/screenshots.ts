/**
 * node tools/picture/screenshots.ts: takes the pictures of docs/pictures, which nothing checks: each machine draws
 * text a little differently.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { createMarkdownRenderer } from "vitepress";
import { chromium } from "playwright-core";
import { findTool } from "../../test/fixtures/tools.ts";
import { DemoStage, startEmulator } from "../demo/stage.ts";

const pictures = path.join(import.meta.dirname, "..", "..", "docs", "pictures");
const folder = mkdtempSync(path.join(tmpdir(), "infrasync-pictures-"));
const repository = path.join(folder, "infra");
const manifests = path.join(repository, "manifests");
const server = await startEmulator(["--set", "rate_limit=0"]);
const stage = new DemoStage(server, new PassThrough().resume());
const executablePath = findTool("chromium", "chromium-browser", "google-chrome");
if (executablePath === undefined) throw new Error("there is no browser; install chromium");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });

const shop = (tag: string) => `kind: Project
name: shop
---
kind: Environment
project: shop
name: production
mode: PRODUCTION
cluster: eu-west
---
kind: Container
environment: shop/production
name: api
registry: docker-hub
image_name: acme/api
tag: ${tag}
memory: 512
---
kind: Environment
project: shop
name: staging
mode: STAGING
cluster: eu-west
---
kind: Job
environment: shop/staging
name: report
source: { image: { registry: docker-hub, image_name: acme/report, tag: ${tag} } }
schedule: { cronjob: { scheduled_at: "0 3 * * *", timezone: UTC } }
`;

function git(...args: string[]): void {
  const person = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  execFileSync("git", ["-C", repository, ...person, ...args], { stdio: "ignore" });
}

function commit(text: string, message: string): void {
  writeFileSync(path.join(manifests, "shop.yaml"), text);
  git("add", "--all");
  git("commit", "-m", message);
}

async function picture(name: string, url: string, width: number): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height: 400 } });
  await page.goto(url);
  // The types of this project know no browser, so its code is a text.
  await page.evaluate(`{
    const body = document.body;
    body.innerHTML = body.innerHTML.replaceAll(${JSON.stringify(repository)}, "https://git.example.com/acme/infra");
    for (const folded of document.querySelectorAll("details:not(.paste)")) folded.open = ${name === "pull-request"};
  }`);
  await page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage: true });
  await page.close();
}

try {
  mkdirSync(manifests, { recursive: true });
  git("init", "--quiet", "--initial-branch", "main");
  commit(shop("1.4.1"), "The shop");
  const service = await stage.service(
    `reconcile --repo ${repository} --allow-local-repo --path manifests --data ${folder}/data --interval 1s --yes --listen 127.0.0.1:0`.split(
      " ",
    ),
    {},
  );
  const { url } = service.ready as { url: string };
  await setTimeout(6000);
  commit(shop("1.4.2"), "Release 1.4.2");
  await setTimeout(6000);
  const { environments } = (await (await fetch(new URL("status.json", url))).json()) as {
    environments: { id?: string }[];
  };
  if (environments.length === 0) throw new Error("the service shows no environment");
  const [project] = await stage.list(`/organization/${server.organizationId}/project`);
  const live = await stage.list(`/project/${project?.id}/environment`);
  const production = live.find(({ name }) => name === "production")?.id;
  const [api] = await stage.list(`/environment/${production}/container`);
  const fields = await stage.request("GET", `/container/${api?.id}`);
  await stage.request("PUT", `/container/${api?.id}`, {
    ...fields,
    registry_id: (fields["registry"] as { id: string }).id,
    memory: 1024,
  });
  await setTimeout(5000);
  await picture("page", url, 1100);
  await service.stop();
  writeFileSync(path.join(manifests, "shop.yaml"), shop("1.5.0").replace("memory: 512", "memory: 1024"));
  const comment = await stage.infrasync(["plan", manifests, "--output", "markdown"], 0);
  const render = await createMarkdownRenderer(folder);
  const frame = `<!doctype html><meta charset="utf-8"><style>
    body { font: 14px/1.5 -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; margin: 16px; color: #1f2328 }
    .comment { border: 1px solid #d1d9e0; border-radius: 6px } .comment > * { padding: 0 16px }
    .author { background: #f6f8fa; border-bottom: 1px solid #d1d9e0; padding: 8px 16px !important }
    code, pre { font: 12px/1.45 ui-monospace, "DejaVu Sans Mono", monospace; background: #f6f8fa; border-radius: 6px }
    pre { padding: 12px !important; margin: 8px 16px } button, .lang { display: none }
    table { border-collapse: collapse; margin: 8px 16px; padding: 0 !important } td, th { border: 1px solid #d1d9e0; padding: 4px 12px }
  </style><div class="comment"><div class="author"><b>infrasync</b> commented on the pull request <i>Release 1.5.0</i></div>${await render.renderAsync(comment)}</div>`;
  writeFileSync(path.join(folder, "comment.html"), frame);
  await picture("pull-request", `file://${path.join(folder, "comment.html")}`, 820);
} finally {
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true });
}
