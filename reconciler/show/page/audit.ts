import { html, type Html } from "../../../web/html.ts";
import type { Deed } from "../../people/index.ts";
import { moment } from "./words.ts";

/** The deeds of people, the newest first. */
export function renderAudit(deeds: readonly Deed[], now: number): Html {
  return html`<main id="content" data-now="${now}" data-stale-at="${Number.MAX_SAFE_INTEGER}">
    <h1 data-told="Audit">Audit</h1>
    ${deeds.length === 0 && html`<p>No actions yet.</p>`} ${deeds.map((deed) => renderDeed(deed, now))}
  </main>`;
}

function renderDeed({ at, who, from, what, environment, detail, refused }: Deed, now: number): Html {
  return html`<article class="card ${refused === undefined ? "plain" : "note"}">
    <div class="head">
      <h3>${what}${environment !== undefined && ` ${environment}`}</h3>
      <span class="far">${who} · ${from} · ${moment(at, now)}</span>
    </div>
    ${detail !== undefined && html`<p>${detail}</p>`}
    ${refused !== undefined && html`<p>Refused: ${refused}.</p>`}
  </article> `;
}
