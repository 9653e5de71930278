import type { PreviewStatus, ServiceStatus } from "../status-form.ts";
import { html, type Html, sentence } from "../../../adapters/web/html.ts";
import { shortCommit } from "./commit.ts";
import { duration, previewWords } from "./words.ts";

const mostPreviews = 50;

/** The previews of pull requests, the worst first; undefined: there are none. */
export function renderPreviews(
  { previews = [], preview_failure: previewFailure }: ServiceStatus,
  now: number,
): Html | undefined {
  if (previews.length === 0 && !previewFailure) return undefined;
  return html`<section aria-labelledby="previews">
    <h2 id="previews">Previews of pull requests</h2>
    ${
      previewFailure &&
      html`<p class="banner note">
        Previews have not been updated for ${duration(previewFailure.since, now)}:
        ${sentence(previewFailure.reason)}
      </p>`
    }
    ${previews.slice(0, mostPreviews).map((preview) => renderPreview(preview, now))}
    ${previews.length > mostPreviews && html`<p class="faint">and ${previews.length - mostPreviews} more</p>`}
  </section>`;
}

function renderPreview(
  { name, pull_request: { number, title: subject, url }, commit, state, since, reason }: PreviewStatus,
  now: number,
): Html {
  const { text, tone } = previewWords[state];
  const title = `Pull request ${number}${subject === undefined ? "" : `: ${subject}`}`;
  return html`<article class="card ${tone}" aria-label="${name}">
    <div class="head">
      <h3>${name}</h3>
      <span class="badge ${tone}"><span class="if-stale">was </span>${text}</span>
      <span class="far"
        >${commit !== undefined && html`<code>${shortCommit(commit)}</code> · `}${text} for
        ${duration(since, now)}</span
      >
    </div>
    <p>${url !== undefined && /^https?:/.test(url) ? html`<a href="${url}">${title}</a>` : title}</p>
    ${reason !== undefined && html`<p>${sentence(reason)}</p>`}
  </article> `;
}
