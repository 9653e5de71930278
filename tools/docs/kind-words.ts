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
const stating = ["core/kinds", "core/parts", "core/schema"].flatMap((folder) =>
  readdirSync(checkout + folder)
    .filter((name) => name.endsWith(".ts") && typed[`${folder}/${name}`] === undefined)
    .toSorted()
    .map((name) => ({ file: `${folder}/${name}`, lines: read(`${folder}/${name}`).split("\n") })),
);

/** Longer lines are cut. */
const longest = 90;

function exampleOf(word: string): string {
  const states = new RegExp(String.raw`(?:^\s*|[{,] )${word}[:(]`);
  // What a function takes, or a type has, states nothing.
  const isType = /;$|: [A-Z]\w*,?$|^\s*\*|^import/;
  for (const { file, lines } of stating) {
    const line = lines.find((each) => states.test(each) && !isType.test(each));
    if (line !== undefined) return `\`\` ${shorten(line.trim(), longest)} \`\` in \`${file}\``;
  }
  return "";
}

/** The members of the interfaces of a file: where each belongs, its name, what it means. */
function wordsIn(file: string): string[][] {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
  return source.statements.filter(ts.isInterfaceDeclaration).flatMap((declared) =>
    declared.members.flatMap((member) => {
      if (!member.name) return [];
      const comments = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc);
      const meaning = comments.map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "").join(" ");
      const name = member.name.getText();
      return [[`\`${declared.name.text}\``, `\`${name}\``, meaning.replaceAll(/\s+/g, " "), exampleOf(name)]];
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
