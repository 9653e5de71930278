import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const core = path.join(import.meta.dirname, "../../core");

/** Words that only one front end knows: flags (except those of Helm), commands, and advice to run a command again. */
const foreign =
  /(?<!`helm )--[a-z]|\binfrasync (?:apply|ci|clone|deploy|destroy|dump|init|logs|plan|reconcile|validate)\b|\bplan again|\brun again|\bpulumi\b/i;

/** An option of Node, by which core asks what Node can do, one of sops, which core runs, one of gpg in advice, and an argument of whoever writes a manifest. */
const ofOthers = new Set(["--use-env-proxy", "--extract", "gpg --decrypt", "--flag value"]);

function textsOf(file: string): { text: string; place: string }[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
  const texts: { text: string; place: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      texts.push({ text: node.text, place: `${path.relative(core, file)}:${line + 1}` });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

test("core names no flag and no command of a front end; remedies do", () => {
  const files = readdirSync(core, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  const found = files
    .flatMap((name) => textsOf(path.join(core, name)))
    .filter(({ text }) => foreign.test(text) && !ofOthers.has(text))
    .map(({ place, text }) => `${place} ${text}`);
  expect(found).toEqual([]);
});
