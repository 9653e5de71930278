import { html, type Html } from "../../../adapters/web/html.ts";

/** The part of a long list that a reader has selected. */
export interface Choice<State extends string = string> {
  search: string;
  state: State | undefined;
  team?: string | undefined;
  page: number;
}

/** A list of entries with states: what its search is called, what it finds, and how the selected entries are shown. */
interface ChoiceList<State extends string, Entry> {
  label: string;
  /** The worst first, and their words. */
  states: readonly State[];
  words: Readonly<Record<State, { text: string }>>;
  namesOf(entry: Entry): readonly (string | undefined)[];
  teamOf?(entry: Entry): string | undefined;
  /** Those that the numbers are of; default: all. */
  counted?: readonly Entry[];
  render(chosen: readonly Entry[]): Html;
}

/** The search, links to the entries of each state, and of each team where there are any, and the selected entries. */
export function renderChoice<State extends string, Entry extends { state: State }>(
  entries: readonly Entry[],
  selection: Choice<State>,
  {
    label,
    states,
    words,
    namesOf,
    teamOf = () => undefined,
    counted = entries,
    render,
  }: ChoiceList<State, Entry>,
): Html {
  const { state, team } = selection;
  const there = states.filter((each) => entries.some((entry) => entry.state === each));
  const byState = Map.groupBy(counted, (entry) => entry.state);
  const teams = [...Map.groupBy(counted, teamOf)]
    .flatMap(([name, { length }]) => (name === undefined ? [] : [[name, length] as const]))
    .toSorted();
  const chosen = entries.filter(
    (entry) =>
      (state === undefined || entry.state === state) &&
      (team === undefined || teamOf(entry) === team) &&
      isFound(selection, namesOf(entry)),
  );
  return html`<section aria-labelledby="environments">
      <h2 id="environments">Environments</h2>
      ${renderSearch(label, selection)}
      <nav class="chips" aria-label="States">
        ${renderChip({ ...selection, state: undefined }, "all", counted.length, state === undefined)}${there.map((each) => renderChip({ ...selection, state: each }, words[each].text, byState.get(each)?.length ?? 0, each === state))}
      </nav>
      ${
        teams.length > 0 &&
        html`<nav class="chips" aria-label="Teams">
          ${renderChip({ ...selection, team: undefined }, "all teams", counted.length, team === undefined)}${teams.map(([each, count]) => renderChip({ ...selection, team: each }, each, count, each === team))}
        </nav>`
      }
    </section>
    ${
      chosen.length === 0 && entries.length > 0
        ? html`<p class="card">Nothing matches. <a href="./">Show all</a></p>`
        : render(chosen)
    }`;
}

/** The address of the page with this selection, relative to the page. */
export function addressOf({ search, state, team, page }: Choice): string {
  const query = new URLSearchParams({
    ...(search !== "" && { q: search }),
    ...(state !== undefined && { state }),
    ...(team !== undefined && { team }),
    ...(page > 1 && { page: String(page) }),
  }).toString();
  return query === "" ? "./" : `./?${query}`;
}

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

export function isFound({ search }: Pick<Choice, "search">, names: readonly (string | undefined)[]): boolean {
  const desired = search.toLowerCase();
  return desired === "" || names.some((name) => name?.toLowerCase().includes(desired));
}

/** The entries of a page, and links to the pages around it. @param render also gets the entry before */
export function renderPage<Entry>(
  entries: readonly Entry[],
  page: number,
  perPage: number,
  addressOfPage: (page: number) => string,
  render: (entry: Entry, before: Entry | undefined) => Html,
): Html {
  const pages = Math.max(1, Math.ceil(entries.length / perPage));
  const here = Math.min(Math.max(page, 1), pages);
  const link = (to: number, text: string) => html`<a href="${addressOfPage(to)}">${text}</a>`;
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
