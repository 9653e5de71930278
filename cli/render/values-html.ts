import { type FieldChange, formatPath } from "../../core/fields/compare.ts";
import type { Json } from "../../core/json.ts";
import type { FieldSchema } from "../../core/schema/field-schema.ts";
import { html, type Html } from "../../web/html.ts";
import { asText, isShort, rewrittenSecret, writtenAgain } from "./fields.ts";
import { differenceOf } from "./difference.ts";
import { schemaAt } from "./text.ts";
import { inline, readable, type Row } from "./values.ts";

/** Changed fields side by side; long texts as a difference. */
export function changesHtml(schema: FieldSchema, changes: readonly FieldChange[]): Html | undefined {
  if (changes.length === 0) return undefined;
  return html`<table class="fields">
    <thead>
      <tr>
        <th scope="col">Field</th>
        <th scope="col">Before</th>
        <th scope="col">After</th>
      </tr>
    </thead>
    <tbody>
      ${changes.map((change) => changeRow(schema, change))}
    </tbody>
  </table>`;
}

function changeRow(schema: FieldSchema, change: FieldChange): Html {
  const { path, before, after } = change;
  const secret = rewrittenSecret(schema, change);
  if (secret)
    return html`<tr>
      <th scope="row"><code>${formatPath(secret)}</code></th>
      <td colspan="2">${writtenAgain}</td>
    </tr> `;
  const [left, right] = [before, after].map((value) => (value === undefined ? undefined : readable(value)));
  const name = html`<th scope="row"><code>${formatPath(path)}</code></th>`;
  const unit = schemaAt(schema, path)?.unit;
  if (isShort(left) && isShort(right))
    return html`<tr>
      ${name}
      <td><code class="before">${inline(left, unit)}</code></td>
      <td><code class="after">${inline(right, unit)}</code></td>
    </tr> `;
  return html`<tr>
    ${name}
    <td colspan="2">${differenceHtml(left, right)}</td>
  </tr> `;
}

const classes = { added: "add", removed: "cut", same: "same", hunk: "hunk" } as const;

function differenceHtml(left: Json | undefined, right: Json | undefined): Html {
  const lines = differenceOf(asText(left), asText(right));
  if (typeof lines === "string") return html`${lines}`;
  return html`<pre class="diff">
${lines.map(({ kind, text }) => html`<span class="${classes[kind]}">${text}</span>`)}</pre>`;
}

/** Fields of a resource that does not exist yet; long texts below their name. */
export function rowsHtml(rows: readonly Row[]): Html | undefined {
  if (rows.length === 0) return undefined;
  return html`<table class="fields">
    <thead>
      <tr>
        <th scope="col">Field</th>
        <th scope="col">Value</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(({ path, value, unit }) => {
        const shown = readable(value);
        return html`<tr>
          <th scope="row"><code>${formatPath(path)}</code></th>
          <td>
            ${isShort(shown) ? html`<code>${inline(shown, unit)}</code>` : html`<pre>${asText(shown)}</pre>`}
          </td>
        </tr> `;
      })}
    </tbody>
  </table>`;
}
