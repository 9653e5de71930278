import { describeAddress, parseAddress } from "../../core/address.ts";
import type { Budget } from "../../core/api/budget.ts";
import { kindOf } from "../../core/kinds/index.ts";
import {
  type Action,
  countActions,
  type DeleteAction,
  hasChanges,
  type Loss,
  type Note,
  type Plan,
  unreachable,
} from "../../core/plan/action.ts";
import type { Problem } from "../../core/problem.ts";
import { escapeControl } from "../../core/text.ts";
import type { Colors } from "./colors.ts";
import { renderChanges, renderRows } from "./fields.ts";
import { requestsOfPlan } from "./requests.ts";
import { placeOf } from "./problems.ts";
import { counted, indent, wrap } from "./text.ts";
import { rowsOf } from "./values.ts";

/** What a plan is shown with. */
export interface PlanView {
  colors: Colors;
  budget: Budget;
  /** Milliseconds since 1970. */
  now: number;
}

const listWidth = 96;

/** A plan as text: what will be done and why, what it mentions, what forbids it, and what it costs. */
export function renderPlan(plan: Plan, view: PlanView): string {
  return [
    ...(hasChanges(plan) ? [heading(plan), renderActions(plan.actions, view.colors)] : []),
    ...renderNotes(plan.notes, view.colors),
    ...renderRefusal(plan.problems, view.colors),
    `${summary(plan, view.colors)}\n${requestsOfPlan(plan, view.budget, view.now)}`,
  ].join("\n\n");
}

/** The organization that a plan is for, as a person knows it. */
function organizationOf({ organization }: Plan): string {
  return escapeControl(organization.name ?? organization.id);
}

function heading(plan: Plan): string {
  const legend = plan.actions.some(({ type }) => type === "replace") ? " (±: deleted and made again)" : "";
  return `infrasync will make these changes in ${organizationOf(plan)}${legend}:`;
}

function summary(plan: Plan, colors: Colors): string {
  const counts = countActions(plan.actions);
  const brought = plan.actions.filter(
    (action) => action.type === "none" && action.comesWith !== undefined,
  ).length;
  const same = counts.none - brought;
  if (!hasChanges(plan) && plan.goal === "destroy")
    return `${colors.green("Nothing to delete:")} ${organizationOf(plan)} has nothing that the manifests describe.`;
  if (!hasChanges(plan)) {
    return `${colors.green("No changes:")} ${counted(same, "resource")} in ${organizationOf(plan)} ${same === 1 ? "is" : "are"} as described.`;
  }
  const parts = (["create", "clone", "update", "replace", "delete"] as const).flatMap((type) =>
    counts[type] === 0 ? [] : [`${counts[type]} to ${type}`],
  );
  return [
    `${colors.bold("Plan:")} ${parts.join(", ")}`,
    ...(brought > 0 ? [`${brought} come with a clone as described`] : []),
    ...(same > 0 ? [`${same} unchanged`] : []),
  ]
    .join("; ")
    .concat(".");
}

function renderActions(actions: readonly Action[], colors: Colors): string {
  const shown = actions.filter(({ type }) => type !== "none");
  const titles = shown.map(({ address }) => title(address).length);
  const width = Math.min(44, Math.max(...titles));
  return shown.map((action) => indent(renderAction(action, width, colors), 2)).join("\n");
}

function renderAction(action: Action, width: number, colors: Colors): string {
  const { symbol, remark, details } = describe(action, colors);
  const name = title(action.address);
  const first =
    remark === undefined
      ? colors.bold(name)
      : `${colors.bold(name)}${" ".repeat(Math.max(0, width - name.length))}  ${remark}`;
  return [`${symbol} ${first}`, ...details.map((detail) => indent(detail, 4))].join("\n");
}

interface Description {
  symbol: string;
  /** Beside the name: why, or whence. */
  remark?: string;
  /** Below the name; each of one line or more. */
  details: string[];
}

function describe(action: Action, colors: Colors): Description {
  switch (action.type) {
    case "create":
      return {
        symbol: colors.green("+"),
        details: renderRows(rowsOf(kindOf(action.kind).fields, action.fields)),
      };
    case "clone":
      return {
        symbol: colors.green("+"),
        remark: `cloned from ${reference(action.source.address)}`,
        details: [
          ...renderChanges(action.changes, colors),
          ...list(
            "brings along",
            action.contents.map(({ kind, name }) => ({ what: kind.toLowerCase(), name })),
          ),
        ],
      };
    case "update":
      return {
        symbol: colors.yellow("~"),
        ...(action.id === undefined && { remark: "in what comes with the clone" }),
        details: renderChanges(action.changes, colors),
      };
    case "replace":
      return {
        symbol: colors.red("±"),
        remark:
          action.removedBy === undefined
            ? `has to be replaced: ${action.reasons.map((reason) => escapeControl(reason)).join("; ")}`
            : `goes with ${title(action.removedBy)}, and is made again`,
        details: [...renderChanges(action.changes, colors), ...renderLosses(action.losses)],
      };
    case "delete":
      return {
        symbol: colors.red("-"),
        ...deletionReason(action),
        details: renderLosses(action.losses),
      };
    case "none":
      return { symbol: " ", details: [] };
    default:
      return unreachable(action);
  }
}

/** That documents are destroyed goes without saying. */
function deletionReason({ reason, removedBy }: DeleteAction): Pick<Description, "remark"> {
  if (removedBy !== undefined) return { remark: `goes with ${title(removedBy)}` };
  return reason === "prune" ? { remark: "no document describes it (prune)" } : {};
}

function renderLosses(losses: readonly Loss[]): string[] {
  return [
    ...list(
      "goes with it",
      losses.filter(({ described }) => !described),
    ),
    ...list(
      "goes with it and is made again",
      losses.filter(({ described }) => described),
    ),
  ];
}

/** `goes with it: 2 variables (DB_URL, DB_USER), 1 job (migrate)`. */
function list(what: string, things: readonly { what: string; name: string }[]): string[] {
  const groups = Map.groupBy(things, (thing) => thing.what);
  const parts = [...groups].map(
    ([noun, members]) =>
      `${counted(members.length, escapeControl(noun))} (${members.map(({ name }) => escapeControl(name)).join(", ")})`,
  );
  return parts.length === 0
    ? []
    : [indent(wrap(`${what}: ${parts.join(", ")}`.split(" "), listWidth), 2).slice(2)];
}

function renderNotes(notes: readonly Note[], colors: Colors): string[] {
  if (notes.length === 0) return [];
  const lines = notes.map(
    ({ address, message }) =>
      `  ${address === undefined ? "" : `${title(address)}: `}${escapeControl(message)}`,
  );
  return [[colors.bold("Notes:"), ...lines].join("\n")];
}

function renderRefusal(problems: readonly Problem[], colors: Colors): string[] {
  if (problems.length === 0) return [];
  const lines = problems.map(
    ({ message, advice, position }) =>
      `  ${placeOf(position)}${escapeControl(message)}${advice === undefined ? "" : `\n    ${escapeControl(advice)}`}`,
  );
  return [[colors.red(colors.bold("This plan will be refused:")), ...lines].join("\n")];
}

/** `Job shop/staging/migrate`, of `job:shop/staging/migrate`. */
export function title(address: string): string {
  const parsed = parseAddress(address);
  return escapeControl(parsed ? describeAddress(parsed) : address);
}

function reference(address: string): string {
  return escapeControl(address.slice(address.indexOf(":") + 1));
}
