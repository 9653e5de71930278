import { article } from "../../core/values/text.ts";
import { isFields, textIn } from "../../core/values/json.ts";
import { resolveReferences } from "../../core/model/fields/references.ts";
import {
  entryKindOf,
  kinds,
  referenceForm,
  type FieldSchema,
  type Kind,
} from "../../core/model/kinds/index.ts";
import type { Catalogue } from "../../core/model/schema/catalogues.ts";
import { readClusterStatus, readKubeconfig } from "../../core/outputs/show/index.ts";
import { nameKey } from "../../core/model/addresses/names.ts";
import { adviceOnName } from "../../core/model/schema/suggest.ts";
import { RefusedError } from "./errors.ts";
import { uuid } from "../../core/state/organization.ts";
import { find, findAnywhere } from "./read.ts";
import { listedOutputs } from "./outputs.ts";
import { isCreated, isInternal, type Properties } from "./inputs.ts";
import type { ProgramFunction } from "./program-function.ts";
import type { ProviderSession } from "./session.ts";
import { camelCase, camelMembers } from "./casing.ts";
import { secretProperty } from "./internal.ts";
import { inWords } from "./words.ts";

const text = (description: string): FieldSchema => ({ type: "string", description });

const cluster = { cluster: text("Name or id of the cluster.") };

const getClusterStatus: ProgramFunction = {
  name: "getClusterStatus",
  description: "Reads the status of a cluster, in a preview too: two requests for all of them.",
  inputs: cluster,
  required: ["cluster"],
  outputs: {
    cluster: text("Name of the cluster."),
    clusterId: text("Id of the cluster."),
    status: text("State: `DEPLOYED`."),
    isDeployed: { type: "boolean", description: "Whether it is deployed." },
    reason: text("Why it is in that state."),
    lastDeploymentDate: text("When it was deployed, as ISO 8601."),
    nextK8sAvailableVersion: text("The version of Kubernetes to which it can be upgraded."),
  },
  present: ["clusterId"],
  async run(session, args) {
    const desired = textIn(args, "cluster") ?? "";
    const all = await readClusterStatus(session.client, { id: await session.parentIdOf(undefined) });
    const found = all.find((each) =>
      [each["cluster"], each["cluster_id"]].some((known) => nameKey(String(known)) === nameKey(desired)),
    );
    if (found) return camelMembers(found);
    const names = all.map((each) => String(each["cluster"])).toSorted();
    const advice = adviceOnName(desired, names, "the organization has");
    throw new RefusedError(`there is no cluster "${desired}"; ${advice}`);
  },
};

const getKubeconfig: ProgramFunction = {
  name: "getKubeconfig",
  description:
    "Reads the kubeconfig of a cluster, in a preview too: one request, and one for the list of clusters where it is given by name. The kubeconfig gives full access to the cluster, so the output is a secret.",
  inputs: cluster,
  required: ["cluster"],
  outputs: { kubeconfig: { ...text("The kubeconfig, as YAML."), secret: true } },
  present: ["kubeconfig"],
  async run(session, args) {
    const organization = { id: await session.parentIdOf(undefined) };
    const kubeconfig = await readKubeconfig(session.client, organization, textIn(args, "cluster") ?? "");
    session.client.hide(kubeconfig);
    return { kubeconfig, [secretProperty]: ["/kubeconfig"] };
  },
};

/** `getJob`: by id or path; `getOrganization`: that of the token. */
function getter(kind: Kind): ProgramFunction {
  const isChosen = isCreated(kind);
  return {
    name: `get${kind.name}`,
    description: isChosen
      ? `Reads ${article(kind.name)}, in a preview too: at least one request.`
      : `Reads the ${kind.name} of the token, in a preview too: two requests.`,
    inputs: isChosen ? { id: text(`Id, or its path: \`${referenceForm(kind)}\`.`) } : {},
    required: isChosen ? ["id"] : [],
    outputs: kind,
    async run(session, args) {
      const desired = isChosen ? (textIn(args, "id") ?? "") : await session.parentIdOf(undefined);
      const { id, props } = await find(session, kind, desired);
      if (id === "") throw new RefusedError(`there is no ${kind.name} with the id ${desired}`);
      const shown = Object.entries(props).filter(([name]) => !isInternal(name));
      return { ...Object.fromEntries(shown), id };
    },
  };
}

