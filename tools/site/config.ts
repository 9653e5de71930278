// The site of the pages in docs/: `npm run docs` writes it to dist-site/, `npx vitepress dev tools/site` shows it while you write.
import { readFileSync } from "node:fs";
import path from "node:path";
import type { UserConfig } from "vitepress";
import { anchorOf } from "./anchor.ts";
import { consoleBlocks } from "./console-blocks.ts";
import { linksOfSite, pageName } from "./links.ts";
import { sidebarOf } from "./sidebar.ts";

const checkout = path.join(import.meta.dirname, "../..");
const docs = path.join(checkout, "docs");
const described = JSON.parse(readFileSync(path.join(checkout, "package.json"), "utf8")) as {
  name: string;
};
/** Where a reader finds a file of the checkout that is no page, if the checkout is published. */
const source = process.env["SITE_SOURCE"];

const config: UserConfig = {
  title: described.name,
  description:
    "Projects, environments and services of the infrastructure management REST API under version control",
  lang: "en",
  srcDir: docs,
  outDir: path.join(checkout, "dist-site"),
  cacheDir: path.join(checkout, ".cache/vitepress"),
  // A site of relative links can be put below any URL.
  base: "./",
  head: [["link", { rel: "icon", href: "data:," }]],
  rewrites: pageName,
  markdown: {
    anchor: { slugify: anchorOf },
    codeTransformers: [consoleBlocks],
    config: (markdown) => linksOfSite(markdown, docs, source),
  },
  themeConfig: {
    sidebar: sidebarOf(docs),
    nav: [
      { text: "Tutorial", link: "/tutorials/getting-started" },
      { text: "Manifests", link: "/reference/manifests" },
      { text: "Commands", link: "/reference/cli" },
    ],
    outline: [2, 3],
    search: { provider: "local" },
  },
};
export default config;
