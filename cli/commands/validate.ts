import { exitCodes } from "../exit-codes.ts";
import type { SourceFlags } from "../flags.ts";
import { counted } from "../render/text.ts";
import type { Command } from "./command.ts";
import { InvalidInputError } from "../../core/problems/problem.ts";
import { SettingsReader } from "../settings/index.ts";
import { declaredElsewhere } from "../change/inputs.ts";
import { chooseSources, readChosen } from "../manifests/manifests.ts";
import { readPolicyFiles } from "../manifests/policy-files.ts";
import {
  addressOf,
  credentialNotes,
  doubtfulValues,
  leftToPlatform,
} from "../../core/manifests/manifest/index.ts";
import { restrictionsOf } from "../../core/planning/plan/index.ts";
import { idleRestrictions } from "../../core/model/addresses/restriction.ts";
import { escapeControl } from "../../core/values/text.ts";

/** `infrasync validate`: checks manifests and settings without a server. */
export const validate: Command<[sources: string[]], SourceFlags> = {
  async run({ args: [sources], flags, console }) {
    const chosen = await chooseSources(sources, flags, console.io);
    const reader = await SettingsReader.open(flags, chosen.places, console);
    reader.check();
    const { documents, files, problems, restrictions } = await readChosen(chosen, flags, console.io);
    const policies = await readPolicyFiles(chosen.sources);
    const all = [...reader.problems, ...policies.problems, ...problems];
    if (all.length > 0) throw new InvalidInputError(all);
    const count = documents.length;
    const { resources: others } = await declaredElsewhere(chosen, flags, console.io);
    const notes = [
      ...leftToPlatform(documents),
      ...doubtfulValues(documents),
      ...credentialNotes(documents),
      ...idleRestrictions(
        restrictionsOf({ ...reader.declared(), restrictions: [...restrictions, ...policies.restrictions] }),
        {
          addresses: [...documents.map(addressOf), ...others.map(({ address }) => address)],
          isLive: false,
          now: console.io.clock?.now() ?? Date.now(),
        },
      ),
    ];
    if (console.json) {
      const { encodeNote, outputOf } = await import("../../core/outputs/forms/index.ts");
      const reported = { ...(notes.length > 0 && { notes: notes.map(encodeNote) }) };
      console.document(outputOf("validation", { documents: count, files, problems: [], ...reported }));
    } else {
      console.data(`Valid: ${counted(count, "document")} in ${counted(files, "file")}.`);
      for (const { message } of notes) console.note(`Note: ${escapeControl(message)}`);
    }
    return exitCodes.done;
  },
};
