import { type Action, isChange } from "../../core/plan/index.ts";
import type { Colors } from "../terminal/colors.ts";
import { describeAction } from "./actions.ts";
import { escapeControl } from "../../core/text.ts";
import { inSections, type SectionOf } from "./sections.ts";
import { indent } from "./text.ts";
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
  }: { colors: Colors; width?: number | undefined; sectionOf?: SectionOf | undefined },
): string {
  const shown = actions.filter(isChange);
  const width = Math.min(44, widest(shown.map(({ address }) => title(address))));
  return inSections(shown, sectionOf)
    .map(({ title: heading, actions: inside }) =>
      [
        ...(heading === undefined ? [] : [`${colors.bold(escapeControl(heading))}:`]),
        ...inside.map((action) => indent(renderAction(action, width, colors, columns), 2)),
      ].join("\n"),
    )
    .join("\n\n");
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
