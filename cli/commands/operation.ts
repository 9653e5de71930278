import type { Command as CommandLine } from "commander";
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
import { addQuestion, asksFor } from "../change/questions.ts";
import { missingAnswer } from "../terminal/ask.ts";
import type { Command, CommandInput } from "./command.ts";
import { type OperationFlags, runOrders } from "./operation/operate.ts";
import { addConnection, addOutput, addWaiting } from "./options.ts";

type Patterns = [patterns: string[]];

export const restart = operation("restart", [
  "restart application:shop/production/api",
  "restart shop/staging --wait",
]);

export const cancel = operation("cancel", ["cancel shop/production", "cancel 'shop/preview-*' --wait"]);

export const stop = operation("stop", [
  "stop shop/staging",
  "stop 'application:shop/preview-*/*' --yes --wait",
]);

export const deploy: Command<Patterns, OperationFlags & { imageTag?: string; commit?: string }> = {
  examples: [
    "deploy shop/production --wait",
    "deploy job:shop/production/migrate application:shop/production/api",
    "deploy 'container:shop/staging/*' --image-tag 1.5.0 --wait",
  ],
  declare(line) {
    line
      .option("--image-tag <tag>", "image tag to deploy; the services must run an image")
      .option("--commit <id>", "commit to deploy; the services must come from a git repository");
    declare(line, "deploy");
  },
  run(given) {
    const { imageTag, commit } = given.flags;
    return runOperation("deploy", given, {
      ...(imageTag !== undefined && { image_tag: imageTag }),
      ...(commit !== undefined && { git_commit_id: commit }),
    });
  },
};

function operation(action: DeploymentAction, examples: readonly string[]): Command<Patterns, OperationFlags> {
  return { examples, declare: (line) => declare(line, action), run: (given) => runOperation(action, given) };
}

function declare(line: CommandLine, verb: DeploymentAction): void {
  line.argument(
    "<patterns...>",
    `environments and services to ${verb}: addresses and patterns, such as shop/production or 'job:shop/*/migrate'`,
  );
  addQuestion(line, verb);
  addWaiting(line);
  addConnection(line);
  addOutput(line);
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
    if (isRequested && missing.length > 0) throw new InvalidInputError(missing, "consent");
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
