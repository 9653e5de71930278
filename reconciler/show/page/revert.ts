import { html, type Html } from "../../../adapters/web/html.ts";
import type { Change } from "../../decide/index.ts";
import { driftWords } from "../../journal/index.ts";
import { renderList, renderText } from "./words.ts";

/** The reverted changes of others, with their authors. */
export function renderReverted(
  changes: readonly Pick<Change, "action" | "address" | "fields" | "by">[],
  now: number,
): Html | false {
  return renderList(
    changes.map(
      ({ action, address, fields = [], by }) =>
        html`<code>${address}</code> <span class="faint">${driftWords[action]}</span
          ><br />${fields.map((field) => html`<code>${field}</code><br />`)}<span class="faint"
            >${by === undefined ? "by an unknown client" : html`by ${renderText(by, now)}`}</span
          >`,
    ),
  );
}
