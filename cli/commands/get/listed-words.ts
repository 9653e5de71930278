import { encodeEntries } from "../../../core/outputs/forms/index.ts";
import { kindsCalled } from "../../../core/model/kinds/index.ts";
import type { Catalogue } from "../../../core/model/schema/catalogues.ts";
import { listEntries } from "../../../core/outputs/show/index.ts";
import { exitCodes } from "../../exit-codes.ts";
import { renderEntries } from "../../render/resources.ts";
import type { SettingFlags } from "../../settings/names.ts";
import type { Console } from "../../terminal/console.ts";
import { readSettings } from "../../session/read-settings.ts";
import { withSession } from "../../session/session.ts";

/** The lists of the organization by word. A project of that name is `project:clusters`. */
export const entryLists: Readonly<Record<string, readonly Catalogue[]>> = {
  clusters: ["cluster"],
  registries: ["containerRegistry"],
  repositories: ["helmRepository"],
  tokens: ["gitToken"],
  groups: ["annotationsGroup", "labelsGroup"],
};

/** The singular, as in other tools: `kubectl get node` lists all. */
const singular: Readonly<Record<string, string>> = {
  cluster: "clusters",
  registry: "registries",
  repository: "repositories",
  token: "tokens",
  group: "groups",
};

export function entriesCalled(text: string): readonly Catalogue[] | undefined {
  const word = text.toLowerCase();
  const name = Object.hasOwn(singular, word) ? singular[word] : word;
  return name !== undefined && Object.hasOwn(entryLists, name) ? entryLists[name] : undefined;
}

/** The pattern of a word: `jobs`, `job` and `svc`; undefined for other texts. */
export function patternCalled(text: string): string | undefined {
  if (text.toLowerCase() === "all") return "**";
  const [kind, second] = kindsCalled(text);
  return kind && (second ? "*/*/*" : `${kind.slug}:**`);
}

/** Shows the clusters, registries and the like to which manifests can refer. Returns the exit code. */
export async function showEntries(
  desired: readonly Catalogue[],
  flags: SettingFlags,
  console: Console,
): Promise<number> {
  const settings = await readSettings(flags, console);
  const { entries, client } = await withSession({ settings, console }, async ({ run, organization }) => ({
    client: run.client,
    entries: await listEntries(run.client, organization, desired),
  }));
  if (console.json) console.document(encodeEntries(entries, client));
  else console.data(renderEntries(entries, client, console.dataColors, Date.now()));
  return exitCodes.done;
}
