import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { type Address, addressKey, formatReference } from "../../../core/model/addresses/address.ts";
import { holdsResources, parentKindAt } from "../../../core/model/kinds/index.ts";
import {
  addressOf,
  type ManifestDocument,
  manifestsOf,
  toDesired,
} from "../../../core/manifests/manifest/index.ts";
import { nameKey } from "../../../core/model/addresses/names.ts";
import type { Pattern } from "../../../core/model/addresses/pattern.ts";
import { InvalidInputError, type Problem } from "../../../core/problems/problem.ts";
import { findResources } from "../../../core/outputs/show/index.ts";
import { findFiles } from "../../../core/source/files.ts";
import { escapeControl } from "../../../core/values/text.ts";
import { unconfirmed } from "../../exit-codes.ts";
import type { PlanFlags } from "../../flags.ts";
import { environmentsIn, readSettingsFile, type SettingsFile } from "../../settings/file.ts";
import { readPattern } from "../../../core/manifests/settings/patterns.ts";
import { plainSources } from "../../manifests/manifests.ts";
import { type Inputs, readInputs } from "../../change/inputs.ts";
import { folderOfSettings } from "../../manifests/outer-protection.ts";
import { readSettings } from "../../session/read-settings.ts";
import type { Session } from "../../session/session.ts";
import { policyOf } from "../../change/desired-plan.ts";
import { askText } from "../../terminal/ask.ts";
import type { Console } from "../../terminal/console.ts";

/** Whether a word is an address or a pattern of live resources, and no file or folder. */
export function isAddress(word: string): boolean {
  return /[/:]/.test(word) && !/^\.{0,2}\/|\.ya?ml$/i.test(word) && !existsSync(word);
}

/** The inputs for a deletion by address: the addresses are the targets, and the documents declare protections. */
export async function readInputsAround(
  addresses: readonly string[],
  sources: readonly string[],
  flags: PlanFlags & { withoutManifests?: boolean },
  console: Console,
  unanswered: readonly Problem[],
): Promise<Inputs> {
  const problems: Problem[] = [];
  const targets = addresses.flatMap((text) => readPattern(text, problems));
  if (flags.target)
    problems.push({
      code: "argument",
      message: "--target cannot be combined with an address",
      advice: "leave out --target, and name every address to delete",
    });
  const file = await readSettingsFile(flags.config, plainSources([]).places, console.io);
  const isDeclared = (await environmentsIn(file)).environments.length > 0;
  if (isDeclared && sources.length > 0)
    problems.push({
      code: "argument",
      message: `${sources.map(escapeControl).join(" ")} cannot be combined with an address: the settings file declares environments, and manifests of other environments would protect nothing`,
      advice:
        "leave it out: the manifests of all environments are read, and resources that they protect stay",
    });
  if (problems.length > 0) throw new InvalidInputError(problems);
  const root = folderOfSettings(file) ?? ".";
  const inputs =
    sources.length > 0 || isDeclared
      ? await readInputs(sources, { ...flags, ...(isDeclared && { all: true }) }, console, { unanswered })
      : isEmpty(root)
        ? await withoutManifests(addresses, file, flags, console, unanswered)
        : await readAround(root, targets);
  return { ...inputs, policy: { ...inputs.policy, targets } };

  /** Unnamed manifests may be unrelated. */
  async function readAround(folder: string, patterns: readonly Pattern[]): Promise<Inputs> {
    const isRefused = file.name === undefined && flags.withoutManifests !== true && !canAsk(console);
    if (isRefused && (await isLargeAndSilent(folder, patterns)))
      throw new InvalidInputError([{ ...nothingProtects, message: nothingAbout }, ...unanswered]);
    const read = await readInputs([folder], flags, console, { unanswered }).catch((error: unknown) => {
      explainReading(folder, error, console);
      throw error;
    });
    const isAbout = patterns.every((pattern) => describesAround(pattern, read.documents));
    if (file.name !== undefined || isAbout) return read;
    if (isRefused) throw new InvalidInputError([{ ...nothingProtects, message: nothingAbout }]);
    console.note(`Note: ${nothingAbout}. Name manifests to apply their protection.`);
    if (flags.withoutManifests !== true) await confirmNames(addresses, console);
    return read;
  }
}

