import { type AnyAddress, describeAddress, formatReference, parentAddress } from "../../core/address.ts";
import {
  type Action,
  type DeleteAction,
  type Loss,
  type ReplaceAction,
  unreachable,
} from "../../core/plan/action.ts";
import { escapeControl } from "../../core/text.ts";
import type { Colors } from "../terminal/colors.ts";
import { renderChanges, renderRows } from "./fields.ts";
import { counted, indent, wrap } from "./text.ts";
import { rowsOf } from "./values.ts";

const listWidth = 96;

/** What an action does, in words. */
export interface Description {
  symbol: string;
  /** Beside the name: why, or whence. */
  remark?: string | undefined;
  /** Below the name; each of one line or more. */
  details: string[];
}

/** Says what an action does: each text is safe to be shown. */
export function describeAction(action: Action, colors: Colors): Description {
  switch (action.type) {
    case "create":
      return {
        symbol: colors.green("+"),
        details: renderRows(rowsOf(action.address.kind.fields, action.expected)),
      };
    case "clone":
      return {
        symbol: colors.green("+"),
        remark: `cloned from ${escapeControl(formatReference(action.source.address.names))}`,
        details: [
          ...renderChanges(action.changes, colors),
          ...list(
            "brings along",
            action.brings.map(({ kind, name }) => ({ what: kind.toLowerCase(), name })),
          ),
        ],
      };
    case "update":
      return {
        symbol: colors.yellow("~"),
        ...(action.alongWith !== undefined && { remark: "in what comes with the clone" }),
        details: renderChanges(action.changes, colors),
      };
    case "replace":
      return {
        symbol: colors.red("±"),
        remark: remarks(
          nowCalled(action),
          action.alongWith === undefined
            ? `has to be replaced: ${action.reasons.map((reason) => escapeControl(reason)).join("; ")}`
            : `goes with ${parentTitle(action)}, and is made again`,
        ),
        details: [...renderChanges(action.changes, colors), ...renderLosses(action.losses)],
      };
    case "delete":
      return {
        symbol: colors.red("-"),
        remark: remarks(nowCalled(action), deletionReason(action)),
        details: renderLosses(action.losses),
      };
    case "none":
      return { symbol: " ", details: [] };
    default:
      return unreachable(action);
  }
}

/** That documents are destroyed goes without saying. */
function deletionReason(action: DeleteAction): string | undefined {
  if (action.alongWith !== undefined) return `goes with ${parentTitle(action)}`;
  return action.reason === "prune" ? "no document describes it (prune)" : undefined;
}

/** The name that the server has for what the documents call otherwise. */
function nowCalled({ liveAddress }: ReplaceAction | DeleteAction): string | undefined {
  return liveAddress === undefined
    ? undefined
    : `now called ${escapeControl(formatReference(liveAddress.names))}`;
}

function remarks(...parts: (string | undefined)[]): string | undefined {
  return parts.filter((part) => part !== undefined).join("; ") || undefined;
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

/** `Job shop/staging/migrate`: safe to be shown. */
export function title(address: AnyAddress): string {
  return escapeControl(describeAddress(address));
}

function parentTitle({ address }: Action): string {
  const parent = parentAddress(address);
  return parent ? title(parent) : "the organization";
}
