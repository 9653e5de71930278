import type { DefaultTheme } from "vitepress";

type Item = DefaultTheme.SidebarItem;

/**
 * The sidebar, from the index of the pages: a group for each heading, in it a group for each row of a table, in it the links.
 *
 * @param index docs/README.md
 */
export function sidebarOf(index: string): Item[] {
  const groups: { text: string; items: Item[] }[] = [];
  for (const line of index.split("\n")) {
    const [, heading] = /^## ([^:]+)/.exec(line) ?? [];
    if (heading !== undefined) groups.push({ text: heading, items: [] });
    const links = [...line.matchAll(/\[([^\]]+)\]\(([^)\s]+)\)/g)].map(
      ([, text = "", target = ""]): Item => ({
        text: text.charAt(0).toUpperCase() + text.slice(1),
        link: `/${target.replace(/(?:README)?\.md$/, "")}`,
      }),
    );
    const [, row] = /^\| ([^|]+) \|.*\]\(/.exec(line) ?? [];
    groups
      .at(-1)
      ?.items.push(...(row === undefined ? links : [{ text: row, collapsed: true, items: links }]));
  }
  return groups.map((group) => ({ ...group, collapsed: false }));
}
