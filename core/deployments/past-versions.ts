import { counted } from "../values/text.ts";
import { describeAddress, formatAddress } from "../model/addresses/address.ts";
import { type Client, unexpectedAnswer } from "../api/index.ts";
import { type Fields, isFields, type Json, textIn } from "../values/json.ts";
import { versionOf } from "../state/live/index.ts";
import type { Problem } from "../problems/problem.ts";
import type { ChosenResource } from "./choose.ts";
import type { DeploymentOrder, Version } from "./order.ts";

/** How many deployments of a service are requested; a server may give fewer. */
const mostDeployments = 100;

const ended = new Set(["DEPLOYED", "RESTARTED"]);

/** The version that a service ran before the present one. */
export interface PastVersion {
  /** An image tag, the version of a chart or a commit. */
  text: string;
  /** The current version of the service; undefined if it is not known. */
  present: string | undefined;
  /** As a request to deploy names it; undefined if such a request cannot. */
  version: Version | undefined;
}

/** Why a service has no version to go back to. */
export interface NoPastVersion {
  problem: Problem;
  /** Whether its newest deployment has failed, so that it stays broken. */
  hasFailed: boolean;
}

/**
 * Finds the version before the present one by the deployments that ended well: one request. From a service that has
 * gone back, nobody knows how much further it shall go; `stay`: its present version.
 */
export async function readPastVersion(
  client: Client,
  environmentId: string,
  { address, live }: ChosenResource,
  { desired, how }: { desired: string | undefined; how: "stay" | "further" },
): Promise<PastVersion | NoPastVersion> {
  const { kind } = address;
  const member = kind.deployment?.version(live.fields);
  const deployments = await readDeployments(client, environmentId, { address, id: live.id });
  const present = versionOf(live);
  const versions = goodVersions(deployments);
  const isBack = desired === undefined && hasGoneBack(deployments, present);
  const text =
    isBack && how === "stay"
      ? present
      : versions.find((version) => (desired === undefined ? version !== present : version === desired));
  const [newest] = deployments;
  const hasFailed = isFields(newest) && (textIn(newest, "status") ?? "").endsWith("ERROR");
  if (text === undefined)
    return { problem: noVersion({ address, live }, versions, desired, deployments.length), hasFailed };
  if (isBack && how === "further")
    return {
      hasFailed,
      problem: {
        code: "impossible",
        message: `${describeAddress(address)} was rolled back already: it runs ${present} again`,
        advice: `name another version; earlier versions are ${listOf(versions)}`,
        address: formatAddress(address),
      },
    };
  return { text, present, version: member && { [member]: text } };
}

/** The version that a service ran well before its newest deployment: one request. @throws ApiError */
export async function readVersionBefore(
  client: Client,
  environmentId: string,
  service: DeploymentOrder["services"][number],
): Promise<string | undefined> {
  const [newest, ...earlier] = await readDeployments(client, environmentId, service);
  const failed = isFields(newest) ? versionIn(newest["details"]) : undefined;
  return goodVersions(earlier).find((version) => version !== failed);
}

async function readDeployments(
  client: Client,
  environmentId: string,
  { address: { kind }, id }: DeploymentOrder["services"][number],
): Promise<readonly Json[]> {
  const where = `${kind.requests.one(id, environmentId)}/deploymentHistoryV2`;
  const answer = await client.get(where, { pageSize: mostDeployments });
  const deployments = isFields(answer) ? answer["results"] : undefined;
  if (Array.isArray(deployments)) return deployments;
  throw unexpectedAnswer(where, "the server does not list the deployments of a service");
}

function goodVersions(deployments: readonly Json[]): string[] {
  return deployments.flatMap((one) =>
    isFields(one) && ended.has(textIn(one, "status") ?? "") ? (versionIn(one["details"]) ?? []) : [],
  );
}

/** Whether the newest deployment brought back, well, a version that ran before another one. */
function hasGoneBack(deployments: readonly Json[], present: string | undefined): boolean {
  if (goodVersions(deployments.slice(0, 1))[0] !== present || present === undefined) return false;
  const versions = deployments.flatMap((one) => (isFields(one) ? (versionIn(one["details"]) ?? []) : []));
  const other = versions.findIndex((version) => version !== present);
  return other > 0 && goodVersions(deployments.slice(other)).includes(present);
}

/** The newest ten versions, each once. */
function listOf(versions: readonly string[]): string {
  return [...new Set(versions)].slice(0, 10).join(", ");
}

function versionIn(details: unknown): string | undefined {
  if (!isFields(details)) return undefined;
  const inside = (member: string): Fields => (isFields(details[member]) ? details[member] : {});
  return (
    textIn(details, "tag") ??
    textIn(inside("repository"), "chart_version") ??
    textIn(inside("commit"), "git_commit_id")
  );
}

function noVersion(
  { address }: ChosenResource,
  versions: readonly string[],
  desired: string | undefined,
  looked: number,
): Problem {
  const whatRan = desired === undefined ? "has run no other version" : `has not run the version ${desired}`;
  return {
    code: "impossible",
    message: `${describeAddress(address)} ${looked === 0 ? "has never been deployed" : `${whatRan} in its last ${counted(looked, "deployment")}`}`,
    advice: versions.length === 0 ? "deploy a version by its name" : `it has run ${listOf(versions)}`,
    address: formatAddress(address),
  };
}
