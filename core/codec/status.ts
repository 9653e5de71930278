import Type, { type Static } from "typebox";
import { formatAddress } from "../address.ts";
import type { Budget } from "../api/index.ts";
import type { Choice, LogLine } from "../deployments/index.ts";
import { type Statuses, statusOf } from "../live/index.ts";
import type { Address } from "../address.ts";
import { encodeBudget } from "./budget.ts";
import { encodeLogLine, logLineForm } from "./deployment.ts";
import { addressText, budgetForm, count, form, list, optional, text } from "./forms.ts";

const state = text("As the API has it: `DEPLOYED`.");
const deployedAt = optional(text("When its last deployment began, as ISO 8601."));

/** What `status` tells programs. */
export const statusForm = form(
  {
    ok: optional(Type.Literal(true)),
    format: Type.Literal("infrasync-status"),
    version: Type.Literal(1),
    environments: list(
      form({
        address: addressText,
        id: text("Id of the live environment."),
        state,
        deployed_at: deployedAt,
        services: list(
          form({
            address: addressText,
            id: text("Id of the live service."),
            state,
            deployment_status: optional(
              text(
                "`NEVER_DEPLOYED`, `OUT_OF_DATE` or `UP_TO_DATE`: whether the service runs its current configuration.",
              ),
            ),
            deployed_at: deployedAt,
          }),
          "The services that were chosen.",
        ),
      }),
      "One entry for each environment that is chosen or contains a chosen service.",
    ),
    requests: count("Requests that the run has sent."),
    budget: budgetForm,
  },
  "The status of environments and services.",
);

/** What `logs` tells programs. */
export const logsForm = form(
  {
    ok: optional(Type.Literal(true)),
    format: Type.Literal("infrasync-logs"),
    version: Type.Literal(1),
    address: addressText,
    lines: list(logLineForm, "Oldest first."),
  },
  "The last lines that a service has written.",
);

export type StatusForm = Static<typeof statusForm>;
export type LogsForm = Static<typeof logsForm>;

/** How an environment and what was chosen in it stand. */
export interface ChosenStatuses {
  choice: Choice;
  statuses: Statuses;
}

/** Statuses in their JSON form. */
export function encodeStatuses(
  chosen: readonly ChosenStatuses[],
  requests: number,
  budget: Budget,
): StatusForm {
  return {
    format: "infrasync-status",
    version: 1,
    environments: chosen.map(({ choice: { environment, services }, statuses }) => ({
      address: formatAddress(environment.address),
      id: environment.live.id,
      state: statuses.state,
      ...(statuses.deployedAt !== undefined && { deployed_at: statuses.deployedAt }),
      services: services.map(({ address, live }) => {
        const status = statusOf(statuses, live.id);
        return {
          address: formatAddress(address),
          id: live.id,
          state: status?.state ?? "",
          ...(status?.deploymentStatus && { deployment_status: status.deploymentStatus }),
          ...(status?.deployedAt !== undefined && { deployed_at: status.deployedAt }),
        };
      }),
    })),
    requests,
    budget: encodeBudget(budget),
  };
}

/** Log lines in their JSON form. */
export function encodeLogs(address: Address, lines: readonly LogLine[]): LogsForm {
  return {
    format: "infrasync-logs",
    version: 1,
    address: formatAddress(address),
    lines: lines.map(encodeLogLine),
  };
}
