import { readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { isBuilt } from "../../tools/build.ts";
import { sourceFolders } from "../../tools/source-folders.ts";
import { removeFolder } from "../fixtures/remove-folder.ts";

const checkout = path.join(import.meta.dirname, "../..");
const linesOf = (name: string) => readFileSync(path.join(checkout, name), "utf8").split("\n");

/** The folders of the checkout that have TypeScript, apart from those that git ignores. */
const withTypeScript = readdirSync(checkout, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
  .map(({ name }) => name)
  .filter((name) => ![`${name}/`, `/${name}/`].some((pattern) => linesOf(".gitignore").includes(pattern)))
  .filter((name) =>
    readdirSync(path.join(checkout, name), { encoding: "utf8", recursive: true }).some((file) =>
      file.endsWith(".ts"),
    ),
  );
const besideSources = ["test", "tools", "examples"];

test("the list names each folder of sources", () => {
  expect(sourceFolders.toSorted()).toEqual(withTypeScript.filter((name) => !besideSources.includes(name)));
});

test("TypeScript checks each folder", () => {
  const { include } = JSON.parse(linesOf("tsconfig.json").join("\n")) as { include: string[] };
  expect(include.toSorted()).toEqual([...sourceFolders, ...besideSources, "*.config.ts"].toSorted());
});

test("the image is built from the sources and the tools, without tests and secrets", () => {
  const lines = linesOf("examples/deploy/Dockerfile.dockerignore").filter((line) => /^[^#]/.test(line));
  const files = ["package.json", "package-lock.json", "tsconfig.json"];
  const allowed = [...sourceFolders, "tools", ...files].map((name) => `!${name}`);
  expect(lines.toSorted()).toEqual(["*", ...allowed].toSorted());
});

test.each(withTypeScript.filter((name) => !["test", "examples"].includes(name)))(
  "a build is made anew after a change of a file in %s",
  async (changed) => {
    const folder = await mkdtemp(path.join(tmpdir(), "infrasync-built-"));
    try {
      const files = ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json"];
      for (const name of [...withTypeScript, "dist"]) {
        await mkdir(path.join(folder, name));
        files.push(path.join(name, "file.ts"));
      }
      const [before, built, after] = [1_000, 2_000, 3_000];
      for (const name of files) {
        await writeFile(path.join(folder, name), "");
        await utimes(path.join(folder, name), before, before);
      }
      for (const name of withTypeScript) await utimes(path.join(folder, name), before, before);
      await utimes(path.join(folder, "dist"), built, built);
      expect(await isBuilt(folder)).toBe(true);
      await utimes(path.join(folder, changed, "file.ts"), after, after);
      expect(await isBuilt(folder)).toBe(false);
    } finally {
      await removeFolder(folder);
    }
  },
);
