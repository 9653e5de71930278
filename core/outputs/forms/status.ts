import Type, { type Static } from "typebox";
import { formatAddress } from "../../model/addresses/address.ts";
import type { Budget } from "../../api/index.ts";
import type { LogLine, DeploymentStanding } from "../../deployments/index.ts";
import type { Address } from "../../model/addresses/address.ts";
import { encodeBudget } from "./budget.ts";
import { encodeLogLine, logLineForm } from "./deployment.ts";
import { addressText, form, heading, list, optional, printed, spending, text } from "./forms.ts";

const state = text("As the API has it: `DEPLOYED`.");
const deployedAt = optional(text("When its last deployment began, as ISO 8601."));

/** The JSON output of `status`. */
export const statusForm = form(
  {
    ...heading("infrasync-status", printed),
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
            version: optional(
              text("The version that it runs, by its fields: an image tag, a chart version, or a commit."),
            ),
            described_version: optional(
              text(
                "The version in the manifests of the named environment of the settings file, if it differs from the live version.",
              ),
            ),
            changed_around: optional(
              list(
                Type.String(),
                "Keys of the variables and secrets of its environment and project that have changed since its last deployment began: what runs has the earlier values. A variable that was removed is not among them.",
              ),
            ),
          }),
          "The services that were chosen.",
        ),
      }),
      "One entry for each environment that is chosen or contains a chosen service.",
    ),
    ...spending,
  },
  "The status of environments and services.",
);

/** The JSON output of `logs`. */
export const logsForm = form(
  {
    ...heading("infrasync-logs", printed),
    address: addressText,
    lines: list(logLineForm, "Oldest first."),
  },
  "The last lines that a service has written.",
);

/** Statuses in their JSON form. */
export function encodeStatuses(
  chosen: readonly DeploymentStanding[],
  requests: number,
  budget: Budget,
): Static<typeof statusForm> {
  return {
    format: "infrasync-status",
    version: 1,
    environments: chosen.map(
      ({ environment: { address, id, state: itsState, deployedAt: at }, services }) => ({
        address: formatAddress(address),
        id,
        state: itsState,
        ...(at !== undefined && { deployed_at: at }),
        services: services.map((service) => ({
          address: formatAddress(service.address),
          id: service.id,
          state: service.status?.state ?? "",
          ...(service.status?.deploymentStatus && { deployment_status: service.status.deploymentStatus }),
          ...(service.status?.deployedAt !== undefined && { deployed_at: service.status.deployedAt }),
          ...(service.version !== undefined && { version: service.version }),
          ...(service.described !== undefined && { described_version: service.described }),
          ...(service.changes.length > 0 && { changed_around: service.changes }),
        })),
      }),
    ),
    requests,
    budget: encodeBudget(budget),
  };
}

/** Log lines in their JSON form. */
export function encodeLogs(address: Address, lines: readonly LogLine[]): Static<typeof logsForm> {
  return {
    format: "infrasync-logs",
    version: 1,
    address: formatAddress(address),
    lines: lines.map(encodeLogLine),
  };
}
