import picocolors from "picocolors";
import { expect, test } from "vitest";
import { renderTable } from "../../../cli/render/width.ts";

test("columns stand below each other with wide characters, accents and emoji too", () => {
  const rows = [
    ["店", "production", "1"],
    ["cafe\u0301", "staging", "2"],
    ["🚀", "x", "3"],
    ["shop", "y", "4"],
  ];
  expect(renderTable(["NAME", "MODE", "N"], rows, picocolors.createColors(false))).toBe(
    [
      "NAME  MODE        N",
      "店    production  1",
      "cafe\u0301  staging     2",
      "🚀    x           3",
      "shop  y           4",
    ].join("\n"),
  );
});
