import type { Client } from "../../core/api/index.ts";
import type { ChosenStatuses } from "../../core/codec/index.ts";
import { meaningOf, statusOf } from "../../core/live/index.ts";
import { escapeControl } from "../../core/text.ts";
import type { Colors } from "../terminal/colors.ts";
import { title } from "./title.ts";
import { requestsOfRun } from "./requests.ts";

const waiting: Record<string, string> = {
  NEVER_DEPLOYED: "never deployed",
  OUT_OF_DATE: "out of date: deploy it",
  UP_TO_DATE: "",
};

/** The statuses of environments and services as text. */
export function renderStatuses(
  chosen: readonly ChosenStatuses[],
  { spent, budget }: Pick<Client, "spent" | "budget">,
  colors: Colors,
  now: number,
): string {
  return [...chosen.map((one) => renderEnvironment(one, colors)), requestsOfRun(spent, budget, now)].join(
    "\n\n",
  );
}

function renderEnvironment({ choice, statuses }: ChosenStatuses, colors: Colors): string {
  const rows = choice.services.map(({ address, live }) => {
    const status = statusOf(statuses, live.id);
    return {
      name: title(address),
      state: status?.state ?? "unknown",
      more: waiting[status?.deploymentStatus ?? ""] ?? "",
      at: status?.deployedAt ?? "",
    };
  });
  const width = Math.max(0, ...rows.map(({ name }) => name.length));
  const stateWidth = Math.max(0, ...rows.map(({ state }) => state.length));
  return [
    `${colors.bold(title(choice.environment.address))}  ${colored(statuses.state, colors)}`,
    ...rows.map(({ name, state, more, at }) => {
      const padding = " ".repeat(stateWidth - state.length);
      return `  ${name.padEnd(width)}  ${colored(state, colors)}${padding}  ${escapeControl(at)}  ${more}`.trimEnd();
    }),
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
