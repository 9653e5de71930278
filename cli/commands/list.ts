import type { Desired } from "../../core/manifest/index.ts";
import type { Problem } from "../../core/problem.ts";
import { exitCodes } from "../exit-codes.ts";
import type { SourceFlags } from "../flags.ts";
import type { Console } from "../terminal/console.ts";
import type { Command } from "./command.ts";
import { addConnection, addOutput, addVariables, collect } from "./options.ts";
import { entriesCalled, patternCalled, showEntries } from "../support/listed-words.ts";
import { showClusterStatus } from "../support/cluster-status.ts";
import { readSettings } from "../support/read-settings.ts";
import { withSession } from "../support/session.ts";
import { listResources } from "../../core/show/index.ts";
import { undescribedOf } from "../../core/plan/index.ts";
import { readPattern } from "../settings/patterns.ts";
import { encodeList } from "../../core/forms/index.ts";
import { renderList } from "../render/resources.ts";
import { readManifests } from "../support/manifests.ts";

/** The flags of `infrasync list`. */
interface ListFlags extends SourceFlags {
  undescribed?: string[] | true;
}

/** `infrasync list`: shows a table of live resources. */
export const list: Command<[patterns: string[]], ListFlags> = {
  examples: [
    "list",
    "list shop/production/**",
    "list 'job:shop/**' --output json",
    "list 'shop/**' --undescribed manifests",
  ],

  declare(line) {
    line.argument(
      "[patterns...]",
      `addresses and patterns of live resources, such as shop/production or 'job:shop/**' (default: everything); or cluster-status`,
    );
    line.option(
      "--undescribed [source]",
      "only resources that no manifest in this file or folder describes (default: the working directory); repeatable",
      collect,
    );
    addVariables(line);
    addConnection(line);
    addOutput(line);
  },

  async run({ args: [patterns], flags, console }) {
    const [word = "", second] = patterns;
    if (word === "cluster-status" && second === undefined) return showClusterStatus(flags, console);
    const entries = second === undefined && entriesCalled(word);
    if (entries) return showEntries(entries, flags, console);
    const problems: Problem[] = [];
    const texts = patterns.length === 0 ? ["**"] : patterns.map((text) => patternCalled(text) ?? text);
    const read = texts.flatMap((text) => readPattern(text, problems));
    const sources = flags.undescribed === true ? ["."] : flags.undescribed;
    const described = sources && (await describedBy(sources, flags, console, problems));
    const settings = await readSettings(flags, console, { orders: sources ?? [], problems });
    const { resources, client } = await withSession({ settings, console }, async ({ run, organization }) => {
      const listed = await listResources(run, organization, read);
      return {
        client: run.client,
        resources: described
          ? undescribedOf(listed, described, {
              organization,
              now: run.client.serverTime,
              ...run.live.known(),
            })
          : listed,
      };
    });
    if (console.json)
      console.document({ ok: true, ...encodeList(resources, client.spent.total, client.budget) });
    else console.data(renderList(resources, client, console.dataColors, Date.now()));
    return exitCodes.done;
  },
};

/** The resources that manifests describe; their mistakes are added to `problems`. */
async function describedBy(
  sources: readonly string[],
  flags: SourceFlags,
  console: Console,
  problems: Problem[],
): Promise<readonly Desired[]> {
  const { resources, problems: wrong } = await readManifests(sources, flags, console.io);
  problems.push(...wrong);
  return resources;
}
