import {
  addressOf,
  type DesiredResource,
  formerAddress,
  type ManifestDocument,
} from "../../core/manifests/manifest/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import type { Console } from "../terminal/console.ts";
import type { Io } from "../terminal/io.ts";
import type { PlanFlags } from "../flags.ts";
import { settingsOrThrow } from "../session/read-settings.ts";
import {
  type ChosenSources,
  chooseSources,
  type ManifestContents,
  readChosen,
} from "../manifests/manifests.ts";
import { policyRestrictions } from "../manifests/policy-files.ts";
import { policyOf, type DesiredPlan } from "./desired-plan.ts";
import { type Settings, SettingsReader } from "../settings/index.ts";
import { type Address, addressKey, formatAddress } from "../../core/model/addresses/address.ts";
import { parsePattern } from "../../core/model/addresses/pattern.ts";
import { idleTargets, type Policy } from "../../core/planning/plan/index.ts";

/** The settings, resources and policy of a command that plans. */
export interface Inputs extends DesiredPlan {
  settings: Settings;
  documents: readonly ManifestDocument[];
  /** The files and folders that were read. */
  sources: readonly string[];
}

/** Reads settings and manifests for a command that uses the server; `unanswered` are problems to list after all others. */
export async function readInputs(
  sources: readonly string[],
  flags: PlanFlags,
  console: Console,
  {
    unanswered = [],
    isDestroy = false,
    isRequestedLater = false,
    io = console.io,
  }: { unanswered?: readonly Problem[]; isDestroy?: boolean; isRequestedLater?: boolean; io?: Io } = {},
): Promise<Inputs> {
  const chosen = await chooseSources(sources, flags, console.io);
  const reader = await SettingsReader.open(flags, chosen.places, console);
  const declared = reader.declared();
  const settings = await reader.complete(declared);
  const policy = policyOf(flags, isDestroy ? { ...declared, deploy: false } : declared, reader.problems);
  const contents = await readChosen(chosen, flags, io);
  const elsewhere = await declaredElsewhere(chosen, flags, io);
  const { resources, documents, set, sectionOf, problems } =
    isDestroy && chosen.settingsFile !== undefined ? withoutShared(contents, elsewhere, console) : contents;
  // With --prune a pattern may match resources that no manifest describes, and one may match the live name of a resource that
  // is renamed; only planning can tell.
  const isRenaming = resources.some(({ manage }) => (manage.renamed_from ?? manage.id) !== undefined);
  const idle =
    problems.length > 0 || flags.prune || isRenaming
      ? []
      : idleTargets(
          policy.targets,
          resources.map(({ address }) => address),
        );
  // A run that deletes unmanaged resources has to know the documents of all environments.
  const ofOthers = flags.prune ? elsewhere.problems : [];
  const wrong = [...reader.problems, ...problems, ...ofOthers, ...idle];
  return {
    settings: settingsOrThrow(
      settings,
      wrong,
      isRequestedLater && wrong.length === 0 ? [] : unanswered,
      reader,
      console,
    ),
    resources,
    documents,
    sources: chosen.sources,
    policy: {
      ...policy,
      ...elsewhereOf(elsewhere, contents),
      restrictions: [
        ...(policy.restrictions ?? []),
        ...contents.restrictions,
        ...(await policyRestrictions(chosen.sources)),
      ],
    },
    set,
    ...(sectionOf && { sectionOf }),
  };
}

/** The resources of the other environments of the settings file; their mistakes count if a deletion depends on them. */
export async function declaredElsewhere(
  { others, ...chosen }: ChosenSources,
  { set: _set, var: values, varFile: files, ...flags }: PlanFlags,
  io: Io,
): Promise<Pick<ManifestContents, "resources" | "problems">> {
  if (others.length === 0) return { resources: [], problems: [] };
  // Values that are given with files and folders may be wrong for the environments.
  const given = chosen.settingsFile === undefined ? {} : { var: values, varFile: files };
  return readChosen({ ...chosen, sets: others, others: [] }, { ...flags, ...given }, io);
}

/** The part of the policy that follows from the documents of other environments. */
function elsewhereOf(
  { resources }: Pick<ManifestContents, "resources">,
  own: Pick<ManifestContents, "resources">,
): Pick<Policy, "elsewhere" | "protectedElsewhere"> {
  if (resources.length === 0) return {};
  const known = new Set(own.resources.map(({ address }) => addressKey(address)));
  const protecting = resources.filter(
    ({ address, manage }) => manage.protect && !known.has(addressKey(address)),
  );
  return {
    elsewhere: resources.flatMap(possibleAddresses).map((address) => parsePattern(formatAddress(address))),
    protectedElsewhere: protecting,
  };
}

/** The addresses that the live resource of a document may have: with an id, any in the same parent. */
function possibleAddresses(document: DesiredResource): Address[] {
  const { address, manage } = document;
  const former = formerAddress(document);
  const anyInParent = { ...address, names: [...address.names.slice(0, -1), "*"] };
  return manage.id === undefined ? [address, ...(former ? [former] : [])] : [anyInParent];
}

/** The resources that no other environment describes, with a note that names the rest. */
function withoutShared(
  contents: ManifestContents,
  elsewhere: Pick<ManifestContents, "resources" | "problems">,
  console: Console,
): ManifestContents {
  const shared = new Set(elsewhere.resources.map(({ address }) => addressKey(address)));
  const isOwn = (address: Address) => !shared.has(addressKey(address));
  const remaining = contents.resources.filter(({ address }) => !isOwn(address));
  if (remaining.length > 0)
    console.note(
      `Note: other environments declare these too, so they stay: ${remaining.map(({ address }) => formatAddress(address)).join(", ")}`,
    );
  return {
    ...contents,
    resources: contents.resources.filter(({ address }) => isOwn(address)),
    documents: contents.documents.filter((document) => isOwn(addressOf(document))),
    problems: [...contents.problems, ...elsewhere.problems],
  };
}
