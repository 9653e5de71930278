import { counted } from "../../../core/values/text.ts";
import { html, type Html, sentence } from "../../../adapters/web/html.ts";
import { stateWords } from "../../journal/index.ts";
import { worstFirst } from "../environment-statuses.ts";
import {
  type EnvironmentSummary,
  type FleetStatus,
  type SourceState,
  type SourceStatus,
  sourceStates,
} from "../status-form.ts";
import { doubtWords, slowDatabase, troubled } from "../summary.ts";
import { countedIn, environmentsIn, isEnvironment, syncedOf } from "../visible-status.ts";
import { addressOf, type Choice, isFound, renderChoice, renderPage } from "./choice.ts";
import type { ShownCommits } from "../commits.ts";
import { renderCommit, renderCommitId } from "./commit.ts";
import { frame } from "./frame.ts";
import { duration, moment, renderFacts, renderFolded, renderMistakes, renderText } from "./words.ts";

/** Which environments a reader wants to see. */
export type FleetSelection = Choice<SourceState>;

const perPage = 100;

export const sourceWords: Record<SourceState, { text: string; tone: "good" | "note" | "bad" | "plain" }> = {
  ...stateWords,
  down: { text: "does not run", tone: "bad" },
  unknown: { text: "out of date", tone: "bad" },
  stopped: { text: "stopped", tone: "note" },
};

/** The states of sources of which nobody knows how their environments are now. */
const silent: ReadonlySet<SourceState> = new Set(["down", "unknown", "stopped"]);

/** The synced environments at the last check: for a silent source, this may have changed. */
export function checkedWords({ state, synced, environments }: SourceStatus): string {
  const { length } = environmentsIn(environments);
  return length === 0
    ? "checked"
    : `${synced} of ${length} synced${silent.has(state) ? " as of" : ", checked"}`;
}

/** The headline of many sources: `shop/production is unhealthy, 599 of 600 environments synced, in 60 sources`. */
export function fleetSummary(sources: readonly SourceStatus[]): string {
  if (sources.length === 0) return "No source";
  const of = (isSilent: boolean) => sources.filter(({ state }) => silent.has(state) === isSilent);
  const [first, ...others] = of(true);
  const shown = worstFirst(
    of(false).flatMap((source) => source.environments),
    sourceStates,
  );
  const all = environmentsIn(sources.flatMap((source) => source.environments));
  const counts =
    all.length === 0
      ? `${syncedOf(sources)} of ${counted(sources.length, "source")} synced`
      : `${syncedOf(environmentsIn(shown))} of ${all.length} environments synced, in ${counted(sources.length, "source")}`;
  const more = others.length === 0 ? "" : ` and ${counted(others.length, "more source")} out of date`;
  const words = first && sourceWords[first.state].text.replace(/^(?!does)/, "is ");
  const lead = first ? `Source ${first.name} ${words}${more}, ` : "";
  return `${lead}${troubled(shown)}${counts}`;
}

/** An entry of the list: a source of which nobody knows how it is, or an environment of another one. */
type Entry = { name: string; state: SourceState; source: SourceStatus; environment?: EnvironmentSummary };

/** The page over the environments of all sources, the worst first. */
export function renderFleet(
  status: FleetStatus,
  selection: FleetSelection,
  visitor: Html,
  proof = "",
): string {
  const { sources, problems, notes, unread, database, database_slow_seconds: slow } = status;
  const now = Date.parse(status.now);
  const counts = fleetSummary(sources);
  const entries = worstFirst(sources.flatMap(entriesOf), sourceStates);
  const body = html`<main id="content" data-now="${now}" data-stale-at="${Number.MAX_SAFE_INTEGER}">
    <h1 data-announced="${counts}">${counts}</h1>
    ${visitor}
    ${
      unread &&
      html`<p class="banner" role="status">
        The documents of the sources cannot be read, since ${moment(unread.since, now)}. Running sources
        continue. ${unread.reason}
      </p>`
    }
    ${
      database &&
      html`<p class="banner" role="status">
        The database that the workers share cannot be used, since ${moment(database.since, now)}. Nothing is
        sent until it is back. ${database.reason}
      </p>`
    }
    ${slow !== undefined && html`<p class="banner" role="status">${slowDatabase(slow)}</p>`}
    ${renderMistakes("The documents of the sources have mistakes", problems, notes)}
    ${renderChoice(entries, selection, {
      label: "Search for an environment, a service, a source or a team",
      states: sourceStates,
      words: sourceWords,
      counted: entries.filter(({ name, environment }) => !environment || isEnvironment(name)),
      namesOf: ({ name, source, environment }) => [
        name,
        ...namesOf(source),
        ...(environment?.services ?? []),
      ],
      teamOf: ({ source }) => source.team,
      render: (chosen) =>
        renderPage(
          chosen,
          selection.page,
          perPage,
          (page) => addressOf({ ...selection, page }),
          ({ source, environment }) =>
            environment ? renderEnvironment(source, environment, now) : renderSource(source, now, proof),
        ),
    })}
    ${renderSources(sources, selection, now)}
  </main>`;
  return frame(counts, body, html`<p>${counted(sources.length, "source")}</p>`);
}

