import { expect, test } from "vitest";
import { parseManifest } from "../../../core/manifests/manifest/index.ts";
import { job } from "../../fixtures/manifest-problems.ts";

function placeOf(text: string, path: (string | number)[], index = 0): string {
  const position = parseManifest(text, "x.yaml").documents[index]?.position(path);
  return `${position?.line}:${position?.column} ${position?.text}`;
}

const text = `# jobs
${job("schedule:\n  cronjob:\n    arguments: [-a, -b]\n    scheduled_at: 0 3 * * *\ndescription: |\n  long")}
# the next
---
kind: Project   # comment
name: shop
...
---
{ kind: Project, name: "💥", description: y }
`;

test("the position of a member is that of its value on the same line, or else that of its key", () => {
  expect(placeOf(text, ["name"])).toBe("4:7 name: nightly");
  expect(placeOf(text, ["schedule"])).toBe("5:1 schedule:");
  expect(placeOf(text, ["schedule", "cronjob"])).toBe("6:3   cronjob:");
  expect(placeOf(text, ["schedule", "cronjob", "arguments"])).toBe("7:5     arguments: [-a, -b]");
  expect(placeOf(text, ["schedule", "cronjob", "arguments", 1])).toBe("7:21     arguments: [-a, -b]");
  expect(placeOf(text, ["schedule", "cronjob", "scheduled_at"])).toBe("8:19     scheduled_at: 0 3 * * *");
  expect(placeOf(text, ["description"])).toBe("9:14 description: |");
});

test("the position of an absent member is that of its nearest ancestor", () => {
  expect(placeOf(text, ["schedule", "cronjob", "timezone"])).toBe("6:3   cronjob:");
  expect(placeOf(text, ["schedule", "cronjob", "arguments", 7])).toBe("7:5     arguments: [-a, -b]");
  expect(placeOf(text, ["cpu"])).toBe("2:1 kind: Job");
  expect(placeOf(text, [])).toBe("2:1 kind: Job");
});

test("every document of a file has its own positions", () => {
  expect(placeOf(text, ["name"], 1)).toBe("14:7 name: shop");
  expect(placeOf(text, [], 1)).toBe("13:1 kind: Project   # comment");
  expect(placeOf(text, ["name"], 2)).toBe('17:24 { kind: Project, name: "💥", description: y }');
});

test("columns count characters", () => {
  expect(placeOf(text, ["description"], 2)).toBe('17:42 { kind: Project, name: "💥", description: y }');
});

test("the position of an aliased value is that of the anchor, the position of the alias its own", () => {
  const aliased = job("schedule:\n  on_start: &run\n    entrypoint: sh\n  on_stop: *run");
  expect(placeOf(aliased, ["schedule", "on_stop"])).toBe("7:12   on_stop: *run");
  expect(placeOf(aliased, ["schedule", "on_stop", "entrypoint"])).toBe("6:17     entrypoint: sh");
});

test("Windows line ends are not part of a line, and a last line without a line end is complete", () => {
  const windows = job("cpu: 1\nmemory: 2").replaceAll("\n", "\r\n");
  expect(placeOf(windows, ["cpu"])).toBe("4:6 cpu: 1");
  expect(placeOf(windows, ["memory"])).toBe("5:9 memory: 2");
});

test("a very long line is cut in a message", () => {
  const { problems } = parseManifest(job(`description: ${"x".repeat(5000)}\ncpu: ${" ".repeat(5000)}y`), "x");
  expect(problems[0]?.position?.column).toBe(5006);
  expect(problems[0]?.position?.text).toHaveLength(1000);
});

test("a problem names the file and the resource", () => {
  const { problems } = parseManifest(job("cpu: x"), "folder/a.yaml");
  expect(problems).toEqual([
    {
      code: "invalid",
      message: 'cpu must be a whole number, not the text "x"',
      advice: "write a whole number, such as 500 (CPU in millicores: 1000 is one CPU)",
      position: { file: "folder/a.yaml", line: 4, column: 6, text: "cpu: x" },
      address: "job:shop/staging/nightly",
    },
  ]);
});
