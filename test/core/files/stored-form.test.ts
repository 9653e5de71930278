import { execFileSync } from "node:child_process";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import Type from "typebox";
import { expect, test } from "vitest";
import { form, optional } from "../../../core/outputs/forms/forms.ts";
import {
  openStored,
  readJson,
  readStored,
  readStoredFile,
  readStoredLines,
  readStoredText,
  store,
  textThat,
} from "../../../core/files/stored-form.ts";
import { temporaryFolder } from "../../fixtures/temporary-folder.ts";

const each = form({
  id: Type.String({ pattern: "^[a-z]+$" }),
  at: optional(Type.Number()),
  is: Type.Union([Type.Literal("all"), Type.Array(Type.Boolean()), Type.Null()]),
});
const all = form({ each: Type.Record(Type.String(), each), count: Type.Integer() });

test.each([
  [{ each: {}, count: 1 }, undefined],
  [{ each: { a: { id: "x", is: "all" } }, count: 1 }, undefined],
  [{ each: { a: { id: "x", is: [true], at: 1.5 } }, count: 1 }, undefined],
  [{ each: { a: { id: "x", is: null } }, count: 1 }, undefined],
  [[], "it must be of type object"],
  [null, "it must be of type object"],
  [{ count: 1 }, "each is missing"],
  [{ each: [], count: 1 }, "each must be of type object"],
  [{ each: {}, count: 1.5 }, "count must be of type integer"],
  [{ each: { a: { id: "X", is: "all" } }, count: 1 }, 'each.a.id must match pattern "^[a-z]+$"'],
  [{ each: { a: { id: 3, is: "all" } }, count: 1 }, "each.a.id must be of type string"],
  [{ each: { a: { id: "x", at: "now", is: "all" } }, count: 1 }, "each.a.at must be of type number"],
  [{ each: { a: { id: "x", is: ["yes"] } }, count: 1 }, "each.a.is must be of type string"],
])("%j: %s", (value, damage) => {
  const read = readStored(all, value);
  expect(read).toEqual(damage === undefined ? { content: value } : { damage });
});

test("a text that a rule does not accept is damage", () => {
  const even = form({ name: textThat((text) => text.length % 2 === 0) });
  expect(readStored(even, { name: "ab" })).toEqual({ content: { name: "ab" } });
  expect(readStored(even, { name: "abc" })).toEqual({ damage: "name is not such a text" });
});

test("a member that the form does not have is left out, and __proto__ is an entry like any other", () => {
  const text = '{"each":{"__proto__":{"id":"x","is":"all","later":1}},"count":1,"later":[]}';
  const { content } = readJson(all, text);
  expect(JSON.stringify(content)).toBe('{"each":{"__proto__":{"id":"x","is":"all"}},"count":1}');
});

test("the words of a damage quote nothing of the content", () => {
  for (const text of ['{"each":CANARY', '{"each":{"a":{"id":"CANARY","is":"all"}},"count":1}', '"CANARY"'])
    expect(readJson(all, text).damage).not.toContain("CANARY");
});

test.each(["{}", '{"each":{},"count":1}', '{"version":2,"each":{},"count":1}'])(
  "a file says the version of its form: %s does not",
  (text) => {
    expect(readStoredText(all, text)).toEqual({ damage: "it does not have the version of this infrasync" });
  },
);

test("whatever a file holds, it is read as its form has it, or not at all", async () => {
  await fc.assert(
    fc.property(fc.json(), (text) => {
      const { content } = readJson(all, text);
      if (content !== undefined) expect(readStored(all, content)).toEqual({ content });
    }),
  );
});

test("a file is missing, damaged, unreadable, or has what was stored", async () => {
  const folder = temporaryFolder("stored");
  const file = join(folder, "below", "all.json");
  expect(await readStoredFile(all, file)).toBeUndefined();
  const content = { each: {}, count: 2 };
  await store(file, content);
  expect(await readStoredFile(all, file)).toEqual({ content });
  await writeFile(file, '{"each":{},"cou');
  expect(await readStoredFile(all, file)).toEqual({ damage: "the content is not JSON" });
});

test("what cannot be read now is refused and stays in its place: it may be intact", async () => {
  const folder = temporaryFolder("stored");
  const at = (name: string) => join(folder, name);
  await symlink("/nonexistent/all.json", at("broken"));
  await symlink("loop", at("loop"));
  const names = await readdir(folder);
  for (const name of names)
    await expect(openStored(all, at(name), "nothing is known")).rejects.toMatchObject({
      problems: [{ code: "unreadable", message: expect.stringContaining(`${at(name)} `) as string }],
    });
  expect(await readdir(folder)).toEqual(names);
});

test("a pipe or a folder in the place of a file is set aside, without waiting for its text", async () => {
  const folder = temporaryFolder("stored");
  execFileSync("mkfifo", [join(folder, "pipe")]);
  await mkdir(join(folder, "folder"));
  for (const name of ["pipe", "folder"])
    expect(await openStored(all, join(folder, name), "nothing is known")).toMatchObject({
      damage: expect.stringContaining(`${join(folder, name)} is damaged: it is not a file`) as string,
    });
  expect(await readdir(folder)).toEqual([
    expect.stringMatching(/^folder.damaged-/),
    expect.stringMatching(/^pipe.damaged-/),
  ]);
});

test("of a file of lines, the damaged ones are counted", () => {
  expect(readStoredLines(each, '{"id":"a","is":"all"}\n{"id":"b"}\n{"id":"c","is":[]}\n{"id"')).toEqual({
    entries: [
      { id: "a", is: "all" },
      { id: "c", is: [] },
    ],
    damaged: 2,
  });
});

test("a directory in place of a stored file has to be deleted, and the advice says so", async () => {
  const folder = temporaryFolder("stored");
  await expect(store(folder, {})).rejects.toMatchObject({ problems: [{ advice: `delete ${folder}` }] });
});
