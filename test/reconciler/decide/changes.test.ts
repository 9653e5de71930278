import { expect, test } from "vitest";
import { kindOf } from "../../../core/kinds/index.ts";
import { makeAction } from "../../../core/plan/index.ts";
import { changesOf } from "../../../reconciler/decide/changes.ts";

const update = makeAction({
  type: "update",
  address: { kind: kindOf("Job"), names: ["shop", "staging", "a"] },
  parent: { id: "staging" },
  changes: [
    { path: ["cpu"], before: 1000, after: 500 },
    { path: ["secrets", "KEY"], before: {}, after: { from_file: "canary", version: "canary" } },
    { path: ["variables", "TEXT"], after: "two\nlines" },
    { path: ["description"], before: "x".repeat(200), after: "\u001b[31m" },
    {
      path: ["source", "image", "registry"],
      before: { id: "1", name: "old" },
      after: { id: "2", name: "new" },
    },
  ],
});

test("drift is told from what the commit says to what is there, and a commit the other way round", () => {
  const by = "dev@example.com, CONSOLE, 2026-11-22T14:02:00.000Z";
  const [drift] = changesOf([update], "drift", () => by);
  expect(drift).toEqual({
    action: "update",
    address: "job:shop/staging/a",
    fields: [
      "cpu 500 -> 1000",
      "secrets.KEY",
      String.raw`variables.TEXT two\nlines -> (none)`,
      String.raw`description \u001b[31m -> ${"x".repeat(72)}…`,
      "source.image.registry new -> old",
    ],
    by,
  });
  const [commit] = changesOf([update], "commit", () => by);
  expect(commit?.fields?.[0]).toBe("cpu 1000 -> 500");
  expect(commit).not.toHaveProperty("by");
  expect(JSON.stringify([drift, commit])).not.toContain("canary");
});
