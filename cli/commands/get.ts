import { InvalidInputError, type Problem } from "../../core/problem.ts";
import type { Catalogue } from "../../core/schema/catalogues.ts";
import { exitCodes } from "../exit-codes.ts";
import type { SettingFlags } from "../settings/names.ts";
import type { Console } from "../terminal/console.ts";
import type { Command } from "./command.ts";
import { addConnection, addOutput } from "./options.ts";
import { findKind, kinds, parentKindAt } from "../../core/kinds/index.ts";
import { saveKubeconfig } from "./get/kubeconfig.ts";
import { showClusterStatus } from "../support/cluster-status.ts";
import { readSettings } from "../support/read-settings.ts";
import { withSession } from "../support/session.ts";
import { readWhole, listEntries } from "../../core/show/index.ts";
import { encodeResource, encodeEntries } from "../../core/forms/index.ts";
import { renderResource, renderEntries } from "../render/resources.ts";
import { type Address, formatAddress, formatReference } from "../../core/address.ts";
import { nameKey } from "../../core/names.ts";
import { findLive } from "../../core/import/live/index.ts";
import type { Organization } from "../../core/organization.ts";
import type { Run } from "../../core/operations/index.ts";
import { readResourceArgument } from "../support/resource-argument.ts";

/** The lists of the organization that can be asked for by a word. A project of that name is `project:clusters`. */
const lists: Readonly<Record<string, readonly Catalogue[]>> = {
  clusters: ["cluster"],
  registries: ["containerRegistry"],
  repositories: ["helmRepository"],
  tokens: ["gitToken"],
  groups: ["annotationsGroup", "labelsGroup"],
};

const kubeconfigWord = "kubeconfig";

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

/** The problem of a second argument, as kubectl has it after a kind, or of a file, after anything but `kubeconfig`. */
function onlyOfKubeconfig(text: string, second: string | undefined): Problem {
  const kind = second === undefined ? undefined : findKind(text);
  return {
    code: "argument",
    message: "only infrasync get kubeconfig takes a second argument and --out",
    advice: kind
      ? `did you mean infrasync get ${kind.slug}:${second}?`
      : "infrasync get shows one thing: name it alone, such as infrasync get shop/production",
  };
}

/** What kubectl lists, and has no kind here. */
const kubernetesWords = new Set(["all", "cronjobs", "deployments", "namespaces", "ns", "pods", "services"]);

/** What comes after `infrasync list` for a pattern or the word of several resources, such as `jobs`; undefined for other words. */
function patternOfSeveral(text: string): string | undefined {
  const word = text.toLowerCase();
  if (word.includes("*")) return ` '${text}'`;
  if (kubernetesWords.has(word)) return "";
  const kind = kinds.find(({ slug }) => `${slug}s` === word || slug === word);
  return kind && ` '${kind.slug}:**'`;
}

type GetFlags = SettingFlags & { out?: string };

/** `infrasync get`: shows one live resource in full. */
export const get: Command<[address: string, cluster: string | undefined], GetFlags> = {
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
      `what to show: shop, shop/production, job:shop/production/migrate; or ${[...Object.keys(lists), "cluster-status", kubeconfigWord].join(", ")}`,
    );
    line.argument("[cluster]", "after kubeconfig: name or id of the cluster");
    line.option("--out <file>", "the file for a kubeconfig, which only its owner can read; a new one");
    addConnection(line);
    addOutput(line);
  },

  async run({ args: [text, cluster], flags, console }) {
    if (text === kubeconfigWord) return saveKubeconfig(cluster, flags, console);
    if (cluster !== undefined || flags.out !== undefined)
      throw new InvalidInputError([onlyOfKubeconfig(text, cluster)]);
    if (Object.hasOwn(lists, text)) return getEntries(lists[text] ?? [], flags, console);
    if (text === "cluster-status") return showClusterStatus(flags, console);
    if (singular[text]) throw new InvalidInputError([oneOf(text, singular[text])]);
    const several = patternOfSeveral(text);
    if (several !== undefined)
      throw new InvalidInputError([
        {
          code: "argument",
          message: `${text} is not the address of one resource`,
          advice: `infrasync list${several} shows several; a project of that name is project:${text}`,
        },
      ]);
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
  },
};

/** Shows the clusters, registries and the like that manifests can name. */
async function getEntries(
  wanted: readonly Catalogue[],
  flags: SettingFlags,
  console: Console,
): Promise<number> {
  const settings = await readSettings(flags, console);
  const { entries, client } = await withSession({ settings, console }, async ({ run, organization }) => ({
    client: run.client,
    entries: await listEntries(run.client, organization, wanted),
  }));
  if (console.json)
    console.document({ ok: true, ...encodeEntries(entries, client.spent.total, client.budget) });
  else console.data(renderEntries(entries, client, console.dataColors, Date.now()));
  return exitCodes.done;
}

/** A function that finds the address of the one resource that an argument means, or the problem of the argument. */
type OneChoice = { problem: Problem } | { find(run: Run, organization: Organization): Promise<Address> };

/** The resource that an argument means: by its address, or by its names alone. */
function chooseOne(text: string): OneChoice {
  const meant = readResourceArgument(text);
  if ("problem" in meant) return meant;
  return "address" in meant
    ? { find: () => Promise.resolve(meant.address) }
    : { find: (run, organization) => findByNames(run, organization, meant.names) };
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
  throw new InvalidInputError([
    first && second
      ? {
          code: "argument",
          message: `${reference} can mean ${formatAddress({ kind: first.kind, names })} or ${formatAddress({ kind: second.kind, names })}`,
          advice: "name its kind",
        }
      : {
          code: "not_found",
          message: `${reference} does not exist`,
          advice:
            resources.length === 0
              ? "its parent is empty"
              : `there are: ${resources
                  .map(({ name }) => name)
                  .toSorted()
                  .join(", ")}`,
        },
  ]);
}
