import { statSync } from "node:fs";
import path from "node:path";
import type { MarkdownOptions } from "vitepress";

type Markdown = Parameters<NonNullable<MarkdownOptions["config"]>>[0];

/** The name that the site gives to a page: the index of a folder is its README on GitHub. */
export function pageName(file: string): string {
  return file.replace(/(?<=^|\/)README\.md$/, "index.md");
}

/**
 * Makes links of pages work on the site, as they do in the checkout: one to a file that is no page leads to `source`.
 *
 * @param docs the folder of the pages
 * @param source the URL of the checkout, with a slash at its end; without it, such a link is plain text
 */
export function linksOfSite(markdown: Markdown, docs: string, source: string | undefined): void {
  markdown.core.ruler.after("inline", "links of the site", ({ tokens, env }) => {
    const { realPath, path: file = "" } = env as { realPath?: string; path?: string };
    const folder = path.dirname(realPath ?? file);
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const target = token.type === "link_open" ? token.attrGet("href") : null;
      if (target === null || /^(?:[a-z]+:|#)/.test(target)) continue;
      const link = linkOnSite(target, path.relative(docs, folder), source);
      // An anchor without a target is text.
      if (link === undefined) token.attrs = null;
      else token.attrSet("href", link);
    }
  });
}

function linkOnSite(target: string, folder: string, source: string | undefined): string | undefined {
  const [file = "", anchor] = target.split("#");
  const inDocs = path.join(folder, file);
  const isPage = file.endsWith(".md") && !inDocs.startsWith("..");
  if (!isPage) return source && source + withSlash(path.join("docs", target.replace(file, inDocs)));
  return pageName(file) + (anchor === undefined ? "" : `#${anchor}`);
}

/** The path of a file of the checkout, perhaps with an anchor; that of a folder ends with a slash. */
function withSlash(target: string): string {
  const [file = ""] = target.split("#");
  return statSync(file).isDirectory() ? `${target}/` : target;
}
