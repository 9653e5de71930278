// The site of the pages in docs/: `npm run docs` writes it to dist-site/, `npx vitepress dev tools/site` shows it while
// you write.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { MarkdownOptions, MarkdownRenderer, UserConfig } from "vitepress";
import own from "../../package.json" with { type: "json" };
import { anchorOf } from "./anchor.ts";
import { guidesOf, sidebarOf } from "./sidebar.ts";
import synonyms from "./synonyms.json" with { type: "json" };

/** Words of readers that a page does not say itself, which the search finds there: of other tools, and of messages that people paste. */
const wordsOfReaders: Readonly<Record<string, string>> = synonyms;

/** The class of text that the copy button of VitePress omits. */
const notCopied = "vp-copy-ignore";

/** In a block of commands and their output, the button copies the commands alone, without their prompts. */
const consoleBlocks: NonNullable<MarkdownOptions["codeTransformers"]>[number] = {
  name: "infrasync: console blocks",
  line(node, number) {
    if (this.options.lang !== "console") return;
    const [prompt] = /^[$>] /.exec(this.source.split("\n")[number - 1] ?? "") ?? [];
    if (prompt === undefined) return void this.addClassToHast(node, notCopied);
    const [first] = node.children;
    const [text] = first?.type === "element" ? first.children : [];
    if (text?.type !== "text") return;
    text.value = text.value.replace(prompt, "");
    node.children.unshift({
      type: "element",
      tagName: "span",
      properties: { class: notCopied },
      children: [{ type: "text", value: prompt }],
    });
  },
};

type Markdown = Parameters<NonNullable<MarkdownOptions["config"]>>[0];

/** The name that the site gives to a page: the index of a folder is its README on GitHub. */
function pageName(file: string): string {
  return file.replace(/(?<=^|\/)README\.md$/, "index.md");
}

/** Makes links work on the site; one to a file that is no page leads to the URL `source`, or is plain text. */
function linksOfSite(markdown: Markdown, docs: string, source: string | undefined): void {
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
  const [example] = /(?<=^\.\.\/examples\/)\w+/.exec(inDocs) ?? [];
  // Without the checkout, a reader can download the folder.
  if (!isPage && example !== undefined && source === undefined)
    return path.join(path.relative(folder, "."), "examples", `${example}.tar.gz`);
  if (!isPage) return source && source + withSlash(path.join("docs", target.replace(file, inDocs)));
  return pageName(file) + (anchor === undefined ? "" : `#${anchor}`);
}

/** The path of a file of the checkout, perhaps with an anchor; that of a folder ends with a slash. */
function withSlash(target: string): string {
  const [file = ""] = target.split("#");
  return statSync(file).isDirectory() ? `${target}/` : target;
}

/** On a phone, where a row is a block, each cell names its column. */
function labelsOfCells(markdown: Markdown): void {
  markdown.core.ruler.push("labels of cells", ({ tokens }) => {
    let labels: string[] = [];
    let column = 0;
    for (const [index, token] of tokens.entries()) {
      if (token.type === "thead_open") labels = [];
      if (token.type === "tr_open") column = 0;
      if (token.type === "th_open") labels.push((tokens[index + 1]?.content ?? "").replaceAll("`", ""));
      if (token.type !== "td_open") continue;
      const label = labels[column++];
      if (label) token.attrSet("data-label", label);
    }
  });
}

/** A long name of a field is broken after a dot or an underscore, if it has to be. */
function breaksInNames({ renderer, utils }: Markdown): void {
  renderer.rules["code_inline"] = (tokens, index) =>
    `<code v-pre>${utils.escapeHtml(tokens[index]?.content ?? "").replaceAll(/(?<=\w)[._](?=\w)/g, "$&<wbr>")}</code>`;
}

/** Each folder of examples, to download. */
function packExamples(site: string): void {
  mkdirSync(path.join(site, "examples"), { recursive: true });
  for (const name of readdirSync(path.join(checkout, "examples")))
    execFileSync("tar", [
      "--exclude=node_modules",
      "-czf",
      path.join(site, "examples", `${name}.tar.gz`),
      "-C",
      path.join(checkout, "examples"),
      name,
    ]);
}

/** The words of a search. The address in a pasted message, such as `shop/production`, is the reader's own. It runs in the browser, as a text: it uses nothing beside itself. */
function searchedWords(text: string): string[] {
  const others = text.replaceAll(/\S*\/\S*/g, " ");
  return (/\w/.test(others) ? others : text).split(/[\n\r\p{Z}\p{P}]+/u).filter((word) => word !== "");
}

