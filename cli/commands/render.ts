import { InvalidInputError } from "../../core/problem.ts";
import { exitCodes } from "../exit-codes.ts";
import type { SourceFlags } from "../flags.ts";
import type { Command } from "./command.ts";
import { addConfig, addOutput, addSources } from "./options.ts";

/** `infrasync render`: prints the manifests that result from all sources together. */
export const render: Command<[sources: string[]], SourceFlags> = {
  name: "render",
  description:
    "Print the manifests with overlays, defaults and variables resolved, without sending requests.",
  examples: ["render base overlays/staging", "render manifests --var TAG=1.5.0"],

  declare(line) {
    addSources(line);
    addConfig(line);
    addOutput(line);
  },

  async run({ args: [sources], flags, console }) {
    const { manifestMembers } = await import("../../core/manifest/index.ts");
    const { manifestsText } = await import("../support/manifests-text.ts");
    const { readManifests } = await import("../support/manifests.ts");
    const { documents, problems } = await readManifests(sources, flags, console.io);
    if (problems.length > 0) throw new InvalidInputError(problems);
    if (console.json) {
      const { outputOf } = await import("../../core/forms/index.ts");
      console.document(outputOf("documents", { documents: documents.map(manifestMembers) }));
    } else console.data(manifestsText(documents));
    return exitCodes.done;
  },
};
