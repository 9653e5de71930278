import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { DefaultTheme } from "vitepress";

type Item = DefaultTheme.SidebarItem;

/** The sidebar from the index of pages: headings, rows of tables, links, and the pages of a page's own folder. */
export function sidebarOf(docs: string): Item[] {
  const groups: { text: string; items: Item[] }[] = [];
  for (const line of readFileSync(path.join(docs, "README.md"), "utf8").split("\n")) {
    const [, heading] = /^## ([^:]+)/.exec(line) ?? [];
    if (heading !== undefined) groups.push({ text: heading, items: [] });
    const items = linksIn(line).map(({ text, target }) => itemOf(text, target, docs));
    const [, row] = /^\| ([^|]+) \|.*\]\(/.exec(line) ?? [];
    groups.at(-1)?.items.push(...(row === undefined ? items : [{ text: row, collapsed: true, items }]));
  }
  return groups.map((group) => ({ ...group, collapsed: false }));
}

/** The guides for the head of the site: the purpose of each group, and its pages. */
export function guidesOf(docs: string): DefaultTheme.NavItemChildren[] {
  const groups = sidebarOf(docs).find(({ text }) => text === "Guides")?.items ?? [];
  return groups.map(({ text = "", items = [] }) => ({
    text,
    items: items.map((item) => ({ text: item.text ?? "", link: item.link ?? "" })),
  }));
}

function itemOf(text: string, target: string, docs: string): Item {
  const item = {
    text: text.charAt(0).toUpperCase() + text.slice(1),
    link: `/${target.replace(/(?:README)?\.md$/, "")}`,
  };
  const folder = target.replace(/\.md$/, "/");
  if (!existsSync(path.join(docs, folder))) return item;
  const within = linksIn(readFileSync(path.join(docs, target), "utf8"))
    .map((link) => ({ ...link, target: path.join(path.dirname(target), link.target) }))
    .filter((link) => link.target.startsWith(folder));
  const items = [...new Map(within.map((link) => [link.target, link.text]))].map(([page, name]) => ({
    text: name.replaceAll("`", "").replace(/^infrasync /, ""),
    link: `/${page.replace(/\.md$/, "")}`,
  }));
  return { ...item, collapsed: true, items };
}

function linksIn(text: string): { text: string; target: string }[] {
  return [...text.matchAll(/\[([^\]]+)\]\(([^)\s]+)\)/g)].map(([, label = "", target = ""]) => ({
    text: label,
    target,
  }));
}
