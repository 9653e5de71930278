import { expect, test } from "vitest";
import { loadEnvironments, loadFolder, ParsedFiles } from "../../../../core/manifests/manifest/index.ts";
import { readEnvironments } from "../../../../core/manifests/settings/environments.ts";

/** A folder with these texts by path, and the paths that are read, which are those that are parsed. */
function folderOf(texts: Record<string, string>, read: string[]) {
  return {
    name: "infra",
    paths: Object.keys(texts),
    read: async (path: string) => {
      read.push(path);
      return Buffer.from(texts[path] ?? "");
    },
    // Of the content alone, as in git.
    idOf: (path: string) => texts[path] ?? "",
  };
}

const project = (name: string, more = "") => `kind: Project\nname: ${name}\n${more}`;

test("of a folder that is loaded again, only files that are new, changed or moved are parsed", async () => {
  const parsedBefore = new ParsedFiles();
  const load = async (texts: Record<string, string>) => {
    const read: string[] = [];
    const { documents, problems } = await loadFolder(folderOf(texts, read), { parsedBefore });
    const names = documents.map(({ name, position }) => `${name} ${position(["name"]).file}`);
    return {
      read,
      names,
      problems: problems.map(({ message, position }) => `${position?.file}: ${message}`),
    };
  };
  const first = { "a.yaml": project("a"), "b.yaml": project("b"), "wrong.yaml": project("c", "cpu: 1\n") };
  const wrong = 'infra/wrong.yaml: a Project has no field "cpu"';
  expect(await load(first)).toEqual({
    read: ["a.yaml", "b.yaml", "wrong.yaml"],
    names: ["a infra/a.yaml", "b infra/b.yaml"],
    problems: [wrong],
  });
  expect(await load(first)).toEqual({
    read: [],
    names: ["a infra/a.yaml", "b infra/b.yaml"],
    problems: [wrong],
  });
  const { "b.yaml": moved, ...others } = first;
  const second = { ...others, "a.yaml": project("a2"), "c.yaml": moved };
  expect(await load(second)).toEqual({
    read: ["a.yaml", "c.yaml"],
    names: ["a2 infra/a.yaml", "b infra/c.yaml"],
    problems: [wrong],
  });
  // What the last load did not have is not kept.
  expect((await load(first)).read).toEqual(["a.yaml", "b.yaml"]);
});

test("a file that has not changed is parsed again where the settings give its variables other values", async () => {
  const parsedBefore = new ParsedFiles();
  const texts = { "a.yaml": project("a", "description: ${TAG}\n") };
  const load = async (TAG: string) => {
    const value = { one: { sources: ["."], vars: { TAG } } };
    const placed = {
      value,
      positionOf: () => ({ file: "", line: 1, column: 1, text: "" }),
      spelling: () => TAG,
    };
    const { environments } = readEnvironments(placed);
    const { documents } = await loadEnvironments(folderOf(texts, []), environments, { parsedBefore });
    return documents.map(({ fields }) => fields["description"]);
  };
  expect([await load("first"), await load("second")]).toEqual([["first"], ["second"]]);
});
