import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { commands } from "../../cli/commands/index.ts";
import { settingsFileSchema } from "../../cli/settings/file-schema.ts";
import { settings } from "../../cli/settings/table.ts";
import { concerns } from "../../core/planning/concerns/index.ts";
import { listedKinds } from "../../core/model/kinds/index.ts";
import { verbs } from "../../reconciler/verbs.ts";
import { linesByRoom } from "../../tools/size/lines.ts";
import { sourceFolders } from "../../tools/source-folders.ts";
import { checkout } from "./markdown.ts";

const folder = path.join(checkout, "docs", "reference");

/** What the code registers, by the words of the page. */
const registered: Record<string, readonly string[]> = {
  commands: commands.map(({ name }) => name),
  kinds: listedKinds.map(({ name }) => name),
  parts: listedKinds.flatMap(({ parts }) => parts.map(({ member }) => member)),
  concerns: concerns.map(({ name }) => name),
  settings: [
    ...Object.keys(settings),
    ...Object.keys((settingsFileSchema() as { properties: object }).properties),
  ],
  actions: Object.keys(verbs),
};

/** The rooms of the product; tools and tests are no features. */
const rooms = Object.keys(linesByRoom(checkout)).filter((room) =>
  sourceFolders.includes(room.split("/")[0] ?? ""),
);

const rows = readFileSync(path.join(folder, "features.md"), "utf8")
  .split("\n")
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  .filter(({ length }) => length === 4)
  .slice(2);

test("each command, kind, part, concern, setting and action that the code registers is a seam of one feature, and no other seam is named", () => {
  const named = rows
    .flatMap(([, , , seams = ""]) => seams.split("; ").filter(Boolean))
    .flatMap((seam) => {
      const [sort = "", names = ""] = seam.split(": ");
      return names.split(", ").map((name) => `${sort}: ${name}`);
    });
  const desired = Object.entries(registered).flatMap(([sort, names]) =>
    [...new Set(names)].map((name) => `${sort}: ${name}`),
  );
  expect(named.toSorted()).toEqual(desired.toSorted());
});

test("each feature has a page for users", () => {
  expect(rows.length).toBeGreaterThan(20);
  const without = rows.filter(([, page = ""]) => {
    const [, target] = /^\[.+\]\((.+)\)$/.exec(page) ?? [];
    return target === undefined || !existsSync(path.join(folder, target));
  });
  expect(without).toEqual([]);
});

test("each room belongs to a feature, and each feature names only rooms that exist", () => {
  const named = rows.flatMap(([, , cell = ""]) =>
    [...cell.matchAll(/`(.+?)`/g)].map(([, room = ""]) => room),
  );
  expect([...new Set(named)].toSorted()).toEqual(rooms.toSorted());
  expect(rows.filter(([, , cell = ""]) => !cell.includes("`"))).toEqual([]);
});
