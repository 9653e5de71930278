import { html, type Html } from "../../../web/html.ts";
import { renderDocument, securityPolicy } from "../../../web/document.ts";
import type { Source } from "../board-view.ts";
import { script } from "./script.ts";

/** The pages that readers go to. */
const places = [
  ["/", "Now"],
  ["/history", "History"],
] as const;

/** A page around its content. */
export function renderFrame(
  title: string,
  content: Html,
  { repository, branch, path }: Source,
  here: string,
): string {
  const body = html`<div class="page">
    <header class="top">
      <span class="brand">infrasync</span>
      <nav class="chips" aria-label="Pages of the service">
        ${places.map(([address, name]) => html`<a href="${address}" ${address === here && html` aria-current="page"`}>${name}</a> `)}
      </nav>
      <p>${repository} · ${branch}${path !== "" && ` · ${path}`}</p>
    </header>
    <p class="banner" id="lost" hidden>The service does not answer. What is below is what it said last.</p>
    <p class="unseen" id="told" role="status"></p>
    ${content}
  </div>`;
  return renderDocument({
    title: `${title} · infrasync`,
    body,
    script,
    head: html`<noscript><meta http-equiv="refresh" content="30" /></noscript> `,
  });
}

/** The page that asks for the token. */
export function renderEntrance(isWrong: boolean): string {
  return renderDocument({
    title: "infrasync",
    body: html`<main id="content" class="page">
      <h1>infrasync</h1>
      ${isWrong && html`<p class="banner" role="alert">This is not the token.</p>`}
      <form method="post" action="/enter">
        <label
          >Token of this page<br />
          <input type="password" name="token" autocomplete="current-password" required autofocus
        /></label>
      </form>
      <p class="under">It is in the file that <code>--ui-token-file</code> names. Press Enter to go on.</p>
    </main>`,
  });
}

/** The content security policy of all pages but those of plans, which bring their own. */
export const pagePolicy = securityPolicy(script, [
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
]);
