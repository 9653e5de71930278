import type { Client } from "../../core/api/index.ts";
import type { EnvironmentDeploymentStatus } from "../../core/deployments/index.ts";
import { serviceNotes, shortVersion } from "../../core/outputs/show/index.ts";
import type { AuditEvent } from "../../core/state/events/index.ts";
import { meaningOf } from "../../core/state/live/index.ts";
import { escapeControl } from "../../core/values/text.ts";
import type { Colors } from "../terminal/colors.ts";
import type { Console } from "../terminal/console.ts";
import { counted, title } from "./text.ts";
import { padded, widest } from "./width.ts";
import { requestsOfRun } from "./requests.ts";
import { renderChanger } from "./history.ts";
import { age, shortUrls } from "./resources.ts";

export function renderStatuses(
  chosen: readonly EnvironmentDeploymentStatus[],
  { spent, budget }: Pick<Client, "spent" | "budget">,
  colors: Colors,
  now: number,
  changes: ReadonlyMap<string, AuditEvent> = new Map(),
): string {
  return [
    ...chosen.map((one) => renderDeploymentStatus(one, colors, now, changes)),
    requestsOfRun(spent, budget, now),
  ].join("\n\n");
}

/** The services that a run has deployed, as `status` shows them, before the line that ends its report; none: nothing. */
export function renderDeployed(
  deployed: readonly EnvironmentDeploymentStatus[],
  colors: Colors,
  now: number,
): string {
  return (
    deployed.map((one) => `\n${renderDeploymentStatus(one, colors, now)}\n`).join("") +
    (deployed.length > 0 ? "\n" : "")
  );
}

/** Notes that the addresses of services are missing. */
export function noteUnread(unread: number, console: Console): void {
  if (unread > 0)
    console.note(
      `Note: the URLs of ${counted(unread, "service")} are not shown, because each costs a request; the next run reads more, and infrasync open SERVICE reads one`,
    );
}

/** The status of an environment, and a line for each service: state, version, age, URL, and advice. */
export function renderDeploymentStatus(
  { environment, services }: EnvironmentDeploymentStatus,
  colors: Colors,
  now: number,
  changes: ReadonlyMap<string, AuditEvent> = new Map(),
): string {
  const rows = services.map((service) => {
    const { deployedAt } = service.status ?? {};
    const change = changes.get(service.id);
    return {
      state: service.status?.state ?? "unknown",
      name: title(service.address),
      version: escapeControl(service.version === undefined ? "" : shortVersion(service.version)),
      since: deployedAt === undefined ? "" : `${age(deployedAt, now)} ago`,
      url: escapeControl(shortUrls(service.urls)),
      more: [
        ...serviceNotes({ ...service, deploymentStatus: service.status?.deploymentStatus }).map(
          escapeControl,
        ),
        ...(change ? [renderChanger(change, now)] : []),
      ].join("; "),
    };
  });
  const width = (column: Exclude<keyof (typeof rows)[number], "more">) =>
    widest(rows.map((row) => row[column]));
  const states = width("state");
  const columns = (["version", "since", "url"] as const).filter((column) => width(column) > 0);
  return [
    `${colors.bold(title(environment.address))}  ${colored(environment.state, colors)}`,
    ...rows.map((row) =>
      [
        `  ${padded(row.name, width("name"))}`,
        colored(row.state, colors) + " ".repeat(states - row.state.length),
        ...columns.map((column) => padded(row[column], width(column))),
        row.more,
      ]
        .join("  ")
        .trimEnd(),
    ),
  ].join("\n");
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
