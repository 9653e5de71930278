import { InvalidInputError, type Problem } from "../../core/problem.ts";
import { exitCodes } from "../exit-codes.ts";
import type { SettingFlags } from "../settings/names.ts";
import type { Console } from "../terminal/console.ts";
import type { Command } from "./command.ts";
import { addConnection, addOutput, yamlFormats } from "./options.ts";
import { list } from "./list.ts";
import { commandHabit } from "../habits.ts";
import { entriesCalled, entryLists, patternCalled, showEntries } from "../support/listed-words.ts";
import { type Pattern, parsePattern } from "../../core/pattern.ts";
import { kindCalled, parentKindAt } from "../../core/kinds/index.ts";
import { saveKubeconfig } from "./get/kubeconfig.ts";
import { showClusterStatus } from "../support/cluster-status.ts";
import { readSettings } from "../support/read-settings.ts";
import { withSession } from "../support/session.ts";
import { findResources, readWhole } from "../../core/show/index.ts";
import { encodeResource } from "../../core/forms/index.ts";
import { renderResource } from "../render/resources.ts";
import {
  type Address,
  formatAddress,
  formatReference,
  parseAddress,
  parseReference,
} from "../../core/address.ts";
import { withShortNames } from "../../core/deployments/index.ts";
import { nameKey } from "../../core/names.ts";
import { findLive } from "../../core/import/live/index.ts";
import type { Organization } from "../../core/organization.ts";
import type { Run } from "../../core/operations/index.ts";
import { readResourceArgument } from "../support/resource-argument.ts";

const kubeconfigWord = "kubeconfig";

/** The problem of a second argument that names no resource, or of a file, after anything but `kubeconfig`. */
function onlyOfKubeconfig(): Problem {
  return {
    code: "argument",
    message: "only infrasync get kubeconfig takes a second argument and --out",
    advice: "infrasync get shows one thing: name it alone, such as infrasync get shop/production",
  };
}

/** The problem of a word that other tools list. */
function notListed(text: string): Problem {
  return {
    code: "argument",
    message: `there is no list of ${text}`,
    advice: `${commandHabit(text)}; a project of that name is project:${text}`,
  };
}

const unlisted = new Set(["event", "events", "secret", "secrets", "variable", "variables"]);

type GetFlags = SettingFlags & { out?: string; output?: string };

/** `infrasync get`: shows one live resource in full. */
export const get: Command<[address: string, name: string | undefined], GetFlags> = {
  examples: [
    "get job:shop/production/migrate",
    "get shop/production",
    "get shop/production/api --output json",
    "get clusters",
    "get cluster-status",
    "get kubeconfig eu-west --out eu-west.kubeconfig",
  ],

  declare(line) {
    line.argument(
      "<address>",
      `what to show: shop, shop/production, job:shop/production/migrate; or ${[...Object.keys(entryLists), "cluster-status", kubeconfigWord].join(", ")}`,
    );
    line.argument(
      "[name]",
      "after kubeconfig: name or id of the cluster; after a kind: name of the resource",
    );
    line.option("--out <file>", "the file for a kubeconfig, which only its owner can read; a new one");
    addConnection(line);
    addOutput(line, yamlFormats());
  },

  async run(all) {
    const {
      args: [text, name],
      flags,
      console,
    } = all;
    if (text === kubeconfigWord) return saveKubeconfig(name, flags, console);
    const kind = kindCalled(text);
    if (flags.out !== undefined || (name !== undefined && !kind))
      throw new InvalidInputError([onlyOfKubeconfig()]);
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
    message: `${text} is a list, and a list is a table or JSON`,
    advice: "use --output json, or infrasync dump for manifests",
  };
}

/** Shows one resource in full. Returns the exit code. */
async function showOne(text: string, flags: GetFlags, console: Console): Promise<number> {
  const choice = chooseOne(text);
  const settings = await readSettings(
    flags,
    console,
    "problem" in choice ? { problems: [choice.problem] } : {},
  );
  if ("problem" in choice) throw new InvalidInputError([choice.problem]);
  const { resource, client } = await withSession({ settings, console }, async ({ run, organization }) => {
    const address = await choice.find(run, organization);
    return { client: run.client, resource: await readWhole(run, organization, address) };
  });
  if (console.json)
    console.document({ ok: true, ...encodeResource(resource, client.spent.total, client.budget) });
  else console.data(renderResource(resource));
  return exitCodes.done;
}

/** A function that finds the address of the one resource that an argument means, or the problem of the argument. */
type OneChoice = { problem: Problem } | { find(run: Run, organization: Organization): Promise<Address> };

/** The resource that an argument means: by its address, by its names alone, or by its kind and its last names. */
function chooseOne(text: string): OneChoice {
  const pattern = patternOfOne(text);
  const meant = readResourceArgument(text);
  if ("problem" in meant && !pattern) return meant;
  return {
    async find(run, organization) {
      // `job/migrate` is the environment of a project that is called so, if there is one.
      const isReference = text.includes("/") && !text.includes(":");
      if (pattern && !(isReference && (await isProject(run, organization, text.split("/")[0] ?? ""))))
        return findByPattern(run, organization, pattern);
      if ("problem" in meant) throw new InvalidInputError([meant.problem]);
      if (!("address" in meant)) return findByNames(run, organization, meant.names);
      if (meant.address.kind.depth > 0) return meant.address;
      const [found] = await withShortNames(run, organization, [parsePattern(text)]);
      return (found && parseAddress(found.text)) ?? meant.address;
    },
  };
}

async function isProject({ live, client }: Run, organization: Organization, name: string): Promise<boolean> {
  const contents = await live.contentsOf(client, undefined, organization.id);
  return contents?.resources.some((project) => nameKey(project.name) === nameKey(name)) ?? false;
}

/** The pattern of `job:migrate` and, as kubectl has it, `job/migrate`; undefined for other references and addresses. */
function patternOfOne(text: string): Pattern | undefined {
  const [, word = "", rest = ""] = /^([a-z]+)[:/](.+)$/i.exec(text) ?? [];
  const kind = kindCalled(word);
  const missing = kind && kind.depth + 1 - parseReference(rest).length;
  if (!kind || missing === undefined || missing < 0 || (missing === 0 && text.includes(":")))
    return undefined;
  return parsePattern(`${kind.slug}:${"*/".repeat(missing)}${rest}`);
}

/** The address of the only resource that a pattern matches. */
async function findByPattern(run: Run, organization: Organization, pattern: Pattern): Promise<Address> {
  const found = await findResources(run, organization, [pattern]);
  const [first, second] = found.map(({ address }) => address);
  if (!first) throw new TypeError("a pattern that matches nothing is refused");
  if (second) throw severalMeant(pattern.text, first, second);
  return first;
}

function severalMeant(text: string, first: Address, second: Address): InvalidInputError {
  return new InvalidInputError([
    {
      code: "argument",
      message: `${text} can mean ${formatAddress(first)} or ${formatAddress(second)}`,
      advice: "name one of them",
    },
  ]);
}

/** The address of the only resource with these names, whatever its kind. */
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
  throw new InvalidInputError([
    {
      code: "not_found",
      message: `${reference} does not exist`,
      advice: there.length === 0 ? "its parent is empty" : `there are: ${there.join(", ")}`,
    },
  ]);
}
