import type { EnvironmentStatus } from "../status-form.ts";
import { type Change, revertedText } from "../../decide/index.ts";
import { verbs } from "../../verbs.ts";
import { html, type Html } from "../../../adapters/web/html.ts";
import { stringify } from "yaml";
import type { ShownCommits } from "../commits.ts";
import { differenceWords, pendingWords, uncheckedIn } from "../summary.ts";
import { namesOf } from "../visible-status.ts";
import { renderCommit, renderCommitId } from "./commit.ts";
import { renderReverted } from "./revert.ts";
import { renderRequested, renderUserActions, type Visitor } from "./user-actions.ts";
import { stateWords } from "../../journal/index.ts";
import { renderServices } from "./services.ts";
import {
  duration,
  moment,
  stateMeanings,
  renderFacts,
  renderFolded,
  renderList,
  renderText,
} from "./words.ts";

const mostChanges = 30;

/** One environment, or a line to open where it is synced. @param isOpen whether few are shown @param isBrief whether services are a page further */
export function renderEnvironment(
  status: EnvironmentStatus,
  now: number,
  visitor: Visitor,
  { isOpen = false, isBrief = false } = {},
): Html {
  const { name: environment, state, commit, reason, until, reasons, services } = status;
  const { text, tone } = stateWords[state];
  const head = html`<h3>${environment}</h3>
    <span class="badge ${tone}"><span class="if-stale">was </span>${text}</span>
    ${renderHints(status, now)}`;
  const marks = html`${text} for
  ${duration(status.since, now)}${
    status.known_since !== undefined &&
    status.stale &&
    html` · <strong>stale: read ${moment(status.known_since, now)}</strong>`
  }`;
  const facts = html`${renderApplied(status, visitor.commits, now)}
  ${renderServices(status, now, isBrief && !isOpen)}`;
  const rest = html`${renderChanges(status, now)} ${renderLastReverted(status, now)}
  ${renderUnmanaged(status)}`;
  const actions = html`${renderRequested(status, now, visitor.known)} ${renderUserActions(status, visitor)}`;
  if (state === "synced" || state === "unwatched") {
    const at =
      commit &&
      // A link in a summary cannot be reached by everyone: the folded part has it.
      html`${renderCommitId(commit.id)} ${commit.author !== undefined && `· ${commit.author} `}· `;
    return html`<article class="card line ${tone}" aria-label="${environment}">
      <details id="card-${environment}" ${isOpen && services.length > 0 && " open"}>
        <summary>
          <span class="head">${head}<span class="far">${at}${marks}</span></span>
        </summary>
        ${facts} ${rest} ${actions}
      </details>
    </article> `;
  }
  return html`<article class="card ${tone}" aria-label="${environment}">
    <div class="head">${head}<span class="far">${marks}</span></div>
    <p>
      ${stateMeanings[state]}${reason !== undefined && html` <strong>${renderText(reason, now)}</strong>.`}${until !== undefined && html` Next try ${moment(until, now)}.`}
    </p>
    ${renderList(reasons.map((each) => toPaste(each, now)))} ${services.map(renderLines)} ${facts} ${rest}
    ${renderPaste(status)} ${actions}
  </article> `;
}

function renderChanges({ changes }: EnvironmentStatus, now: number): Html | false {
  // What takes something for good comes first.
  const isLoss = ({ losses, action }: Change) =>
    losses !== undefined || action === "delete" || action === "replace";
  const inOrder = [...changes.filter(isLoss), ...changes.filter((change) => !isLoss(change))];
  // A person who approves the plan has to see all losses.
  const shown = inOrder.slice(0, Math.max(mostChanges, changes.filter(isLoss).length));
  const reverted = revertedText(changes);
  return (
    shown.length > 0 &&
    html`${renderList(shown.map((change) => renderChange(change, now)))}
    ${changes.length > shown.length && html`<p class="faint">and ${changes.length - shown.length} more</p>`}
    ${reverted !== undefined && html`<p class="faint">${reverted}.</p>`}`
  );
}

