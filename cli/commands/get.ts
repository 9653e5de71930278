import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import { exitCodes } from "../exit-codes.ts";
import type { SettingFlags } from "../settings/names.ts";
import type { Console } from "../terminal/console.ts";
import type { Command } from "./command.ts";
import { list } from "./list.ts";
import { commandSuggestion } from "../suggestions.ts";
import {
  entriesCalled,
  entryLists,
  patternCalled,
  showClusterStatus,
  showEntries,
} from "./get/listed-words.ts";
import { kindCalled } from "../../core/model/kinds/index.ts";
import { readSettings } from "../session/read-settings.ts";
import { withSession } from "../session/session.ts";
import { readWhole } from "../../core/outputs/show/index.ts";
import { encodeResource } from "../../core/outputs/forms/index.ts";
import { renderResource } from "../render/resources.ts";
import { chooseOne } from "./get/one-resource.ts";

/** The problem of a second argument after anything but a kind. */
function notOfKind(): Problem {
  return {
    code: "argument",
    message:
      "a second argument names a resource of a kind, such as infrasync get job shop/production/migrate",
    advice: "infrasync get shows one resource: name only that one, such as infrasync get shop/production",
  };
}

function notListed(text: string): Problem {
  return {
    code: "argument",
    message: `there is no list of ${text}`,
    advice: `${commandSuggestion(text)}; a project of that name is project:${text}`,
  };
}

const unlisted = new Set(["event", "events", "kubeconfig", "secret", "secrets", "variable", "variables"]);

type GetFlags = SettingFlags & { output?: string };

/** `infrasync get`: shows one live resource in full. */
export const get: Command<[address: string, name: string | undefined], GetFlags> = {
  words: { lists: [...Object.keys(entryLists), "cluster-status"].join(", ") },

  async run(all) {
    const {
      args: [text, name],
      flags,
      console,
    } = all;
    const kind = kindCalled(text);
    if (name !== undefined && !kind) throw new InvalidInputError([notOfKind()]);
    if (kind && name !== undefined) return showOne(`${kind.slug}:${name}`, flags, console);
    const entries = entriesCalled(text);
    const pattern = text.includes("*") ? text : patternCalled(text);
    if ((entries || pattern !== undefined) && flags.output === "yaml")
      throw new InvalidInputError([notAsYaml(text)]);
    if (entries) return showEntries(entries, flags, console);
    if (pattern !== undefined) return list.run({ ...all, args: [[pattern]] });
    if (text === "cluster-status") return showClusterStatus(flags, console);
    if (unlisted.has(text)) throw new InvalidInputError([notListed(text)]);
    return showOne(text, flags, console);
  },
};

function notAsYaml(text: string): Problem {
  return {
    code: "argument",
    message: `${text} is a list, and lists are shown as a table or as JSON`,
    advice: "use --output json, or infrasync dump for manifests",
  };
}

/** Shows one resource in full. Returns the exit code. */
async function showOne(text: string, flags: GetFlags, console: Console): Promise<number> {
  const { find, problems, suggesting } = await chooseOne(text, flags, console.io);
  const settings = await readSettings(flags, console, { problems });
  const { resource, client } = await suggesting(() =>
    withSession({ settings, console }, async ({ run, organization }) => {
      const address = await find(run, organization);
      return { client: run.client, resource: await readWhole(run, organization, address) };
    }),
  );
  if (console.json) console.document(encodeResource(resource, client));
  else console.data(renderResource(resource));
  return exitCodes.done;
}
