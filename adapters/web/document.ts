import { createHash } from "node:crypto";
import { Html, html } from "./html.ts";
import { style } from "./style.ts";

/** A whole HTML document without external resources: style and script are inside. */
export function renderDocument({
  title,
  body,
  script,
  head,
}: {
  title: string;
  body: Html;
  /** Runs after the document is loaded; everything works without it too. */
  script?: string;
  head?: Html;
}): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        ${head}
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${element("style", style)}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        ${body} ${script !== undefined && element("script", script)}
      </body>
    </html> `.text;
}

/** An element with exactly this content: the policy knows it by its hash. */
function element(name: "style" | "script", content: string): Html {
  return new Html(`<${name}>${content}</${name}>`);
}

/** The content security policy of a document: only its own style and script are loaded and run. */
export function securityPolicy(script: string | undefined, more: readonly string[] = []): string {
  return [
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    ...(script === undefined ? [] : [`script-src '${hashOf(script)}'`]),
    "img-src data:",
    "base-uri 'none'",
    ...more,
  ].join("; ");
}

function hashOf(content: string): string {
  return `sha256-${createHash("sha256").update(content).digest("base64")}`;
}
