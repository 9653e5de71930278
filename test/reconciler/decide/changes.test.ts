import { expect, test } from "vitest";
import { kindOf } from "../../../core/model/kinds/index.ts";
import type { FieldChange } from "../../../core/model/fields/compare.ts";
import { makeAction } from "../../../core/planning/plan/index.ts";
import { changesOf } from "../../../reconciler/decide/changes.ts";

const update = makeAction({
  cause: "drift",
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
  const [drift] = changesOf([update], () => by);
  expect(drift).toEqual({
    action: "update",
    address: "job:shop/staging/a",
    cause: "drift",
    fields: [
      "cpu 500 -> 1000",
      "secrets.KEY",
      String.raw`variables.TEXT two\nlines -> (none)`,
      String.raw`description \u001b[31m -> ${"x".repeat(72)}…`,
      "source.image.registry new -> old",
    ],
    by,
  });
  const [commit] = changesOf([{ ...update, cause: "commit" }], () => by);
  expect(commit?.fields?.[0]).toBe("cpu 1000 -> 500");
  expect(commit).not.toHaveProperty("by");
  expect(JSON.stringify([drift, commit])).not.toContain("canary");
});

const job = { kind: kindOf("Job"), names: ["shop", "staging", "a"] };
const drift = (...changes: FieldChange[]) =>
  changesOf([
    makeAction({ type: "update", address: job, parent: { id: "staging" }, changes, cause: "drift" }),
  ])[0];

test("drift says what the document would have to state to keep it", () => {
  const registry = { path: ["source", "image", "registry"], before: { id: "1", name: "old" }, after: null };
  const tag = { path: ["source", "image", "tag"], before: "2", after: "1" };
  expect(drift({ path: ["cpu"], before: 1000, after: 500 }, registry, tag)?.keep).toBe(
    'cpu: 1000\nsource:\n  image:\n    registry: old\n    tag: "2"',
  );
  expect(drift({ ...registry, before: { id: "1" } })?.keep).toBe('source:\n  image:\n    registry: "1"');
  expect(drift({ path: ["description"], after: "x" })?.keep).toBe("description: null");
  expect(drift({ path: ["description"], before: "x".repeat(1987), after: "" })?.keep).toHaveLength(2000);
});

test.each<[name: string, change: FieldChange]>([
  ["a secret", { path: ["secrets", "KEY"], before: {}, after: {} }],
  ["an element that is known by its key", { path: ["healthchecks", "[a]"], before: 1, after: 2 }],
  ["a field that the kind does not have", { path: ["name"], before: "a", after: "b" }],
  ["a long text", { path: ["description"], before: "x".repeat(1988), after: "" }],
])("nothing is offered to keep %s", (_name, change) => {
  expect(drift({ path: ["cpu"], before: 1000, after: 500 }, change)).not.toHaveProperty("keep");
});

test("a rotation is drift only if somebody else has written the secret", () => {
  const rotation: FieldChange = { path: ["secrets", "KEY", "rotate"], before: false, after: true };
  expect(drift(rotation)?.fields).toEqual(["secrets.KEY, written by somebody else"]);
  expect(drift({ ...rotation, after: false })?.fields).toEqual(["secrets.KEY.rotate"]);
  expect(drift({ ...rotation, path: ["rotate"] })?.fields).toEqual(["rotate"]);
  const action = makeAction({ type: "update", address: job, parent: { id: "staging" }, changes: [rotation] });
  expect(changesOf([action])[0]?.fields).toEqual(["secrets.KEY, written again"]);
});

test("a deletion has neither fields nor anything to keep, and what stays as it is is left out", () => {
  const [deletion, ...others] = changesOf(
    (["delete", "none"] as const).map((type) =>
      makeAction({
        type,
        address: job,
        parent: { id: "staging" },
        resourceId: "1",
        changes: [],
        cause: "drift",
      }),
    ),
  );
  expect(deletion).toEqual({ action: "delete", address: "job:shop/staging/a", cause: "drift" });
  expect(others).toEqual([]);
});

test("a deletion says what goes along, by number and name, apart from what is lost for good", () => {
  const loss = { sort: "part", what: "variable", recreated: false, restorable: true } as const;
  const [deletion] = changesOf([
    makeAction({
      type: "delete",
      address: job,
      parent: { id: "staging" },
      resourceId: "1",
      changes: [],
      losses: [
        { ...loss, name: "LEVEL" },
        { ...loss, name: "URL" },
        { ...loss, what: "secret", name: "KEY", restorable: false },
        { ...loss, sort: "resource", what: "backup", name: "nightly", recreated: true },
      ],
    }),
  ]);
  expect(deletion?.takes).toEqual([
    "also deletes: 2 variables (LEVEL, URL)",
    "also deletes and creates again: 1 backup (nightly)",
  ]);
});
