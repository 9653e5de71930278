import { InvalidInputError, type Problem } from "../../core/problem.ts";
import type { Catalogue } from "../../core/schema/catalogues.ts";
import { exitCodes } from "../exit-codes.ts";
import type { SettingFlags } from "../settings/names.ts";
import type { Console } from "../terminal/console.ts";
import type { Command } from "./command.ts";
import { addConnection, addOutput } from "./options.ts";

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
async function onlyOfKubeconfig(text: string, second: string | undefined): Promise<Problem> {
  const { findKind } = await import("../../core/kinds/index.ts");
  const kind = second === undefined ? undefined : findKind(text);
  return {
    code: "argument",
    message: "a second argument and --out belong to infrasync get kubeconfig",
    advice: kind
      ? `did you mean infrasync get ${kind.slug}:${second}?`
      : "infrasync get shows one thing: name it alone, such as infrasync get shop/production",
  };
}

/** What kubectl lists, and has no kind here. */
const kubernetesWords = new Set(["all", "cronjobs", "deployments", "namespaces", "ns", "pods", "services"]);

/** What comes after `infrasync list` for a pattern or the word of several resources, such as `jobs`; undefined for other words. */
async function patternOfSeveral(text: string): Promise<string | undefined> {
  const word = text.toLowerCase();
  if (word.includes("*")) return ` '${text}'`;
  if (kubernetesWords.has(word)) return "";
  const { kinds } = await import("../../core/kinds/index.ts");
  const kind = kinds.find(({ slug }) => `${slug}s` === word || slug === word);
  return kind && ` '${kind.slug}:**'`;
}

type GetFlags = SettingFlags & { out?: string };

/** `infrasync get`: shows one live resource in full. */
export const get: Command<[address: string, cluster: string | undefined], GetFlags> = {
  name: "get",
  description:
    "Show one live resource in full: all fields, variables, id and status. Also shows the clusters, registries and tokens of the organization, and the status of its clusters.",
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
    if (text === kubeconfigWord) {
      const { saveKubeconfig } = await import("./get/kubeconfig.ts");
      return saveKubeconfig(cluster, flags, console);
    }
    if (cluster !== undefined || flags.out !== undefined)
      throw new InvalidInputError([await onlyOfKubeconfig(text, cluster)]);
    if (Object.hasOwn(lists, text)) return getEntries(lists[text] ?? [], flags, console);
    if (text === "cluster-status") {
      const { showClusterStatus } = await import("../support/cluster-status.ts");
      return showClusterStatus(flags, console);
    }
    const { chooseOne } = await import("./get/choose.ts");
    const { readSettings } = await import("../support/read-settings.ts");
    const { openSession } = await import("../support/session.ts");
    const { readWhole } = await import("../../core/show/index.ts");
    const { withStatus } = await import("../progress/with-status.ts");
    if (singular[text]) throw new InvalidInputError([oneOf(text, singular[text])]);
    const several = await patternOfSeveral(text);
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
    const { resource, client } = await withStatus(console, async (line) => {
      line.reading();
      const { run, organization } = await openSession(settings, console, line);
      const address = await choice.find(run, organization);
      return { client: run.client, resource: await readWhole(run, organization, address) };
    });
    if (console.json) {
      const { encodeResource } = await import("../../core/forms/index.ts");
      console.document({ ok: true, ...encodeResource(resource, client.spent.total, client.budget) });
    } else {
      const { renderResource } = await import("../render/resources.ts");
      console.data(renderResource(resource));
    }
    return exitCodes.done;
  },
};

/** Shows the clusters, registries and the like that manifests can name. */
async function getEntries(
  wanted: readonly Catalogue[],
  flags: SettingFlags,
  console: Console,
): Promise<number> {
  const { readSettings } = await import("../support/read-settings.ts");
  const { openSession } = await import("../support/session.ts");
  const { listEntries } = await import("../../core/show/index.ts");
  const { withStatus } = await import("../progress/with-status.ts");
  const settings = await readSettings(flags, console);
  const { entries, client } = await withStatus(console, async (line) => {
    line.working("reading the organization");
    const { run, organization } = await openSession(settings, console, line);
    return {
      client: run.client,
      entries: await listEntries(run.client, organization, wanted),
    };
  });
  if (console.json) {
    const { encodeEntries } = await import("../../core/forms/index.ts");
    console.document({ ok: true, ...encodeEntries(entries, client.spent.total, client.budget) });
  } else {
    const { renderEntries } = await import("../render/resources.ts");
    console.data(renderEntries(entries, client, console.dataColors, Date.now()));
  }
  return exitCodes.done;
}
