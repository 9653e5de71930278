import { isFields } from "../../values/json.ts";
import type { Position, Problem } from "../../problems/problem.ts";
import type { PlacedValue } from "../../source/environments.ts";
import { FileProblems } from "../../source/file-problems.ts";
import { Lines } from "../../source/lines.ts";
import type { Mistake } from "../../source/mistake.ts";
import { standInsIn } from "../../source/stand-ins.ts";

export interface PlacedSetting extends PlacedValue {
  /** Of its name. */
  key: Position;
  /** Of its value. */
  position: Position;
}

/** @param file its name in messages */
export async function readSettingsText(
  text: string,
  file: string,
): Promise<{ members: ReadonlyMap<string, PlacedSetting>; problems: Problem[] }> {
  // Most runs have no settings file, and some read no YAML at all.
  const { readDocuments } = await import("../../source/document.ts");
  const lines = new Lines(text, file);
  const [document, second] = readDocuments(lines);
  const members = new Map<string, PlacedSetting>();
  if (!document) return { members, problems: [] };
  const report = new FileProblems(lines);
  for (const mistake of document.mistakes) report.add(mistake);
  const problems = report.problems();
  const wrong = (offset: number, mistake: Mistake) =>
    problems.push({ code: "setting", ...mistake, position: lines.position(offset) });
  if (second)
    wrong(second.start, {
      message: "the settings file contains more than one document",
      advice: "remove --- and everything after it",
    });
  const { value } = document;
  if (problems.length > 0 || value === undefined) return { members, problems };
  if (!isFields(value)) {
    wrong(0, {
      message: "the settings file must be a mapping",
      advice: "write settings as MEMBER: VALUE, such as organization: acme",
    });
    return { members, problems };
  }
  for (const { path, at, ...mistake } of standInsIn(value, "settings"))
    wrong(document.offsetOf(path, at), mistake);
  for (const [member, content] of Object.entries(value)) {
    const offsetOf = (path: readonly (string | number)[], what: "key" | "value" = "value") =>
      document.offsetOf([member, ...path], what);
    members.set(member, {
      value: content,
      key: lines.position(offsetOf([], "key")),
      position: lines.position(offsetOf([])),
      positionOf: (path) => lines.position(offsetOf(path)),
      spelling: (path) => /[^\s,{}[\]#]*/.exec(text.slice(offsetOf(path)))?.[0] ?? "",
    });
  }
  return { members, problems };
}
