import type { HistoryEntry } from "../history.ts";
import { html, type Html } from "../../../adapters/web/html.ts";
import { renderSetBack } from "./set-back.ts";
import { moment, shortCommit } from "./words.ts";

/** How many entries a page shows. */
export const entriesPerPage = 50;

const tones = { info: "plain", warn: "note", error: "bad" } as const;

/** The changes, the newest first. */
export function renderHistory(entries: readonly HistoryEntry[], page: number, now: number): Html {
  const pages = Math.max(1, Math.ceil(entries.length / entriesPerPage));
  const here = Math.min(Math.max(page, 1), pages);
  const shown = entries.slice((here - 1) * entriesPerPage, here * entriesPerPage);
  return html`<main id="content" data-now="${now}" data-stale-at="${Number.MAX_SAFE_INTEGER}">
    <h1 data-told="History">History</h1>
    ${shown.length === 0 && html`<p>Nothing has happened yet.</p>`}
    ${shown.map((entry) => renderEntry(entry, now))}
    ${
      pages > 1 &&
      html`<nav class="chips" aria-label="Pages">
        ${here > 1 && html`<a href="history?page=${here - 1}">Newer</a>`}<span>Page ${here} of ${pages}</span
        >${here < pages && html`<a href="history?page=${here + 1}">Older</a>`}
      </nav>`
    }
  </main>`;
}

function renderEntry(
  { id, at, level, message, commit, what, hasPlan, setBack }: HistoryEntry,
  now: number,
): Html {
  const tone = tones[level];
  return html`<article class="card ${tone}">
    <div class="head">
      <h3>${message}</h3>
      <span class="far"
        >${commit !== undefined && html`<code>${shortCommit(commit)}</code> · `}${moment(at, now)}</span
      >
    </div>
    ${what.length > 0 && html`<p>${what.join("; ")}${hasPlan && html` · <a href="plans/${id}">what was done</a>`}</p>`}
    ${
      setBack &&
      html`<p>Set back:</p>
        ${renderSetBack(setBack)}`
    }
  </article> `;
}
