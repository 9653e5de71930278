import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { checkout, readSnippets } from "./markdown.ts";

/** The paths at which programs find the package, according to its `exports`. */
const entries = {
  infrasync: ["./core/index.ts"],
  "infrasync/provider": ["./provider/index.ts"],
  "infrasync/lifecycle": ["./provider/lifecycle/calls.ts"],
  "infrasync/emulator": ["./emulator/index.ts"],
  // The package that Pulumi makes of the schema has the same resources with the same inputs.
  "@infrasync/pulumi": ["./provider/index.ts"],
};

test("the TypeScript on the pages compiles with the types of the package", () => {
  const snippets = readSnippets().filter(({ block }) => block.language === "ts");
  // A snippet with a file name has the neighbours of this file in the checkout.
  const nameOf = ({ block, at }: (typeof snippets)[number]) =>
    block.file ?? `docs/${at.replaceAll(/\W/g, "-")}.ts`;
  const files = new Map(
    snippets.map((snippet) => [path.join(checkout, nameOf(snippet)), snippet.block.lines.join("\n")]),
  );
  expect(files.size).toBeGreaterThan(1);
  expect(problemsOf(files)).toEqual([]);
});

test("the page of Pulumi begins with the program that needs nothing but the package of a checkout", () => {
  const first = readSnippets().find(
    ({ block, at }) => block.language === "ts" && at.startsWith("docs/reference/pulumi.md"),
  );
  expect(first?.block.lines.join("\n")).toContain('from "infrasync/provider"');
});

function problemsOf(files: ReadonlyMap<string, string>): string[] {
  const { config } = ts.readConfigFile(path.join(checkout, "tsconfig.json"), (name) => ts.sys.readFile(name));
  const options = { ...ts.parseJsonConfigFileContent(config, ts.sys, checkout).options, paths: entries };
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists } = host;
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.fileExists = (name) => files.has(name) || fileExists(name);
  const program = ts.createProgram({ rootNames: [...files.keys()], options, host });
  return [...files.keys()].flatMap((name) => {
    const file = program.getSourceFile(name);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ messageText }) =>
        `${path.relative(checkout, name)}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
    );
  });
}
