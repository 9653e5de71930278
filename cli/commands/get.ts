import { InvalidInputError, type Problem } from "../../core/problem.ts";
import type { Catalogue } from "../../core/schema/catalogues.ts";
import { exitCodes } from "../exit-codes.ts";
import type { SettingFlags } from "../settings/names.ts";
import type { Console } from "../terminal/console.ts";
import type { Command } from "./command.ts";
import { addConnection, addOutput } from "./options.ts";

/** The lists of the organization that can be asked for by a word. A project of that name is `project:clusters`. */
const lists: Readonly<Record<string, readonly Catalogue[]>> = {
  clusters: ["cluster"],
  registries: ["containerRegistry"],
  repositories: ["helmRepository"],
  tokens: ["gitToken"],
  groups: ["annotationsGroup", "labelsGroup"],
};

/** Words for one entry of a list, as other tools have them. A project of that name is `project:cluster`. */
const singular: Readonly<Record<string, string>> = {
  cluster: "clusters",
  registry: "registries",
  repository: "repositories",
  token: "tokens",
  group: "groups",
};

function oneOf(text: string, list: string): Problem {
  return {
    code: "argument",
    message: `infrasync get ${text} shows no single entry`,
    advice: `infrasync get ${list} shows them all; a project of that name is project:${text}`,
  };
}

/** `infrasync get`: shows one live resource as a whole. */
export const get: Command<[address: string], SettingFlags> = {
  name: "get",
  description:
    "Show one live resource as a whole: every field, variables, id and status; or the clusters, registries and the like of the organization.",
  examples: [
    "get job:shop/production/migrate",
    "get shop/production",
    "get shop/production/api --output json",
    "get clusters",
  ],

  declare(line) {
    line.argument(
      "<address>",
      `what to show: shop, shop/production, job:shop/production/migrate; or ${Object.keys(lists).join(", ")}`,
    );
    addConnection(line);
    addOutput(line);
  },

  async run({ args: [text], flags, console }) {
    if (Object.hasOwn(lists, text)) return getEntries(lists[text] ?? [], flags, console);
    const engine = await import("../engine/index.ts");
    const { readWhole } = await import("../../core/inspect/index.ts");
    const { withStatus } = await import("../progress/with-status.ts");
    if (singular[text]) throw new InvalidInputError([oneOf(text, singular[text])]);
    const choice = engine.chooseOne(text);
    const settings = await engine.readSettings(flags, console, "problem" in choice ? [choice.problem] : []);
    if ("problem" in choice) throw new InvalidInputError([choice.problem]);
    const { resource, client } = await withStatus(console, async (line) => {
      line.working("reading live resources");
      const { operations, organization } = await engine.openSession(settings, console, line);
      const address = await choice.find(operations, organization);
      return { client: operations.client, resource: await readWhole(operations, organization, address) };
    });
    if (console.json) {
      const { encodeResource } = await import("../../core/codec/index.ts");
      console.document({ ok: true, ...encodeResource(resource, client.spent.total, client.budget) });
    } else {
      const { renderResource } = await import("../render/resources.ts");
      console.data(renderResource(resource));
    }
    return exitCodes.done;
  },
};

/** Shows the clusters, registries and the like that manifests can name. */
async function getEntries(
  wanted: readonly Catalogue[],
  flags: SettingFlags,
  console: Console,
): Promise<number> {
  const engine = await import("../engine/index.ts");
  const { listEntries } = await import("../../core/inspect/index.ts");
  const { withStatus } = await import("../progress/with-status.ts");
  const settings = await engine.readSettings(flags, console);
  const { entries, client } = await withStatus(console, async (line) => {
    line.working("reading the organization");
    const { operations, organization } = await engine.openSession(settings, console, line);
    return {
      client: operations.client,
      entries: await listEntries(operations.client, organization, wanted),
    };
  });
  if (console.json) {
    const { encodeEntries } = await import("../../core/codec/index.ts");
    console.document({ ok: true, ...encodeEntries(entries, client.spent.total, client.budget) });
  } else {
    const { renderEntries } = await import("../render/resources.ts");
    console.data(renderEntries(entries, client, console.dataColors, Date.now()));
  }
  return exitCodes.done;
}
