import { renderIdle } from "./idle.ts";
import { html, type Html, sentence } from "../../../adapters/web/html.ts";
import type { FleetStatus, SourceStatus } from "../fleet-status-form.ts";
import { type SourceState, sourceStates } from "../source-state.ts";
import { doubtWords } from "../summary.ts";
import { type Choice, renderChip, renderPage, renderSearch } from "./choice.ts";
import { frame } from "./frame.ts";
import { stateWords } from "../../journal/index.ts";
import { moment } from "./words.ts";

/** The sources that a reader has selected. */
export interface FleetSelection extends Choice {
  state: SourceState | undefined;
  team: string | undefined;
}

/** The sources on a page. */
const sourcesPerPage = 100;

/** A state of a source in words, and its tone. */
export const sourceWords: Record<SourceState, { text: string; tone: "good" | "note" | "bad" | "plain" }> = {
  ...stateWords,
  down: { text: "does not run", tone: "bad" },
  unknown: { text: "not known now", tone: "bad" },
  stopped: { text: "stopped", tone: "note" },
};

/** `41 of 50 sources synced`. */
export function fleetGlance(sources: readonly Pick<SourceStatus, "state">[]): string {
  if (sources.length === 0) return "No source";
  const synced = sources.filter(({ state }) => state === "synced").length;
  return `${synced} of ${sources.length} ${sources.length === 1 ? "source" : "sources"} synced`;
}

/** The page of all sources, the worst first. */
export function renderFleet(
  status: FleetStatus,
  selection: FleetSelection,
  visitor: Html,
  proof = "",
): string {
  const { sources, problems, notes, unread, database } = status;
  const now = Date.parse(status.now);
  const counts = fleetGlance(sources);
  const body = html`<main id="content" data-now="${now}" data-stale-at="${Number.MAX_SAFE_INTEGER}">
    <h1 data-told="${counts}">${counts}</h1>
    ${visitor}
    ${
      unread &&
      html`<p class="banner" role="status">
        The documents of the sources cannot be read, since ${moment(unread.since, now)}. What runs continues.
        ${unread.reason}
      </p>`
    }
    ${
      database &&
      html`<p class="banner" role="status">
        The database that the workers share cannot be used, since ${moment(database.since, now)}. Nothing is
        sent until it is back.
      </p>`
    }
    ${
      problems.length > 0 &&
      html`<section class="card bad" aria-labelledby="mistakes">
        <h2 id="mistakes">The documents of the sources have mistakes</h2>
        <ul class="plain">
          ${problems.map((problem) => html`<li>${sentence(problem)}</li> `)}
        </ul>
      </section>`
    }
    ${renderIdle(notes)} ${renderChoice(sources, selection)} ${renderList(sources, selection, now, proof)}
  </main>`;
  return frame(counts, body, html`<p>${sources.length} ${sources.length === 1 ? "source" : "sources"}</p>`);
}

function renderChoice(sources: readonly SourceStatus[], selection: FleetSelection): Html {
  const { state, team } = selection;
  const states = Map.groupBy(sources, (each) => each.state);
  const teams = Map.groupBy(sources, (each) => each.team);
  const chip = (more: Partial<FleetSelection>, text: string, count: number, isCurrent: boolean) =>
    renderChip({ ...selection, ...more }, text, count, isCurrent);
  const named = [...teams.keys()].filter((each) => each !== undefined).toSorted();
  return html`<section aria-labelledby="sources">
    <h2 id="sources">Sources</h2>
    ${renderSearch("Search by name, team or repository", selection)}
    <nav class="chips" aria-label="States">
      ${chip({ state: undefined }, "all", sources.length, state === undefined)}${sourceStates
        .filter((each) => states.has(each))
        .map((each) =>
          chip({ state: each }, sourceWords[each].text, states.get(each)?.length ?? 0, each === state),
        )}
    </nav>
    ${
      named.length > 0 &&
      html`<nav class="chips" aria-label="Teams">
        ${chip({ team: undefined }, "all teams", sources.length, team === undefined)}${named.map((each) =>
          chip({ team: each }, each, teams.get(each)?.length ?? 0, each === team),
        )}
      </nav>`
    }
  </section>`;
}

function renderList(
  sources: readonly SourceStatus[],
  selection: FleetSelection,
  now: number,
  proof: string,
): Html {
  const { search, state, team } = selection;
  const wanted = search.toLowerCase();
  const chosen = sources.filter(
    (each) =>
      (state === undefined || each.state === state) &&
      (team === undefined || each.team === team) &&
      [each.name, each.team ?? "", each.repository].some((text) => text.toLowerCase().includes(wanted)),
  );
  if (chosen.length === 0 && sources.length > 0)
    return html`<p class="card">No source matches. <a href="./">Show all</a></p>`;
  return renderPage(chosen, selection, sourcesPerPage, (each) =>
    each.stopped ? renderStopped(each, each.stopped, now, proof) : renderSource(each, now),
  );
}

/** A source that is no longer declared. */
function renderStopped(
  { name, team, repository }: SourceStatus,
  { since, left }: NonNullable<SourceStatus["stopped"]>,
  now: number,
  proof: string,
): Html {
  const { text, tone } = sourceWords.stopped;
  return html`<article class="card ${tone}">
    <div class="head">
      <h3>${name}</h3>
      <span class="badge ${tone}">${text}</span>
      ${team !== undefined && html`<span class="faint">${team}</span>`}
      <span class="far">stopped ${moment(since, now)}</span>
    </div>
    <p class="faint">${repository}</p>
    <p>No document declares it any more. Nothing was deleted because of that.</p>
    ${
      left &&
      left.length > 0 &&
      html`<details id="left-${name}">
        <summary>${left.length} left live</summary>
        <ul class="plain">
          ${left.map((each) => html`<li><code>${each}</code></li> `)}
        </ul>
      </details>`
    }
    <form class="act" method="post" action="acknowledge">
      <input type="hidden" name="source" value="${name}" /><input
        type="hidden"
        name="_csrf"
        value="${proof}"
      /><button>Acknowledge</button>
    </form>
  </article> `;
}

function renderSource(source: SourceStatus, now: number): Html {
  const { name, team, repository, state, synced, environments, failure, worker } = source;
  const { checked_at: checkedAt, in_doubt: doubt, ending: isEnding } = source;
  const { text, tone } = sourceWords[state];
  return html`<article class="card ${tone}">
    <div class="head">
      <h3><a href="sources/${name}/">${name}</a></h3>
      <span class="badge ${tone}">${text}</span>
      ${team !== undefined && html`<span class="faint">${team}</span>`}
      <span class="far"
        >${environments > 0 && html`${synced} of ${environments} synced · `}${checkedAt === undefined ? "not checked yet" : html`checked ${moment(checkedAt, now)}`}</span
      >
    </div>
    <p class="faint">${repository}</p>
    ${failure && html`<p>Does not run since ${moment(failure.since, now)}: ${sentence(failure.reason)}</p>`}
    ${doubt && html`<p>${sentence(`Nobody knows whether this still holds: ${doubtWords[doubt.because]}`)} Since ${moment(doubt.since, now)}.</p>`}
    ${worker && html`<p class="faint">Worker ${worker.name} on ${worker.host}, seen ${moment(worker.seen_at, now)}.</p>`}
    ${isEnding && html`<p>It is in no document any more, and finishes what it has begun.</p>`}
  </article> `;
}
