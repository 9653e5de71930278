import { html, type Html } from "../../../adapters/web/html.ts";
import type { Change } from "../../decide/index.ts";
import { driftWords } from "../../journal/index.ts";

/** Changes of somebody else that were set back: what they were, and who had made them. */
export function renderSetBack(
  changes: readonly Pick<Change, "action" | "address" | "fields" | "by">[],
): Html {
  return html`<ul class="plain">
    ${changes.map(
      ({ action, address, fields = [], by }) =>
        html`<li>
          <code>${address}</code> <span class="faint">${driftWords[action]}</span><br />${fields.map(
            (field) => html`<code>${field}</code><br />`,
          )}<span class="faint">${by === undefined ? "nobody knows by whom" : `by ${by}`}</span>
        </li> `,
    )}
  </ul>`;
}
