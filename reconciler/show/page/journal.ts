import type { JournalEntry } from "../journal.ts";
import { html, type Html } from "../../../adapters/web/html.ts";
import { renderSetBack } from "./set-back.ts";
import type { ShownCommits } from "../commits.ts";
import { renderCommit } from "./commit.ts";
import { moment } from "./words.ts";

/** How many entries a page shows. */
export const entriesPerPage = 50;

const tones = { info: "plain", warn: "note", error: "bad" } as const;

/** The changes, the newest first. */
export function renderJournal(
  entries: readonly JournalEntry[],
  page: number,
  now: number,
  about: { commits: ShownCommits; team: string | undefined },
): Html {
  const pages = Math.max(1, Math.ceil(entries.length / entriesPerPage));
  const here = Math.min(Math.max(page, 1), pages);
  const shown = entries.slice((here - 1) * entriesPerPage, here * entriesPerPage);
  return html`<main id="content" data-now="${now}" data-stale-at="${Number.MAX_SAFE_INTEGER}">
    <h1 data-told="Journal">Journal</h1>
    ${shown.length === 0 && html`<p>Nothing has happened yet.</p>`}
    ${shown.map((entry) => renderEntry(entry, now, about))}
    ${
      pages > 1 &&
      html`<nav class="chips" aria-label="Pages">
        ${here > 1 && html`<a href="journal?page=${here - 1}">Newer</a>`}<span>Page ${here} of ${pages}</span
        >${here < pages && html`<a href="journal?page=${here + 1}">Older</a>`}
      </nav>`
    }
  </main>`;
}

function renderEntry(
  { id, at, level, message, commit, done = [], what, hasPlan, setBack }: JournalEntry,
  now: number,
  { commits, team }: { commits: ShownCommits; team: string | undefined },
): Html {
  const tone = tones[level];
  const whose = team === undefined ? "" : ` (team ${team})`;
  return html`<article class="card ${tone}">
    <div class="head">
      <h3>${done.length === 0 ? message : `${done.join("; ")}${whose}`}</h3>
      <span class="far">${moment(at, now)}</span>
    </div>
    ${done.length > 0 && html`<p>${message}${hasPlan && html` · <a href="plans/${id}">what was done</a>`}</p>`}
    ${commit !== undefined && html`<p class="faint">Commit ${renderCommit(commit, commits, now)}</p>`}
    ${what.length > 0 && html`<p>${what.join("; ")}</p>`}
    ${
      setBack &&
      html`<p>Set back:</p>
        ${renderSetBack(setBack)}`
    }
  </article> `;
}
