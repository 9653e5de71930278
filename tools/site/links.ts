import path from "node:path";
import type { MarkdownOptions } from "vitepress";
import { fileUrl } from "../file-url.ts";

type Markdown = Parameters<NonNullable<MarkdownOptions["config"]>>[0];

/** The name that the site gives to a page: the index of a folder is its README on GitHub. */
export function pageName(file: string): string {
  return file.replace(/(?<=^|\/)README\.md$/, "index.md");
}

/**
 * Makes links of pages work on the site, as they do in the checkout: one to a file that is no page leads to `source`.
 *
 * @param docs the folder of the pages
 * @param source the URL of the checkout, with a slash at its end
 */
export function linksOfSite(markdown: Markdown, docs: string, source: string): void {
  markdown.core.ruler.after("inline", "links of the site", ({ tokens, env }) => {
    const { realPath, path: file = "" } = env as { realPath?: string; path?: string };
    const folder = path.dirname(realPath ?? file);
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const target = token.type === "link_open" ? token.attrGet("href") : null;
      if (target === null || /^(?:[a-z]+:|#)/.test(target)) continue;
      token.attrSet("href", linkOnSite(target, path.relative(docs, folder), source));
    }
  });
}

function linkOnSite(target: string, folder: string, source: string): string {
  const [file = "", anchor] = target.split("#");
  const inDocs = path.join(folder, file);
  const isPage = file.endsWith(".md") && !inDocs.startsWith("..");
  if (!isPage) return fileUrl(source, path.join("docs", target.replace(file, inDocs)));
  return pageName(file) + (anchor === undefined ? "" : `#${anchor}`);
}