/** The applied commit as people know it, and the way to the console. */
function renderApplied(
  { applied, console_url: console }: EnvironmentStatus,
  commits: ShownCommits,
  now: number,
): Html | false {
  return renderFacts([
    applied !== undefined && html`Applied: ${renderCommit(applied, commits, now)}`,
    console !== undefined && html`<a href="${console}">Console</a>`,
  ]);
}

/** The hints that a closed line still shows. */
function renderHints(status: EnvironmentStatus, now: number): Html {
  const { unmanaged = [], reverted, suspended = [], requested } = status;
  const hints = [
    namesOf(status.name).length === 1 && "project",
    unmanaged.length > 0 && `${unmanaged.length} unmanaged`,
    isRecent(reverted, now) && "drift reverted",
    suspended.length > 0 && "paused",
    requested !== undefined && verbs[requested.type].done,
  ].filter((hint) => hint !== false);
  return html`${hints.map((hint) => html`<span class="faint">${hint}</span> `)}`;
}

function renderUnmanaged({ name, unmanaged = [], ...status }: EnvironmentStatus): Html {
  return html`${renderFolded(`unmanaged-${name}`, "unmanaged", unmanaged)}${uncheckedIn([status]).map((line) => html`<p class="faint">${line}</p>`)}`;
}

const day = 86_400_000;

function isRecent(
  reverted: EnvironmentStatus["reverted"],
  now: number,
): reverted is NonNullable<EnvironmentStatus["reverted"]> {
  return reverted !== undefined && now - Date.parse(reverted.at) < day;
}

/** The reverted changes of the last day. */
function renderLastReverted({ reverted }: EnvironmentStatus, now: number): Html | false {
  return (
    isRecent(reverted, now) &&
    html`<p class="faint">Reverted ${moment(reverted.at, now)}:</p>
      ${renderReverted(reverted.changes, now)}`
  );
}

/** The last log lines of a service with a failed deployment. */
function renderLines({ address, lines = [] }: EnvironmentStatus["services"][number]): Html | false {
  return (
    lines.length > 0 &&
    html`<details id="log-${address}">
      <summary>Last log lines of <code>${address}</code></summary>
      <pre class="paste" tabindex="0">${lines.join("\n")}</pre>
    </details>`
  );
}

function renderChange({ action, address, cause, fields, losses, takes = [], by }: Change, now: number): Html {
  const isDrift = cause === "drift";
  return html`<code>${address}</code>
    <span class="faint">${(isDrift ? differenceWords : pendingWords)[action]}</span>${
      losses &&
      html`<br /><strong>${isDrift ? "Undoing it" : "It"} loses for good: ${losses.join(", ")}</strong>`
    }${takes.map((each) => html`<br />${each}`)}${
      fields && html`<br />${fields.map((field) => html`<code>${field}</code><br />`)}`
    }${by !== undefined && html`${!fields && html`<br />`}<span class="faint">by ${renderText(by, now)}</span>`}`;
}

function toPaste(text: string, now: number): Html {
  const statements = [...text.matchAll(/`(manage: [^`\n]+)`/g)].map(([, statement = ""]) => statement);
  return html`${renderText(text, now)}${statements.map(copyButton)}`;
}

/** Only the script can copy a text, and shows the button. */
function copyButton(text: string): Html {
  return html` <button type="button" class="copy" data-copy="${text}" hidden>Copy</button>`;
}

function renderPaste({
  name,
  state,
  changes,
  drift_loops: driftLoops = [],
}: EnvironmentStatus): Html | false {
  const ignored = driftLoops.map(({ address, fields }) => ({
    lead: `To leave the fields to the other side, in the document of ${address}:`,
    text: stringify({ manage: { ignore: fields } }).trimEnd(),
  }));
  const remaining = changes.flatMap(({ address, keep }) =>
    keep && state === "drift"
      ? [{ lead: `To keep the live values, in the document of ${address}:`, text: keep }]
      : [],
  );
  const pastes = [...ignored, ...remaining.slice(0, 5)].map(
    ({ lead, text }) =>
      html`<p class="faint">${lead}</p>
        <pre class="paste" tabindex="0">${text}</pre>
        ${copyButton(text)}`,
  );
  return (
    pastes.length > 0 &&
    html`<details id="paste-${name}">
      <summary>What to paste</summary>
      ${pastes}
    </details>`
  );
}
