import { InvalidInputError } from "../../core/problem.ts";
import type { Console } from "../console.ts";
import { exitCodes } from "../exit-codes.ts";
import type { SettingFlags } from "../flags.ts";
import { readManifests } from "../inputs.ts";
import { counted } from "../render/text.ts";
import { SettingsReader } from "../settings/index.ts";

/** `infrasync validate`: what the files alone show. */
export async function validate(sources: string[], flags: SettingFlags, console: Console): Promise<number> {
  const reader = await SettingsReader.open(flags, sources.length === 0 ? ["."] : sources, console);
  reader.check();
  const { documents, files, problems } = await readManifests(sources, flags, console.io);
  const all = [...reader.problems, ...problems];
  if (all.length > 0) throw new InvalidInputError(all);
  if (console.json) console.document({ ok: true, documents: documents.length, files, problems: [] });
  else console.data(`Valid: ${counted(documents.length, "document")} in ${counted(files, "file")}.`);
  return exitCodes.done;
}
