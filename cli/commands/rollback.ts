import { describeAddress, formatAddress } from "../../core/model/addresses/address.ts";
import {
  chooseServices,
  type DeploymentChoice,
  type ChosenResource,
  ordersOfVersions,
  type NoPastVersion,
  type PastVersion,
  readPastVersion,
  withShortNames,
} from "../../core/deployments/index.ts";
import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import type { PlanFlags } from "../flags.ts";
import { readPattern } from "../../core/manifests/settings/patterns.ts";
import { readChosenSources } from "../manifests/environment-documents.ts";
import { readNamedEnvironments } from "../manifests/named-environments.ts";
import { readSettings } from "../session/read-settings.ts";
import { withSession } from "../session/session.ts";
import { stating, takeOver, type TakeOverFlags, takeOverFlags } from "./promote/take-over.ts";
import { missingAnswer } from "../terminal/ask.ts";
import type { Command } from "./command.ts";
import { type OperationFlags, runOrders } from "./operation/operate.ts";
import { planManifests } from "./plan.ts";

interface Step {
  choice: DeploymentChoice;
  service: ChosenResource;
  past: PastVersion;
}

/** `infrasync rollback`: restores the previous version, at once or in the manifests. */
export const rollback: Command<
  [patterns: string[]],
  PlanFlags & OperationFlags & TakeOverFlags & { to?: string; update?: string[] }
> = {
  async run({ args: [patterns], flags, console }) {
    const { to, update, ...others } = flags;
    const { taking, rest } = takeOverFlags(others);
    const problems: Problem[] = [];
    const named = await readNamedEnvironments(patterns, rest, console.io, problems);
    const read = named.patterns.flatMap((text) => readPattern(text, problems));
    if ((taking.commit || taking.pullRequest) && !update) {
      const flag = taking.commit ? "--commit" : "--pull-request";
      problems.push({
        code: "argument",
        message: `${flag} commits changed manifests, but without --update no manifest changes`,
        advice: `add --update with the manifests, or leave out ${flag}`,
      });
    }
    const unanswered = missingAnswer("rollback", "--dry-run", flags, [], console);
    const declared = update && (await readChosenSources(update, rest, console.io));
    const settings = await readSettings(flags, console, { problems, unanswered });
    return withSession({ settings, console }, async ({ run, organization }, status) => {
      const chosenBy = await withShortNames(run, organization, read);
      const choices = await named.suggesting(() => chooseServices(run, organization, chosenBy));
      const steps = await Promise.all(
        choices.flatMap((choice) =>
          choice.services.map(async (service) => {
            const past = await readPastVersion(run.client, choice.environment.live.id, service, {
              desired: to,
              how: update ? "stay" : "further",
            });
            return { choice, service, past };
          }),
        ),
      );
      const { possible, leftOut } = divided(steps, update !== undefined);
      if (declared && update) {
        status.pause();
        return takeOver(
          declared,
          possible.map(({ service, past }) =>
            stating(
              service.address,
              service.address.kind.deployment?.versionField ?? [],
              past.text,
              past.present,
            ),
          ),
          taking,
          {
            nothing: "Nothing to change: the manifests declare these versions.",
            subject: `Roll back ${patterns.join(", ")}`,
            planned: () => planManifests(update, rest, console),
            leftOut: leftOut.map(({ problem }) => problem),
          },
          console,
        );
      }
      const orders = ordersOfVersions(
        possible.map(({ choice, service, past }) => ({ choice, service, version: past.version ?? {} })),
      );
      const context = { run, organization, chosenBy, settings, flags, status, console };
      return runOrders("deploy", orders, { ...context, asks: "Roll back?", leftOut });
    });
  },
};

/** The possible steps, and the skipped services of a whole environment. @throws InvalidInputError, CommandError */
function divided(
  steps: readonly (Omit<Step, "past"> & { past: PastVersion | NoPastVersion })[],
  inManifests: boolean,
): { possible: Step[]; leftOut: NoPastVersion[] } {
  const problems: Problem[] = [];
  const leftOut: NoPastVersion[] = [];
  const possible = steps.flatMap(({ past, ...step }): Step[] => {
    if (!("text" in past)) {
      if (step.choice.isWhole) leftOut.push(past);
      else problems.push(past.problem);
      return [];
    }
    const problem = obstacle(step.service, past, inManifests);
    if (!problem) return [{ ...step, past }];
    if (step.choice.isWhole) leftOut.push({ problem, hasFailed: false });
    else problems.push(problem);
    return [];
  });
  if (problems.length > 0) throw new InvalidInputError(problems);
  if (possible.length === 0) {
    const [advice, other] = new Set(leftOut.map(({ problem }) => problem.advice));
    throw new CommandError("deployment", exitCodes.failed, {
      message: `nothing is rolled back: ${leftOut.map(({ problem }) => problem.message).join("; ") || "there is no service"}`,
      advice: other === undefined ? advice : "name one service, and a version with --to",
    });
  }
  return { possible, leftOut };
}

function obstacle(
  { address }: ChosenResource,
  { text, version }: PastVersion,
  inManifests: boolean,
): Problem | undefined {
  const what = describeAddress(address);
  if (inManifests && !address.kind.deployment?.versionField)
    return {
      code: "impossible",
      message: `${what} ran the commit ${text}, and manifests declare no commit`,
      advice: "leave out --update to deploy that commit, or revert the change in its repository",
      address: formatAddress(address),
    };
  if (!inManifests && !version)
    return {
      code: "impossible",
      message: `${what} ran ${text}, and a deployment cannot choose that`,
      advice: "add --update SOURCE to declare it in the manifests, then apply with --deploy",
      address: formatAddress(address),
    };
  return undefined;
}
