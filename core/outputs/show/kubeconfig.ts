import { parse } from "yaml";
import { type Client, NotFoundError, path, unexpectedAnswer } from "../../api/index.ts";
import { isFields } from "../../values/json.ts";
import { absentWhenNotFound } from "../../state/live/index.ts";
import { type Organization, uuid } from "../../state/organization.ts";
import { nameKey } from "../../model/addresses/names.ts";
import { refusal } from "../../problems/problem.ts";
import { adviceOnEntry } from "../../model/fields/references.ts";
import { listEntries } from "./entries.ts";

const type = "application/x-yaml";

/** Reads the kubeconfig of a cluster, by name or id, which is a secret. @throws InvalidInputError, NotFoundError where there is none */
export async function readKubeconfig(
  client: Client,
  organization: Organization,
  cluster: string,
): Promise<string> {
  const id = await clusterId(client, organization, cluster);
  const at = path`/organization/${organization.id}/cluster/${id}/kubeconfig`;
  const kubeconfig = await absentWhenNotFound(client.text(at, type));
  if (kubeconfig === undefined)
    throw new NotFoundError(`404 on GET ${at}: the cluster ${cluster} has no kubeconfig`, {
      method: "GET",
      path: at,
      status: 404,
      advice: "a cluster has one once it is deployed",
    });
  if (!isKubeconfig(kubeconfig)) throw unexpectedAnswer(at, "it is not a kubeconfig");
  return kubeconfig;
}

function isKubeconfig(text: string): boolean {
  try {
    const value: unknown = parse(text);
    return isFields(value) && value["kind"] === "Config";
  } catch {
    // The message of the parser quotes the text, which is a secret.
    return false;
  }
}

/** @param desired name (one request) or id @throws InvalidInputError where there is no cluster of that name */
async function clusterId(client: Client, organization: Organization, desired: string): Promise<string> {
  if (uuid.test(desired)) return desired;
  const clusters = await listEntries(client, organization, ["cluster"]);
  const found = clusters.find(({ name }) => nameKey(name) === nameKey(desired));
  if (found) return found.id;
  const advice = adviceOnEntry("cluster", clusters, desired);
  throw refusal("not_found", `there is no cluster "${desired}"`, advice);
}
