import { html, type Html } from "../../../adapters/web/html.ts";

/** The entries of files that match nothing. */
export function renderIdle(notes: readonly string[] = []): Html | false {
  return (
    notes.length > 0 &&
    html`<section class="card" aria-labelledby="idle">
      <h2 id="idle">What has no effect</h2>
      <ul class="plain">
        ${notes.map((note) => html`<li>${note}</li> `)}
      </ul>
    </section>`
  );
}
