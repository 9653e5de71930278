import { describe, expect, test } from "vitest";
import { escapeControl, shorten, timeLimit } from "../../../core/values/text.ts";

describe("escapeControl", () => {
  const cases: [name: string, text: string, expected: string][] = [
    ["plain text", "Größe 日本 🚀 a_b", "Größe 日本 🚀 a_b"],
    ["line breaks and tabs", "a\r\nb\tc", String.raw`a\r\nb\tc`],
    ["an escape sequence", "\u001b[31mred", String.raw`\u001b[31mred`],
    ["null and delete", "\0\u007f", String.raw`\u0000\u007f`],
    ["C1", "\u0085\u009b31m", String.raw`\u0085\u009b31m`],
    ["bidirectional overrides", "a\u202Eb\u2066c\u061c", String.raw`a\u202eb\u2066c\u061c`],
    ["zero-width", "a\u200Bb\u200Dc\uFEFFd\u2060", String.raw`a\u200bb\u200dc\ufeffd\u2060`],
    ["line separators", "a\u2028b\u2029", String.raw`a\u2028b\u2029`],
    ["tags", "a\u{e0041}", String.raw`a\u{e0041}`],
    ["a lone surrogate", "a\ud800", String.raw`a\ud800`],
  ];
  test.each(cases)("%s", (_name, text, expected) => {
    expect(escapeControl(text)).toBe(expected);
  });

  const ranges: [name: string, first: number, last: number][] = [
    ["C0", 0x00, 0x1f],
    ["C1", 0x7f, 0x9f],
    ["zero-width and marks", 0x200b, 0x200f],
    ["separators and embeddings", 0x2028, 0x202e],
    ["isolates", 0x2066, 0x2069],
  ];
  test.each(ranges)("escapes all %s", (_name, first, last) => {
    const codes = Array.from({ length: last - first + 1 }, (_none, index) => first + index);
    const left = codes.filter((code) => !escapeControl(String.fromCodePoint(code)).startsWith("\\"));
    expect(left).toEqual([]);
  });
});

describe("shorten", () => {
  const cases: [text: string, limit: number, expected: string][] = [
    ["abc", 3, "abc"],
    ["abcd", 3, "abc…"],
    ["ab🚀d", 3, "ab…"],
    ["", 0, ""],
  ];
  test.each(cases)("%s to %d", (text, limit, expected) => {
    expect(shorten(text, limit)).toBe(expected);
  });
});

test.each([
  [200, "0.2 s"],
  [1000, "1 s"],
  [5004, "5 s"],
  [60_000, "60 s"],
  [99_000, "99 s"],
  [100_000, "1.7 min"],
  [120_000, "2 min"],
  [150_000, "2.5 min"],
  [300_000, "5 min"],
  [600_000, "10 min"],
])("a time limit of %d ms is shown as %s", (milliseconds, text) => {
  expect(timeLimit(milliseconds)).toBe(text);
});
