import { type Fields, isFields, textIn } from "../../core/values/json.ts";
import { parsePattern } from "../../core/model/addresses/pattern.ts";
import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import { checkFor } from "../../core/model/schema/check.ts";
import { readDocuments } from "../../core/source/document.ts";
import { FileProblems } from "../../core/source/file-problems.ts";
import { Lines } from "../../core/source/lines.ts";
import { type DocumentMistake, type Path, quote } from "../../core/source/mistake.ts";
import { readEnvironmentScope } from "../../core/model/addresses/scope.ts";
import { formMistakes, mistakeAt, type DeclarationForm } from "../declaration-file.ts";
import { checks } from "./checks/index.js";
import { sourceFormats, sourceSchema, sourceSetSchema } from "./source-schema.ts";
import type { Source, SourceSet } from "./source.ts";

const forms: { Source: DeclarationForm<Source>; SourceSet: DeclarationForm<SourceSet> } = {
  Source: {
    name: "Source",
    example: "name and repository",
    check: checkFor({ made: checks["Source"], schema: () => sourceSchema, formats: sourceFormats }),
    formats: sourceFormats,
    senseless: senselessSource,
  },
  SourceSet: {
    name: "SourceSet",
    example: "name and folders",
    check: checkFor({ made: checks["SourceSet"], schema: () => sourceSetSchema, formats: sourceFormats }),
    formats: sourceFormats,
    senseless({ folders, group }) {
      if ((folders === undefined) !== (group === undefined)) return [];
      return [mistakeAt([], "a set needs either folders or a group", "write either folders or group")];
    },
  },
};

/** Reads all documents of files. Every mistake is a problem with its position. */
export function readSources(files: readonly { name: string; text: string }[]): {
  sources: readonly Source[];
  sets: readonly SourceSet[];
  problems: readonly Problem[];
  /** The files with mistakes: their other documents are unknown. */
  broken: ReadonlySet<string>;
} {
  const sources: Source[] = [];
  const sets: SourceSet[] = [];
  const problems: Problem[] = [];
  const broken = new Set<string>();
  for (const { name: file, text } of files) {
    const lines = new Lines(text, file);
    const report = new FileProblems(lines);
    const declared: Fields[] = [];
    for (const document of readDocuments(lines)) {
      const { value, mistakes } = document;
      for (const each of mistakes) report.add(each);
      if (value === undefined) continue;
      const wrong = mistakesOf(value);
      for (const each of wrong)
        report.add({ ...each, code: "invalid", offset: document.offsetOf(each.path, each.at) });
      if (wrong.length === 0 && isFields(value)) declared.push(value);
    }
    const found = report.problems();
    problems.push(...found);
    if (found.length > 0) broken.add(file);
    else
      for (const value of declared)
        // The schemas have just been checked.
        if (textIn(value, "kind") === "Source") sources.push({ ...(value as unknown as Source), file });
        else sets.push({ ...(value as unknown as SourceSet), file });
  }
  return { sources, sets, problems, broken };
}

export function mistakesOf(value: Fields[string]): DocumentMistake[] {
  const kind = isFields(value) ? textIn(value, "kind") : undefined;
  if (kind === "Source") return formMistakes(value, forms.Source);
  if (kind === "SourceSet") return formMistakes(value, forms.SourceSet);
  const message = kind === undefined ? "the document has no kind" : `${quote(kind)} is not a kind here`;
  return [mistakeAt(kind === undefined ? [] : ["kind"], message, "write kind: Source or kind: SourceSet")];
}

function senselessSource(source: Source): DocumentMistake[] {
  const { token, token_file: tokenFile, projects = [], policy: { protect = [] } = {} } = source;
  const files = filesOf.flatMap((member) => {
    const file = source[member];
    const isOutside =
      file !== undefined && (/^[/\\~]|[\0\n]/.test(file) || file.split(/[/\\]/).includes(".."));
    const message = `${quote(file ?? "")} is outside the folder of the operator`;
    return isOutside ? [mistakeAt([member], message, "write a name such as shop")] : [];
  });
  const tokens: DocumentMistake[] = [];
  if (token !== undefined && tokenFile !== undefined)
    tokens.push(mistakeAt(["token"], "a source needs exactly one token", "write either token or token_file"));
  else if (token !== undefined && !/^[a-z][a-z0-9_-]*$/i.test(token)) {
    const message = `${quote(token)} is not the name of a token`;
    tokens.push(mistakeAt(["token"], message, "write letters, digits, - and _, such as shop"));
  }
  return [
    ...files,
    ...tokens,
    ...projects.flatMap((project, index) => {
      const isProject = !project.includes("/") && "matches" in readEnvironmentScope(`${project}/**`);
      const message = `${quote(project)} is not a project`;
      return isProject
        ? []
        : mistakeAt(["projects", index], message, "write its name, such as shop or team-*");
    }),
    ...protect.flatMap((pattern, index) => patternMistake(pattern, ["policy", "protect", index])),
  ];
}

const filesOf = [
  "token_file",
  "git_token_file",
  "webhook_secret_file",
  "notify_file",
  "require_signed",
] as const;

function patternMistake(pattern: string, path: Path): DocumentMistake[] {
  try {
    parsePattern(pattern);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return [mistakeAt(path, error.message, "write one such as shop/production/**")];
  }
}
