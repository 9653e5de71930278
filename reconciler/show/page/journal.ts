import { type JournalEntry, wordsOf } from "../../journal/index.ts";
import { html, type Html } from "../../../adapters/web/html.ts";
import { renderReverted } from "./revert.ts";
import type { ShownCommits } from "../commits.ts";
import { renderPage } from "./choice.ts";
import { renderCommit } from "./commit.ts";
import { moment, renderText } from "./words.ts";

const entriesPerPage = 50;

/** The changes, the newest first. */
export function renderJournal(
  entries: readonly JournalEntry[],
  page: number,
  now: number,
  about: { commits: ShownCommits; team: string | undefined },
): Html {
  return html`<main id="content" data-now="${now}" data-stale-at="${Number.MAX_SAFE_INTEGER}">
    <h1 data-announced="Journal">Journal</h1>
    ${entries.length === 0 && html`<p>Nothing has happened yet.</p>`}
    ${renderPage(
      entries,
      page,
      entriesPerPage,
      (to) => `journal?page=${to}`,
      (entry) => renderEntry(entry, now, about),
    )}
  </main>`;
}

function renderEntry(
  entry: JournalEntry,
  now: number,
  { commits, team }: { commits: ShownCommits; team: string | undefined },
): Html {
  const { tone, sentence, details } = wordsOf(entry);
  const { at, plan } = entry;
  const commit = "commit" in entry ? entry.commit : undefined;
  const whose = plan === undefined || team === undefined ? "" : ` (team ${team})`;
  return html`<article class="card ${tone}">
    <div class="head">
      <h2>${renderText(sentence + whose, now)}</h2>
      <span class="far">${moment(at, now)}</span>
    </div>
    ${plan !== undefined && html`<p><a href="plans/${plan}">Executed plan</a></p>`}
    ${commit !== undefined && html`<p class="faint">Commit ${renderCommit(commit, commits, now)}</p>`}
    ${
      entry.type === "reverted"
        ? renderReverted(entry.changes, now)
        : details.length > 0 && html`<p>${renderText(details.join("; "), now)}</p>`
    }
  </article> `;
}
