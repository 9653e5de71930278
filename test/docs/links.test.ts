import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { anchorOf } from "../../tools/site/anchor.ts";
import { checkout, type Page, proseOf, readPages } from "./markdown.ts";

interface Link {
  at: string;
  /** The page or file of a link, relative to the checkout. */
  file: string;
  anchor: string | undefined;
}

const pages = readPages();
const links = pages.flatMap(linksOf);

test("every link has an existing target", () => {
  expect(links.length).toBeGreaterThan(50);
  const anchors = new Map(pages.map((page) => [page.name, anchorsOf(page)]));
  const broken = links.filter(({ file, anchor }) => {
    if (!existsSync(path.join(checkout, file))) return true;
    return anchor !== undefined && !anchors.get(file)?.has(anchor);
  });
  expect(broken).toEqual([]);
});

test("every page is the index, or is in the folder of its sort", () => {
  const placed = /^(?:[A-Z]+\.md|docs\/README\.md|docs\/(?:tutorials|guides|reference|explanation)\/.+)$/;
  expect(pages.map(({ name }) => name).filter((name) => !placed.test(name))).toEqual([]);
});

test("every page is reachable from the README", () => {
  const reached = new Set(["README.md"]);
  // The loop also visits elements that are added to the set during the loop.
  for (const name of reached) {
    for (const { at, file } of links) if (at.startsWith(`${name}:`)) reached.add(file);
  }
  expect(pages.map(({ name }) => name).filter((name) => !reached.has(name))).toEqual([]);
});

function linksOf(page: Page): Link[] {
  return proseOf(page).flatMap(({ text, line }) =>
    [...text.replaceAll(/`[^`]*`/g, "").matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = ""]) => {
      if (/^[a-z]+:/.test(target)) return [];
      const [file = "", anchor] = target.split("#");
      const folder = path.dirname(page.name);
      return [
        { at: `${page.name}:${line}`, file: file === "" ? page.name : path.join(folder, file), anchor },
      ];
    }),
  );
}

/** The anchors that GitHub makes from the headings of a page. */
function anchorsOf(page: Page): Set<string> {
  const headings = proseOf(page).flatMap(({ text }) => /^#+ (.+)$/.exec(text)?.[1] ?? []);
  const anchors = new Set<string>();
  for (const heading of headings) {
    const anchor = anchorOf(heading);
    let next = anchor;
    for (let count = 1; anchors.has(next); count += 1) next = `${anchor}-${count}`;
    anchors.add(next);
  }
  return anchors;
}

test("a page whose emulator has data of its own tells a reader how to start one with it", () => {
  const silent = readPages().flatMap(({ name, lines }) => {
    const seeds = lines.flatMap((line) => /^<!-- seed: (\S+) -->$/.exec(line)?.[1] ?? []);
    return seeds.filter((seed) => !lines.join("\n").includes(`\`--seed ${seed}\``)).map(() => name);
  });
  expect(silent).toEqual([]);
});

test("no page has the marks of a merge conflict", () => {
  const marked = readPages().filter(({ lines }) => lines.some((line) => /^(?:<{7}|>{7}) /.test(line)));
  expect(marked.map(({ name }) => name)).toEqual([]);
});
