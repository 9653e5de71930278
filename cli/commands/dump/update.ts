import { acceptDrift, type Acceptance } from "../../../core/import/manifest-update/index.ts";
import {
  type Address,
  addressKey,
  formatReference,
  parseReference,
} from "../../../core/model/addresses/address.ts";
import type { Dump, DumpOptions } from "../../../core/import/live/index.ts";
import { kindsOnDemand } from "../../../core/state/live/index.ts";
import { credentialNotes, type DesiredResource } from "../../../core/manifests/manifest/index.ts";
import { nameKey } from "../../../core/model/addresses/names.ts";
import type { Problem } from "../../../core/problems/problem.ts";
import { escapeControl } from "../../../core/values/text.ts";
import { exitCodes } from "../../exit-codes.ts";
import type { SourceFlags } from "../../flags.ts";
import { missingAnswer } from "../../terminal/ask.ts";
import type { Console } from "../../terminal/console.ts";
import { leftOutText } from "../../render/skipped-items.ts";
import { renderUpdate, updateJson, type ShownUpdate } from "../../render/update.ts";
import { chooseDumps, readDumps } from "./choose.ts";
import { readSettings } from "../../session/read-settings.ts";
import { chooseSources, readSources } from "../../manifests/manifests.ts";
import { documentKey } from "../../files/write-files.ts";
import { readResourceArgument } from "../../manifests/resource-argument.ts";
import { withSession, type Session } from "../../session/session.ts";
import { newFiles, writeUpdate } from "../../files/write-update.ts";

const kindsBeside = kindsOnDemand(undefined)
  .filter(({ use }) => use !== "reference")
  .map(({ name }) => name);

export interface UpdateFlags extends SourceFlags {
  /** The sources; `true`: the working directory. */
  update?: string[] | true;
  /** Whether unmanaged resources get a new file. */
  all?: boolean;
  dryRun?: boolean;
  autoApprove?: boolean;
  withSettings?: boolean;
  /** Whether documents also get undeclared fields that differ from their defaults. */
  strict?: boolean;
}

/** Changes manifest files to declare the live values; shows the changes and asks first. No address: all managed resources. */
export async function updateManifestFiles(
  addresses: readonly string[],
  flags: UpdateFlags,
  console: Console,
): Promise<number> {
  const named = Array.isArray(flags.update) ? flags.update : ["."];
  const unanswered = missingAnswer("dump --update", "--dry-run", flags, named, console);
  const { set, places, problems: unclear } = await oneSet(named, flags, console);
  const { sources } = set;
  const declared = await readSources(set, flags, console.io);
  const { choices, problems } = chooseDumps(addresses);
  const unmet =
    flags.all || declared.problems.length > 0 ? [] : unmanagedAmong(addresses, declared.resources);
  const settings = await readSettings(flags, console, {
    ...places,
    problems: [...unclear, ...declared.problems, ...problems, ...unmet],
    unanswered,
  });
  const isChosen = chooserOf(addresses);
  const { update, added, leftOut } = await withSession({ settings, console }, async (session) => {
    const { run, organization } = session;
    const loaded = { ...declared, loaded: declared.loaded };
    const accepted = await acceptDrift(run, organization, loaded, isChosen, flags.strict);
    const options = { configuration: flags.withSettings === true, projectsOnly: true };
    const found = flags.all
      ? await unmanaged(session, choices, declared.resources, accepted, options)
      : { documents: [], leftOut: [] };
    const documents = [...accepted.added, ...found.documents];
    const fresh = await newFiles(sources, documents);
    for (const { message } of credentialNotes(documents)) console.note(`Note: ${escapeControl(message)}`);
    return { update: accepted, added: fresh, leftOut: found.leftOut };
  });
  const shown: ShownUpdate = {
    update,
    added,
    leftOut,
    secrets: declared.resources.flatMap(({ secretValues }) => [...secretValues.values()]),
  };
  if (!console.json) {
    for (const each of leftOut) console.note(leftOutText(each));
    if (flags.all && addresses.length === 0) console.note(besideProjects);
    console.data(renderUpdate(shown, console.dataColors));
  }
  const isWritten = await writeUpdate(shown, flags, console);
  if (console.json) console.document(updateJson(shown, isWritten));
  return update.kept.length + update.problems.length > 0 ? exitCodes.failed : exitCodes.done;
}

const besideProjects = `Left out: resources of the organization outside of its projects (${kindsBeside.join(", ")}). For a file, name it: dump --update --all gittoken:bot.`;

/** Overlaid sources, or those of one environment of the settings file. */
async function oneSet(named: readonly string[], flags: SourceFlags, console: Console) {
  const { sets, places, problems } = await chooseSources(named, { ...flags, all: false }, console.io);
  const [set = { sources: named }, ...others] = sets;
  const several: Problem = {
    code: "argument",
    message: "--update names several environments, and each has sources of its own",
    advice: "name one at a time",
  };
  return { set, places, problems: others.length > 0 ? [...problems, several] : problems };
}

function unmanagedAmong(texts: readonly string[], resources: readonly DesiredResource[]): Problem[] {
  return texts
    .filter((text) => !("problem" in readResourceArgument(text)))
    .filter((text) => !resources.some(({ address }) => chooserOf([text])(address)))
    .map((text) => ({
      code: "argument",
      message: `no manifest declares ${escapeControl(text)}, or something in it`,
      advice: "check the address; --all writes manifests for resources that have none",
    }));
}

/** Whether arguments name a resource, or a parent of it. */
function chooserOf(texts: readonly string[]): (address: Address) => boolean {
  const chosen = texts
    .map(readResourceArgument)
    .flatMap((meant): { names: readonly string[]; slug: string | undefined }[] => {
      if ("problem" in meant) return [];
      return "address" in meant
        ? [{ names: meant.address.names, slug: meant.address.kind.slug }]
        : [{ names: meant.names, slug: undefined }];
    });
  return ({ kind, names }) =>
    texts.length === 0 ||
    chosen.some(
      (each) =>
        each.names.every((name, index) => nameKey(name) === nameKey(names[index] ?? "")) &&
        (each.names.length < names.length || each.slug === undefined || each.slug === kind.slug),
    );
}

async function unmanaged(
  { run, organization }: Session,
  choices: Parameters<typeof readDumps>[0],
  resources: readonly DesiredResource[],
  { liveNames }: Acceptance,
  options: DumpOptions,
): Promise<Dump> {
  const known = new Set(
    resources.flatMap(({ address }) => {
      const live = liveNames.get(addressKey(address));
      const names = live === undefined ? address.names : [...address.names.slice(0, -1), live];
      return [addressKey(address), addressKey({ kind: address.kind, names })];
    }),
  );
  const { documents, leftOut } = await readDumps(choices, run, organization, options);
  const fresh = documents.filter((document) => !known.has(documentKey(document)));
  const written = new Set(
    fresh.map(({ parent, name }) =>
      formatReference([...(parent === undefined ? [] : parseReference(parent)), name]),
    ),
  );
  return {
    documents: fresh,
    // Plans count the unmanaged parts of a managed resource.
    leftOut: leftOut.filter(({ address, isPart }) => !isPart || written.has(address)),
  };
}
