import type { Command as CommandLine } from "commander";
import type { DeploymentAction, Version } from "../../core/deployments/index.ts";
import type { Problem } from "../../core/problem.ts";
import type { OperationFlags } from "./operation/operate.ts";
import type { SettingFlags } from "../settings/names.ts";
import { missingAnswer } from "../terminal/ask.ts";
import type { Console } from "../terminal/console.ts";
import { addConnection, addOutput, addWaiting } from "./options.ts";

export type OperationCommandFlags = SettingFlags & OperationFlags;

/** Adds the argument and the flags of a command that works on live services. */
export function declareOperation(line: CommandLine, verb: string): void {
  line
    .argument(
      "<patterns...>",
      `what to ${verb}: addresses and patterns of environments and services, such as shop/production or 'job:shop/*/migrate'`,
    )
    .option("--dry-run", `show what would be done; ${verb} nothing`);
  addWaiting(line, "wait until it is over; exit with 1 when it fails");
  addConnection(line);
  addOutput(line);
}

/** Finds the services that patterns choose, and carries out an action on them. */
export async function runOperation(
  action: DeploymentAction,
  patterns: readonly string[],
  flags: OperationCommandFlags,
  console: Console,
  version: Version = {},
): Promise<number> {
  const { readSettings } = await import("../support/read-settings.ts");
  const { operate } = await import("./operation/operate.ts");
  const { openSession } = await import("../support/session.ts");
  const { chooseServices, ordersFor, refuseProtected } = await import("../../core/deployments/index.ts");
  const { readPattern } = await import("../settings/patterns.ts");
  const { withStatus } = await import("../progress/with-status.ts");
  const problems: Problem[] = [];
  const read = patterns.flatMap((text) => readPattern(text, problems));
  const needsAnswer = action === "stop" && !flags.dryRun;
  const unanswered = needsAnswer ? missingAnswer("stop", "--dry-run", flags, [], console) : [];
  const settings = await readSettings(flags, console, { problems, unanswered });
  return withStatus(console, async (status) => {
    status.reading();
    const { run, organization } = await openSession(settings, console, status);
    const choices = await chooseServices(run, organization, read);
    const orders = ordersFor(action, choices, version);
    refuseProtected(orders, read, settings.protect);
    return operate(action, orders, { run, settings, flags, status, console });
  });
}
