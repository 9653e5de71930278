import type { EnvironmentStatus } from "../status-form.ts";
import { type Change, isIll, revertedText } from "../../decide/index.ts";
import { verbs } from "../../verbs.ts";
import { html, type Html, sentence } from "../../../adapters/web/html.ts";
import { stringify } from "yaml";
import type { ShownCommits } from "../commits.ts";
import { uncheckedIn } from "../summary.ts";
import { renderCommit, renderCommitId } from "./commit.ts";
import { renderSetBack } from "./set-back.ts";
import { renderAsked, renderUserActions, type Visitor } from "./user-actions.ts";
import { stateWords } from "../../journal/index.ts";
import { differenceWords, duration, moment, pendingWords, stateMeanings } from "./words.ts";

/** The most changes that one environment shows. */
const mostChanges = 30;

/** One environment: its state, since when, why, by whom, and the remedy. A synced one is a line to open. */
export function renderEnvironment(status: EnvironmentStatus, now: number, visitor: Visitor): Html {
  const { name: environment, state } = status;
  const { text, tone } = stateWords[state];
  const name = html`<h3>${environment}</h3>
    <span class="badge ${tone}"><span class="if-stale">was </span>${text}</span>`;
  const marks = html`${text} for
  ${duration(status.since, now)}${
    status.known_since !== undefined &&
    status.stale &&
    html` · <strong>stale: read ${moment(status.known_since, now)}</strong>`
  }`;
  if (state === "synced" || state === "unwatched") {
    const at =
      status.applied !== undefined && html`${renderCommitId(status.applied, visitor.commits)} applied · `;
    return html`<article class="card line ${tone}" aria-label="${environment}">
      <details id="card-${environment}">
        <summary>
          <span class="head">${name} ${renderHints(status, now)}<span class="far">${at}${marks}</span></span>
        </summary>
        ${renderApplied(status, visitor.commits, now)} ${renderChanges(status)}
        ${renderLastSetBack(status, now)} ${renderUndescribed(status)} ${renderAsked(status)}
        ${renderUserActions(status, visitor)}
      </details>
    </article> `;
  }
  const head = html`<div class="head">${name}<span class="far">${marks}</span></div>
    ${renderApplied(status, visitor.commits, now)}`;
  const { reason, until, reasons, services } = status;
  return html`<article class="card ${tone}" aria-label="${environment}">
    ${head}
    <p>
      ${stateMeanings[state]}${reason !== undefined && html` <strong>${reason}</strong>.`}${until !== undefined && html` Next try ${moment(until, now)}.`}
    </p>
    ${
      reasons.length > 0 &&
      html`<ul class="plain">
        ${reasons.map((each) => html`<li>${toPaste(each)}</li> `)}
      </ul>`
    }
    ${services.filter(isIll).map(renderLines)} ${renderChanges(status)} ${renderLastSetBack(status, now)}
    ${renderUndescribed(status)} ${renderPaste(status)} ${renderAsked(status)}
    ${renderUserActions(status, visitor)}
  </article> `;
}

/** The differences, and those that the next commit reverts. */
function renderChanges({ changes }: EnvironmentStatus): Html | false {
  // Permanent losses come first.
  const isLoss = ({ losses, action }: Change) =>
    losses !== undefined || action === "delete" || action === "replace";
  const inOrder = [...changes.filter(isLoss), ...changes.filter((change) => !isLoss(change))];
  // A person who approves the plan has to see all losses.
  const shown = inOrder.slice(0, Math.max(mostChanges, changes.filter(isLoss).length));
  const reverted = revertedText(changes);
  return (
    shown.length > 0 &&
    html`<ul class="plain">
        ${shown.map(renderChange)}
      </ul>
      ${changes.length > shown.length && html`<p class="faint">and ${changes.length - shown.length} more</p>`}
      ${reverted !== undefined && html`<p class="faint">${reverted}.</p>`}`
  );
}

function renderApplied({ applied }: EnvironmentStatus, commits: ShownCommits, now: number): Html | false {
  return applied !== undefined && html`<p class="faint">Applied: ${renderCommit(applied, commits, now)}</p>`;
}

