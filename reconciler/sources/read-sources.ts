import { type Fields, isFields, own, textIn } from "../../core/json.ts";
import { kinds } from "../../core/kinds/index.ts";
import { parsePattern } from "../../core/pattern.ts";
import { InvalidInputError, type Problem } from "../../core/problem.ts";
import { checkFor } from "../../core/schema/check.ts";
import { readDocuments } from "../../core/source/document.ts";
import { FileProblems } from "../../core/source/file-problems.ts";
import { Lines } from "../../core/source/lines.ts";
import { type DocumentMistake, quote } from "../../core/source/mistake.ts";
import { formMistakes, type OperatorFileForm, textsIn } from "../operator-file.ts";
import { readEnvironmentPattern } from "../policy/index.ts";
import { checks } from "./checks/index.js";
import { sourceFormats, sourceSchema, sourceSetSchema } from "./source-schema.ts";
import type { Source, SourceSet } from "./source.ts";

/** The documents in the files of a folder. */
export interface StatedSources {
  sources: readonly Source[];
  sets: readonly SourceSet[];
  problems: readonly Problem[];
  /** The files with mistakes: what else they state is not known. */
  broken: ReadonlySet<string>;
}

const forms: Readonly<Record<string, OperatorFileForm>> = {
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
    senseless(value) {
      const [folders, group] = [own(value, "folders"), own(value, "group")];
      if ((folders === undefined) !== (group === undefined)) return [];
      return [mistake([], "a set makes sources of folders or of a group", "write either folders or group")];
    },
  },
};

/** Reads all documents of files. Every mistake is a problem with its position. */
export function readSources(files: readonly { name: string; text: string }[]): StatedSources {
  const sources: Source[] = [];
  const sets: SourceSet[] = [];
  const problems: Problem[] = [];
  const broken = new Set<string>();
  for (const { name: file, text } of files) {
    const lines = new Lines(text, file);
    const report = new FileProblems(lines);
    const stated: Fields[] = [];
    for (const document of readDocuments(lines)) {
      const { value, mistakes } = document;
      for (const each of mistakes) report.add(each);
      if (value === undefined) continue;
      const wrong = mistakesOf(value);
      for (const each of wrong)
        report.add({ ...each, code: "invalid", offset: document.offsetOf(each.path, each.at) });
      if (wrong.length === 0 && isFields(value)) stated.push(value);
    }
    const found = report.problems();
    problems.push(...found);
    if (found.length > 0) broken.add(file);
    else
      for (const value of stated)
        // The schemas have just been checked.
        if (textIn(value, "kind") === "Source") sources.push({ ...(value as unknown as Source), file });
        else sets.push({ ...(value as unknown as SourceSet), file });
  }
  return { sources, sets, problems, broken };
}

/** The mistakes of a document, of whatever kind it says that it is. */
export function mistakesOf(value: Fields[string]): DocumentMistake[] {
  const kind = isFields(value) ? textIn(value, "kind") : undefined;
  const form = kind === undefined ? undefined : own(forms, kind);
  if (form) return formMistakes(value, form);
  const message = kind === undefined ? "the document has no kind" : `${quote(kind)} is not a kind here`;
  return [mistake(kind === undefined ? [] : ["kind"], message, "write kind: Source or kind: SourceSet")];
}

/** Mistakes of documents whose form is right. */
function senselessSource(value: Fields): DocumentMistake[] {
  const mistakes: DocumentMistake[] = [];
  const refuse = (path: readonly (string | number)[], message: string, advice: string) =>
    mistakes.push(mistake(path, message, advice));
  for (const member of [
    "token_file",
    "git_token_file",
    "webhook_secret_file",
    "notify_file",
    "require_signed",
  ]) {
    const file = textIn(value, member);
    if (file !== undefined && (/^[/\\~]|[\0\n]/.test(file) || file.split(/[/\\]/).includes("..")))
      refuse(
        [member],
        `${quote(file)} lies outside of the folder of the operator`,
        "write a name such as shop",
      );
  }
  const token = textIn(value, "token");
  if (token !== undefined && textIn(value, "token_file") !== undefined)
    refuse(["token"], "a source has one token", "write either token or token_file");
  else if (token !== undefined && !/^[a-z][a-z0-9_-]*$/i.test(token))
    refuse(
      ["token"],
      `${quote(token)} is not the name of a token`,
      "write letters, digits, - and _, such as shop",
    );
  for (const [index, project] of textsIn(value, "projects").entries())
    if (project.includes("/") || !("matches" in readEnvironmentPattern(`${project}/**`)))
      refuse(
        ["projects", index],
        `${quote(project)} is not a project`,
        "write its name, such as shop or team-*",
      );
  for (const [index, kind] of textsIn(value, "kinds").entries())
    if (!kinds.some(({ name }) => name === kind))
      refuse(["kinds", index], `${quote(kind)} is not a kind`, "write one such as Job");
  const policy = own(value, "policy");
  for (const [index, pattern] of textsIn(isFields(policy) ? policy : {}, "protect").entries())
    try {
      parsePattern(pattern);
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      refuse(["policy", "protect", index], error.message, "write one such as shop/production/**");
    }
  return mistakes;
}

function mistake(path: readonly (string | number)[], message: string, advice: string): DocumentMistake {
  return { path, at: "value", message, advice };
}
