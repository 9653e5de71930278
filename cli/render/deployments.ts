import {
  lastLines,
  type LogLine,
  type OrderOutcome,
  type ServiceOutcome,
  type DeploymentAction,
  type DeploymentOrder,
} from "../../core/deployments/index.ts";
import { OperationError } from "../../core/operations/index.ts";
import { escapeControl } from "../../core/values/text.ts";
import type { Colors } from "../terminal/colors.ts";
import { title, counted, indent } from "./text.ts";

/** The words for each action: future, present, past, and the noun. */
export const actionWords: Record<
  DeploymentAction,
  { verb: string; doing: string; done: string; noun: string }
> = {
  deploy: { verb: "deploy", doing: "deploying", done: "deployed", noun: "deployment" },
  stop: { verb: "stop", doing: "stopping", done: "stopped", noun: "stop" },
  restart: { verb: "restart", doing: "restarting", done: "restarted", noun: "restart" },
  cancel: { verb: "cancel", doing: "cancelling", done: "cancelled", noun: "cancellation" },
};

/** Orders as text: one line for each affected environment or service. */
export function renderOrders(orders: readonly DeploymentOrder[], colors: Colors): string {
  return orders.flatMap((order) => renderOrder(order, colors)).join("\n");
}

function renderOrder({ action, environment, isWhole, services }: DeploymentOrder, colors: Colors): string[] {
  const symbol = action === "stop" || action === "cancel" ? colors.red("x") : colors.cyan(">");
  if (isWhole) {
    const what =
      action === "cancel"
        ? "the deployment that is under way"
        : `the whole environment: ${counted(services.length, "service")}`;
    return [
      `  ${symbol} ${colors.bold(title(environment.address))}  ${what}`,
      ...(action === "cancel" ? [] : services.map(({ address }) => `      ${title(address)}`)),
    ];
  }
  return services.map(({ address, version = {}, losses: [loss] = [] }) => {
    const { image_tag: tag, git_commit_id: commit } = version;
    const remark =
      tag === undefined
        ? commit === undefined
          ? ""
          : `  commit ${commit}`
        : `  image tag ${loss?.extent ?? tag}`;
    return `  ${symbol} ${colors.bold(title(address))}${escapeControl(remark)}`;
  });
}

/** The outcomes of orders as text. @param why gives the text of an outcome's error */
export function renderOutcomes(
  action: DeploymentAction,
  outcomes: readonly OrderOutcome[],
  colors: Colors,
  why: (outcome: OrderOutcome) => string | undefined,
): string {
  const refused = outcomes.filter(({ status }) => status === "refused");
  return [
    ...section(
      colors.red("Not started:"),
      refused.filter((outcome) => !mayHaveStarted(outcome)).map((outcome) => line(outcome, why)),
    ),
    ...section(
      colors.yellow("Perhaps started:"),
      refused.filter(mayHaveStarted).map((outcome) => line(outcome, why)),
    ),
    ...section(
      colors.red("Failed:"),
      outcomes
        .filter(({ status }) => status === "failed")
        .flatMap(({ services }) => services.flatMap(renderFailed)),
    ),
    ...section(
      colors.yellow("Not finished:"),
      outcomes
        .filter(({ status }) => status === "unfinished")
        .flatMap((outcome) => [
          line(outcome, why),
          ...outcome.services
            .filter(({ result }) => result === "unfinished" || result === "failed")
            .map(
              ({ service, state }) =>
                `  ${title(service.address)}${state === "" ? "" : `: ${escapeControl(state)}`}`,
            ),
        ]),
    ),
    conclusion(action, outcomes, colors),
  ].join("\n\n");
}

/** Whether the request of an order was sent, and its outcome is unknown. */
function mayHaveStarted({ error }: OrderOutcome): boolean {
  return error instanceof OperationError && (error.code === "unclear" || error.code === "pending");
}

function section(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [[heading, ...lines.map((text) => indent(text, 2))].join("\n")];
}

function line(outcome: OrderOutcome, why: (outcome: OrderOutcome) => string | undefined): string {
  return `${title(outcome.order.environment.address)}: ${escapeControl(why(outcome) ?? "infrasync stopped waiting")}`;
}

function renderFailed({ service, state, result, logs }: ServiceOutcome): string[] {
  if (result !== "failed" && result !== "canceled") return [];
  const what = state === "" ? "it was deleted" : escapeControl(state);
  const lines = (logs ?? []).map((logLine) => `    ${renderLogLine(logLine)}`);
  const said = lines.length === lastLines ? [`    its last ${lastLines} log lines:`] : [];
  return [[`${title(service.address)}: ${what}`, ...said, ...lines].join("\n")];
}

/** A log line as text: `2026-11-22T03:45:01Z  listening on 8080`. */
export function renderLogLine({ at, message }: LogLine): string {
  return `${escapeControl(at)}  ${escapeControl(message)}`;
}

function conclusion(action: DeploymentAction, outcomes: readonly OrderOutcome[], colors: Colors): string {
  const { done, noun } = actionWords[action];
  const counts = countOutcomes(outcomes);
  const parts = [
    ...(counts.started > 0 ? [`${noun} of ${counted(counts.started, "service")} started`] : []),
    ...(counts.idle > 0 ? [`nothing is under way in ${counted(counts.idle, "environment")}`] : []),
    ...(counts.services.done > 0 ? [`${counts.services.done} ${done}`] : []),
    ...(counts.services.untouched > 0 ? [`${counts.services.untouched} untouched`] : []),
    ...(counts.services.failed > 0 ? [`${counts.services.failed} failed`] : []),
    ...(counts.services.canceled > 0 ? [`${counts.services.canceled} cancelled`] : []),
    ...(counts.services.unfinished > 0 ? [`${counts.services.unfinished} not finished`] : []),
  ];
  const what = parts.length === 0 ? `nothing ${done}` : parts.join(", ");
  const isGood = outcomes.every(({ status }) => ["started", "idle", "done"].includes(status));
  return isGood ? colors.green(`Done: ${what}.`) : `${colors.red("Not everything was done:")} ${what}.`;
}

function countOutcomes(outcomes: readonly OrderOutcome[]) {
  const started = outcomes.filter(({ status }) => status === "started");
  const services = { done: 0, failed: 0, canceled: 0, unfinished: 0, untouched: 0 };
  for (const outcome of outcomes) for (const { result } of outcome.services) services[result] += 1;
  return {
    started: started.reduce((sum, { order }) => sum + order.services.length, 0),
    idle: outcomes.filter(({ status }) => status === "idle").length,
    services,
  };
}
