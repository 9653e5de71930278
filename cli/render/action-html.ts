import type { Outcome } from "../../core/execute/index.ts";
import picocolors from "picocolors";
import { formatReference } from "../../core/address.ts";
import {
  type Action,
  type ActionType,
  actionTypes,
  allActionTypes,
  factsOf,
  makes,
  type Tone,
  lossLists,
} from "../../core/plan/index.ts";
import type { Loss } from "../../core/loss.ts";
import { html, type Html } from "../../web/html.ts";
import { copiedBy, describeAction } from "./actions.ts";
import { renderLogLine } from "./deployments.ts";
import { remarksText } from "./outcomes.ts";
import { withAdvice } from "./remedies.ts";
import { capitalized } from "../../core/text.ts";
import { counted } from "./text.ts";
import { doubtText, unkeptText } from "./unkept.ts";
import { rowsOf } from "./values.ts";
import { changesHtml, rowsHtml } from "./values-html.ts";

const colors = picocolors.createColors(false);

const tones: readonly Tone[] = ["bad", "note", "good", "plain"];

/** The types of actions in the order in which they are shown: what is destroyed comes first. */
export const shownOrder = allActionTypes.toSorted((left, right) => rankOf(left) - rankOf(right));

function rankOf(type: ActionType): number {
  return 2 * tones.indexOf(actionTypes[type].tone) + Number(makes({ type }));
}

/** An action as a card: what it does, why, its fields, what is lost with it, and what became of it. */
export function actionHtml(action: Action, outcome: Outcome | undefined): Html {
  const { kind, names } = action.address;
  const { verb, tone } = factsOf(action);
  const { remark } = describeAction(action, colors);
  const reference = formatReference(names);
  return html`<article
    class="card ${tone}"
    data-action="${action.type}"
    data-kind="${kind.name}"
    aria-label="${verb} ${kind.name} ${reference}"
  >
    <div class="head">
      <h3>${reference}</h3>
      <span class="faint">${kind.name}</span>
      <span class="badge ${tone}">${verb}</span>${outcome && outcomeBadge(outcome)}
    </div>
    ${remark !== undefined && remark !== "" && html`<p>${remark}</p>`} ${contentOf(action)}
    ${outcome && outcomeHtml(outcome)}
  </article> `;
}

function contentOf(action: Action): (Html | undefined)[] {
  const { address, changes, expected, losses } = action;
  const { fields } = address.kind;
  return [
    factsOf(action).compares ? changesHtml(fields, changes) : rowsHtml(rowsOf(fields, expected)),
    ...copiedBy(action).map(({ text, things }) => thingsHtml(capitalized(text), things)),
    doubtHtml(doubtText(changes)),
    lossesHtml(losses),
  ];
}

function doubtHtml(doubt: string | undefined): Html | undefined {
  return doubt === undefined ? undefined : html`<p class="faint">Note: ${doubt}.</p>`;
}

function lossesHtml(losses: readonly Loss[]): Html {
  return html`${lossLists(losses).map(
    ({ heading, groups, words: others }) =>
      html`<p>
        <strong>${capitalized(heading)}:</strong>
        ${groups.map(({ what, names }, group) => html`${group > 0 && "; "}${counted(names.length, what)} ${namesHtml(names)}`)}
        ${others.map((each, index) => html`${groups.length + index > 0 && "; "}${each}`)}
      </p>`,
  )}`;
}

function namesHtml(names: readonly string[]): Html[] {
  return names.map((name, index) => html`${index > 0 && ", "}<code>${name}</code>`);
}

function thingsHtml(what: string, things: readonly { what: string; name: string }[]): Html | undefined {
  if (things.length === 0) return undefined;
  const groups = Map.groupBy(things, (thing) => thing.what);
  return html`<p>
    <strong>${what}:</strong>
    ${[...groups].map(
      ([noun, members], group) =>
        html`${group > 0 && "; "}${counted(members.length, noun)}
        ${namesHtml(members.map(({ name }) => name))}`,
    )}
  </p>`;
}

const outcomeWords: Record<Outcome["status"], { text: string; tone: string }> = {
  done: { text: "done", tone: "good" },
  failed: { text: "failed", tone: "bad" },
  pending: { text: "not finished", tone: "note" },
  skipped: { text: "not started", tone: "note" },
};

function outcomeBadge({ status }: Outcome): Html {
  const { text, tone } = outcomeWords[status];
  return html` <span class="badge ${tone}">${text}</span>`;
}

function outcomeHtml(outcome: Outcome): Html | undefined {
  const parts = [withAdvice(outcome), remarksText(outcome.remarks), unkeptText(outcome.unkept)].filter(
    (part) => part !== undefined && part !== "",
  );
  const { logs = [] } = outcome;
  if (parts.length + logs.length === 0) return undefined;
  return html`<p><strong>${parts.join("; ")}</strong></p>
    ${logs.length > 0 && html`<pre>${logs.map((line) => `${renderLogLine(line)}\n`)}</pre>`}`;
}
