import { expect, test } from "vitest";
import { parseManifest } from "../../../core/manifests/manifest/index.ts";
import { job, report } from "../../fixtures/manifest-problems.ts";

const fieldsOf = (text: string) => parseManifest(text, "x").documents.map(({ fields }) => fields);

test("an alias stands for the value of its anchor", () => {
  expect(
    fieldsOf(job("schedule:\n  on_start: &run { arguments: [--all] }\n  on_stop: *run\n  on_delete: *run")),
  ).toEqual([
    {
      schedule: {
        on_start: { arguments: ["--all"] },
        on_stop: { arguments: ["--all"] },
        on_delete: { arguments: ["--all"] },
      },
    },
  ]);
});

test("an anchor may be redefined; an alias stands for the last anchor above it, with its value there", () => {
  const fields =
    "description: &x one\nlabels_groups: &y [&x two]\nentrypoint: *x\nannotations_groups: *y\nschedule: { cronjob: { entrypoint: *x, arguments: [&x three, *x] } }";
  const text = job(fields).replace("entrypoint: *x\n", "");
  expect(fieldsOf(text)).toEqual([
    {
      description: "one",
      labels_groups: ["two"],
      annotations_groups: ["two"],
      schedule: { cronjob: { entrypoint: "two", arguments: ["three", "three"] } },
    },
  ]);
});

test("resolving an alias does not restore an anchor that was redefined", () => {
  expect(
    fieldsOf(
      job("labels_groups: &y [&x one]\nicon_uri: &x app://two\nannotations_groups: *y\ndescription: *x"),
    ),
  ).toEqual([
    { labels_groups: ["one"], icon_uri: "app://two", annotations_groups: ["one"], description: "app://two" },
  ]);
});

test("an alias without an anchor, and an alias of an anchor in another document, are errors", () => {
  expect(report(job("description: *note"))).toMatchInlineSnapshot(`
    "4:14 there is no anchor &note above the alias *note
        write &note before the value that is meant, in the same document, or put quotes around a text that begins with *"
  `);
  expect(report(`${job("description: &note x")}\n---\n${job("description: *note")}`)).toMatchInlineSnapshot(`
    "9:14 there is no anchor &note above the alias *note
        write &note before the value that is meant, in the same document, or put quotes around a text that begins with *"
  `);
});

test("a value that contains itself is an error", () => {
  expect(report(job("labels_groups: &all [*all]"))).toMatchInlineSnapshot(`
    "4:22 the alias *all refers to a value that contains it
        write the value out"
  `);
  expect(report(job("source: &all\n  image: { tag: [*all] }"))).toMatchInlineSnapshot(`
    "5:18 the alias *all refers to a value that contains it
        write the value out"
  `);
});

test("an alias bomb is an error", () => {
  const bomb = [..."bcdefghij"].map(
    (key, index) => `${key}: &${key} [${Array(9).fill(`*${"abcdefghij"[index]}`).join()}]`,
  );
  expect(report(["a: &a [x, x, x]", ...bomb].join("\n"))).toMatchInlineSnapshot(`
    "5:11 the aliases expand to more than 10,000 values
        use fewer aliases, or aliases of smaller values"
  `);
});

test("aliases that are nested too deep are an error", () => {
  const chain = Array.from({ length: 200 }, (_, index) => `a${index + 1}: &a${index + 1} [*a${index}]`);
  expect(report(["a0: &a0 x", ...chain].join("\n"))).toMatchInlineSnapshot(`
    "100:12 nested more than 100 levels deep
        a manifest has fewer than ten levels; write out the values of the aliases"
  `);
});

test("a mistake in the value of an alias is reported at each use, with the position of the anchor", () => {
  expect(report(job("schedule:\n  on_start: &run\n    arguments: x\n  on_stop: *run")))
    .toMatchInlineSnapshot(`
      "6:16 schedule.on_start.arguments must be a list, not the text "x"
          write arguments: ["x"]
      6:16 schedule.on_stop.arguments must be a list, not the text "x"
          write arguments: ["x"]"
    `);
});
