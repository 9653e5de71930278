import { exitCodes } from "../exit-codes.ts";
import type { SourceFlags } from "../flags.ts";
import { counted } from "../render/text.ts";
import type { Command } from "./command.ts";
import { addConfig, addOutput, addSources } from "./options.ts";
import { InvalidInputError, type Problem } from "../../core/problem.ts";
import { SettingsReader } from "../settings/index.ts";
import { onlyOnce } from "../support/inputs.ts";
import { chooseSources } from "../support/chosen.ts";
import { readChosen } from "../support/manifests.ts";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { policyFileName } from "../../core/source/files.ts";

/** `infrasync validate`: checks manifests and settings without a server. */
export const validate: Command<[sources: string[]], SourceFlags> = {
  examples: ["validate manifests", "validate shop.yaml jobs/"],

  declare(line) {
    addSources(line);
    addConfig(line);
    addOutput(line);
  },

  async run({ args: [sources], flags, console }) {
    const chosen = await chooseSources(sources, flags, console.io);
    const reader = await SettingsReader.open(flags, chosen.places, console);
    reader.check();
    const { documents, files, problems } = await readChosen(chosen, flags, console.io);
    const all = onlyOnce([...reader.problems, ...(await policyProblems(chosen.sources)), ...problems]);
    if (all.length > 0) throw new InvalidInputError(all);
    const count = documents.length;
    if (console.json) {
      const { outputOf } = await import("../../core/forms/index.ts");
      console.document(outputOf("validation", { documents: count, files, problems: [] }));
    } else console.data(`Valid: ${counted(count, "document")} in ${counted(files, "file")}.`);
    return exitCodes.done;
  },
};

/** The problems of the policy files in these folders. */
async function policyProblems(sources: readonly string[]): Promise<Problem[]> {
  const files = sources.map((source) =>
    basename(source) === policyFileName ? source : join(source, policyFileName),
  );
  return (await Promise.all(files.map(problemsOf))).flat();
}

async function problemsOf(file: string): Promise<Problem[]> {
  let content: Uint8Array;
  try {
    content = readFileSync(file);
  } catch {
    // There is none, or reading the source itself has been a problem.
    return [];
  }
  // Few folders have one.
  const { readPolicy } = await import("../../reconciler/policy/file.ts");
  return readPolicy(content, file).problems;
}