/** The hints that a closed line still shows. */
function renderHints(status: EnvironmentStatus, now: number): Html {
  const { unmanaged = [], set_back: setBack, suspended = [], asked } = status;
  const hints = [
    unmanaged.length > 0 && `${unmanaged.length} in no document`,
    isRecent(setBack, now) && "drift set back",
    suspended.length > 0 && "paused",
    asked !== undefined && verbs[asked.type].done,
  ].filter((hint) => hint !== false);
  return html`${hints.map((hint) => html`<span class="faint">${hint}</span> `)}`;
}

/** Unmanaged live resources, and unread parts. */
function renderUndescribed({ name, unmanaged = [], ...status }: EnvironmentStatus): Html {
  return html`${
    unmanaged.length > 0 &&
    html`<details id="unmanaged-${name}">
      <summary>${unmanaged.length} unmanaged</summary>
      <ul class="plain">
        ${unmanaged.map((each) => html`<li><code>${each}</code></li> `)}
      </ul>
    </details>`
  }${uncheckedIn([status]).map((line) => html`<p class="faint">${line}</p>`)}`;
}

const day = 86_400_000;

function isRecent(
  setBack: EnvironmentStatus["set_back"],
  now: number,
): setBack is NonNullable<EnvironmentStatus["set_back"]> {
  return setBack !== undefined && now - Date.parse(setBack.at) < day;
}

/** The reverted changes of the last day. */
function renderLastSetBack({ set_back: setBack }: EnvironmentStatus, now: number): Html | false {
  return (
    isRecent(setBack, now) &&
    html`<p class="faint">Set back ${moment(setBack.at, now)}:</p>
      ${renderSetBack(setBack.changes)}`
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

function renderChange({ action, address, cause, fields, losses, takes = [], by }: Change): Html {
  const isDrift = cause === "drift";
  return html`<li>
    <code>${address}</code> <span class="faint">${(isDrift ? differenceWords : pendingWords)[action]}</span>${
      losses &&
      html`<br /><strong>${isDrift ? "Undoing it" : "It"} loses for good: ${losses.join(", ")}</strong>`
    }${takes.map((each) => html`<br />${each}`)}${
      fields && html`<br />${fields.map((field) => html`<code>${field}</code><br />`)}`
    }${by !== undefined && html`${!fields && html`<br />`}<span class="faint">by ${by}</span>`}
  </li> `;
}

/** A sentence with a button that copies its text for a document. */
function toPaste(text: string): Html {
  const statements = [...text.matchAll(/`(manage: [^`\n]+)`/g)].map(([, statement = ""]) => statement);
  return html`${sentence(text)}${statements.map(copyButton)}`;
}

/** Only the script can copy a text, and shows the button. */
function copyButton(text: string): Html {
  return html` <button type="button" class="copy" data-copy="${text}" hidden>Copy</button>`;
}

/** Text for a manifest that would settle the difference. */
function renderPaste({ name, state, changes, fights = [] }: EnvironmentStatus): Html | false {
  const ignored = fights.map(({ address, fields }) => ({
    address,
    text: stringify({ manage: { ignore: fields } }).trimEnd(),
  }));
  const kept =
    state === "drift" ? changes.flatMap(({ address, keep }) => (keep ? [{ address, text: keep }] : [])) : [];
  const pastes = [
    ...ignored.map(
      ({ address, text }) =>
        html`<p class="faint">To leave the fields to the other side, in the document of ${address}:</p>
          <pre class="paste" tabindex="0">${text}</pre>
          ${copyButton(text)}`,
    ),
    ...kept.slice(0, 5).map(
      ({ address, text }) =>
        html`<p class="faint">To keep what is live, in the document of ${address}:</p>
          <pre class="paste" tabindex="0">${text}</pre>
          ${copyButton(text)}`,
    ),
  ];
  return (
    pastes.length > 0 &&
    html`<details id="paste-${name}">
      <summary>What to paste</summary>
      ${pastes}
    </details>`
  );
}
