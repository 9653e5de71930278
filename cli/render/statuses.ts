import type { Client } from "../../core/api/index.ts";
import type { ServiceStanding, DeploymentStanding } from "../../core/deployments/index.ts";
import { meaningOf } from "../../core/live/index.ts";
import { escapeControl } from "../../core/text.ts";
import type { Colors } from "../terminal/colors.ts";
import { padded, widest } from "./width.ts";
import { title } from "./title.ts";
import { requestsOfRun } from "./requests.ts";

const waiting: Record<string, string> = {
  NEVER_DEPLOYED: "never deployed",
  OUT_OF_DATE: "out of date: deploy it",
  UP_TO_DATE: "",
};

/** The most changed variables that a row names. */
const mostNamed = 3;

/** The statuses of environments and services as text. */
export function renderStatuses(
  chosen: readonly DeploymentStanding[],
  { spent, budget }: Pick<Client, "spent" | "budget">,
  colors: Colors,
  now: number,
): string {
  return [...chosen.map((one) => renderEnvironment(one, colors)), requestsOfRun(spent, budget, now)].join(
    "\n\n",
  );
}

function renderEnvironment({ environment, services }: DeploymentStanding, colors: Colors): string {
  const rows = services.map((service) => ({
    name: title(service.address),
    state: service.status?.state ?? "unknown",
    more: toDo(service),
    at: service.status?.deployedAt ?? "",
  }));
  const width = widest(rows.map(({ name }) => name));
  const stateWidth = Math.max(0, ...rows.map(({ state }) => state.length));
  return [
    `${colors.bold(title(environment.address))}  ${colored(environment.state, colors)}`,
    ...rows.map(({ name, state, more, at }) => {
      const padding = " ".repeat(stateWidth - state.length);
      return `  ${padded(name, width)}  ${colored(state, colors)}${padding}  ${escapeControl(at)}  ${more}`.trimEnd();
    }),
  ].join("\n");
}

/** Why a service has to be deployed; empty: it runs what it has. */
function toDo({ status, changes }: ServiceStanding): string {
  const own = waiting[status?.deploymentStatus ?? ""] ?? "";
  if (own !== "" || changes.length === 0) return own;
  const named = changes.slice(0, mostNamed).join(", ");
  const more = changes.length > mostNamed ? ` and ${changes.length - mostNamed} more` : "";
  return `${escapeControl(named)}${more} changed since: deploy it`;
}

function colored(state: string, colors: Colors): string {
  const text = escapeControl(state);
  switch (meaningOf(state)) {
    case "failed":
    case "canceled":
      return colors.red(text);
    case "done":
      return colors.green(text);
    default:
      return text;
  }
}
