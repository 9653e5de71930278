import {
  type Address,
  addressKey,
  describeAddress,
  formatAddress,
  nameOf,
} from "../../core/model/addresses/address.ts";
import { formatPath } from "../../core/model/fields/compare.ts";
import type { Kind } from "../../core/model/kinds/index.ts";
import type { DesiredResource } from "../../core/manifests/manifest/index.ts";
import type { AcceptedDifference } from "../../core/import/manifest-update/index.ts";
import { nameKey } from "../../core/model/addresses/names.ts";
import { declaredParts } from "../../core/model/parts/index.ts";
import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import {
  differencesBetween,
  nameBesideEnvironment,
  type ResourceDifference,
} from "../../core/outputs/show/index.ts";
import { inSentence, escapeControl } from "../../core/values/text.ts";
import type { PlanFlags } from "../flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { readEnvironments } from "../manifests/environment-documents.ts";
import { readSettings } from "../session/read-settings.ts";
import { withSession } from "../session/session.ts";
import { takeOver, type TakeOverFlags, takeOverFlags, tellLeftOut } from "./promote/take-over.ts";
import { missingAnswer } from "../terminal/ask.ts";
import type { Command } from "./command.ts";
import { runOrders } from "./operation/operate.ts";
import { type BuiltFromGit, builtFromGit, commitOrders } from "./promote/commits.ts";
import { byVariables } from "./promote/variables.ts";
import { planManifests } from "./plan.ts";

interface Flags extends PlanFlags, TakeOverFlags {
  only: "tags" | "config";
  service?: string[];
}

/** `infrasync promote`: gives an environment of the settings file the versions of another one. */
export const promote: Command<[from: string, to: string], Flags> = {
  async run({ args: [from, to], flags, console }) {
    const { only, service: services, ...others } = flags;
    const { taking, rest } = takeOverFlags(others);
    const [source, target] = await readEnvironments([from, to], rest, console.io);
    const { differences } = differencesBetween(
      { resources: source.resources.map(comparedOf), nameWithin: nameBesideEnvironment },
      { resources: target.resources.map(comparedOf), nameWithin: nameBesideEnvironment },
    );
    refuseUnknown(services ?? [], target.resources);
    const leftOut = only === "tags" ? differences.flatMap((each) => codeDifferences(each, services)) : [];
    const unanswered = missingAnswer("promote", "--dry-run", flags, [], console);
    if (unanswered.length > 0) throw new InvalidInputError(unanswered, "not_approved");
    const chosen = differences.flatMap((difference) => taken(difference, only, services));
    const {
      files,
      rest: inManifests,
      notes,
    } = only === "tags"
      ? await byVariables(target, chosen, rest, console.io)
      : { files: [], rest: chosen, notes: [] };
    for (const note of notes) console.note(escapeControl(note));
    const promoteFiles = (alsoLeftOut: readonly Problem[], versions = "the image tags and chart versions") =>
      takeOver(
        target,
        inManifests,
        taking,
        {
          nothing: `Nothing to promote: ${escapeControl(to)} has ${only === "tags" ? versions : "the fields"} of ${escapeControl(from)}.`,
          subject: `Promote ${services?.join(", ") ?? "everything"} from ${from} to ${to}`,
          planned: () => planManifests([to], rest, console),
          files,
          leftOut: [...leftOut, ...alsoLeftOut],
        },
        console,
      );
    const elsewhere = new Set(
      differences.filter(isOfAnotherRepository).flatMap(({ second }) => (second ? [addressKey(second)] : [])),
    );
    const built =
      only === "tags"
        ? builtFromGit(source.resources, target.resources).filter(
            (pair) => isRequested(pair.to, services) && !elsewhere.has(addressKey(pair.to)),
          )
        : [];
    if (built.length === 0) return promoteFiles([]);
    // A commit of files deploys nothing, and JSON is one document.
    if (taking.commit || taking.pullRequest || (console.json && chosen.length > 0))
      return promoteFiles([commitsLeftOut(built)]);
    const settings = await readSettings(rest, console);
    return withSession({ settings, console }, async ({ run, organization }, status) => {
      const { orders, chosenBy, leftOut: notRunning } = await commitOrders({ run, organization }, built);
      status.pause();
      if (orders.length === 0) return promoteFiles(notRunning, "the image tags, chart versions and commits");
      const written = chosen.length > 0 ? await promoteFiles(notRunning) : exitCodes.done;
      if (chosen.length === 0) tellLeftOut([...leftOut, ...notRunning], console);
      const context = { run, organization, chosenBy, settings, status, console };
      const asks = `Deploy ${orders.length === 1 ? "this commit" : "these commits"}?`;
      const deployed = await runOrders("deploy", orders, { ...context, flags: { ...rest, ...taking }, asks });
      return deployed === exitCodes.done ? written : deployed;
    });
  },
};

