import { counted } from "../../../core/values/text.ts";
import type { EnvironmentStatus, ServiceStatus } from "../status-form.ts";
import { doubtWords, summary, quotaText, uncheckedIn } from "../summary.ts";
import { countedIn, environmentsIn, isEnvironment, syncedOf } from "../visible-status.ts";
import { html, type Html } from "../../../adapters/web/html.ts";
import { syncStates, type SyncState } from "../../decide/index.ts";
import { addressOf, type Choice, renderChoice, renderPage } from "./choice.ts";
import { renderCommit, renderCommitId } from "./commit.ts";
import { renderEnvironment } from "./environment.ts";
import { renderPreviews } from "./previews.ts";
import { renderVisitor, type Visitor } from "./user-actions.ts";
import { stateWords } from "../../journal/index.ts";
import { activityWords, clockText, moment, relativeText, renderMistakes, renderText } from "./words.ts";

/** The environments that a reader has selected. */
export type Selection = Choice<SyncState>;

const environmentsPerPage = 100;
/** With so few, all are open. */
const fewEnvironments = 3;
/** A page with more services shows those of an environment only where it is chosen alone. */
const mostServices = 300;

/** The summary, and the selected environments, the worst first. */
export function renderOverview(
  status: ServiceStatus,
  selection: Selection,
  visitor: Visitor,
): { title: string; body: Html } {
  const { environments, checked_at: checkedAt, problems, failure, in_doubt: doubt, commit } = status;
  const now = Date.parse(status.now);
  const counts = summary(status);
  const headline = relativeText(counts, now);
  const clock = clockText((status.clock_ahead_seconds ?? 0) * 1000);
  const body = html`<main
    id="content"
    data-now="${now}"
    data-stale-at="${Date.parse(status.stale_at)}"
    ${status.stale && html` class="stale"`}
  >
    <h1 data-announced="${headline}">
      ${renderText(counts, now)}${checkedAt !== undefined && html`, checked ${moment(checkedAt, now)}`}
    </h1>
    ${commit !== undefined && visitor.commits.has(commit) && html`<p class="under">Newest commit: ${renderCommit(commit, visitor.commits, now)}</p>`}
    <p class="under">
      ${renderActivity(status, now)}${renderUnmanagedCount(environments)} ${uncheckedIn(environments)}
    </p>
    ${renderVisitor(visitor, environments)}
    <p class="banner note if-stale" role="status">
      This state is out of date: the service has not compared live resources since. See its log.
    </p>
    ${
      doubt &&
      (doubt.because === "unread" || doubt.because === "unanswered") &&
      html`<p class="banner" role="status">
        This state may be out of date: ${doubtWords[doubt.because]}, since
        ${moment(doubt.since, now)}${doubt.reason !== undefined && html`: ${doubt.reason}`}.
      </p>`
    }
    ${clock !== undefined && html`<p class="banner note" role="status">${clock}</p>`}
    ${
      failure &&
      html`<p class="banner">
        The last ${failure.failures === 1 ? "cycle has" : `${failure.failures} cycles have`} failed, since
        ${moment(failure.since, now)}: ${renderText(failure.reason, now)}
      </p>`
    }
    ${renderMistakes(
      html`The commit ${commit !== undefined && renderCommitId(commit, visitor.commits)} is not applied as a
      whole`,
      problems,
      status.notes,
    )}
    ${renderChoice(environments, selection, {
      label: "Search for an environment or a service",
      states: syncStates,
      words: stateWords,
      namesOf: ({ name, services }) => [name, ...services.map(({ address }) => address.split("/").at(-1))],
      counted: countedIn(environments),
      render: (chosen) => renderList(chosen, selection, now, visitor),
    })}
    ${renderPreviews(status, now)}
    <p class="faint">${renderText(quotaText(status), now)}.</p>
  </main>`;
  return { title: headline, body };
}

function renderUnmanagedCount(environments: readonly EnvironmentStatus[]): Html | false {
  const count = environments.reduce((sum, { unmanaged = [] }) => sum + unmanaged.length, 0);
  return count > 0 && html` ${counted(count, "unmanaged resource")}.`;
}

function renderActivity({ activity, checked_at: checkedAt }: ServiceStatus, now: number): Html {
  const words = activityWords(activity);
  const { type, until: end } = activity;
  if (type === "idle" && end !== undefined) return html`Next check ${moment(end, now)}.`;
  const since =
    checkedAt === undefined && type === "checking" ? "reading everything for the first time" : words;
  const until = end !== undefined && html`; next check ${moment(end, now)}`;
  return html`Now ${since}, started ${moment(activity.since, now)}${until}.`;
}

function renderList(
  chosen: readonly EnvironmentStatus[],
  selection: Selection,
  now: number,
  visitor: Visitor,
): Html {
  const isBrief = chosen.reduce((sum, { services }) => sum + services.length, 0) > mostServices;
  const isOpen = environmentsIn(chosen).length <= fewEnvironments;
  const render = (each: EnvironmentStatus) => renderEnvironment(each, now, visitor, { isOpen, isBrief });
  // A synced project says little that its environments do not say.
  const last = chosen.filter(({ name, state }) => state === "synced" && !isEnvironment(name));
  // The project with the worst environment comes first, because they are sorted.
  const byProject = Map.groupBy([...chosen.filter((each) => !last.includes(each)), ...last], projectOf);
  const inOrder = [...byProject.values()].flat();
  const address = (page: number) => addressOf({ ...selection, page });
  return renderPage(inOrder, selection.page, environmentsPerPage, address, (each, before) =>
    byProject.size < 2 || projectOf(each) === (before && projectOf(before))
      ? render(each)
      : html`${renderProject(projectOf(each), byProject)} ${render(each)}`,
  );
}

function projectOf({ name }: EnvironmentStatus): string {
  return name.split("/")[0] ?? "";
}

function renderProject(name: string, byProject: ReadonlyMap<string, readonly EnvironmentStatus[]>): Html {
  const its = environmentsIn(byProject.get(name) ?? []);
  return html`<p class="group">
    <strong>${name}</strong>
    ${its.length > 0 && html`<span class="faint">${syncedOf(its)} of ${its.length} synced</span>`}
  </p>`;
}
