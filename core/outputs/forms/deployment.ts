import Type, { type Static } from "typebox";
import { formatAddress } from "../../model/addresses/address.ts";
import type {
  DeploymentOrder,
  EnvironmentDeploymentStatus,
  LogLine,
  OrderOutcome,
  ServiceOutcome,
} from "../../deployments/index.ts";
import { addressText, choice, failureForm, form, list, optional, spending, text, flag } from "./forms.ts";
import { type SpendingClient, spendingOf } from "./budget.ts";
import { encodeLoss } from "./encode-plan.ts";
import { inForm } from "./members.ts";
import { lossForm } from "./action-form.ts";
import { deployedForm, encodeDeploymentStatus } from "./deployment-status.ts";

const deploymentFormat = "infrasync-deployment";

/** Grows when a member is removed or changes its meaning. */
const deploymentVersion = 1;

export const logLineForm = form("A line that a service has written.", {
  at: text("When it was written, as ISO 8601."),
  message: text("The line itself."),
  pod: optional(text("The pod that has written it.")),
});

const service = form("A service, and its result.", {
  address: addressText,
  id: text("Id of the live service."),
  image_tag: optional(text("The image tag to deploy.")),
  git_commit_id: optional(text("The commit to deploy.")),
  losses: optional(list(lossForm, "The replaced version: the former image tag.")),
  state: optional(text("State, as the API has it: `DEPLOYED`.")),
  result: optional(
    choice(
      ["done", "failed", "canceled", "unfinished", "untouched"],
      "How the deployment of the service ended, if the command waited. `untouched`: the operation on its environment did not include the service.",
    ),
  ),
  logs: optional(list(logLineForm, "The last lines of a service that has failed, oldest first.")),
});

const environment = form("An environment, and the result of the request for it.", {
  address: addressText,
  id: text("Id of the live environment."),
  whole: flag("Whether the request applies to the whole environment."),
  status: choice(
    ["planned", "started", "idle", "done", "failed", "unfinished", "refused"],
    "`planned`: a dry run. `started`: the command did not wait for the end. `idle`: there was nothing to cancel. `unfinished`: it was started, and continues. `refused`: it was not started, as far as is known.",
  ),
  message: optional(text("Why the server refused it, or why the command stopped waiting.")),
  services: list(service, "The services that the request applies to."),
});

/** The JSON output of `deploy`, `stop`, `restart` and `cancel`. */
export const deploymentForm = form("A deployment, stop or restart of live services, and its result.", {
  ok: optional(flag("Whether everything was done.")),
  error: optional(failureForm),
  format: Type.Literal(deploymentFormat),
  version: Type.Literal(deploymentVersion),
  action: choice(["deploy", "stop", "restart", "cancel"], "The command."),
  environments: list(
    environment,
    "One entry for each environment that is chosen or contains a chosen service.",
  ),
  deployed: deployedForm,
  ...spending,
});

export type DeploymentForm = Static<typeof deploymentForm>;

/** An order and its outcome, which is absent in a dry run. */
export interface EncodedOrder {
  order: DeploymentOrder;
  outcome?: OrderOutcome;
  message?: string;
}

export function encodeDeployment(
  action: DeploymentForm["action"],
  orders: readonly EncodedOrder[],
  client: SpendingClient,
  deployed: readonly EnvironmentDeploymentStatus[] = [],
): DeploymentForm {
  return {
    format: deploymentFormat,
    version: deploymentVersion,
    action,
    environments: orders.map(encodeOrder),
    ...(deployed.length > 0 && { deployed: deployed.map(encodeDeploymentStatus) }),
    ...spendingOf(client),
  };
}

function encodeOrder({ order, outcome, message }: EncodedOrder): DeploymentForm["environments"][number] {
  const results = new Map(outcome?.services.map((one) => [one.service.id, one]));
  return {
    address: formatAddress(order.environment.address),
    id: order.environment.id,
    whole: order.isWhole,
    status: outcome?.status ?? "planned",
    message,
    services: order.services.map(({ address, id, version = {}, losses }) => ({
      address: formatAddress(address),
      id,
      ...version,
      ...(losses && { losses: losses.map(encodeLoss) }),
      ...encodeResult(results.get(id)),
    })),
  };
}

function encodeResult(outcome: ServiceOutcome | undefined) {
  if (!outcome) return {};
  const { state, result, logs } = outcome;
  return { ...(state !== "" && { state }), result, ...(logs && { logs: logs.map(encodeLogLine) }) };
}

export const encodeLogLine = (line: LogLine) => inForm(line);
