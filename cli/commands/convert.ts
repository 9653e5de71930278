import type { SettingFlags } from "../settings/names.ts";
import type { Command } from "./command.ts";
import { addConnection, addOutput } from "./options.ts";
import { encodeConversion, outputOf } from "../../core/forms/index.ts";
import {
  type Conversion,
  convert as convertResources,
  maximumStateBytes,
  readState,
  type TerraformState,
} from "../../core/import/terraform/index.ts";
import type { Organization } from "../../core/organization.ts";
import { InvalidInputError, type Problem } from "../../core/problem.ts";
import { unreadable } from "../../core/source/files.ts";
import { readFile, readStream } from "../../core/source/read.ts";
import { escapeControl } from "../../core/text.ts";
import { exitCodes } from "../exit-codes.ts";
import { renderConversion } from "../render/conversion.ts";
import { counted } from "../render/text.ts";
import type { Console } from "../terminal/console.ts";
import { readSettings } from "../support/read-settings.ts";
import { checkText, checkWritten } from "../support/check-written.ts";
import {
  ensureManifestsWritable,
  manifestsText,
  notesOfCredentials,
  writeManifests,
} from "../support/write-manifests.ts";
import { withSession } from "../support/session.ts";

interface Flags extends SettingFlags {
  out?: string;
  withSettings?: boolean;
}

/** `infrasync convert`: writes manifests of what a state of Terraform manages. */
export const convert: Command<[state: string], Flags> = {
  examples: [
    "convert terraform.tfstate --out manifests",
    "convert terraform.tfstate",
    "convert - --out manifests < state.json",
  ],

  declare(line) {
    line
      .argument(
        "<state>",
        "a state file, or the output of `terraform show -json`; - is standard input. Nothing changes it",
      )
      .option(
        "--out <path>",
        "a .yaml file, or a folder for one file per resource (default: standard output)",
      )
      .option(
        "--with-settings",
        "also advanced settings, network settings and deployment restrictions where the state has none: up to three requests more for each service",
      );
    addConnection(line);
    addOutput(line);
  },

  run: ({ args: [state], flags, console }) => convertState(state, flags, console),
};

/**
 * Writes manifests of the live resources that a state manages, and says what they leave out. Reads the whole state
 * before it sends a request. Returns the exit code.
 */
async function convertState(name: string, flags: Flags, console: Console): Promise<number> {
  const { out } = flags;
  if (out !== undefined) await ensureManifestsWritable(out);
  const { state, problems } = await stateIn(name, console);
  const settings = await readSettings(flags, console, { orders: out === undefined ? [] : [out], problems });
  const { conversion, organization, check } = await withSession({ settings, console }, async (session) => {
    const { run, organization: chosen } = session;
    const options = { configuration: flags.withSettings === true };
    const converted = await convertResources(run, chosen, state, options);
    return {
      organization: chosen,
      conversion: converted,
      check: await checkWritten(run, chosen, converted.documents),
    };
  });
  const { documents } = conversion;
  if (documents.length === 0) {
    if (!console.json) for (const text of renderConversion(conversion, state)) console.note(text);
    throw new InvalidInputError([noneWritten(name, conversion, organization)]);
  }
  const files = out === undefined ? undefined : await writeManifests(out, documents);
  for (const text of checkText(check)) console.note(text);
  for (const note of notesOfCredentials(out, documents)) console.note(note);
  const code = check.mistakes.length > 0 ? exitCodes.failed : exitCodes.done;
  if (console.json) {
    console.document(outputOf("conversion", encodeConversion(conversion, state, files)), {
      isManifest: true,
    });
    return code;
  }
  if (!files) console.data(manifestsText(documents));
  const written = files ? ` written to ${counted(files.length, "file")} in ${escapeControl(out ?? "")}` : "";
  console.note(`${counted(documents.length, "document")}${written}.`);
  for (const text of renderConversion(conversion, state)) console.note(text);
  return code;
}

const empty: TerraformState = { resources: [], foreign: new Map() };

/** The state in a file, or its problems; each is found before any request. */
async function stateIn(
  name: string,
  { io }: Console,
): Promise<{ state: TerraformState; problems: readonly Problem[] }> {
  try {
    const bytes =
      name === "-"
        ? await readStream(io.stdin, io.signal, maximumStateBytes)
        : await readFile(name, io.signal, maximumStateBytes);
    const state = readState(bytes, name);
    return { state, problems: state.resources.some(({ isManaged }) => isManaged) ? [] : [nothing(name)] };
  } catch (error) {
    if (error instanceof InvalidInputError) return { state: empty, problems: error.problems };
    return { state: empty, problems: [unreadable(name, error)] };
  }
}

function nothing(name: string): Problem {
  return {
    code: "nothing_found",
    message: `${escapeControl(name)} manages no resource of this API`,
    advice: "name the state of the configuration that does; `terraform state list` shows what a state has",
  };
}

function noneWritten(
  name: string,
  { leftOut }: Conversion,
  { id, name: organization = id }: Organization,
): Problem {
  const shown = escapeControl(name);
  if (leftOut.some(({ isGone }) => isGone))
    return {
      code: "nothing_found",
      message: `nothing that ${shown} manages is live in the organization ${escapeControl(organization)}; no manifest is written`,
      advice:
        "check the organization and the URL of the API, which infrasync doctor shows; if they are right, all of it has been deleted",
    };
  const [first] = leftOut;
  return {
    code: "nothing_found",
    message: `no manifest is written of what ${shown} manages${first ? `, such as ${escapeControl(`${first.state}: ${first.why}`)}` : ""}`,
    advice: first?.advice ?? "`terraform state list` shows what a state has",
  };
}
