import picocolors from "picocolors";
import type { Outcome, Report } from "../../core/execute/index.ts";
import { shownNotes } from "./notes.ts";
import { describeAddress, formatAddress } from "../../core/address.ts";
import type { Budget } from "../../core/api/index.ts";
import { digestOfActions } from "../../core/forms/index.ts";
import {
  type Action,
  hasChanges,
  type Plan,
  lossesByResource,
  actionTypes,
  isChange,
} from "../../core/plan/index.ts";
import type { Problem } from "../../core/problem.ts";
import { renderDocument, securityPolicy } from "../../web/document.ts";
import { html, type Html } from "../../web/html.ts";
import { actionHtml, shownOrder } from "./action-html.ts";
import { type PlanComparison, sectionsOf } from "./compared.ts";
import { lossText } from "./losses.ts";
import { summary } from "./plan.ts";
import { placeOf } from "./problems.ts";
import { withoutRepetition } from "./alike.ts";
import { consentLine } from "./consent-flags.ts";
import { adviceOf } from "./remedies.ts";
import { conclusion } from "./report.ts";
import { inSections, type SectionOf } from "./sections.ts";
import { wavesHeading, wavesOfChanges } from "./waves.ts";
import { requestsOfPlan, requestsOfRun } from "./requests.ts";

const colors = picocolors.createColors(false);

/** A plan, and what became of it if it was carried out. */
export interface ShownRun {
  plan: Plan;
  report?: Report;
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
  const changed = runs.flatMap((each) => changedActions(each.plan));
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
      ${runs.map(({ set = [] }) => setHtml(set))} ${runs.map((run) => refusals(run.plan.problems))}
      ${destroyed(changed)} ${changed.length > 1 && filter(changed)} ${runs.map(actionsOf)}
      ${runs.map((run) => waves(run.plan))} ${runs.map((run) => notes(run.plan))}
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
  return report ? requestsOfRun(report.spent, budget, now) : requestsOfPlan(plan, budget, now);
}

function changedActions({ actions }: Plan): Action[] {
  return sorted(actions);
}

/** Destroyed resources come first. */
function sorted(actions: readonly Action[]): Action[] {
  return actions
    .filter(isChange)
    .toSorted((left, right) => shownOrder.indexOf(left.type) - shownOrder.indexOf(right.type));
}

function actionsOf({ plan, report, comparison, sectionOf }: ShownRun): Html | Html[] | false {
  const outcomes = new Map<string, Outcome>(report?.outcomes.map((outcome) => [outcome.id, outcome]));
  const cards = (actions: readonly Action[]) =>
    sorted(actions).map((action) => actionHtml(action, outcomes.get(action.id)));
  if (!comparison)
    return inSections(plan.actions.filter(isChange), sectionOf).map(
      ({ title, actions }) => html`${title !== undefined && html`<h2>${title}</h2>`} ${cards(actions)}`,
    );
  return [
    html`${comparison.own.length === 0 && html`<p class="card">Compared with <code>${comparison.name}</code>, the change itself does nothing.</p>`}`,
    ...sectionsOf(comparison).map(
      ({ title, actions }) =>
        html`<h2>${title}</h2>
          ${cards(actions)}`,
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

function refusals(problems: readonly Problem[]): Html | false {
  return (
    problems.length > 0 &&
    html`<section class="card bad" aria-labelledby="refused">
      <h2 id="refused">infrasync will refuse to apply this plan</h2>
      <ul class="plain">
        ${withoutRepetition(problems).map((problem) => {
          const advice = adviceOf(problem);
          return html`<li>
            ${placeOf(problem.position)}${problem.message}${advice !== undefined && html`<br /><span class="faint">${advice}</span>`}
          </li> `;
        })}
      </ul>
      ${consentHtml(problems)}
    </section>`
  );
}

function consentHtml(problems: readonly Problem[]): Html | false {
  const consent = consentLine(problems);
  return (
    consent !== undefined &&
    html`<p>
      ${consent.heading}
      <code>${consent.command}</code>
    </p>`
  );
}

function destroyed(actions: readonly Action[]): Html | false {
  const resources = lossesByResource(actions);
  return (
    resources.length > 0 &&
    html`<section class="card bad" aria-labelledby="destroyed">
      <h2 id="destroyed">What is destroyed (${resources.length})</h2>
      <ul class="plain">
        ${resources.map(
          (each) =>
            html`<li>
              <code>${formatAddress(each.address)}</code> <span class="faint">${lossText(each)}</span>
            </li> `,
        )}
      </ul>
    </section>`
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

function waves(plan: Plan): Html | false {
  const texts = wavesOfChanges(plan);
  return (
    texts.length > 0 &&
    html`<section aria-labelledby="waves">
      <h2 id="waves">${wavesHeading}</h2>
      <ul class="plain">
        ${texts.map((each) => html`<li>${each}</li> `)}
      </ul>
    </section>`
  );
}

function notes({ notes: all }: Plan): Html | false {
  return (
    all.length > 0 &&
    html`<section aria-labelledby="notes">
      <h2 id="notes">Notes</h2>
      <ul class="plain">
        ${shownNotes(all).map(({ address, text }) => html`<li>${address && html`<strong>${describeAddress(address)}:</strong> `}${text}</li> `)}
      </ul>
    </section>`
  );
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
