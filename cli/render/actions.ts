import { formatReference, parentAddress } from "../../core/address.ts";
import {
  type Action,
  type DeleteReason,
  type DeployReason,
  deletes,
  factsOf,
  makes,
  updates,
  groupText,
  lossLists,
} from "../../core/plan/index.ts";
import type { FieldChange } from "../../core/fields/compare.ts";
import type { Loss } from "../../core/loss.ts";
import { escapeControl } from "../../core/text.ts";
import type { Colors } from "../terminal/colors.ts";
import { renderChanges, renderRows } from "./fields.ts";
import { indent, wrap } from "./text.ts";
import { title } from "./title.ts";
import { doubtText } from "./unkept.ts";
import { rowsOf } from "./values.ts";

/** The longest lines of a list, before the list is indented. */
const listWidth = 96;
/** How far the lines of a list are indented in a plan. */
const listIndentation = 8;

/** An action, described for people. */
export interface Description {
  /** Beside the name: why the action happens, or the source of a clone. */
  remark?: string | undefined;
  /** Below the name; each detail has one line or more. */
  details: string[];
}

/**
 * Describes an action for people; control characters in all texts are escaped.
 *
 * @param columns the width of the terminal; undefined if there is none
 */
export function describeAction(action: Action, colors: Colors, columns = Infinity): Description {
  const { address, changes, expected, losses } = action;
  const { fields } = address.kind;
  const width = Math.min(listWidth, columns - listIndentation);
  return {
    remark: [nowCalled(action), whyOf(action)].filter((part) => part !== undefined).join("; ") || undefined,
    details: [
      ...(factsOf(action).compares ? [] : renderRows(rowsOf(fields, expected))),
      ...renderChanges(fields, changes, colors),
      ...renderCopied(action, width),
      ...renderDoubt(changes, width),
      ...renderLosses(losses, width),
    ],
  };
}

const reasonTexts: Record<DeleteReason | DeployReason, string | undefined> = {
  prune: "no manifest describes it (prune)",
  expired: "its time is over (clone.expires_after)",
  // The command says it.
  destroy: undefined,
  changed: "deployed after the change",
  never_deployed: "was never deployed",
  out_of_date: "an older version runs",
  failed: "its last deployment failed",
  changed_around: "variables or secrets of its environment or project have changed since its last deployment",
};

/** Why an action happens, or what it copies. */
function whyOf(action: Action): string | undefined {
  const { source, carriedOutBy, reasons, reason } = action;
  if (source) return `cloned from ${escapeControl(formatReference(source.address.names))}`;
  if (carriedOutBy !== undefined && updates(action)) return "created by the clone, then updated";
  if (carriedOutBy !== undefined && deletes(action))
    return `deleted ${makes(action) ? "and created again " : ""}with ${parentTitle(action)}`;
  if (reasons.length > 0) return `must be replaced: ${reasons.map((each) => escapeControl(each)).join("; ")}`;
  return reason && reasonTexts[reason];
}

/** The live name of a resource that has another name in the manifests. */
function nowCalled({ liveAddress }: Action): string | undefined {
  return liveAddress === undefined
    ? undefined
    : `now called ${escapeControl(formatReference(liveAddress.names))}`;
}

/** The copies that come with a clone: `also copies: 1 job (migrate), 1 variable (LEVEL)`. */
function renderCopied(action: Action, width: number): string[] {
  return copiedBy(action).flatMap(({ text, things }) => list(text, things, width));
}

/** The contents of a clone: resources, readable parts, and separately the parts whose values the API hides. */
export function copiedBy({ brings, carries }: Action): {
  text: string;
  things: { what: string; name: string }[];
}[] {
  const carried = (isReadable: boolean) =>
    carries
      .filter((each) => each.isReadable === isReadable)
      .flatMap(({ sort, keys }) => keys.map((name) => ({ what: sort, name })));
  const resources = brings.map(({ kind, name }) => ({ what: kind.toLowerCase(), name }));
  return [
    { text: "also copies", things: [...resources, ...carried(true)] },
    { text: "also copies, without anybody seeing the values", things: carried(false) },
  ];
}

/** A warning of changes that the server may not keep. */
function renderDoubt(changes: readonly FieldChange[], width: number): string[] {
  const text = doubtText(changes);
  return text === undefined ? [] : [indent(wrap(`note: ${text}`.split(" "), width), 2).slice(2)];
}

function renderLosses(losses: readonly Loss[], width: number): string[] {
  return lossLists(losses).map(({ heading, groups, words }) =>
    wrapped(heading, [...groups.map(groupText), ...words.map((each) => escapeControl(each))], width),
  );
}

/** `also copies: 2 variables (DB_URL, DB_USER), 1 job (migrate)`. */
function list(what: string, things: readonly { what: string; name: string }[], width: number): string[] {
  const groups = [...Map.groupBy(things, (thing) => thing.what)];
  return groups.length === 0
    ? []
    : [
        wrapped(
          what,
          groups.map(([noun, members]) => groupText({ what: noun, names: members.map(({ name }) => name) })),
          width,
        ),
      ];
}

function wrapped(heading: string, parts: readonly string[], width: number): string {
  return indent(wrap(`${heading}: ${parts.join(", ")}`.split(" "), width), 2).slice(2);
}

function parentTitle({ address }: Action): string {
  const parent = parentAddress(address);
  return parent ? title(parent) : "the organization";
}