function comparedOf({ address, declared }: DesiredResource) {
  return { address, fields: declared };
}

/** The fields that the target takes over of a resource that both environments declare. */
function taken(
  { kind, first, second, changes }: ResourceDifference,
  only: Flags["only"],
  services: readonly string[] | undefined,
): AcceptedDifference[] {
  if (!first || !second || !kind.deployment) return [];
  const name = nameOf(second);
  if (!isRequested(second, services)) return [];
  const secret = new Set(
    declaredParts(kind).flatMap(({ member, form }) => (form.isWriteOnly ? [member] : [])),
  );
  const selected = changes.filter(
    ({ path }) => isVersion(kind, path) === (only === "tags") && !secret.has(path[0] ?? ""),
  );
  // No document of the target need declare them yet.
  return selected.length === 0
    ? []
    : [{ desired: { address: second }, name, changes: [], undeclared: selected }];
}

const choosesCode = new Set(["branch", "url"]);

/** The differences of manifests of services built from Git that promote does not take over. */
function codeDifferences(
  { kind, first, second, changes }: ResourceDifference,
  services: readonly string[] | undefined,
): Problem[] {
  if (!first || !second || !kind.deployment || !isRequested(second, services)) return [];
  const paths = changes.flatMap(({ path }) => (choosesCode.has(path.at(-1) ?? "") ? [formatPath(path)] : []));
  if (paths.length === 0) return [];
  return [
    {
      code: "impossible",
      message: `${describeAddress(second)} is built from git, and differs in ${inSentence(paths)}: ${paths.some((path) => path.endsWith("url")) ? "a commit of another repository is not promoted" : "a branch is not a version"}`,
      advice: "--only config copies the fields that its manifest declares",
      address: formatAddress(second),
    },
  ];
}

function isOfAnotherRepository({ kind, changes }: ResourceDifference): boolean {
  return kind.deployment !== undefined && changes.some(({ path }) => path.at(-1) === "url");
}

function commitsLeftOut(built: readonly BuiltFromGit[]): Problem {
  return {
    code: "impossible",
    message: `the commits of ${built.map(({ to }) => describeAddress(to)).join(", ")}, which no manifest declares`,
    advice:
      "promote without --commit, --pull-request and --output json compares them, and deploys those that differ",
  };
}

function isRequested(address: Address, services: readonly string[] | undefined): boolean {
  return !services || services.some((each) => nameKey(each) === nameKey(nameOf(address)));
}

function isVersion({ deployment }: Kind, path: readonly string[]): boolean {
  return formatPath(deployment?.versionField ?? []) === formatPath(path);
}

/** @throws InvalidInputError for a name that no service of the target has */
function refuseUnknown(services: readonly string[], resources: readonly DesiredResource[]): void {
  const names = new Set(
    resources.filter(({ address }) => address.kind.deployment).map(({ name }) => nameKey(name)),
  );
  const unknown = services.filter((name) => !names.has(nameKey(name)));
  if (unknown.length > 0)
    throw new InvalidInputError(
      unknown.map((name) => ({
        code: "argument",
        message: `the environment declares no service ${escapeControl(name)}`,
        advice: `its services are ${[...names].map(escapeControl).join(", ")}`,
      })),
    );
}
