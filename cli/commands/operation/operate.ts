import { InterruptedError, isQuota } from "../../../core/api/index.ts";
import { encodeDeployment } from "../../../core/outputs/forms/index.ts";
import {
  type DeploymentAction,
  type DeploymentOrder,
  type EnvironmentDeploymentStatus,
  type NoPastVersion,
  type OrderOutcome,
  readDeployed,
} from "../../../core/deployments/index.ts";
import { formatReference } from "../../../core/model/addresses/address.ts";
import { messageOf, OperationError, type Run } from "../../../core/operations/index.ts";
import type { Organization } from "../../../core/state/organization.ts";
import type { Pattern } from "../../../core/model/addresses/pattern.ts";
import { InvalidInputError } from "../../../core/problems/problem.ts";
import { remediesOf } from "../../../core/problems/remedy.ts";
import {
  type ApprovedPlan,
  approve,
  operate,
  type Proposal,
  proposeOperation,
} from "../../../core/execution/session/index.ts";
import { exitCodes, interruptionCode } from "../../exit-codes.ts";
import { actionWords, renderOrders, renderOutcomes } from "../../render/deployments.ts";
import { withAdvice } from "../../render/remedies.ts";
import { renderDeployed } from "../../render/statuses.ts";
import { requestsOfRun } from "../../render/requests.ts";
import type { Settings } from "../../settings/index.ts";
import type { SettingFlags } from "../../settings/names.ts";
import { advise, connectionFlags } from "../../render/command-advice.ts";
import { errorOfHindrance, waitNote } from "../../change/confirmation.ts";
import { protectedAround } from "../../manifests/outer-protection.ts";
import { ask } from "../../terminal/ask.ts";
import type { Console } from "../../terminal/console.ts";
import type { Status } from "../../progress/status.ts";

export interface OperationFlags extends SettingFlags {
  dryRun?: boolean;
  autoApprove?: boolean;
}

interface OperationRun {
  run: Run;
  organization: Organization;
  chosenBy: readonly Pattern[];
  settings: Settings;
  flags: OperationFlags;
  status: Status;
  console: Console;
  /** The question before it starts, if the command line does not answer it. */
  asks?: string;
  /** The services that a rollback skips. */
  leftOut?: readonly NoPastVersion[];
}

/** Shows orders, carries them out, shows their outcomes, and returns the exit code. @throws InvalidInputError */
export async function runOrders(
  action: DeploymentAction,
  orders: readonly DeploymentOrder[],
  context: OperationRun,
): Promise<number> {
  const { run, organization, chosenBy, settings, flags, status, console, asks, leftOut = [] } = context;
  const { client } = run;
  const loses =
    action === "stop" || orders.some(({ services }) => services.some(({ losses }) => losses?.length));
  const rules = loses ? { ...settings, ...(await protectedAround(flags, console)) } : settings;
  const proposal = proposeOperation(run, organization, { orders, chosenBy }, rules);
  const { missingConsents, plan, cost } = proposal;
  if (missingConsents.length > 0) throw new InvalidInputError(missingConsents, "not_approved");
  const show = (text: string) => (console.json ? undefined : console.data(text));
  const document = (
    more: object,
    outcomes: readonly OrderOutcome[],
    deployed: readonly EnvironmentDeploymentStatus[] = [],
  ) => {
    const byOrder = new Map(outcomes.map((outcome) => [outcome.order, outcome]));
    const encoded = orders.map((order) => {
      const outcome = byOrder.get(order);
      const message = outcome && whyOf(outcome, console);
      return { order, ...(outcome && { outcome }), ...(message !== undefined && { message }) };
    });
    console.document({ ...more, ...encodeDeployment(action, encoded, client, deployed) });
  };
  const text = `infrasync will ${actionWords[action].verb}:\n\n${renderOrders(orders, console.dataColors)}\n\nRequests: ${client.spent.total} spent, ${cost.applying} to ${actionWords[action].verb}${settings.wait ? ", and one for each check while it waits" : ""}.`;
  status.pause();
  // A person who is asked for confirmation has to see the orders.
  if (console.json && asks !== undefined && !flags.autoApprove && !flags.dryRun) console.note(text);
  show(text);
  for (const { message } of plan.notes) console.note(`Note: ${message}`);
  noteOverwriting(orders, console);
  for (const { problem } of leftOut)
    console.note(`Not rolled back: ${withAdvice({ message: problem.message })}`);
  if (flags.dryRun) {
    if (console.json) document({ ok: true }, []);
    return exitCodes.done;
  }
  const approved = await agreedOn(proposal, action, context);

  status.working(actionWords[action].doing);
  const { standstill } = console.io;
  const outcomes = await following(settings, action, console, status, () =>
    operate(approved, run, {
      parallelism: settings.parallelism,
      ...(settings.wait && { wait: settings.waitTimeout }),
      standstill,
    }),
  );
  const stays = leftOut.some(({ hasFailed }) => hasFailed);
  const failure = failureOf(action, outcomes, stays, console);
  const started = outcomes.flatMap(({ status: its, order }) =>
    its === "refused" ? [] : [...order.services],
  );
  const runs = action === "deploy" || action === "restart";
  const deployed =
    runs && started.length > 0 && !console.io.signal.aborted && !console.io.standstill?.aborted
      ? await readDeployed(
          run,
          organization,
          started.map(({ address }) => address),
        )
      : [];
  if (console.json) document({ ok: !failure, ...(failure && { error: failure.error }) }, outcomes, deployed);
  else {
    show(
      `\n${renderOutcomes(action, outcomes, console.dataColors, (outcome) => whyOf(outcome, console))}\n${renderDeployed(deployed, console.dataColors, Date.now())}${requestsOfRun(client.spent, client.budget, Date.now())}`,
    );
    noteRunning(action, outcomes, settings, console);
  }
  return failure?.exitCode ?? exitCodes.done;
}

