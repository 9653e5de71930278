import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sourceFolders } from "../../tools/source-folders.ts";

/** Sentences that readers did not understand, or parts of them. */
const gone = [
  "behind the infrastructure management REST API what you describe",
  "Make what is live what the manifests describe",
  "a shop is made, drifts, is mended and cloned",
  "a run that cannot be paid for does not start",
  "names all that a clone brings and all that a deletion takes along",
  "A job made by one shows no change in the other",
  "that does no harm, as Node 24 is among what it installs",
  "the token is one of your organization",
  "is nobody's drift",
  "Where nobody has to have seen the very plan",
  "for who wants everything in the manifests",
  "it is not known where the API is",
  "does not exist, or is a link that leads nowhere",
  "for apply, of no effect on a plan",
  "in what comes with the clone",
];

test("no page, no help and no message has a sentence that readers did not understand", async () => {
  const checkout = new URL("../..", import.meta.url).pathname;
  const files = await Promise.all(
    [...sourceFolders, "docs", "tools", "examples"].map(async (folder) =>
      (await readdir(join(checkout, folder), { recursive: true })).map((name) => join(folder, name)),
    ),
  );
  const texts = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", ...files.flat()].filter(
    (name) => /\.(?:md|ts|yaml)$/.test(name),
  );
  expect(texts.length).toBeGreaterThan(500);
  const found: string[] = [];
  for (const name of texts) {
    const text = (await readFile(join(checkout, name), "utf8")).replaceAll(/\s+/g, " ").toLowerCase();
    found.push(
      ...gone
        .filter((sentence) => text.includes(sentence.toLowerCase()))
        .map((sentence) => `${name}: ${sentence}`),
    );
  }
  expect(found).toEqual([]);
});
