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
    const { validateManifests } = await import("./validate/validate-manifests.ts");
    const { documents, files } = await validateManifests(sources, flags, console);
    if (console.json) {
      const { outputOf } = await import("../../core/forms/index.ts");
      console.document(outputOf("validation", { documents, files, problems: [] }));
    } else console.data(`Valid: ${counted(documents, "document")} in ${counted(files, "file")}.`);
    return exitCodes.done;
  },
};
