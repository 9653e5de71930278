// Before and after `npm pack`. The page of a package on a registry shows its README alone, so a relative link leads nowhere there: in the
// package, each is the URL of the file in this version of the package, as unpkg.com serves it.
//   node tools/package-readme.ts absolute    (prepack)
//   node tools/package-readme.ts relative    (postpack)
import { readFileSync, writeFileSync } from "node:fs";
import { fileUrl, packageUrl } from "./file-url.ts";

const readme = "README.md";
const base = packageUrl(
  JSON.parse(readFileSync("package.json", "utf8")) as { name: string; version: string },
);
const text = readFileSync(readme, "utf8");

const [, , form] = process.argv;
if (form === "absolute")
  writeFileSync(
    readme,
    text.replaceAll(/\]\((?![a-z]+:|#)([^)\s]+)\)/g, (_, target: string) => `](${fileUrl(base, target)})`),
  );
else if (form === "relative")
  writeFileSync(
    readme,
    text.replaceAll(
      /\]\(([^)\s]+)\)/g,
      (_, target: string) => `](${target.replace(base, "").replace(/\/$/, "")})`,
    ),
  );
else throw new Error("usage: node tools/package-readme.ts absolute|relative");