function entriesOf(source: SourceStatus): Entry[] {
  const { name, state, environments, failure, in_doubt: doubt, ending: isEnding } = source;
  const isAlone = silent.has(state) || environments.length === 0;
  // A synced project says nothing that its environments do not say.
  const inside = countedIn(environments);
  const shown = environments.filter((each) => inside.includes(each) || each.state !== "synced");
  return [
    ...(isAlone || failure || doubt || isEnding ? [{ name, state, source }] : []),
    ...(silent.has(state) ? [] : shown.map((each) => ({ ...each, source, environment: each }))),
  ];
}

function namesOf({ name, team, repository }: SourceStatus): (string | undefined)[] {
  return [name, team, repository];
}

/** An environment: its state, since when and why, and the commit that this is about. */
function renderEnvironment(
  { name: source, team }: SourceStatus,
  { name, state, since, reason, commit, console_url: console }: EnvironmentSummary,
  now: number,
): Html {
  const { text, tone } = stateWords[state];
  const { subject, author = "", at = "" } = commit ?? {};
  const commits: ShownCommits = new Map(
    commit && subject !== undefined
      ? [[commit.id, { ...commit, subject, author, at: Date.parse(at) }] as const]
      : [],
  );
  const facts = renderFacts([
    commit && renderCommit(commit.id, commits, now),
    console !== undefined && html`<a href="${console}">Console</a>`,
  ]);
  return html`<article class="card ${state === "synced" && "line"} ${tone}" aria-label="${name}">
    <div class="head">
      <h3><a href="sources/${source}/?q=${encodeURIComponent(name)}">${name}</a></h3>
      <span class="badge ${tone}">${text}</span>
      <span class="faint">${source}${team !== undefined && ` · ${team}`}</span>
      <span class="far"
        >${state === "synced" && commit && html`${renderCommitId(commit.id, commits)} · ${author && `${author} · `}`}${text}
        for ${duration(since, now)}</span
      >
    </div>
    ${reason !== undefined && html`<p>${renderText(reason, now)}</p>`} ${state !== "synced" && facts}
  </article> `;
}

/** A source of which nobody knows how its environments are, or that no document declares any more. */
function renderSource(source: SourceStatus, now: number, proof: string): Html {
  const { name, team, repository, state, failure, worker, stopped, in_doubt: doubt } = source;
  const { text, tone } = sourceWords[state];
  return html`<article class="card ${tone}" aria-label="${name}">
    <div class="head">
      <h3>${stopped ? name : html`<a href="sources/${name}/">${name}</a>`}</h3>
      <span class="badge ${tone}">${text}</span>
      <span class="faint">source${team !== undefined && ` · ${team}`}</span>
      <span class="far"
        >${stopped ? html`stopped ${moment(stopped.since, now)}` : renderChecked(source, now)}</span
      >
    </div>
    <p class="faint">${repository}</p>
    ${failure && html`<p>Does not run since ${moment(failure.since, now)}: ${sentence(failure.reason)}</p>`}
    ${doubt && html`<p>${sentence(`This state may be out of date: ${doubtWords[doubt.because]}`)} Since ${moment(doubt.since, now)}.</p>`}
    ${worker && html`<p class="faint">Worker ${worker.name} on ${worker.host}, seen ${moment(worker.seen_at, now)}.</p>`}
    ${source.ending && html`<p>No document declares it any more. It finishes its current changes.</p>`}
    ${
      stopped &&
      html`<p>No document declares it any more. Nothing was deleted because of that.</p>
        ${renderFolded(`left-${name}`, "still live", stopped.left)}
        <form class="act" method="post" action="acknowledge">
          <input type="hidden" name="source" value="${name}" /><input
            type="hidden"
            name="_csrf"
            value="${proof}"
          /><button>Acknowledge</button>
        </form>`
    }
  </article> `;
}

function renderSources(sources: readonly SourceStatus[], selection: FleetSelection, now: number): Html {
  const { team } = selection;
  const chosen = sources.filter(
    (each) =>
      !each.stopped && (team === undefined || each.team === team) && isFound(selection, namesOf(each)),
  );
  const more = chosen.length - perPage;
  return html`<section aria-labelledby="sources">
    <h2 id="sources">Sources</h2>
    <ul class="plain columns">
      ${chosen.slice(0, perPage).map(
        (each) =>
          html`<li>
            <a href="sources/${each.name}/">${each.name}</a>
            <span class="faint"
              >${each.team !== undefined && `${each.team} · `}${renderChecked(each, now)}</span
            >
          </li> `,
      )}
    </ul>
    ${more > 0 && html`<p class="faint">and ${more} more: search for them</p>`}
  </section>`;
}

function renderChecked(source: SourceStatus, now: number): Html {
  const { checked_at: at } = source;
  return html`${at === undefined ? "not checked yet" : html`${checkedWords(source)} ${moment(at, now)}`}`;
}
