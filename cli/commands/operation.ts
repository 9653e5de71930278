import {
  chooseServices,
  type DeploymentAction,
  ordersFor,
  type Version,
  withShortNames,
} from "../../core/deployments/index.ts";
import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import { capitalized } from "../../core/values/text.ts";
import { counted } from "../render/text.ts";
import { readPattern } from "../../core/manifests/settings/patterns.ts";
import { readNamedEnvironments } from "../manifests/named-environments.ts";
import { readSettings } from "../session/read-settings.ts";
import { withSession } from "../session/session.ts";
import { declarationOf } from "./declaration.ts";
import { missingAnswer } from "../terminal/ask.ts";
import type { Command, CommandInput } from "./command.ts";
import { type OperationFlags, runOrders } from "./operation/operate.ts";

type Patterns = [patterns: string[]];

export const restart = operation("restart");

export const cancel = operation("cancel");

export const stop = operation("stop");

export const deploy: Command<Patterns, OperationFlags & { imageTag?: string; commit?: string }> = {
  run(given) {
    const { imageTag, commit } = given.flags;
    return runOperation("deploy", given, {
      ...(imageTag !== undefined && { image_tag: imageTag }),
      ...(commit !== undefined && { git_commit_id: commit }),
    });
  },
};

function operation(action: DeploymentAction): Command<Patterns, OperationFlags> {
  return { run: (given) => runOperation(action, given) };
}

/** Whether an operation on environments asks, as its declaration says. @param modes those of the environments */
function asksFor(action: DeploymentAction, modes: readonly unknown[]): boolean {
  return !declarationOf(action).asks?.endsWith("mode PRODUCTION") || modes.includes("PRODUCTION");
}

/** Finds the services that patterns match, and carries out an action on them. */
async function runOperation(
  action: DeploymentAction,
  { args: [patterns], flags, console }: CommandInput<Patterns, OperationFlags>,
  version: Version = {},
): Promise<number> {
  const problems: Problem[] = [];
  const { patterns: texts, suggesting } = await readNamedEnvironments(patterns, flags, console.io, problems);
  const read = texts.flatMap((text) => readPattern(text, problems));
  const missing = missingAnswer(action, "--dry-run", flags, [], console);
  const unanswered = asksFor(action, []) ? missing : [];
  const settings = await readSettings(flags, console, { problems, unanswered });
  return withSession({ settings, console }, async ({ run, organization }, status) => {
    const chosenBy = await withShortNames(run, organization, read);
    const choices = await suggesting(() => chooseServices(run, organization, chosenBy));
    const orders = ordersFor(action, choices, version);
    const services = orders.reduce((sum, order) => sum + order.services.length, 0);
    const isRequested = asksFor(
      action,
      choices.map(({ environment: { live } }) => live.fields["mode"]),
    );
    if (isRequested && missing.length > 0) throw new InvalidInputError(missing, "not_approved");
    return runOrders(action, orders, {
      run,
      organization,
      chosenBy,
      settings,
      flags,
      status,
      console,
      ...(isRequested && { asks: questionOf(action, services) }),
    });
  });
}

function questionOf(action: DeploymentAction, services: number): string {
  const what = action === "cancel" ? "the deployment that is under way" : counted(services, "service");
  return `${capitalized(action)} ${what}?`;
}
