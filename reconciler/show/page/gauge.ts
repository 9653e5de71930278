import type { BoardView } from "../board-view.ts";
import type { AllowanceView } from "../../watch/index.ts";
import { html, type Html } from "../../../web/html.ts";
import { moment, span } from "./words.ts";

/** How much of the quota is left, and how much of it will be. */
export function renderGauge({ budget, now, spentInHour, forecast, allowance }: BoardView): Html {
  const { limit, remaining, resetAt } = budget;
  const spent = html`This service has sent ${spentInHour} ${spentInHour === 1 ? "request" : "requests"} in the
  last hour.`;
  if (remaining === undefined) return html`<p>${spent} The server has not said how many are left.</p>`;
  const share = limit === undefined || limit === 0 ? undefined : Math.min(1, remaining / limit);
  const reset = resetAt && html`; new ones ${moment(resetAt.getTime(), now)}`;
  return html`${share !== undefined && renderBar(share, `${remaining} of ${limit} requests left`)}
    <p>
      ${remaining}${limit !== undefined && ` of ${limit}`} left for this token${reset}.
      ${spent}${forecast !== undefined && ` At this pace, some ${forecast} will be left then.`}
    </p>
    ${allowance && renderAllowance(allowance)}`;
}

function renderAllowance({ looking, applying, interval, period }: AllowanceView): Html {
  return html`<p>
    In this window, looking has spent ${looking.spent} of its ${looking.allowed} requests, and applying
    ${applying.spent} of its ${applying.allowed}. Events are read every ${span(interval)}, and what they name
    at once; everything else is read again within ${span(period)}.
  </p>`;
}

function renderBar(share: number, label: string): Html {
  return html`<svg
    class="gauge${share < 0.1 && " low"}"
    role="img"
    aria-label="${label}"
    preserveAspectRatio="none"
    viewBox="0 0 100 1"
  >
    <rect class="whole" width="100" height="1" />
    <rect class="part" width="${(share * 100).toFixed(1)}" height="1" />
  </svg>`;
}
