import { InvalidInputError } from "../../core/problems/problem.ts";
import { escapeControl } from "../../core/values/text.ts";
import { exitCodes } from "../exit-codes.ts";
import type { SourceFlags } from "../flags.ts";
import type { Command } from "./command.ts";
import { credentialNotes, manifestMembers } from "../../core/manifests/manifest/index.ts";
import { manifestsText } from "../files/write-files.ts";
import { chooseSources, readChosen } from "../manifests/manifests.ts";
import { outputOf } from "../../core/outputs/forms/index.ts";

/** `infrasync render`: prints the manifests that result from all sources together. */
export const render: Command<[sources: string[]], SourceFlags> = {
  async run({ args: [sources], flags, console }) {
    const { documents, problems } = await readChosen(
      await chooseSources(sources, flags, console.io),
      flags,
      console.io,
    );
    if (problems.length > 0) throw new InvalidInputError(problems);
    for (const { message } of credentialNotes(documents)) console.note(`Note: ${escapeControl(message)}`);
    if (console.json) {
      console.document(outputOf("documents", { documents: documents.map(manifestMembers) }), {
        isManifest: true,
      });
    } else console.data(manifestsText(documents));
    return exitCodes.done;
  },
};
