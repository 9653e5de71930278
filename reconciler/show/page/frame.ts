import { html, type Html } from "../../../web/html.ts";
import { renderDocument, securityPolicy } from "../../../web/document.ts";
import type { Source } from "../board-view.ts";
import { script } from "./script.ts";

/** The pages that readers go to. */
const places = [
  ["/", "Now"],
  ["/history", "History"],
  ["/audit", "Audit"],
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

/** The page that asks who comes. */
export function renderEntrance({
  mishap,
  takesTokens,
  provider,
}: {
  /** What has gone wrong. */
  mishap?: string;
  takesTokens: boolean;
  /** Whether people can sign in at a provider. */
  provider: boolean;
}): string {
  return renderDocument({
    title: "infrasync",
    body: html`<main id="content" class="page">
      <h1>infrasync</h1>
      ${mishap !== undefined && html`<p class="banner" role="alert">${mishap}</p>`}
      ${provider && html`<p><a class="button" href="/sign-in">Sign in</a></p>`}
      ${
        takesTokens &&
        html`<form method="post" action="/enter">
            <label
              >${provider ? "Or a token" : "Token of this page"}<br />
              <input type="password" name="token" autocomplete="current-password" required autofocus
            /></label>
            <button>Enter</button>
          </form>
          <p class="under">Tokens are in the files that the operator of the service has named.</p>`
      }
      ${!provider && !takesTokens && html`<p>Nobody has been given a way in.</p>`}
    </main>`,
  });
}

/** The content security policy of all pages but those of plans, which bring their own. */
export const pagePolicy = securityPolicy(script, [
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
]);
