import { html, type Html } from "../../../adapters/web/html.ts";

/** The part of a long list that a reader has selected. */
export interface Choice {
  /** A part of an entry's name. */
  search: string;
  state: string | undefined;
  team?: string | undefined;
  page: number;
}

/** The address of the page with this selection, relative to the page. */
function addressOf({ search, state, team, page }: Choice): string {
  const query = new URLSearchParams({
    ...(search !== "" && { q: search }),
    ...(state !== undefined && { state }),
    ...(team !== undefined && { team }),
    ...(page > 1 && { page: String(page) }),
  }).toString();
  return query === "" ? "./" : `./?${query}`;
}

/** The field of the search, which keeps the rest of the selection. */
function renderSearch(label: string, { search, state, team }: Choice): Html {
  return html`<form action="./" method="get" role="search">
    <label
      ><span class="faint">${label}</span><br />
      <input type="search" id="search" name="q" value="${search}" maxlength="200" autocomplete="off" /></label
    >${state !== undefined && html`<input type="hidden" name="state" value="${state}" />`}${team !== undefined && html`<input type="hidden" name="team" value="${team}" />`}
  </form>`;
}

/** A link to the first page of a selection, with the number of its entries. */
function renderChip(choice: Choice, text: string, count: number, isCurrent: boolean): Html {
  return html`<a href="${addressOf({ ...choice, page: 1 })}" ${isCurrent && html` aria-current="true"`}
    >${text}${count > 0 && html` <span class="faint">${count}</span>`}</a
  > `;
}

/**
 * The search, and links to the entries of each state, and of each team where there are any.
 *
 * @param label of the search
 * @param counts the number of entries by states, the worst first: the words of each, and how many it has
 * @param teams the number of entries by teams
 */
export function renderChoice(
  selection: Choice,
  label: string,
  counts: readonly (readonly [state: string, text: string, count: number])[],
  teams: ReadonlyMap<string, number> = new Map(),
): Html {
  const all = counts.reduce((sum, [, , count]) => sum + count, 0);
  const { state, team } = selection;
  return html`<section aria-labelledby="environments">
    <h2 id="environments">Environments</h2>
    ${renderSearch(label, selection)}
    <nav class="chips" aria-label="States">
      ${renderChip({ ...selection, state: undefined }, "all", all, state === undefined)}${counts.map(([each, text, count]) => renderChip({ ...selection, state: each }, text, count, each === state))}
    </nav>
    ${
      teams.size > 0 &&
      html`<nav class="chips" aria-label="Teams">
        ${renderChip({ ...selection, team: undefined }, "all teams", all, team === undefined)}${[...teams].map(([each, count]) => renderChip({ ...selection, team: each }, each, count, each === team))}
      </nav>`
    }
  </section>`;
}

/** Whether one of the names of an entry has the text that a reader searches for. */
export function isFound({ search }: Pick<Choice, "search">, names: readonly (string | undefined)[]): boolean {
  const desired = search.toLowerCase();
  return desired === "" || names.some((name) => name?.toLowerCase().includes(desired));
}

/** The entries of the selected page, and links to the other pages. @param render also gets the entry before */
export function renderPage<Entry>(
  entries: readonly Entry[],
  choice: Choice,
  perPage: number,
  render: (entry: Entry, before: Entry | undefined) => Html,
): Html {
  const pages = Math.max(1, Math.ceil(entries.length / perPage));
  const here = Math.min(Math.max(choice.page, 1), pages);
  const link = (page: number, text: string) => html`<a href="${addressOf({ ...choice, page })}">${text}</a>`;
  const shown = entries.slice((here - 1) * perPage, here * perPage);
  return html`${shown.map((entry, index) => render(entry, shown[index - 1]))}
  ${
    pages > 1 &&
    html`<nav class="chips" aria-label="Pages">
      ${here > 1 && link(here - 1, "Previous")}<span>Page ${here} of ${pages}</span
      >${here < pages && link(here + 1, "Next")}
    </nav>`
  }`;
}