/** Manifests with more bytes take seconds to parse. */
const fewBytes = 4 * 1024 * 1024;
/** Signs of a name that is not written in the text. */
const composed = /\$\{|template|\\/;

/** Whether manifests are slow to parse, and none of their texts can contain a matching name. */
async function isLargeAndSilent(folder: string, patterns: readonly Pattern[]): Promise<boolean> {
  const names = patterns.map(({ text }) =>
    text
      .replace(/^[a-z*]+:/i, "")
      .split("/")
      .filter((segment) => segment !== "" && !/[*?[\]{}!]/.test(segment)),
  );
  if (names.some(({ length }) => length === 0)) return false;
  let bytes = 0;
  for (const { realPath } of findFiles(folder).files) {
    const text = nameKey(await readFile(realPath, "utf8").catch(() => ""));
    if (composed.test(text) || names.flat().some((name) => text.includes(nameKey(name)))) return false;
    bytes += text.length;
  }
  return bytes > fewBytes;
}

function describesAround(pattern: Pattern, documents: readonly ManifestDocument[]): boolean {
  return documents
    .map(addressOf)
    .some((address) => pattern.matches(address) || pattern.readsInside(address.names));
}

/** Explains why unnamed manifests of a folder are read, if these have mistakes. */
function explainReading(root: string, error: unknown, console: Console): void {
  if (!(error instanceof InvalidInputError) || error.problems.every(({ position }) => !position)) return;
  const folder = root === "." ? "the working directory" : escapeControl(root);
  console.note(
    `Note: the manifests in ${folder} are read, because they may protect the resource. To read other manifests instead, name them after the address.`,
  );
}

/** Whether a folder has no manifests. Unreadable files may be some, which protect. */
function isEmpty(folder: string): boolean {
  const { files, problems } = findFiles(folder);
  return files.length === 0 && problems.every(({ code }) => code === "nothing_found");
}

/** The inputs without manifests. If no settings file protects anything either, a person has to type the addresses. */
async function withoutManifests(
  addresses: readonly string[],
  { name }: SettingsFile,
  flags: PlanFlags & { withoutManifests?: boolean },
  console: Console,
  unanswered: readonly Problem[],
): Promise<Inputs> {
  const isTyped = name === undefined && flags.withoutManifests !== true;
  const isRequested = isTyped && canAsk(console);
  const missing = isTyped && !isRequested ? [nothingProtects] : [];
  const settings = await readSettings(flags, console, { unanswered: [...missing, ...unanswered] });
  console.note(
    name === undefined
      ? "Note: no manifests and no settings file were found, so nothing is protected. Name manifests to apply their protection."
      : `Note: no manifests were read, so only the protect patterns of ${escapeControl(name)} hold. Name manifests to apply their protection too.`,
  );
  if (isRequested) await confirmNames(addresses, console);
  return {
    settings,
    resources: [],
    documents: [],
    sources: [],
    policy: policyOf(flags, { ...settings, deploy: false }, []),
  };
}

const nothingProtects: Problem = {
  code: "confirmation",
  message: "no manifests and no settings file were found here, so nothing is protected",
  advice:
    "run it in a checkout of the manifests, or name them after the address; to delete the resource anyway, add --without-manifests",
};

const nothingAbout =
  "no settings file was found, and the manifests here do not declare the resource, so nothing protects it";

function canAsk({ io: { stdin, stderr } }: Console): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** Asks a person to type the deleted addresses. @throws CommandError for another text */
async function confirmNames(addresses: readonly string[], console: Console): Promise<void> {
  const typed = addresses.join(" ");
  if ((await askText(`To delete ${escapeControl(typed)} anyway, type the address`, console)) === typed)
    return;
  throw unconfirmed();
}

/** The inputs, with a document for every unmanaged target, so that each deletion is listed, counted and confirmed. */
export async function withLive<Known extends Pick<Inputs, "documents" | "policy">>(
  known: Known,
  { run, organization }: Session,
): Promise<Known> {
  const named = await findResources(run, organization, known.policy.targets);
  const target = withInside(named.map(({ address }) => address));
  const mayHaveContents = named.some(({ live }) => holdsResources(live.kind));
  const all = [...named, ...(mayHaveContents ? await findResources(run, organization, [target]) : [])];
  const byAddress = new Map(all.map(({ address }) => [addressKey(address), address]));
  for (const document of known.documents) byAddress.delete(addressKey(addressOf(document)));
  const { documents, problems } = manifestsOf([...byAddress.values()].map(documentOf), "the organization");
  const desired = toDesired([...known.documents, ...documents]);
  const wrong = [...problems, ...desired.problems];
  if (wrong.length > 0) throw new InvalidInputError(wrong);
  return {
    ...known,
    documents: [...known.documents, ...documents],
    resources: desired.resources,
    policy: { ...known.policy, targets: [target] },
  };
}

/** A pattern by kind and name: the text `shop/**` for a labels group `shop` would match the contents of the project `shop`. */
function withInside(chosen: readonly Address[]): Pattern {
  const keys = new Set(chosen.map(addressKey));
  const keyOf = (names: readonly string[]) => nameKey(formatReference(names));
  const isIn = (names: readonly string[]) =>
    names.some((_name, level) => {
      const kind = parentKindAt(level);
      return kind !== undefined && keys.has(addressKey({ kind, names: names.slice(0, level + 1) }));
    });
  return {
    text: "**",
    matches: (address) => keys.has(addressKey(address)) || isIn(address.names.slice(0, -1)),
    readsInside: (names) =>
      isIn(names) || chosen.some((address) => keyOf(address.names).startsWith(`${keyOf(names)}/`)),
  };
}

function documentOf({ kind, names }: Address) {
  const parent = names.slice(0, -1);
  return {
    kind: kind.name,
    ...(kind.parentMember !== undefined && { [kind.parentMember]: formatReference(parent) }),
    name: names.at(-1) ?? "",
  };
}
