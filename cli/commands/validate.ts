import { InvalidInputError } from "../../core/problem.ts";
import { exitCodes } from "../exit-codes.ts";
import type { SourceFlags } from "../flags.ts";
import { counted } from "../render/text.ts";
import type { Command } from "./command.ts";
import { addConfig, addOutput, addSources } from "./options.ts";

/** `infrasync validate`: checks manifests and settings without a server. */
export const validate: Command<[sources: string[]], SourceFlags> = {
  name: "validate",
  description: "Check manifests without sending requests.",
  examples: ["validate manifests", "validate shop.yaml jobs/"],

  declare(line) {
    addSources(line);
    addConfig(line);
    addOutput(line);
  },

  async run({ args: [sources], flags, console }) {
    const { policyProblems } = await import("../engine/policy-problems.ts");
    const { readManifests } = await import("../engine/manifests.ts");
    const { SettingsReader } = await import("../settings/index.ts");
    const reader = await SettingsReader.open(flags, sources.length === 0 ? ["."] : sources, console);
    reader.check();
    const { documents, files, problems } = await readManifests(sources, flags, console.io);
    const ofPolicy = await policyProblems(sources.length === 0 ? ["."] : sources);
    const all = [...reader.problems, ...ofPolicy, ...problems];
    if (all.length > 0) throw new InvalidInputError(all);
    if (console.json) {
      const { outputOf } = await import("../../core/codec/index.ts");
      console.document(outputOf("validation", { documents: documents.length, files, problems: [] }));
    } else console.data(`Valid: ${counted(documents.length, "document")} in ${counted(files, "file")}.`);
    return exitCodes.done;
  },
};
