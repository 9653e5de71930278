import { type Address, describeAddress, formatReference } from "../../../core/model/addresses/address.ts";
import { nameKey } from "../../../core/model/addresses/names.ts";
import type { Run } from "../../../core/operations/index.ts";
import { type Dump, dump, type DumpedDocument, type DumpOptions } from "../../../core/import/live/index.ts";
import { kinds, parentKindAt } from "../../../core/model/kinds/index.ts";
import type { Organization } from "../../../core/state/organization.ts";
import { refusal, type Problem } from "../../../core/problems/problem.ts";
import { distinctBy } from "../../../core/values/json.ts";
import { documentKey } from "../../files/write-files.ts";
import { readResourceArgument } from "../../manifests/resource-argument.ts";

/** A function that reads the resources of an argument, or the problem of the argument. */
type Choice =
  | { problem: Problem }
  | { read(run: Run, organization: Organization, options: DumpOptions): Promise<Dump> };

const everything: Choice = {
  read: (run, organization, options) => dump(run, organization, undefined, options),
};

/** The resources of arguments; without arguments, the whole organization. */
export function chooseDumps(texts: readonly string[]): { choices: Choice[]; problems: Problem[] } {
  const choices = texts.length === 0 ? [everything] : texts.map(readAddress);
  return { choices, problems: choices.flatMap((choice) => ("problem" in choice ? [choice.problem] : [])) };
}

/** Reads the chosen resources, each once. */
export async function readDumps(
  choices: readonly Choice[],
  run: Run,
  organization: Organization,
  options: DumpOptions,
): Promise<Dump> {
  const dumps: Dump[] = [];
  for (const choice of choices)
    if (!("problem" in choice)) dumps.push(await choice.read(run, organization, options));
  return {
    documents: distinctBy(
      documentKey,
      dumps.flatMap(({ documents }) => documents),
    ),
    leftOut: distinctBy(
      ({ type, address, why }) => `${type} ${address} ${why}`,
      dumps.flatMap(({ leftOut }) => leftOut),
    ),
  };
}

function readAddress(text: string): Choice {
  const meant = readResourceArgument(text);
  if ("problem" in meant) return meant;
  return "address" in meant
    ? { read: (run, organization, options) => dump(run, organization, meant.address, options) }
    : { read: (run, organization, options) => dumpNamed(run, organization, meant.names, options) };
}

/** Dumps the resources of any kind with a name, found in the contents of their parent. */
async function dumpNamed(
  run: Run,
  organization: Organization,
  names: readonly string[],
  options: DumpOptions,
): Promise<Dump> {
  const name = names.at(-1) ?? "";
  const parent: Address | undefined = parentOf(names);
  if (!parent) throw new TypeError("a reference of this length has a parent");
  const { documents, leftOut } = await dump(run, organization, parent, options);
  const inside = documents.filter(({ kind }) => kind.depth === names.length - 1);
  const found = inside.filter((document: DumpedDocument) => nameKey(document.name) === nameKey(name));
  const unmanaged = leftOut.filter((left) => nameKey(left.name) === nameKey(name));
  if (found.length > 0) return { documents: found, leftOut: unmanaged };
  const [left] = unmanaged;
  if (left) {
    throw refusal(
      "impossible",
      `there is no manifest for ${left.type} ${left.address}, because ${left.why}`,
      `these kinds have manifests: ${kinds.map((kind) => kind.name).join(", ")}`,
    );
  }
  const others = inside.map((document) => document.name).toSorted();
  const reference = formatReference(names);
  throw refusal(
    "not_found",
    `${reference} does not exist`,
    others.length === 0
      ? `${describeAddress(parent)} is empty`
      : `${describeAddress(parent)} contains: ${others.join(", ")}`,
    reference,
  );
}

function parentOf(names: readonly string[]): Address | undefined {
  const kind = parentKindAt(names.length - 2);
  return kind && { kind, names: names.slice(0, -1) };
}
