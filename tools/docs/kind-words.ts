// Writes the words in which kinds, parts and fields are stated into docs/reference/kind-words.md: from the types, each with the first place
// that states it.
import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { shorten } from "../../core/text.ts";
import { table, writeSections } from "./section.ts";

const checkout = new URL("../../", import.meta.url).pathname;
const read = (file: string) => readFileSync(checkout + file, "utf8");

/** The files with types, and the heading of their words. */
const typed: Record<string, string> = {
  "core/kinds/kind.ts": "kinds",
  "core/kinds/kind-members.ts": "kinds",
  "core/parts/part.ts": "parts",
  "core/schema/field-schema.ts": "fields",
};

/** The files that may state a word, in the order in which an example is looked for. */
const stating = ["core/kinds", "core/parts", "core/schema"].flatMap(filesOf);

/** The files that may read a word which the engine computes. */
const reading = ["core/plan", "core/live", "core/operations", "core/manifest", "core/fields"].flatMap(
  filesOf,
);

/** Longer lines are cut. */
const longest = 90;

function filesOf(folder: string) {
  return readdirSync(checkout + folder)
    .filter((name) => name.endsWith(".ts") && typed[`${folder}/${name}`] === undefined)
    .toSorted()
    .map((name) => ({ file: `${folder}/${name}`, lines: read(`${folder}/${name}`).split("\n") }));
}

function exampleOf(word: string): string {
  const states = new RegExp(String.raw`(?:^\s*|[{,] )${word}[:(]`);
  // What a function takes, or a type has, states nothing.
  const isType = /;$|: [A-Z]\w*,?$|^\s*\*|^import/;
  for (const { file, lines } of stating) {
    const line = lines.find((each) => states.test(each) && !isType.test(each));
    if (line !== undefined) return `\`\` ${shorten(line.trim(), longest)} \`\` in \`${file}\``;
  }
  // What nobody states is computed: the first place that reads it.
  for (const { file, lines } of [...stating, ...reading]) {
    const line = lines.find((each) => each.includes(`.${word}`) || each.includes(`{ ${word} }`));
    if (line !== undefined) return `\`\` ${shorten(line.trim(), longest)} \`\` in \`${file}\``;
  }
  return "";
}

/** The docstrings of a declaration as one line. */
function docOf(node: ts.Node): string {
  const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  return comments
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "")
    .join(" ")
    .replaceAll(/\s+/g, " ");
}

/** The meaning of each type of these files. */
const docs = new Map(
  Object.keys(typed).flatMap((file) =>
    parse(file)
      .statements.filter(ts.isInterfaceDeclaration)
      .map((each) => [each.name.text, docOf(each)] as const),
  ),
);

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
}

/** The members of the interfaces of a file: where each belongs, its name, what it means. */
function wordsIn(file: string): string[][] {
  return parse(file)
    .statements.filter(ts.isInterfaceDeclaration)
    .flatMap((declared) =>
      declared.members.flatMap((member) => {
        if (!member.name) return [];
        const name = member.name.getText();
        const type = ts.isPropertySignature(member) ? (member.type?.getText() ?? "") : "";
        const meaning =
          [docOf(member), docs.get(type)].find((text) => text !== undefined && text !== "") ??
          (declared.name.text === "FieldSchema" ? "As in JSON Schema." : docOf(declared));
        return [[`\`${declared.name.text}\``, `\`${name}\``, meaning, exampleOf(name)]];
      }),
    );
}

writeSections(
  [...new Set(Object.values(typed))].map((name) => ({
    page: "reference/kind-words.md",
    name,
    text: table(
      ["Of", "Word", "Meaning", "First stated"],
      Object.keys(typed)
        .filter((file) => typed[file] === name)
        .flatMap(wordsIn),
    ),
  })),
);
