import { describe, expect, test } from "vitest";
import { SourceList, type SourcePlaces } from "../../../reconciler/sources/index.ts";
import { readSources } from "../../../reconciler/sources/read-sources.ts";
import type { ManifestPlace } from "../../../adapters/forge/index.ts";

const source = (name: string, more = "") => `---
kind: Source
name: ${name}
repository: https://git.example.com/${name}.git
${more}
`;

test.each([
  ["name: Shop", '"Shop" is not the name of a source'],
  ["name: shop\ntoken_file: ../other", '"../other" is outside the folder of the operator'],
  ["name: shop\nnotify_file: /etc/passwd", '"/etc/passwd" is outside the folder of the operator'],
  ["name: shop\ntoken: a\ntoken_file: b", "a source needs exactly one token"],
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

test("a set needs either folders or a group, and not of both or neither", () => {
  const set = (text: string) =>
    readSources([{ name: "a.yaml", text: `kind: SourceSet\nname: teams\n${text}` }]).problems.map(
      ({ message }) => message,
    );
  const folders = "folders: { repository: r, match: 'teams/*' }\n";
  const group = "group: { git_host_api: https://git.example.com/api/v4, name: acme }\n";
  expect([set(folders), set(group)]).toEqual([[], []]);
  for (const wrong of ["", folders + group])
    expect(set(wrong)).toEqual(["a set needs either folders or a group"]);
});

/** A list over files and folders that the test changes. */
function listOf(
  given: { files: Record<string, string>; places?: ManifestPlace[] | Error },
  places: SourcePlaces = {},
) {
  const list = new SourceList({
    places,
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
      paths: Object.fromEntries(sources.map(({ name, path, repository }) => [name, path ?? repository])),
    };
  };
}

test("a file with a mistake keeps the sources that it stated before, and those of other files change", async () => {
  const given = { files: { "a.yaml": source("a") + source("b"), "c.yaml": source("c") } };
  const read = listOf(given);
  expect(await read()).toMatchObject({ names: ["a", "b", "c"], problems: [] });
  given.files = { "a.yaml": source("a") + "---\nkind: [", "c.yaml": source("d") };
  expect((await read()).names).toEqual(["a", "b", "d"]);
  given.files = { "a.yaml": source("a"), "c.yaml": source("d") };
  expect(await read()).toMatchObject({ names: ["a", "d"], problems: [] });
});

test("a set makes a source for each folder; while it cannot, its sources stay; a folder without a right name is left out", async () => {
  const set = `kind: SourceSet
name: teams
folders: { repository: https://git.example.com/infra.git, branch: live, match: teams/* }
source: { team: "{name}", token_file: "tokens/{name}", projects: ["{name}-*"] }
`;
  const given: { files: Record<string, string>; places: ManifestPlace[] | Error } = {
    files: { "set.yaml": set },
    places: ["teams/blue", "teams/Red", "teams/no way", "teams/shop"].map((path) => ({
      path,
      repository: "https://git.example.com/infra.git",
    })),
  };
  const read = listOf(given);
  const names = ["teams-Red", "teams-blue", "teams-shop"];
  expect(await read()).toMatchObject({
    names,
    problems: [
      'the set teams makes no source for teams/no way: name: "teams-no way" is not the name of a source',
    ],
  });
  given.files = { "set.yaml": set, "a.yaml": source("teams-shop") };
  expect(await read()).toMatchObject({
    names,
    problems: [
      'the set teams makes no source for teams/no way: name: "teams-no way" is not the name of a source',
      "the source teams-shop at https://git.example.com/teams-shop.git (a.yaml) has the same name as the source at teams/shop of https://git.example.com/infra.git (the set teams)",
      "the source teams-shop at teams/shop of https://git.example.com/infra.git (the set teams) has the same name as the source at https://git.example.com/teams-shop.git (a.yaml)",
    ],
  });
  given.files = { "set.yaml": set };
  given.places = new Error("the Git host does not answer");
  expect(await read()).toMatchObject({ names, problems: ["Error: the Git host does not answer"] });
  // A token that sees less, or a folder that was moved, ends no source.
  given.places = [];
  expect(await read()).toMatchObject({
    names,
    problems: ["the set teams no longer matches anything, so its sources stay"],
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
  expect(await read()).toMatchObject({ names, problems: [] });
  const files = given.files;
  given.files = {};
  await expect(read()).rejects.toThrow("no document declares a source any more");
  given.files = { ...files, "set.yaml": set("colour: blue") };
  expect((await read()).names).toEqual(names);
  given.files = { "set.yaml": set("team: blue") };
  expect(await read()).toMatchObject({ names: ["teams-blue"], problems: [] });
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
      name: "x-Blue",
      team: "Blue",
      token_file: "tokens/Blue",
      repository: "https://git.example.com/infra.git",
      branch: "live",
      path: "teams/Blue",
      file: "set.yaml",
      set: "teams",
    },
  ]);
});

describe("a name stays at its place until a document of its own moves it", () => {
  const infra = "https://git.example.com/infra.git";
  const set = `kind: SourceSet\nname: teams\nfolders: { repository: ${infra}, match: teams/* }\n`;
  const at = (...paths: string[]): ManifestPlace[] => paths.map((path) => ({ path, repository: infra }));

  test("a folder whose name differs in its case only takes over nothing, also after the first one has gone", async () => {
    const given = { files: { "set.yaml": set }, places: at("teams/shop", "teams/blue") };
    const read = listOf(given);
    await read();
    given.places = at("teams/shop", "teams/Shop", "teams/blue");
    const both = await read();
    expect(both.paths).toEqual({ "teams-shop": "teams/shop", "teams-blue": "teams/blue" });
    expect(both.problems).toHaveLength(2);
    given.places = at("teams/Shop", "teams/blue");
    const moved = await read();
    expect(moved.paths).toEqual({ "teams-shop": "teams/shop", "teams-blue": "teams/blue" });
    expect(moved.problems).toEqual([
      `the set teams finds the source teams-Shop at teams/Shop of ${infra}, and this source was at teams/shop of ${infra} before`,
    ]);
  });

  test("after a restart the place that the name had decides, and without one none of two runs", async () => {
    const given = { files: { "set.yaml": set }, places: at("teams/Shop", "teams/shop") };
    expect((await listOf(given, { "teams-shop": `teams/shop of ${infra}` })()).paths).toEqual({
      "teams-shop": "teams/shop",
    });
    expect(await listOf(given)()).toMatchObject({
      names: [],
      problems: [expect.anything(), expect.anything()],
    });
  });

  test("a document of kind Source moves it", async () => {
    const given = { files: { "a.yaml": source("shop") } };
    const read = listOf(given);
    await read();
    given.files = { "a.yaml": source("shop").replace("shop.git", "other.git") };
    expect(await read()).toMatchObject({
      paths: { shop: "https://git.example.com/other.git" },
      problems: [],
    });
  });
});
