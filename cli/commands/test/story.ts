import { Document, isSeq, type ParsedNode, visit } from "yaml";
import { type Fields, type Json, isFields, textIn } from "../../../core/json.ts";
import type { Position, Problem } from "../../../core/problem.ts";
import { checkFor } from "../../../core/schema/check.ts";
import { explain } from "../../../core/schema/explain.ts";
import { nodeAt, readDocuments } from "../../../core/source/document.ts";
import { FileProblems } from "../../../core/source/file-problems.ts";
import { Lines } from "../../../core/source/lines.ts";
import { readYaml } from "../../../core/source/stream.ts";
import { yamlNotation } from "../../../core/manifest/index.ts";
import { checks } from "./checks/index.js";
import { storySchema } from "./story-schema.ts";

/** Documents, live state, and what is expected of a plan. */
export interface Story {
  name: string;
  position: Position;
  /** Files, folders, or an environment of the settings file, as on a command line. */
  sources: readonly string[];
  /** As they are written: with their quotes, because `"${NAME}"` is a text and `${NAME}` may be a number. */
  documents: readonly string[];
  /** Documents that are applied first, as they are written. */
  live: readonly string[];
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
  /** Texts of refusals, each in at least one message; absent or empty: nothing is refused. */
  refused?: readonly string[];
  /** Texts of notes, each in at least one; empty: there is no note. */
  notes?: readonly string[];
}

const check = checkFor({ made: checks["Story"], schema: () => storySchema, formats: {} });
const terms = { subject: "a story", member: "member", notation: yamlNotation, formats: {} };

/** Reads the stories of a file. Every mistake is a problem with its position. */
export function readStories(content: string, file: string): { stories: Story[]; problems: Problem[] } {
  const lines = new Lines(content, file);
  const report = new FileProblems(lines);
  const stories: Story[] = [];
  const roots = [...readYaml(content)].map(({ root }) => root);
  for (const [index, { value, mistakes, start, offsetOf }] of [...readDocuments(lines)].entries()) {
    for (const mistake of mistakes) report.add(mistake);
    if (mistakes.length > 0 || value === undefined) continue;
    const wrong = check(value).map((error) => explain(error, value, terms));
    for (const mistake of wrong)
      report.add({ ...mistake, code: "invalid", offset: offsetOf(mistake.path, mistake.at) });
    if (wrong.length === 0 && isFields(value))
      stories.push({
        ...storyOf(value, lines.position(offsetOf(["story"], "key") || start)),
        documents: textsOf("documents", roots[index]),
        live: textsOf("live", roots[index]),
      });
  }
  return { stories, problems: report.problems() };
}

function storyOf(value: Fields, position: Position): Omit<Story, "documents" | "live"> {
  const expect = isFields(value["expect"]) ? value["expect"] : {};
  const { seed } = value;
  const expected = (member: keyof Expectation) =>
    expect[member] === undefined ? {} : { [member]: textsIn(expect[member]) };
  return {
    name: textIn(value, "story") ?? "",
    position,
    sources: textsIn(value["sources"]),
    seed: typeof seed === "string" || isFields(seed) ? seed : undefined,
    vars: isFields(value["vars"]) ? value["vars"] : {},
    flags: textsIn(value["flags"]),
    expect: { ...expected("plan"), ...expected("refused"), ...expected("notes") },
  };
}

function textsIn(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** The documents in a member of a story, as they are written there; anchors may stand outside of them. */
function textsOf(member: string, root: ParsedNode | null | undefined): string[] {
  const whole = new Document();
  whole.contents = root ?? null;
  if (root) visit(root, { Alias: (_key, alias) => alias.resolve(whole) });
  const documents = root ? nodeAt(root, [member]) : undefined;
  return (isSeq(documents) ? documents.items : []).map((node) => {
    const document = new Document();
    document.contents = node;
    return document.toString({ lineWidth: 0 });
  });
}
