// Before and after `npm pack`. The package has no other files of the checkout to link to: in its pages, a link to one
// becomes plain text, and a picture is omitted.
//   node tools/package-pages.ts plain     (prepack)
//   node tools/package-pages.ts linked    (postpack)
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

const pages = ["README.md", "CHANGELOG.md"];
const checkout = path.join(import.meta.dirname, "..");
/** The original pages during the packing. */
const linked = path.join(checkout, ".cache", "linked-pages");

/** A page without links to files beside it, and without their pictures. */
function plain(text: string): string {
  const target = String.raw`\((?![a-z]+:|#)[^)\s]+\)`;
  return text
    .replaceAll(new RegExp(String.raw`!\[[^\]]*\]${target}\n*`, "g"), "")
    .replaceAll(new RegExp(String.raw`\[([^\]]*)\]${target}`, "g"), "$1");
}

const [, , form] = process.argv;
for (const name of pages) {
  const [page, kept] = [path.join(checkout, name), path.join(linked, name)];
  const text = readFileSync(page, "utf8");
  const before = existsSync(kept) ? readFileSync(kept, "utf8") : text;
  // A killed pack has left the plain page.
  const original = plain(before) === text ? before : text;
  if (form === "plain") {
    mkdirSync(linked, { recursive: true });
    writeFileSync(kept, original);
    writeFileSync(page, plain(original));
  } else if (form === "linked") writeFileSync(page, original);
  else throw new Error("usage: node tools/package-pages.ts plain|linked");
}
if (form === "linked") rmSync(linked, { recursive: true });
