import type {
  ShownChange,
  ChangeGroup,
  Detail,
  FieldRow,
  List,
  Losses,
  Things,
} from "../../core/report/block.ts";
import type { DifferenceLine } from "../../core/report/difference.ts";
import { capitalized, counted } from "../../core/text.ts";
import { html, type Html } from "./html.ts";

/** A list as a section; nothing where it is empty. */
export function listHtml({ name, heading, tone, items, end }: List): Html | false {
  return (
    items.length > 0 &&
    html`<section ${tone === "bad" && html`class="card bad" `}aria-labelledby="${name}">
      <h2 id="${name}">${heading}</h2>
      <ul class="plain">
        ${items.map(
          ({ subject, text, advice }) =>
            html`<li>
              ${subject && html`<strong>${subject.kind} ${subject.reference}:</strong> `}${text}${advice !== undefined && html`<br /><span class="faint">${advice}</span>`}
            </li> `,
        )}
      </ul>
      ${end && html`<p>${end.heading} <code>${end.command}</code></p>`}
    </section>`
  );
}

/** Losses as a section; nothing where there are none. */
export function lossesHtml({ resources }: Losses): Html | false {
  return (
    resources.length > 0 &&
    html`<section class="card bad" aria-labelledby="destroyed">
      <h2 id="destroyed">What is destroyed (${resources.length})</h2>
      <ul class="plain">
        ${resources.map(({ address, fate }) => html`<li><code>${address}</code> <span class="faint">${fate}</span></li> `)}
      </ul>
    </section>`
  );
}

/** A change as a card: what it does, why, its fields, what is lost with it, and what became of it. */
export function changeHtml(change: ShownChange | ChangeGroup): Html | false {
  if (!("details" in change)) return false;
  const { type, kind, reference, tone, verb, remark, details, outcome } = change;
  return html`<article
    class="card ${tone}"
    data-action="${type}"
    data-kind="${kind}"
    aria-label="${verb} ${kind} ${reference}"
  >
    <div class="head">
      <h3>${reference}</h3>
      <span class="faint">${kind}</span>
      <span class="badge ${tone}">${verb}</span
      >${outcome && html` <span class="badge ${outcome.tone}">${outcome.badge}</span>`}
    </div>
    ${remark !== undefined && html`<p>${remark}</p>`} ${details.map(detailHtml)}
    ${outcome && outcomeHtml(outcome)}
  </article> `;
}

function outcomeHtml({ text, logs }: NonNullable<ShownChange["outcome"]>): Html | false {
  return (
    text.length + logs.length > 0 &&
    html`<p><strong>${text}</strong></p>
      ${logs.length > 0 && html`<pre>${logs.map((line) => `${line}\n`)}</pre>`}`
  );
}

function detailHtml(detail: Detail): Html {
  if (detail.detail === "note") return html`<p class="faint">Note: ${detail.text}.</p>`;
  if (detail.detail === "fields") return fieldsHtml(detail.rows, detail.compares);
  const { heading, groups, words } = detail;
  const parts = [...groups.map(thingsHtml), ...words];
  return html`<p>
    <strong>${capitalized(heading)}:</strong>
    ${parts.map((part, index) => html`${index > 0 && "; "}${part}`)}
  </p>`;
}

function thingsHtml({ what, names }: Things): Html {
  return html`${counted(names.length, what)}
  ${names.map((name, index) => html`${index > 0 && ", "}<code>${name}</code>`)}`;
}

/** Changed fields side by side, or those of a resource that does not exist yet. */
function fieldsHtml(rows: readonly FieldRow[], compares: boolean): Html {
  const headings = compares ? ["Field", "Before", "After"] : ["Field", "Value"];
  return html`<table class="fields">
    <thead>
      <tr>
        ${headings.map((each) => html`<th scope="col">${each}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            <th scope="row"><code>${row.path}</code></th>
            ${compares ? comparedCells(row) : valueCell(row)}
          </tr> `,
      )}
    </tbody>
  </table>`;
}

function valueCell({ after, text }: FieldRow): Html {
  return html`<td>${text === undefined ? html`<code>${after}</code>` : html`<pre>${text}</pre>`}</td>`;
}

function comparedCells({ before, after, note, text, difference }: FieldRow): Html {
  return before === undefined
    ? html`<td colspan="2">${difference ? differenceHtml(difference) : (note ?? text)}</td>`
    : html`<td><code class="before">${before}</code></td>
        <td><code class="after">${after}</code></td>`;
}

const classes = { added: "add", removed: "cut", same: "same", hunk: "hunk" } as const;

function differenceHtml(lines: readonly DifferenceLine[]): Html {
  return html`<pre class="diff">
${lines.map(({ kind, text }) => html`<span class="${classes[kind]}">${text}</span>`)}</pre>`;
}
