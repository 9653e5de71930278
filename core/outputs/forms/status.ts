import type { Static } from "typebox";
import { formatAddress, type Address } from "../../model/addresses/address.ts";
import type { LogLine, EnvironmentDeploymentStatus } from "../../deployments/index.ts";
import { type SpendingClient, spendingOf } from "./budget.ts";
import { encodeLogLine, logLineForm } from "./deployment.ts";
import { encodeDeploymentStatus, deploymentStatusForm } from "./deployment-status.ts";
import { addressText, form, heading, list, outputDocument, printed, spending, text, texts } from "./forms.ts";

/** The JSON output of `status`. */
export const statusForm = form("The status of environments and services.", {
  ...heading("infrasync-status", printed),
  environments: list(
    deploymentStatusForm,
    "One entry for each environment that is chosen or contains a chosen service.",
  ),
  ...spending,
});

/** The JSON output of `open`. */
export const urlsOfForm = form("The URLs of a service.", {
  ...heading("infrasync-urls", printed),
  address: addressText,
  id: text("Id of the live service."),
  urls: texts("The URLs of its public ports and its domains; a terminal opens the first."),
  ...spending,
});

/** The JSON output of `logs`. */
export const logsForm = form("The last lines that a service has written.", {
  ...heading("infrasync-logs", printed),
  address: addressText,
  lines: list(logLineForm, "Oldest first."),
});

export function encodeStatuses(
  chosen: readonly EnvironmentDeploymentStatus[],
  client: SpendingClient,
): Static<typeof statusForm> {
  return outputDocument("status", {
    environments: chosen.map(encodeDeploymentStatus),
    ...spendingOf(client),
  });
}

export function encodeUrls(
  { address, id, urls }: { address: string; id: string; urls: readonly string[] },
  client: SpendingClient,
): Static<typeof urlsOfForm> {
  return outputDocument("urls", { address, id, urls: [...urls], ...spendingOf(client) });
}

export function encodeLogs(address: Address, lines: readonly LogLine[]): Static<typeof logsForm> {
  return outputDocument("logs", { address: formatAddress(address), lines: lines.map(encodeLogLine) });
}
