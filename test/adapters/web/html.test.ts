import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeHtml, html } from "../../../adapters/web/html.ts";

test("no text can leave its place in the HTML", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const escaped = escapeHtml(text);
      expect(escaped).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
      expect(html`<p title="${text}">${text}</p>`.text).toBe(`<p title="${escaped}">${escaped}</p>`);
    }),
  );
});
