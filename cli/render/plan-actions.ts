import { formatReference, nameOf } from "../../core/address.ts";
import { formatPath } from "../../core/fields/compare.ts";
import { type Action, deletes, factsOf, isChange } from "../../core/plan/index.ts";
import type { Colors } from "../terminal/colors.ts";
import { describeAction } from "./actions.ts";
import { escapeControl } from "../../core/text.ts";
import { inSections, type SectionOf } from "./sections.ts";
import { counted, indent } from "./text.ts";
import { padded, widest } from "./width.ts";
import { symbolOf, title } from "./title.ts";

export { renderFinalLosses } from "./losses.ts";

/** Actions, one below the other, section by section; those that change nothing are left out. */
export function renderActions(
  actions: readonly Action[],
  {
    colors,
    width: columns,
    sectionOf,
    isSummary = false,
  }: {
    colors: Colors;
    width?: number | undefined;
    sectionOf?: SectionOf | undefined;
    isSummary?: boolean | undefined;
  },
): string {
  const shown = actions.filter(isChange);
  const width = Math.min(44, widest(shown.map(({ address }) => title(address))));
  return inSections(shown, sectionOf)
    .map(({ title: heading, actions: inside }) =>
      [
        ...(heading === undefined ? [] : [`${colors.bold(escapeControl(heading))}:`]),
        ...(isSummary
          ? alike(inside).map((group) => indent(renderGroup(group, width, colors, columns), 2))
          : inside.map((action) => indent(renderAction(action, width, colors, columns), 2))),
      ].join("\n"),
    )
    .join("\n\n");
}

/** How many names of a group are shown. */
const shownNames = 3;

/** Actions in groups of those that do the same to the same fields of the same kind in the same parent. */
function alike(actions: readonly Action[]): Action[][] {
  const keyOf = (action: Action) => {
    const { address, type, reason, carriedOutBy } = action;
    // A deletion is never one of many.
    if (deletes(action)) return action.id;
    const parent = formatReference(address.names.slice(0, -1));
    return JSON.stringify([
      type,
      address.kind.name,
      parent,
      fieldsOf(action),
      reason,
      carriedOutBy !== undefined,
    ]);
  };
  return [...Map.groupBy(actions, keyOf).values()];
}

/** The fields that an action writes. */
function fieldsOf(action: Action): string[] {
  const { changes, expected } = action;
  return factsOf(action).compares ? changes.map(({ path }) => formatPath(path)) : Object.keys(expected);
}

function renderGroup(group: readonly Action[], width: number, colors: Colors, columns?: number): string {
  const [first] = group;
  if (!first) return "";
  if (group.length === 1) return renderAction(first, width, colors, columns);
  const { address } = first;
  const names = group.slice(0, shownNames).map((action) => escapeControl(nameOf(action.address)));
  const more = group.length > shownNames ? ` and ${group.length - shownNames} more` : "";
  const parent = formatReference(address.names.slice(0, -1));
  const { remark } = describeAction(first, colors, columns);
  const fields = fieldsOf(first).map((field) => escapeControl(field));
  return [
    `${symbolOf(first, colors)} ${colors.bold(counted(group.length, address.kind.name))}${parent === "" ? "" : ` in ${escapeControl(parent)}`}: ${names.join(", ")}${more}${remark === undefined ? "" : `  ${remark}`}`,
    ...(fields.length > 0 ? [indent(fields.join(", "), 4)] : []),
  ].join("\n");
}

function renderAction(action: Action, width: number, colors: Colors, columns?: number): string {
  const { remark, details } = describeAction(action, colors, columns);
  const name = title(action.address);
  const first =
    remark === undefined
      ? colors.bold(name)
      : `${colors.bold(name)}${padded(name, width).slice(name.length)}  ${remark}`;
  return [`${symbolOf(action, colors)} ${first}`, ...details.map((detail) => indent(detail, 4))].join("\n");
}