/** `getCluster`: an entry of a list of the organization, by name or id. */
function entryGetter(name: string, catalogue: Catalogue, what: string): ProgramFunction {
  return {
    name,
    description: `Finds ${article(what)} of the organization, in a preview too: one request for all of them.`,
    inputs: { name: text(`Name or id of the ${what}.`) },
    required: ["name"],
    outputs: { id: text(`Id of the ${what}.`), name: text(`Name of the ${what}.`) },
    present: ["id", "name"],
    async run(session, args) {
      const schema: FieldSchema = { properties: { name: { type: "string", reference: catalogue } } };
      const desired = textIn(args, "name") ?? "";
      const entries = await listed(session, entryKindOf(catalogue), await session.parentIdOf(undefined));
      const found = resolveReferences(schema, { name: desired }, undefined, () => entries ?? []);
      const [problem] = found.problems;
      if (problem) throw new RefusedError(`${inWords(problem.message, undefined)}; ${problem.advice}`);
      const entry = found.fields["name"];
      return isFields(entry) ? entry : {};
    },
  };
}

const getRequestBudget: ProgramFunction = {
  name: "getRequestBudget",
  description:
    "The quota of requests that the token has left, as last reported by the server; at most one request. Values that the server does not report are missing.",
  inputs: {},
  required: [],
  outputs: {
    limit: { type: "integer", description: "Requests that the token may send in an hour." },
    remaining: { type: "integer", description: "Requests that are left." },
    resetAt: text("When the quota is full again, as ISO 8601."),
  },
  async run({ client }) {
    if (client.budget.remaining === undefined) await client.get("/organization");
    const { limit, remaining, resetAt } = client.budget;
    return {
      ...(limit !== undefined && { limit }),
      ...(remaining !== undefined && { remaining }),
      ...(resetAt && { resetAt: resetAt.toISOString() }),
    };
  },
};

const getCluster = entryGetter("getCluster", "cluster", "cluster");

export const functions: readonly ProgramFunction[] = [
  // `getCluster` finds clusters by name, with one request.
  ...kinds.map(getter).filter(({ name }) => name !== getCluster.name),
  ...kinds.filter(isCreated).map(lister),
  getCluster,
  entryGetter("getRegistry", "containerRegistry", "container registry"),
  getRequestBudget,
  getClusterStatus,
  getKubeconfig,
];

/** @throws Error where there is none */
export function functionOf(name: string): ProgramFunction {
  const found = functions.find((known) => known.name === name);
  if (found) return found;
  const names = functions.map((known) => known.name);
  throw new Error(`infrasync has no function ${name}; ${adviceOnName(name, names, "it has")}`);
}

/** `getJobs`: all resources of a kind in a parent, as one list of the API returns them. */
function lister(kind: Kind): ProgramFunction {
  const { parent, parentMember } = kind;
  const member = pluralOf(kind);
  const parentInput: Record<string, FieldSchema> =
    parent && parentMember !== undefined
      ? {
          [parentMember]: text(
            `The ${parent.name} that has them, by its id or its path: \`${referenceForm(parent)}\`.`,
          ),
        }
      : {};
  return {
    name: `get${member}`,
    description: `Lists every ${kind.name} of ${parent ? article(parent.name) : "the organization"}, without what takes a request for each, such as variables. One request, in a preview too.`,
    inputs: parentInput,
    required: Object.keys(parentInput),
    outputs: { member: camelStart(member), each: kind },
    async run(session, args) {
      const parentId = await parentIdOf(session, kind, textIn(args, parentMember ?? ""));
      const list = await listed(session, kind, parentId);
      if (!list) throw new RefusedError(`there is no ${parent?.name ?? "organization"} ${parentId}`);
      return {
        [camelStart(member)]: list.map((each): Properties => ({ id: each.id, ...listedOutputs(each) })),
      };
    },
  };
}

/** The resources of a kind in a parent; undefined: there is no such parent. */
async function listed(session: ProviderSession, kind: Kind, parentId: string) {
  return (await session.listOf(kind, parentId))?.resources.filter((each) => each.kind === kind);
}

async function parentIdOf(
  session: ProviderSession,
  { parent }: Kind,
  idOrPath: string | undefined,
): Promise<string> {
  if (!parent || idOrPath === undefined) return session.parentIdOf(undefined);
  if (uuid.test(idOrPath)) return idOrPath;
  return (await findAnywhere(session, parent, idOrPath))?.id ?? idOrPath;
}

/** `Jobs`, `ContainerRegistries`; `AllAwsCredentials` for a plural name. */
function pluralOf({ name }: Kind): string {
  if (name.endsWith("s")) return `All${name}`;
  return name.endsWith("y") ? `${name.slice(0, -1)}ies` : `${name}s`;
}

function camelStart(name: string): string {
  return camelCase(name.slice(0, 1).toLowerCase() + name.slice(1));
}
