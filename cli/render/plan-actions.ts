import { type Action, isChange } from "../../core/plan/index.ts";
import type { Colors } from "../terminal/colors.ts";
import { describeAction } from "./actions.ts";
import { indent } from "./text.ts";
import { padded, widest } from "./width.ts";
import { symbolOf, title } from "./title.ts";

export { renderFinalLosses } from "./losses.ts";

/**
 * Actions, one below the other; those that change nothing are left out.
 *
 * @param columns the width of the terminal; undefined: there is none
 */
export function renderActions(actions: readonly Action[], colors: Colors, columns?: number): string {
  const shown = actions.filter(isChange);
  const width = Math.min(44, widest(shown.map(({ address }) => title(address))));
  return shown.map((action) => indent(renderAction(action, width, colors, columns), 2)).join("\n");
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
