import { html, type Html } from "../../../adapters/web/html.ts";
import { renderDocument, securityPolicy } from "../../../adapters/web/document.ts";
import type { WatchedSource } from "../status-form.ts";
import { script } from "./script.ts";

/** The relative address of a page, because a service of many sources has the pages once for each. */
export type SubPage = "./" | "journal" | "audit";

const places: readonly [SubPage, string][] = [
  ["./", "Now"],
  ["journal", "Journal"],
  ["audit", "Audit"],
];

/** The frame of a page about a source. */
export function renderFrame(
  title: string,
  content: Html,
  { name, repository, branch, path }: WatchedSource,
  here: SubPage,
): string {
  const names = name === undefined ? html`` : html`<a href="/">All sources</a> · <strong>${name}</strong> · `;
  return frame(
    name === undefined ? title : `${title} · ${name}`,
    content,
    html`<nav class="chips" aria-label="Pages of the service">
        ${places.map(([address, text]) => html`<a href="${address}" ${address === here && html` aria-current="page"`}>${text}</a> `)}
      </nav>
      <p>${names}${repository} · ${branch}${path !== "" && ` · ${path}`}</p>`,
  );
}

/** The frame of a page. @param head its top */
export function frame(title: string, content: Html, head: Html): string {
  const body = html`<div class="page">
    <header class="top">
      <span class="brand">infrasync</span>
      ${head}
    </header>
    <p class="banner" id="lost" role="status" hidden>
      The service does not answer. The page shows its last state.
    </p>
    <p class="unseen" id="announcement" role="status"></p>
    ${content}
  </div>`;
  return renderDocument({
    title: `${title} · infrasync`,
    body,
    script,
    head: html`<noscript><meta http-equiv="refresh" content="30" /></noscript> `,
  });
}

/** The sign-in page. */
export function renderEntrance({
  mishap,
  takesTokens,
  provider,
}: {
  mishap?: string | undefined;
  takesTokens: boolean;
  /** Whether people can sign in at a provider. */
  provider: boolean;
}): string {
  return renderAlone(
    mishap,
    html`${provider && html`<p><a class="button" href="/sign-in">Sign in</a></p>`}
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
    ${!provider && !takesTokens && html`<p>No way to sign in is configured.</p>`}`,
  );
}

/** A page outside of the frame, for somebody who sees nothing of the service. */
export function renderAlone(alert: string | undefined, content: Html | false = false): string {
  return renderDocument({
    title: "infrasync",
    body: html`<main id="content" class="page">
      <h1>infrasync</h1>
      ${alert !== undefined && html`<p class="banner" role="alert">${alert}</p>`} ${content}
    </main>`,
  });
}

/** The page for a signed-in person without a role. @param proof of the sign-out form; undefined: no session */
export function renderStranger(name: string, proof: string | undefined): string {
  return renderAlone(
    `${name} has no role here. The operator of the service gives roles in the access file.`,
    proof !== undefined &&
      html`<form method="post" action="/sign-out">
        <input type="hidden" name="_csrf" value="${proof}" /> <button>Sign out</button>
      </form>`,
  );
}

/** The content security policy of all pages but those of plans, which have their own. */
export const pagePolicy = securityPolicy(script, [
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
]);
