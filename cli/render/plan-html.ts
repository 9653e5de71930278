import picocolors from "picocolors";
import type { Budget } from "../../core/api/index.ts";
import type { Report } from "../../core/execute/index.ts";
import { digestOfActions } from "../../core/forms/index.ts";
import {
  type Action,
  type ActionType,
  actionTypes,
  allActionTypes,
  hasChanges,
  isChange,
  makes,
  type Plan,
} from "../../core/plan/index.ts";
import type { Tone } from "../../core/report/block.ts";
import { changeHtml, listHtml, lossesHtml } from "../../adapters/web/blocks.ts";
import { renderDocument, securityPolicy } from "../../adapters/web/document.ts";
import { html, type Html } from "../../adapters/web/html.ts";
import { changeOf, type SectionOf, sectionsOf } from "./changes.ts";
import { partsOf, type PlanComparison } from "./compared.ts";
import { lossesOf, notesOf, refusalsOf, wavesOf } from "./lists.ts";
import { summary } from "./plan.ts";
import { conclusion } from "./report.ts";
import { footOfPlan, requestsOfRun } from "./requests.ts";

const colors = picocolors.createColors(false);

/** A plan, and what became of it if it was carried out. */
export interface ShownRun {
  plan: Plan;
  report?: Report | undefined;
  /** Whether the run was for one plan: see `ReportView`. */
  isOnePlan?: boolean | undefined;
  comparison?: PlanComparison | undefined;
  /** The fields that the command line sets. */
  set?: readonly string[] | undefined;
  sectionOf?: SectionOf | undefined;
}

/** When it is shown, and the quota at that time. */
export interface HtmlView {
  budget: Budget;
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * Plans and reports as one HTML document that needs nothing else and no network: what is destroyed comes first, and the
 * actions can be filtered. Everything that comes from documents or the server is escaped.
 */
export function runsHtml(runs: readonly ShownRun[], view: HtmlView): string {
  const { plan } = runs[0] ?? {};
  const organization = plan?.organization.name ?? plan?.organization.id ?? "";
  const changed = runs.flatMap(({ plan: { actions } }) => sorted(actions));
  const made = new Date(view.now).toISOString().replace(/\.\d+Z$/, "Z");
  const title = runs.map((run) => headline(run)).join(" ");
  const body = html`<div class="page">
    <header class="top">
      <span class="brand">infrasync</span>
      <p>
        ${organization} ·
        <time datetime="${made}">${made}</time>
      </p>
    </header>
    <main id="content">
      <h1>${title}</h1>
      ${runs.map((run) => html`<p class="under">${requestsOf(run, view)}${hasChanges(run.plan) && html`<br />Digest: <code>${digestOfActions(run.plan)}</code>`}</p> `)}
      ${runs.map(({ set = [] }) => setHtml(set))}
      ${runs.map((run) => listHtml(refusalsOf(run.plan.problems)))} ${lossesHtml(lossesOf(changed))}
      ${changed.length > 1 && filter(changed)} ${runs.map(actionsOf)}
      ${runs.map((run) => listHtml(wavesOf(run.plan)))}
      ${runs.map((run) => listHtml(notesOf(run.plan.notes)))}
    </main>
  </div>`;
  return renderDocument({
    title: `${title} · ${organization}`,
    body,
    script: filterScript,
    head: html`<meta
      http-equiv="Content-Security-Policy"
      content="${securityPolicy(filterScript, ["form-action 'none'"])}"
    />`,
  });
}

function headline({ plan, report, isOnePlan }: ShownRun): string {
  return report
    ? conclusion(report, report.outcomes.filter(isChange), colors, isOnePlan)
    : summary(plan, colors);
}

function requestsOf({ plan, report }: ShownRun, { budget, now }: HtmlView): string {
  return report ? requestsOfRun(report.spent, budget, now) : footOfPlan(plan, budget, now).join(" ");
}

const tones: readonly Tone[] = ["bad", "note", "good", "plain"];

/** The types of actions in the order in which they are shown: what is destroyed comes first. */
const shownOrder = allActionTypes.toSorted((left, right) => rankOf(left) - rankOf(right));

function rankOf(type: ActionType): number {
  return 2 * tones.indexOf(actionTypes[type].tone) + Number(makes({ type }));
}

function sorted(actions: readonly Action[]): Action[] {
  return actions
    .filter(isChange)
    .toSorted((left, right) => shownOrder.indexOf(left.type) - shownOrder.indexOf(right.type));
}

function actionsOf({ plan, report, comparison, sectionOf }: ShownRun): Html[] {
  const outcomes = new Map(report?.outcomes.map((outcome) => [outcome.id, outcome]));
  const changes = (actions: readonly Action[]) =>
    sorted(actions).map((action) => changeOf(action, outcomes.get(action.id)));
  const nothing = html`<p class="card">
    Compared with <code>${comparison?.name}</code>, the change itself does nothing.
  </p>`;
  const sections = comparison
    ? partsOf(comparison).map(({ title, actions }) => ({ heading: title, changes: changes(actions) }))
    : sectionsOf(plan.actions, sectionOf, changes);
  return [
    html`${comparison?.own.length === 0 && nothing}`,
    ...sections.map(
      (section) =>
        html`${section.heading !== undefined && html`<h2>${section.heading}</h2>`}
        ${section.changes.map(changeHtml)}`,
    ),
  ];
}

/** The fields that the command line sets, which no reader of the manifests sees. */
function setHtml(set: readonly string[]): Html | false {
  return (
    set.length > 0 &&
    html`<p>
      Set with --set, not by a manifest:
      ${set.map((field, index) => html`${index > 0 && ", "}<code>${field}</code>`)}
    </p> `
  );
}

function filter(actions: readonly Action[]): Html {
  const kinds = [...new Set(actions.map(({ address }) => address.kind.name))].toSorted();
  const types = shownOrder.filter((type) => actions.some((action) => action.type === type));
  return html`<form id="filter" role="search" aria-label="Filter" class="filter" hidden>
    <label><span class="faint">Text</span> <input type="search" name="text" autocomplete="off" /></label>
    <label
      ><span class="faint">Action</span>
      <select name="action">
        <option value="">all</option>
        ${types.map((type) => html`<option value="${type}">${actionTypes[type].verb}</option>`)}
      </select></label
    >
    <label
      ><span class="faint">Kind</span>
      <select name="kind">
        <option value="">all</option>
        ${kinds.map((kind) => html`<option value="${kind}">${kind}</option>`)}
      </select></label
    >
    <p id="shown" class="faint" role="status"></p>
  </form>`;
}

/** The script of a plan as HTML: the filter, which is hidden where no script runs. */
export const filterScript = `"use strict";
(() => {
  const form = document.getElementById("filter");
  if (!form) return;
  const cards = [...document.querySelectorAll("[data-action]")];
  const shown = document.getElementById("shown");
  const apply = () => {
    const words = form.elements.text.value.toLowerCase().split(/\\s+/).filter((word) => word !== "");
    const kind = form.elements.kind.value;
    const action = form.elements.action.value;
    let count = 0;
    for (const card of cards) {
      const text = card.textContent.toLowerCase();
      const isChosen = (action === "" || card.dataset.action === action) && (kind === "" || card.dataset.kind === kind)
        && words.every((word) => text.includes(word));
      card.hidden = !isChosen;
      if (isChosen) count += 1;
    }
    shown.textContent = count === cards.length ? "" : count + " of " + cards.length + " shown";
  };
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  apply();
})();`;
