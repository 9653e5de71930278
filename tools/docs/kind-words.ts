// Writes the words of kinds, parts and fields into docs/reference/kind-words.md: from the types, each with the first
// place that uses it in a declaration.
import { readdirSync } from "node:fs";
import ts from "typescript";
import { shorten } from "../../core/values/text.ts";
import { table, writeSections } from "./section.ts";

const checkout = new URL("../../", import.meta.url).pathname;

/** The files with types, and the heading of their words. */
const typed: Record<string, string> = {
  "core/model/kinds/kind.ts": "kinds",
  "core/model/kinds/kind-members.ts": "kinds",
  "core/model/parts/part.ts": "parts",
  "core/model/schema/field-schema.ts": "fields",
};

/** The files that may declare a word, in the order of the search for an example. */
const stating = ["core/model/kinds", "core/model/parts", "core/model/schema"].flatMap(filesOf);

const reading = [
  "core/planning/plan",
  "core/state/live",
  "core/operations",
  "core/manifests/manifest",
  "core/model/fields",
].flatMap(filesOf);

/** Longer lines are cut. */
const longest = 90;

const program = ts.createProgram(
  [...Object.keys(typed), ...stating, ...reading].map((file) => checkout + file),
  {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    lib: ["lib.es2024.d.ts"],
    types: [],
  },
);
const checker = program.getTypeChecker();

const words = Object.keys(typed)
  .flatMap(interfacesOf)
  .flatMap(({ members }) => members);

/** The first place of each word, by the declaration of the word: one that declares it, otherwise one that reads it. */
const places = new Map<ts.Declaration, string>();
/** The names of the words without a place. */
let sought = namesWithoutPlace();
for (const file of stating) notePlaces(file, declaredBy);
sought = namesWithoutPlace();
for (const file of [...stating, ...reading]) notePlaces(file, readBy);

function filesOf(folder: string): string[] {
  return readdirSync(checkout + folder)
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name}`)
    .filter((file) => typed[file] === undefined)
    .toSorted();
}

function namesWithoutPlace(): ReadonlySet<string | undefined> {
  return new Set(words.filter((word) => !places.has(word)).map(({ name }) => name?.getText()));
}

function notePlaces(file: string, wordsOf: (node: ts.Node) => readonly ts.Symbol[]): void {
  const source = parse(file);
  const lines = source.text.split("\n");
  const visit = (node: ts.Node): void => {
    for (const { declarations = [] } of wordsOf(node))
      for (const declaration of declarations) {
        const line = lines[source.getLineAndCharacterOfPosition(node.getStart(source)).line] ?? "";
        if (!places.has(declaration))
          places.set(declaration, `\`\` ${shorten(line.trim(), longest)} \`\` in \`${file}\``);
      }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

function declaredBy(node: ts.Node): readonly ts.Symbol[] {
  if (!ts.isObjectLiteralElementLike(node) || !ts.isObjectLiteralExpression(node.parent)) return [];
  const name = node.name?.getText() ?? "";
  return sought.has(name) ? membersOf(desiredOf(node.parent), name) : [];
}

function readBy(node: ts.Node): readonly ts.Symbol[] {
  if (!ts.isPropertyAccessExpression(node) && !ts.isBindingElement(node)) return [];
  const [name, from] = ts.isBindingElement(node)
    ? [(node.propertyName ?? node.name).getText(), node.parent]
    : [node.name.text, node.expression];
  return sought.has(name) ? membersOf(checker.getTypeAtLocation(from), name) : [];
}

/** The type that an object should have, also one that is spread into another. */
function desiredOf(object: ts.ObjectLiteralExpression): ts.Type | undefined {
  let at: ts.Node = object;
  while (
    ts.isParenthesizedExpression(at.parent) ||
    ts.isBinaryExpression(at.parent) ||
    ts.isConditionalExpression(at.parent)
  )
    at = at.parent;
  return ts.isSpreadAssignment(at.parent) ? desiredOf(at.parent.parent) : checker.getContextualType(object);
}

function membersOf(type: ts.Type | undefined, name: string): ts.Symbol[] {
  if (type?.isUnion()) return type.types.flatMap((each) => membersOf(each, name));
  const found = type && checker.getPropertyOfType(type, name);
  return found ? [found] : [];
}

function docOf(node: ts.Node): string {
  const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  return comments
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "")
    .join(" ")
    .replaceAll(/\s+/g, " ");
}

const docs = new Map(
  Object.keys(typed).flatMap((file) =>
    interfacesOf(file).map((each) => [each.name.text, docOf(each)] as const),
  ),
);

function parse(file: string): ts.SourceFile {
  const source = program.getSourceFile(checkout + file);
  if (!source) throw new Error(`no ${file}`);
  return source;
}

function interfacesOf(file: string): ts.InterfaceDeclaration[] {
  return parse(file).statements.filter(ts.isInterfaceDeclaration);
}

function wordsIn(file: string): string[][] {
  return interfacesOf(file).flatMap((declared) =>
    declared.members.flatMap((member) => {
      if (!member.name) return [];
      const name = member.name.getText();
      const type = ts.isPropertySignature(member) ? (member.type?.getText() ?? "") : "";
      const meaning =
        [docOf(member), docs.get(type)].find((text) => text !== undefined && text !== "") ??
        (declared.name.text === "FieldSchema" ? "As in JSON Schema." : docOf(declared));
      return [[`\`${declared.name.text}\``, `\`${name}\``, meaning, places.get(member) ?? ""]];
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
