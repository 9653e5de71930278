import type { Client } from "../../../core/api/index.ts";
import { encodeClusterStatus, encodeEntries } from "../../../core/outputs/forms/index.ts";
import { kindsCalled } from "../../../core/model/kinds/index.ts";
import type { Catalogue } from "../../../core/model/schema/catalogues.ts";
import { listEntries, readClusterStatus } from "../../../core/outputs/show/index.ts";
import { exitCodes } from "../../exit-codes.ts";
import {
  type PrintedList,
  listingOfClusters,
  listingOfEntries,
  renderListing,
} from "../../render/resources.ts";
import type { SettingFlags } from "../../settings/names.ts";
import type { Console } from "../../terminal/console.ts";
import { readSettings } from "../../session/read-settings.ts";
import { type Session, withSession } from "../../session/session.ts";

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
export function showEntries(
  desired: readonly Catalogue[],
  flags: SettingFlags,
  console: Console,
): Promise<number> {
  const forms = { encode: encodeEntries, listing: listingOfEntries };
  return showRead(
    ({ run, organization }) => listEntries(run.client, organization, desired),
    forms,
    flags,
    console,
  );
}

/** Shows the status of each cluster of the organization. Returns the exit code. */
export function showClusterStatus(flags: SettingFlags, console: Console): Promise<number> {
  const forms = { encode: encodeClusterStatus, listing: listingOfClusters };
  return showRead(
    ({ run, organization }) => readClusterStatus(run.client, organization),
    forms,
    flags,
    console,
  );
}

async function showRead<Row>(
  read: (session: Session) => Promise<readonly Row[]>,
  forms: { encode(rows: readonly Row[], client: Client): object; listing(rows: readonly Row[]): PrintedList },
  flags: SettingFlags,
  console: Console,
): Promise<number> {
  const settings = await readSettings(flags, console);
  return withSession({ settings, console }, async (session, status) => {
    const { client } = session.run;
    const rows = await read(session);
    status.pause();
    if (console.json) console.document(forms.encode(rows, client));
    else console.data(renderListing(forms.listing(rows), client, console.dataColors));
    return exitCodes.done;
  });
}
