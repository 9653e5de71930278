import { counted } from "../../../core/values/text.ts";
import { renderIdle } from "./idle.ts";
import type { EnvironmentStatus, ServiceStatus } from "../status-form.ts";
import { doubtWords, glance, uncheckedIn } from "../summary.ts";
import { countedIn, environmentsIn, syncedOf } from "../visible-status.ts";
import { html, type Html, sentence } from "../../../adapters/web/html.ts";
import { standingStates, type StandingState } from "../../decide/index.ts";
import { type Choice, renderChip, renderPage, renderSearch } from "./choice.ts";
import { renderCommit, renderCommitId } from "./commit.ts";
import { renderEnvironment } from "./environment.ts";
import { renderPreviews } from "./previews.ts";
import { renderVisitor, type Visitor } from "./user-actions.ts";
import { span, stateWords } from "../../journal/index.ts";
import { activityWords, clockText, moment } from "./words.ts";

/** The environments that a reader has selected. */
export interface Selection extends Choice {
  state: StandingState | undefined;
}

/** The environments on a page. */
const environmentsPerPage = 100;

/** The summary, and the selected environments, the worst first. */
export function renderOverview(
  status: ServiceStatus,
  selection: Selection,
  visitor: Visitor,
): { title: string; body: Html } {
  const { environments, checked_at: checkedAt, problems, failure, in_doubt: doubt, commit } = status;
  const now = Date.parse(status.now);
  const counts = glance(status);
  const clock = clockText((status.clock_ahead_seconds ?? 0) * 1000);
  const body = html`<main
    id="content"
    data-now="${now}"
    data-stale-at="${Date.parse(status.stale_at)}"
    ${status.stale && html` class="stale"`}
  >
    <h1 data-told="${counts}">
      ${counts}${checkedAt !== undefined && html`, checked ${moment(checkedAt, now)}`}
    </h1>
    ${commit !== undefined && visitor.commits.has(commit) && html`<p class="under">Newest commit: ${renderCommit(commit, visitor.commits, now)}</p>`}
    <p class="under">
      ${renderActivity(status, now)}${renderUndescribedCount(environments)} ${uncheckedIn(environments)}
    </p>
    ${renderVisitor(visitor, environments)}
    <p class="banner note if-stale" role="status">
      This state is older than it should be: the service has not compared live resources since. See its log.
    </p>
    ${
      doubt &&
      (doubt.because === "unread" || doubt.because === "unanswered") &&
      html`<p class="banner" role="status">
        Nobody knows whether this still holds: ${doubtWords[doubt.because]}, since
        ${moment(doubt.since, now)}${doubt.reason !== undefined && html`: ${doubt.reason}`}.
      </p>`
    }
    ${clock !== undefined && html`<p class="banner note" role="status">${clock}</p>`}
    ${
      failure &&
      html`<p class="banner">
        The last ${failure.failures === 1 ? "cycle has" : `${failure.failures} cycles have`} failed, since
        ${moment(failure.since, now)}: ${failure.reason}
      </p>`
    }
    ${
      problems.length > 0 &&
      html`<section class="card bad" aria-labelledby="mistakes">
        <h2 id="mistakes">
          The commit ${commit !== undefined && renderCommitId(commit, visitor.commits)} is not applied as a
          whole
        </h2>
        <ul class="plain">
          ${problems.map((problem) => html`<li>${sentence(problem)}</li> `)}
        </ul>
      </section>`
    }
    ${renderIdle(status.notes)} ${renderChoice(environments, selection)}
    ${renderList(environments, selection, now, visitor)} ${renderPreviews(status, now)}
    <section aria-labelledby="quota">
      <h2 id="quota">Requests</h2>
      ${renderGauge(status, now)}
    </section>
  </main>`;
  return { title: counts, body };
}

function renderUndescribedCount(environments: readonly EnvironmentStatus[]): Html | false {
  const count = environments.reduce((sum, { unmanaged = [] }) => sum + unmanaged.length, 0);
  return count > 0 && html` ${count} live ${count === 1 ? "thing is" : "things are"} in no document.`;
}

