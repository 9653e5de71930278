import type { Json } from "../../values/json.ts";
import type { Problem } from "../../problems/problem.ts";
import { checkFor } from "../../model/schema/check.ts";
import { explain } from "../../model/schema/explain.ts";
import { yamlNotation } from "../../model/schema/yaml-notation.ts";
import { adviceAt } from "../../source/mistake.ts";
import type { PlacedValue } from "../../source/environments.ts";
import { checks } from "./checks/index.js";
import { sectionsSchema, settingsFormats, type DeclaredSections } from "./schema.ts";

/** A section of the settings file, or its problems. */
export type ReadSection<Section> =
  | { value: Section; problems?: never }
  | { value?: never; problems: Problem[] };

const words = {
  subject: "a settings file",
  member: "member",
  notation: yamlNotation,
  formats: settingsFormats,
};

/** Reads a section of the settings file. Every mistake is a problem with its position. */
export function readSection<Name extends keyof DeclaredSections>(
  name: Name,
  { value, positionOf }: Pick<PlacedValue, "value" | "positionOf">,
): ReadSection<DeclaredSections[Name]> {
  const check = checkFor({
    made: checks["Sections"],
    schema: () => sectionsSchema,
    formats: settingsFormats,
  });
  const document: Json = { [name]: value };
  const problems = check(document).map((error): Problem => {
    const mistake = explain(error, document, words);
    const position = positionOf(mistake.path.slice(1));
    return { code: "setting", message: mistake.message, advice: adviceAt(mistake, position), position };
  });
  // The check has just found it to be of this form.
  return problems.length > 0 ? { problems } : { value: value as DeclaredSections[Name] };
}
