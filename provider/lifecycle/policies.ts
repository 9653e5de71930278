import { readFile } from "node:fs/promises";
import { isFields, own } from "../../core/json.ts";
import type { PlanPolicy } from "../../core/policies/index.ts";
import { SettingsError } from "./settings-error.ts";

/** The policies of files that have been read, by their texts: every call of the engine asks for them. */
const known = new Map<string, Promise<PlanPolicy[]>>();

/**
 * The policies of a file that has them in the form of the settings file: a list in its member `policies`.
 *
 * @param source the setting that names the file, for messages
 * @throws SettingsError where it cannot be read, or has a mistake: a policy that nobody asks forbids nothing
 */
export async function policiesIn(file: string, source: string): Promise<PlanPolicy[]> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new SettingsError(`${source}: ${file} cannot be read: ${error.message}; name a file with policies`);
  });
  const key = `${file}\n${text}`;
  const policies = known.get(key) ?? understand(text, file, source);
  known.set(key, policies);
  return policies;
}

async function understand(text: string, file: string, source: string): Promise<PlanPolicy[]> {
  // Most programs have no policies, and load neither the YAML library nor the language of conditions.
  const [{ Lines }, { readDocuments }, { readPolicies }] = await Promise.all([
    import("../../core/source/lines.ts"),
    import("../../core/source/document.ts"),
    import("../../core/settings/policies.ts"),
  ]);
  const lines = new Lines(text, file);
  const [document] = readDocuments(lines);
  const value = document?.value;
  const stated = isFields(value) ? own(value, "policies") : undefined;
  if (!document || document.mistakes.length > 0 || stated === undefined)
    throw new SettingsError(`${source}: ${file} has no policies; write them as a list: \`policies:\``);
  const { policies, problems } = readPolicies({
    value: stated,
    positionOf: (path) => lines.position(document.offsetOf(["policies", ...path], "value")),
    spelling: () => "",
  });
  if (problems.length === 0) return policies;
  const reasons = problems.map(({ message, advice = "", position }) => {
    const { line, column } = position ?? { line: 1, column: 1 };
    return `${file}:${line}:${column}: ${message}; ${advice}`;
  });
  throw new SettingsError(`${source}: ${reasons.join("\n")}`);
}