function renderActivity({ activity, checked_at: checkedAt }: ServiceStatus, now: number): Html {
  const words = activityWords(activity);
  const { type, until: end } = activity;
  if (type === "idle" && end !== undefined) return html`Next check ${moment(end, now)}.`;
  const since =
    checkedAt === undefined && type === "checking" ? "reading everything for the first time" : words;
  const until = end !== undefined && html`; next check ${moment(end, now)}`;
  return html`Now ${since}, begun ${moment(activity.since, now)}${until}.`;
}

/** The search, and the states with the numbers of their environments. */
function renderChoice(environments: readonly EnvironmentStatus[], selection: Selection): Html {
  const included = countedIn(environments);
  const counts = Map.groupBy(included, (each) => each.state);
  const there = standingStates.filter((state) => environments.some((each) => each.state === state));
  const chip = (state: StandingState | undefined, text: string, count: number) =>
    renderChip({ ...selection, state }, text, count, state === selection.state);
  return html`<section aria-labelledby="environments">
    <h2 id="environments">Environments</h2>
    ${renderSearch("Search by name", selection)}
    <nav class="chips" aria-label="States">
      ${chip(undefined, "all", included.length)}${there.map((each) => chip(each, stateWords[each].text, counts.get(each)?.length ?? 0))}
    </nav>
  </section>`;
}

function renderList(
  environments: readonly EnvironmentStatus[],
  selection: Selection,
  now: number,
  visitor: Visitor,
): Html {
  const { search, state } = selection;
  const wanted = search.toLowerCase();
  const chosen = environments.filter(
    (each) => (state === undefined || each.state === state) && each.name.toLowerCase().includes(wanted),
  );
  if (chosen.length === 0 && environments.length > 0)
    return html`<p class="card">No environment matches. <a href="./">Show all</a></p>`;
  const byProject = Map.groupBy(chosen, projectOf);
  const render = (each: EnvironmentStatus) => renderEnvironment(each, now, visitor);
  if (byProject.size < 2) return renderPage(chosen, selection, environmentsPerPage, render);
  // The project with the worst environment comes first, because they are sorted.
  return renderPage([...byProject.values()].flat(), selection, environmentsPerPage, (each, before) =>
    projectOf(each) === (before && projectOf(before))
      ? render(each)
      : html`${renderProject(projectOf(each), byProject)} ${render(each)}`,
  );
}

function projectOf({ name }: EnvironmentStatus): string {
  return name.split("/")[0] ?? "";
}

/** The heading of a project above its environments. */
function renderProject(name: string, byProject: ReadonlyMap<string, readonly EnvironmentStatus[]>): Html {
  const its = environmentsIn(byProject.get(name) ?? []);
  return html`<p class="group">
    <strong>${name}</strong>
    ${its.length > 0 && html`<span class="faint">${syncedOf(its)} of ${its.length} synced</span>`}
  </p>`;
}

/** The remaining quota, with a forecast. */
function renderGauge({ budget }: ServiceStatus, now: number): Html {
  const { limit, remaining, reset_at: resetAt, spent_in_hour: spentInHour, forecast } = budget;
  const spent = html`This service has sent ${spentInHour} ${spentInHour === 1 ? "request" : "requests"} in the
  last hour.`;
  if (remaining === undefined) return html`<p>${spent} The server has not said how many are left.</p>`;
  const share = limit === undefined || limit === 0 ? undefined : Math.min(1, remaining / limit);
  const reset = resetAt && html`; new ones ${moment(resetAt, now)}`;
  return html`${share !== undefined && renderBar(share, `${remaining} of ${counted(limit ?? 0, "request")} left`)}
    <p>
      ${remaining}${limit !== undefined && ` of ${limit}`} left for this token${reset}.
      ${spent}${forecast !== undefined && ` At this pace, some ${forecast} will be left then.`}
    </p>
    ${renderAllowance(budget)}`;
}

function renderAllowance({
  looking,
  applying,
  interval_seconds: interval = 0,
  period_seconds: period = 0,
}: ServiceStatus["budget"]): Html | false {
  if (!looking || !applying) return false;
  return html`<p>
    In this window, looking has spent ${looking.spent} of its ${counted(looking.allowed, "request")}, and
    applying ${applying.spent} of its ${applying.allowed}. Events are read every ${span(interval * 1000)}, and
    what they name at once; everything else is read again within ${span(period * 1000)}.
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
