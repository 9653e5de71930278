import { expect, test } from "vitest";
import { SourceList } from "../../../reconciler/sources/index.ts";
import { readSources } from "../../../reconciler/sources/read-sources.ts";
import type { Place } from "../../../reconciler/sources/index.ts";

const source = (name: string, more = "") => `---
kind: Source
name: ${name}
repository: https://git.example.com/${name}.git
${more}
`;

test.each([
  ["name: Shop", '"Shop" is not the name of a source'],
  ["name: shop\ntoken_file: ../other", '"../other" lies outside of the folder of the operator'],
  ["name: shop\nnotify_file: /etc/passwd", '"/etc/passwd" lies outside of the folder of the operator'],
  ["name: shop\ntoken: a\ntoken_file: b", "a source has one token"],
  ["name: shop\ntoken: a b", '"a b" is not the name of a token'],
  ["name: shop\nprojects: [a/b]", '"a/b" is not a project'],
  ["name: shop\nkinds: [Jobs]", '"Jobs" is not a kind'],
  ["name: shop\npolicy: { protect: ['shop//a'] }", "has an empty name in it"],
  ["name: shop\npolicy: { on_commit: always }", "on_commit"],
  ["name: shop\ninterval: soon", "interval"],
])("a source with %j is refused at its place", (text, message) => {
  const { problems, sources } = readSources([
    { name: "a.yaml", text: `kind: Source\nrepository: https://git.example.com/a.git\n${text}\n` },
  ]);
  expect(sources).toEqual([]);
  expect(problems.map((each) => each.message).join()).toContain(message);
  expect(problems[0]?.position).toMatchObject({ file: "a.yaml" });
});

test("a set makes sources of folders or of a group, and not of both or neither", () => {
  const set = (text: string) =>
    readSources([{ name: "a.yaml", text: `kind: SourceSet\nname: teams\n${text}` }]).problems.map(
      ({ message }) => message,
    );
  const folders = "folders: { repository: r, match: 'teams/*' }\n";
  const group = "group: { forge_api: https://git.example.com/api/v4, name: acme }\n";
  expect([set(folders), set(group)]).toEqual([[], []]);
  for (const wrong of ["", folders + group])
    expect(set(wrong)).toEqual(["a set makes sources of folders or of a group"]);
});

/** A list over files and folders that the test changes. */
function listOf(given: { files: Record<string, string>; places?: Place[] | Error }) {
  const list = new SourceList({
    files: () => Promise.resolve(Object.entries(given.files).map(([name, text]) => ({ name, text }))),
    placesOf: () =>
      given.places instanceof Error ? Promise.reject(given.places) : Promise.resolve(given.places ?? []),
    problemOf: (error) => ({ code: "setting", message: String(error), advice: "wait" }),
  });
  return async () => {
    const { sources, problems } = await list.read();
    return {
      names: sources.map(({ name }) => name).toSorted(),
      problems: problems.map(({ message }) => message),
    };
  };
}

test("a file with a mistake keeps the sources that it stated before, and those of other files change", async () => {
  const given = { files: { "a.yaml": source("a") + source("b"), "c.yaml": source("c") } };
  const read = listOf(given);
  expect(await read()).toEqual({ names: ["a", "b", "c"], problems: [] });
  given.files = { "a.yaml": source("a") + "---\nkind: [", "c.yaml": source("d") };
  expect((await read()).names).toEqual(["a", "b", "d"]);
  given.files = { "a.yaml": source("a"), "c.yaml": source("d") };
  expect(await read()).toEqual({ names: ["a", "d"], problems: [] });
});

test("a set makes a source for each folder; while it cannot, its sources stay; a folder without a right name is left out", async () => {
  const set = `kind: SourceSet
name: teams
folders: { repository: https://git.example.com/infra.git, branch: live, match: teams/* }
source: { team: "{name}", token_file: "tokens/{name}", projects: ["{name}-*"] }
`;
  const given: { files: Record<string, string>; places: Place[] | Error } = {
    files: { "set.yaml": set, "a.yaml": source("teams-shop") },
    places: ["teams/blue", "teams/Red", "teams/no way", "teams/shop"].map((path) => ({
      path,
      repository: "https://git.example.com/infra.git",
    })),
  };
  const read = listOf(given);
  const names = ["teams-blue", "teams-red", "teams-shop"];
  expect(await read()).toEqual({
    names,
    problems: [
      'the set teams makes no source for teams/no way: name: "teams-no way" is not the name of a source',
      "two sources are called teams-shop: that of the set teams is left out, because a.yaml has one too",
    ],
  });
  given.places = new Error("the forge does not answer");
  expect(await read()).toMatchObject({ names, problems: ["Error: the forge does not answer"] });
  // A token that sees less, or a folder that was moved, ends no source.
  given.places = [];
  expect(await read()).toMatchObject({
    names,
    problems: ["the set teams finds nothing any more, so its sources stay"],
  });
  given.places = [{ path: "teams/shop", repository: "https://git.example.com/infra.git" }];
  expect((await read()).names).toEqual(["teams-shop"]);
});

test("sources stay if no document is left, and the sources of a set stay if the set has a mistake", async () => {
  const set = (more: string) =>
    `kind: SourceSet\nname: teams\nfolders: { repository: r, match: teams/* }\nsource: { ${more} }\n`;
  const given = {
    files: { "a.yaml": source("a"), "set.yaml": set("team: blue") } as Record<string, string>,
    places: [{ path: "teams/blue", repository: "r" }],
  };
  const read = listOf(given);
  const names = ["a", "teams-blue"];
  expect(await read()).toEqual({ names, problems: [] });
  const files = given.files;
  given.files = {};
  await expect(read()).rejects.toThrow("no document states a source any more");
  given.files = { ...files, "set.yaml": set("colour: blue") };
  expect((await read()).names).toEqual(names);
  given.files = { "set.yaml": set("team: blue") };
  expect(await read()).toEqual({ names: ["teams-blue"], problems: [] });
});

test("a source of a set has the folder, the branch and the placeholders of the set", async () => {
  const list = new SourceList({
    files: () =>
      Promise.resolve([
        {
          name: "set.yaml",
          text: `kind: SourceSet
name: teams
folders: { repository: r, branch: live, match: teams/* }
source: { name: "x-{name}", team: "{name}", token_file: "tokens/{name}" }
`,
        },
      ]),
    placesOf: () =>
      Promise.resolve([{ path: "teams/Blue", repository: "https://git.example.com/infra.git" }]),
    problemOf: () => ({ code: "setting", message: "", advice: "" }),
  });
  expect((await list.read()).sources).toEqual([
    {
      kind: "Source",
      name: "x-blue",
      team: "blue",
      token_file: "tokens/blue",
      repository: "https://git.example.com/infra.git",
      branch: "live",
      path: "teams/Blue",
      file: "set.yaml",
      set: "teams",
    },
  ]);
});
