import {
  type Address,
  formatAddress,
  formatReference,
  parseAddress,
  parseReference,
} from "../../../core/model/addresses/address.ts";
import { withShortNames } from "../../../core/deployments/index.ts";
import { findLive } from "../../../core/import/live/index.ts";
import { kindCalled, parentKindAt } from "../../../core/model/kinds/index.ts";
import { nameKey } from "../../../core/model/addresses/names.ts";
import type { Run } from "../../../core/operations/index.ts";
import type { Organization } from "../../../core/state/organization.ts";
import { type Pattern, parsePattern } from "../../../core/model/addresses/pattern.ts";
import { InvalidInputError, refusal, type Problem } from "../../../core/problems/problem.ts";
import { findResources } from "../../../core/outputs/show/index.ts";
import type { SourceFlags } from "../../flags.ts";
import type { Io } from "../../terminal/io.ts";
import { liveAddress, type NamedEnvironments } from "../../manifests/named-environments.ts";
import { readResourceArgument } from "../../manifests/resource-argument.ts";

/** The resource of an argument: an address, names, a kind and last names, a unique service, or an environment of the settings. */
export async function chooseOne(
  given: string,
  flags: SourceFlags,
  io: Io,
): Promise<
  Pick<NamedEnvironments, "suggesting"> & {
    problems: Problem[];
    /** Finds its address. @throws InvalidInputError for no resource, or several */
    find(this: void, run: Run, organization: Organization): Promise<Address>;
  }
> {
  const problems: Problem[] = [];
  const { address: text, suggesting } = await liveAddress(given, flags, io, problems);
  const pattern = patternOfOne(text);
  const meant = readResourceArgument(text);
  if ("problem" in meant && !pattern) problems.push(meant.problem);
  const find = async (run: Run, organization: Organization): Promise<Address> => {
    // `job/migrate` is the environment of a project of that name, if there is one.
    const isReference = text.includes("/") && !text.includes(":");
    if (pattern && !(isReference && (await isProject(run, organization, text.split("/")[0] ?? ""))))
      return findByPattern(run, organization, pattern);
    if ("problem" in meant) throw new InvalidInputError([meant.problem]);
    if (!("address" in meant)) return findByNames(run, organization, meant.names);
    if (meant.address.kind.depth > 0) return meant.address;
    const [found] = await withShortNames(run, organization, [parsePattern(text)]);
    return (found && parseAddress(found.text)) ?? meant.address;
  };
  return { problems, find, suggesting };
}

async function isProject({ live, client }: Run, organization: Organization, name: string): Promise<boolean> {
  const contents = await live.contentsOf(client, undefined, organization.id);
  return contents?.resources.some((project) => nameKey(project.name) === nameKey(name)) ?? false;
}

/** The pattern of `job:migrate` and, as in kubectl, `job/migrate`; undefined for other references and addresses. */
function patternOfOne(text: string): Pattern | undefined {
  const [, word = "", rest = ""] = /^([a-z]+)[:/](.+)$/i.exec(text) ?? [];
  const kind = kindCalled(word);
  const missing = kind && kind.depth + 1 - parseReference(rest).length;
  if (!kind || missing === undefined || missing < 0 || (missing === 0 && text.includes(":")))
    return undefined;
  return parsePattern(`${kind.slug}:${"*/".repeat(missing)}${rest}`);
}

async function findByPattern(run: Run, organization: Organization, pattern: Pattern): Promise<Address> {
  const found = await findResources(run, organization, [pattern]);
  const [first, second] = found.map(({ address }) => address);
  if (!first) throw new TypeError("a pattern that matches nothing is refused");
  if (second) throw severalMeant(pattern.text, first, second);
  return first;
}

function severalMeant(text: string, first: Address, second: Address): InvalidInputError {
  return refusal(
    "argument",
    `${text} can mean ${formatAddress(first)} or ${formatAddress(second)}`,
    "name one of them",
  );
}

async function findByNames(run: Run, organization: Organization, names: readonly string[]): Promise<Address> {
  const parentKind = parentKindAt(names.length - 2);
  if (!parentKind) throw new TypeError("a reference of this length has a parent");
  const parent = await findLive(run, organization, { kind: parentKind, names: names.slice(0, -1) });
  const contents = await run.live.contentsOf(run.client, parentKind, parent.id);
  const resources = contents?.resources ?? [];
  const [first, second] = resources.filter(({ name }) => nameKey(name) === nameKey(names.at(-1) ?? ""));
  if (first && !second) return { kind: first.kind, names };
  const reference = formatReference(names);
  if (first && second)
    throw severalMeant(reference, { kind: first.kind, names }, { kind: second.kind, names });
  const there = resources.map(({ name }) => name).toSorted();
  throw refusal(
    "not_found",
    `${reference} does not exist`,
    there.length === 0 ? "its parent is empty" : `there are: ${there.join(", ")}`,
    reference,
  );
}