/** The approval of orders by the rules, and by the person if there is a question. @throws InvalidInputError */
async function agreedOn(
  proposal: Proposal,
  action: DeploymentAction,
  { run, settings, flags, console, asks }: OperationRun,
): Promise<ApprovedPlan> {
  const { client } = run;
  const nothing = `nothing has been ${actionWords[action].done}`;
  const approval = await approve(proposal, run, {
    onQuota: settings.onQuota,
    fixedSpending: settings.fixedSpending,
    async confirm(shortage) {
      if (shortage) console.note(waitNote(proposal.cost.applying, shortage, client));
      return asks === undefined || flags.autoApprove === true || (await ask(asks, console));
    },
  });
  if (approval.type === "approved") return approval.approved;
  throw errorOfHindrance(approval, client, { canTarget: false, settings, console }, nothing);
}

/** Tells that Ctrl-C leaves the operation running. */
async function following<Result>(
  { wait }: Settings,
  action: DeploymentAction,
  console: Console,
  status: Status,
  work: () => Promise<Result>,
): Promise<Result> {
  const { signal } = console.io;
  const { noun } = actionWords[action];
  const onInterruption = () => {
    status.pause();
    if (wait) console.note(`Interrupted: infrasync no longer waits. The ${noun} continues.`);
  };
  signal.addEventListener("abort", onInterruption, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener("abort", onInterruption);
    status.pause();
  }
}

/** Why an order was refused or is no longer followed. */
function whyOf({ status, ended, error }: OrderOutcome, console: Console): string | undefined {
  // The error of a sent request tells its possible outcome.
  if (error !== undefined && (!console.io.signal.aborted || error instanceof OperationError))
    return withAdvice({ message: messageOf(error), remedies: remediesOf(error) });
  if (status === "refused") return "interrupted before it was sent";
  if (status !== "unfinished") return undefined;
  return ended === "timeout"
    ? "still running when wait_timeout ended"
    : "interrupted; the deployment continues";
}

/** Notes the command that shows the end of a running operation. */
function noteRunning(
  action: DeploymentAction,
  outcomes: readonly OrderOutcome[],
  { wait }: Settings,
  console: Console,
): void {
  if (wait && action === "cancel") return;
  const open = outcomes.filter(({ status }) => status === "started" || status === "unfinished");
  if (open.length > 0)
    advise(console, "To see its status:", [
      "status",
      ...namesOf(open.map(({ order }) => order)),
      ...connectionFlags(console),
    ]);
}

/** Notes that a tag other than that in the manifests does not last; nothing without such a tag. */
function noteOverwriting(orders: readonly DeploymentOrder[], console: Console): void {
  const overwriting = orders.filter(({ services }) => services.some(({ losses = [] }) => losses.length > 0));
  if (overwriting.length === 0) return;
  const names = namesOf(overwriting);
  advise(
    console,
    "The next apply reverts the image tag, unless the manifests declare the new one. To declare the new tag (MANIFESTS is the folder of the manifests):",
    ["dump", ...names, "--update", "MANIFESTS", ...connectionFlags(console)],
  );
  advise(
    console,
    "A reconciler with on_drift: apply reverts the image tag in its next cycle. To pause the reconciler until the change is merged, or to roll back to a commit:",
    ...names.flatMap((name) => [
      ["reconcile", "pause", name, "--for", "2h", "--reason", "a manual tag"],
      ["reconcile", "rollback", name, "--to", "COMMIT"],
    ]),
  );
}

function namesOf(orders: readonly DeploymentOrder[]): string[] {
  return orders.slice(0, 3).map(({ environment }) => formatReference(environment.address.names));
}

function failureOf(
  action: DeploymentAction,
  outcomes: readonly OrderOutcome[],
  stays: boolean,
  console: Console,
): { exitCode: number; error: { code: string; message: string } } | undefined {
  const bad = outcomes.filter(({ status }) => ["failed", "unfinished", "refused"].includes(status));
  if (bad.length === 0 && !stays) return undefined;
  const { signal } = console.io;
  const errors = bad.flatMap(({ error }) => (error === undefined ? [] : [error]));
  if (signal.aborted || errors.some((error) => error instanceof InterruptedError))
    return {
      exitCode: interruptionCode(signal),
      error: { code: "interrupted", message: "interrupted; the started deployments continue" },
    };
  if (console.io.standstill?.aborted)
    return {
      exitCode: exitCodes.failed,
      error: {
        code: "standstill",
        message: "the run stopped unexpectedly; the started deployments continue",
      },
    };
  if (errors.some(isQuota))
    return { exitCode: exitCodes.quota, error: { code: "quota", message: "the request quota is too low" } };
  const message = `not everything was ${actionWords[action].done}`;
  return { exitCode: exitCodes.failed, error: { code: "deployment", message } };
}
