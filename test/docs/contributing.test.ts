import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { kinds } from "../../core/model/kinds/index.ts";
import { readPage } from "./markdown.ts";

const { lines } = readPage("CONTRIBUTING.md");
const text = lines.join("\n");

test("every file, folder and script that the page names is there", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const paths = [
    ...text.matchAll(
      /`((?:core|cli|provider|reconciler|emulator|probe|forge|web|test|tools|docs)\/[\w./-]+)`/g,
    ),
  ]
    .map(([, path = ""]) => path)
    .filter((path) => !/NAME|FILE|PATH/.test(path));
  expect(paths.length).toBeGreaterThan(50);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  const called = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, script = ""]) => script);
  expect(called.filter((script) => scripts[script] === undefined)).toEqual([]);
});

test("the recipe for a kind names each file that has nearly all kinds one by one", () => {
  const [section = ""] = /## Add a kind[^]*?## Add a command/.exec(text) ?? [];
  const files = ["core", "test"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  );
  const names = kinds.map(({ name }) => new RegExp(`\\b${name}\\b`));
  const listing = files.filter((file) => {
    if (!/\.(?:ts|txt)$/.test(file) || file.endsWith("document-types.ts")) return false;
    const content = readFileSync(file, "utf8");
    return names.filter((name) => name.test(content)).length > kinds.length - 8;
  });
  expect(listing.length).toBeGreaterThan(3);
  expect(listing.filter((file) => !section.includes(`\`${file}\``))).toEqual([]);
});
