import { type Fields, type Json, isFields, textIn } from "../../../core/json.ts";
import type { Position, Problem } from "../../../core/problem.ts";
import { checkFor } from "../../../core/schema/check.ts";
import { explain } from "../../../core/schema/explain.ts";
import { readDocuments } from "../../../core/source/document.ts";
import { FileProblems } from "../../../core/source/file-problems.ts";
import { Lines } from "../../../core/source/lines.ts";
import { yamlNotation } from "../../../core/manifest/index.ts";
import { checks } from "./checks/index.js";
import { storySchema } from "./story-schema.ts";

/** Documents, live state, and what is expected of a plan. */
export interface Story {
  name: string;
  position: Position;
  /** Files, folders, or an environment of the settings file, as on a command line. */
  sources: readonly string[];
  documents: readonly Fields[];
  /** Documents that are applied first. */
  live: readonly Fields[];
  /** The organization that the emulator starts from. */
  seed: Fields | string | undefined;
  /** Values of variables. */
  vars: Fields;
  /** Further flags of the plan. */
  flags: readonly string[];
  expect: Expectation;
}

/** The expected plan; absent members are not compared. */
export interface Expectation {
  /** All actions, each as `update job:shop/staging/report: cpu, memory`; fields only where some are named. */
  plan?: readonly string[];
  /** Texts of refusals, each in at least one message; absent: nothing is refused. */
  refused?: readonly string[];
  /** Texts of notes, each in at least one. */
  notes?: readonly string[];
}

const check = checkFor({ made: checks["Story"], schema: () => storySchema, formats: {} });
const terms = { subject: "a story", member: "member", notation: yamlNotation, formats: {} };

/** Reads the stories of a file. Every mistake is a problem with its position. */
export function readStories(content: string, file: string): { stories: Story[]; problems: Problem[] } {
  const lines = new Lines(content, file);
  const report = new FileProblems(lines);
  const stories: Story[] = [];
  for (const { value, mistakes, start, offsetOf } of readDocuments(lines)) {
    for (const mistake of mistakes) report.add(mistake);
    if (mistakes.length > 0 || value === undefined) continue;
    const wrong = check(value).map((error) => explain(error, value, terms));
    for (const mistake of wrong)
      report.add({ ...mistake, code: "invalid", offset: offsetOf(mistake.path, mistake.at) });
    if (wrong.length === 0 && isFields(value))
      stories.push(storyOf(value, lines.position(offsetOf(["story"], "key") || start)));
  }
  return { stories, problems: report.problems() };
}

function storyOf(value: Fields, position: Position): Story {
  const expect = isFields(value["expect"]) ? value["expect"] : {};
  const { seed } = value;
  const expected = (member: keyof Expectation) =>
    expect[member] === undefined ? {} : { [member]: textsIn(expect[member]) };
  return {
    name: textIn(value, "story") ?? "",
    position,
    sources: textsIn(value["sources"]),
    documents: mappingsIn(value["documents"]),
    live: mappingsIn(value["live"]),
    seed: typeof seed === "string" || isFields(seed) ? seed : undefined,
    vars: isFields(value["vars"]) ? value["vars"] : {},
    flags: textsIn(value["flags"]),
    expect: { ...expected("plan"), ...expected("refused"), ...expected("notes") },
  };
}

function textsIn(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function mappingsIn(value: Json | undefined): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}
