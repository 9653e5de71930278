import { escapeControl } from "../../core/values/text.ts";

/** Safe HTML: all external texts in it are escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | string | number | false | undefined | readonly Value[];

/** HTML from a template. Values are escaped, unless they are HTML themselves; `undefined` and `false` are omitted. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.map((part, index) => part + shown(values[index])).join(""));
}

/** A sentence with code between backticks. */
export function sentence(text: string): Html {
  const parts = text.split(/`([^`\n]+)`/);
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

function shown(value: Value): string {
  if (value === undefined || value === false) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map(shown).join("");
  return escapeHtml(String(value));
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A text as HTML, in elements and in quoted attributes. Invisible and reordering characters become visible. */
export function escapeHtml(text: string): string {
  return text
    .split("\n")
    .map((line) => escapeControl(line).replaceAll(/[&<>"']/g, (character) => entities[character] ?? ""))
    .join("\n");
}