/** A word of a search as it is looked up; ids, and words that every page has, are not. It runs in the browser, too. */
function searchedWord(word: string): string | false {
  const common =
    "a an and are as at be been by can do does for from has have in is it its may must no not of on one only or that the there this to was what which who will with";
  const lower = word.toLowerCase();
  return !common.split(" ").includes(lower) && !/^[0-9a-f]{8,}$/.test(lower) && lower;
}

const checkout = path.join(import.meta.dirname, "../..");
const docs = path.join(checkout, "docs");
execFileSync(process.execPath, [path.join(checkout, "tools/site/sections.ts")], { stdio: "inherit" });
/** The URL of the checkout's files that are no pages, if it is published. */
const source = process.env["SITE_SOURCE"];
/** The URL of the editor of the branch's files: a file of a tag, where `source` leads, cannot be edited. */
const editor = process.env["SITE_EDITOR"];

/** In each page, because a page does not know the URL of the site. */
const logo = `data:image/png;base64,${readFileSync(path.join(docs, "pictures/logo.png"), "base64")}`;

const config: UserConfig = {
  title: own.name,
  description:
    "Projects, environments and services of the infrastructure management REST API under version control",
  lang: "en",
  srcDir: docs,
  outDir: path.join(checkout, "dist-site"),
  cacheDir: path.join(checkout, ".cache/vitepress"),
  // A site of relative links can be put below any URL.
  base: "./",
  head: [
    ["link", { rel: "icon", href: logo }],
    // The tab of a block names its language.
    ["style", {}, ".vp-code-group .lang { display: none }"],
  ],
  rewrites: pageName,
  // A table of fields needs the room beside it.
  buildEnd: ({ outDir }) => packExamples(outDir),
  transformPageData: ({ relativePath, frontmatter }) => ({
    frontmatter: /^(?:reference|index)\b/.test(relativePath) ? { ...frontmatter, aside: false } : frontmatter,
  }),
  markdown: {
    anchor: { slugify: anchorOf },
    codeTransformers: [consoleBlocks],
    // Links of included text are those of the page.
    include: { rebaseRelativeUrls: false },
    config(markdown) {
      linksOfSite(markdown, docs, source);
      labelsOfCells(markdown);
      breaksInNames(markdown);
    },
  },
  themeConfig: {
    logo,
    sidebar: sidebarOf(docs),
    nav: [
      { text: "Install", link: "/guides/install" },
      { text: "Tutorial", link: "/tutorials/getting-started" },
      { text: "Guides", items: guidesOf(docs) },
      { text: "Manifests", link: "/reference/manifests" },
      { text: "Commands", link: "/reference/cli" },
      { text: own.version, link: "/guides/upgrading" },
    ],
    ...(editor && { editLink: { pattern: `${editor}docs/:path`, text: "Edit this page" } }),
    outline: [2, 3],
    search: {
      provider: "local",
      options: {
        miniSearch: {
          searchOptions: {
            tokenize: searchedWords,
            processTerm: searchedWord,
            prefix: (word: string) => word.length > 2,
            fuzzy: (word: string) => (word.length > 4 ? 0.2 : false),
            // A search for a word should find the page about it, not each row of a reference that contains it.
            // The page of troubleshooting begins with the messages that people paste.
            boostDocument: (id: string) =>
              /#(?:troubleshooting|messages)$/.test(id)
                ? 12
                : id.includes("guides/")
                  ? 6
                  : /tutorials|reliability|reference\/(?:cli|manifests)\//.test(id)
                    ? 3
                    : /pulumi-resources|assumptions|kind-words|decisions/.test(id)
                      ? 0.1
                      : 1,
          },
        },
        _render: async (text: string, env: Record<string, unknown>, markdown: MarkdownRenderer) => {
          const page = String(env["relativePath"]);
          const searched =
            // The operations of the emulator are those of the API: a search for `restart` should find the command.
            page === "reference/emulator.md" ? (text.split("\n## Operations\n")[0] ?? "") : text;
          const words = wordsOfReaders[page];
          return markdown.renderAsync(
            words === undefined ? searched : searched.replace(/^# .*$/m, `$&\n\n${words}`),
            env,
          );
        },
      },
    },
  },
};
export default config;
