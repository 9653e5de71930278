import { execFileSync } from "node:child_process";
import { chmodSync, constants, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { open, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type VirtualFolder, loadFolder, loadManifests } from "../../../../core/manifests/manifest/index.ts";
import { describeProblems, job } from "../../../fixtures/manifest-problems.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "manifests-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

const at = (name: string) => path.join(folder, name);

/** Writes files: name -> content. */
function write(files: Record<string, string | Uint8Array>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), content);
  }
}

const project = (name: string) => `kind: Project\nname: ${name}\n`;

/** The result of loading: names of resources, and problems without the path of the folder. */
async function load(...sources: string[]) {
  const { documents, problems, files } = await loadManifests(sources);
  return {
    names: documents.map(({ name }) => name),
    problems: describeProblems(problems).replaceAll(folder, "FOLDER"),
    files,
  };
}

test("a folder is read recursively, in order of names, without other files, hidden files and the settings", async () => {
  write({
    "b.yaml": project("b"),
    "a.yml": project("a"),
    "a/z.yaml": project("z"),
    "readme.md": "# no",
    "data.json": "{}",
    ".hidden.yaml": project("hidden"),
    ".git/config.yaml": project("git"),
    "node_modules/x/y.yaml": project("module"),
    "infrasync.config.yaml": "organization: acme",
    "upper.YAML": project("upper"),
  });
  expect(await load(folder)).toEqual({ names: ["z", "a", "b", "upper"], problems: "", files: 4 });
});

test("an ignore file leaves files out in the form of .gitignore, also from above up to the settings file, and on both ways to a folder", async () => {
  const files = {
    "infrasync.config.yaml": "organization: acme",
    ".infrasyncignore": "# other tools\n/charts/\n*.values.yaml\nprod/old.yaml\n",
    "shop.yaml": project("shop"),
    "shop.values.yaml": "replicas: 1",
    "charts/web.yaml": "replicas: 1",
    "prod/charts/web.yaml": project("web"),
    "prod/old.yaml": "kind: Nothing",
    "prod/Old.yaml": project("old"),
    "prod/infra/.infrasyncignore": "!kept.values.yaml\ngone.yaml\n",
    "prod/infra/kept.values.yaml": project("kept"),
    "prod/infra/gone.yaml": "",
  };
  write(files);
  const names = ["old", "web", "kept"];
  expect(await load(folder)).toEqual({ names: [...names, "shop"], problems: "", files: 4 });
  expect(await load(at("prod"))).toEqual({ names, problems: "", files: 3 });
  expect((await load(at("prod/old.yaml"))).problems).toContain('unknown kind "Nothing"');
  const given = {
    name: "infra",
    paths: Object.keys(files),
    read: async (name: keyof typeof files) => Buffer.from(files[name]),
  };
  const loaded = await loadFolder(given as unknown as VirtualFolder);
  expect(loaded.documents.map(({ name }) => name)).toEqual([...names, "shop"]);
  expect(loaded.problems).toEqual([]);
});

test("an ignore file that is a link or a folder is an error: what it would leave out is not guessed", async () => {
  write({ "shop.yaml": project("shop"), "b/.infrasyncignore/x": "" });
  symlinkSync(at("shop.yaml"), at(".infrasyncignore"));
  const { problems } = await load(folder);
  expect(problems).toContain("FOLDER/.infrasyncignore is a symbolic link");
  expect(problems).toContain("FOLDER/b/.infrasyncignore is a folder");
});

test("positions name files by the path that the user gave", async () => {
  write({ "a/b.yaml": job("cpu: x") });
  const { problems } = await loadManifests([`${folder}${path.sep}`]);
  expect(problems[0]?.position?.file).toBe(at(path.join("a", "b.yaml")));
});

test("a named file is read whatever its name, and only once", async () => {
  write({ "manifest.txt": project("a"), "more/b.yaml": project("b") });
  symlinkSync(at("more"), at("more/again"));
  expect(await load(at("manifest.txt"), at("more"), at("more/b.yaml"), at("manifest.txt"))).toEqual({
    names: ["a", "b"],
    problems: "",
    files: 2,
  });
});

test("manifests are read from standard input", async () => {
  const standardInput = Readable.from([`${project("a")}cpu: 1`]);
  const { problems, files } = await loadManifests(["-", "-"], { standardInput });
  expect(files).toBe(1);
  expect(problems.map(({ message, position }) => [position?.file, message])).toEqual([
    ["-", 'a Project has no field "cpu"'],
  ]);
});

test("manifests are read from the standard input of a process, and from a named pipe", () => {
  const script = `
    const { loadManifests } = await import(${JSON.stringify(path.resolve(import.meta.dirname, "../../../../core/manifests/manifest/index.ts"))});
    const { documents, problems } = await loadManifests([process.argv[1]]);
    console.log(JSON.stringify([documents.map(({ name }) => name), problems.map(({ message }) => message)]));`;
  const run = (source: string, writer: string): unknown =>
    JSON.parse(
      execFileSync(
        "sh",
        ["-c", `${writer} | "$0" --input-type=module --eval "$1" -- "$2"`, process.execPath, script, source],
        { encoding: "utf8" },
      ),
    );
  expect(run("-", "echo '{ kind: Project, name: shop }'")).toEqual([["shop"], []]);
  expect(run("-", "head -c 2000000 /dev/zero")).toEqual([[], ["- is larger than 1 MiB"]]);
  expect(run("/dev/stdin", "echo '{ kind: Project, name: shop }'")).toEqual([["shop"], []]);
});

test("a named pipe is read whether the writer opens it before or after the reader", async () => {
  for (const name of ["before", "after"]) execFileSync("mkfifo", [at(name)]);
  const send = (name: string) => writeFile(at(name), project(name));
  const sent = send("before");
  expect(await load(at("before"))).toEqual({ names: ["before"], problems: "", files: 1 });
  await sent;
  const loaded = load(at("after"));
  // Without waiting, a pipe can be opened for writing only once it is opened for reading.
  const opening = () => open(at("after"), constants.O_WRONLY | constants.O_NONBLOCK);
  await using writer = await vi.waitFor(opening, { timeout: 60_000 });
  await writer.writeFile(project("after"));
  await writer.close();
  expect(await loaded).toEqual({ names: ["after"], problems: "", files: 1 });
});

test("binary files and files that are too large are refused", async () => {
  write({
    "binary.yaml": new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0xff]),
    "latin.yaml": Buffer.from("kind: Project\nname: Käse\n", "latin1"),
    "utf16.yaml": Buffer.from(`\uFEFF${project("x")}`, "utf16le"),
    "nul.yaml": "kind: Project\nname: a\0b\n",
    "large.yaml": `${project("large")}#${"x".repeat(1 << 20)}`,
    "mark.yaml": `\uFEFF${project("mark")}`,
  });
  const { names, problems } = await load(folder);
  expect(names).toEqual(["mark"]);
  expect(problems).toMatchInlineSnapshot(`
    "FOLDER/binary.yaml is not a text in UTF-8
        if it is a text, save it in UTF-8; leave other files out
    FOLDER/large.yaml is larger than 1 MiB
        split it into several files
    FOLDER/latin.yaml is not a text in UTF-8
        if it is a text, save it in UTF-8; leave other files out
    FOLDER/nul.yaml is not a text in UTF-8
        if it is a text, save it in UTF-8; leave other files out
    FOLDER/utf16.yaml is not a text in UTF-8
        if it is a text, save it in UTF-8; leave other files out"
  `);
});

test("sources without a document are an error, never an empty desired state", async () => {
  write({
    "docs/readme.md": "# no",
    "empty/a.yaml": "# nothing yet\n",
    "infrasync.config.yaml": "organization: acme",
  });
  expect((await load(at("docs"))).problems).toMatchInlineSnapshot(`
    "FOLDER/docs contains no manifests
        name a folder with files whose names end in .yaml or .yml, or let infrasync init write manifests of the live resources"
  `);
  expect((await load(at("empty"))).problems).toMatchInlineSnapshot(`
    "no manifests found in FOLDER/empty
        nothing is deleted because of missing manifests; name a file or folder with manifests, or let infrasync init write manifests of the live resources"
  `);
  expect((await load(at("infrasync.config.yaml"))).problems).toMatchInlineSnapshot(`
    "no manifests found in FOLDER/infrasync.config.yaml
        nothing is deleted because of missing manifests; name a file or folder with manifests, or let infrasync init write manifests of the live resources"
  `);
  expect((await load()).problems).toMatchInlineSnapshot(`
    "no manifests are named
        name files or folders, or - for standard input, or let infrasync init write manifests of the live resources"
  `);
});

test("a missing or unreadable path is an error", async () => {
  write({ "secret/a.yaml": project("a"), "b.yaml": project("b"), "c.yaml": project("c") });
  expect(await load(at("absent.yaml"), at("b.yaml"))).toMatchInlineSnapshot(`
    {
      "files": 1,
      "names": [
        "b",
      ],
      "problems": "FOLDER/absent.yaml does not exist
        name files or folders that exist",
    }
  `);
  // Root may read everything.
  if (process.getuid?.() === 0) return;
  chmodSync(at("b.yaml"), 0);
  chmodSync(at("secret"), 0);
  const { names, problems } = await load(folder);
  chmodSync(at("secret"), 0o700);
  expect(names).toEqual(["c"]);
  expect(problems).toContain("FOLDER/b.yaml is not readable by this user");
  expect(problems).toContain("FOLDER/secret is not readable by this user");
});

test("a symbolic link is followed inside the folder, and is an error when it leaves the folder", async () => {
  write({
    "outside/x.yaml": project("x"),
    "outside.yaml": project("y"),
    "in/real/a.yaml": project("a"),
    "outside.md": "",
  });
  symlinkSync(at("in/real"), at("in/again"));
  symlinkSync(path.join("real", "a.yaml"), at("in/b.yaml"));
  symlinkSync(at("in"), at("in/real/circle"));
  symlinkSync(at("outside"), at("in/folder"));
  symlinkSync(path.join("..", "outside.yaml"), at("in/file.yaml"));
  symlinkSync(path.join("..", "outside.md"), at("in/readme.md"));
  symlinkSync(at("nowhere"), at("in/lost.yaml"));
  symlinkSync("self.yaml", at("in/self.yaml"));
  const { names, problems } = await load(at("in"));
  expect(names).toEqual(["a"]);
  expect(problems).toMatchInlineSnapshot(`
    "FOLDER/in/file.yaml is a symbolic link that leaves the folder
        put the file itself there, or name the target of the link
    FOLDER/in/folder is a symbolic link that leaves the folder
        put the file itself there, or name the target of the link
    FOLDER/in/lost.yaml does not exist
        name files or folders that exist
    FOLDER/in/self.yaml is a symbolic link that leads back to itself
        put the file itself there"
  `);
});

/** A text, or where a link leads. */
type Content = string | { link: string };

test.each<[string, Record<string, Content>, string[], string]>([
  ["to a file", { "a.yaml": { link: "b/c.txt" }, "b/c.txt": project("a") }, ["a"], ""],
  ["beside its target", { "a.yaml": { link: "b.yaml" }, "b.yaml": project("b") }, ["b"], ""],
  ["to a hidden folder", { more: { link: ".shared/x" }, ".shared/x/a.yaml": project("a") }, ["a"], ""],
  [
    "to a link to a link",
    { a: { link: "b" }, b: { link: "./c" }, c: { link: "d" }, "d/e.yaml": project("e") },
    ["e"],
    "",
  ],
  [
    "above what a link on its way leads to",
    {
      "a.yaml": { link: "d/l/../x.txt" },
      "d/l": { link: "../e/f" },
      "e/f/y.txt": "",
      "e/x.txt": project("e"),
      "d/x.txt": project("d"),
    },
    ["e"],
    "",
  ],
  ["in a circle", { "b/back": { link: ".." }, "b/a.yaml": project("a") }, ["a"], ""],
  [
    "in folders that double at each step",
    Object.fromEntries([
      ...Array.from({ length: 30 }, (_, step): [string, Content][] => [
        [`d${step}/l`, { link: `../d${step + 1}` }],
        [`d${step}/r`, { link: `../d${step + 1}` }],
      ]).flat(),
      ["d30/a.yaml", project("a")],
    ]),
    ["a"],
    "",
  ],
  ["to a text beside", { "a.yaml": job("x: y"), "t.md": { link: "nothing" } }, [], "t.md does not exist"],
  ["to itself", { "a.yaml": { link: "a.yaml" } }, [], "a.yaml is a symbolic link that leads back to itself"],
  ["out of the folder", { "a.yaml": { link: "../out.yaml" } }, [], "a.yaml is a symbolic link that leaves"],
  ["to a folder outside", { a: { link: "../out" } }, [], "a is a symbolic link that leaves the folder"],
  [
    "in the place of an ignore file",
    { "a.yaml": project("a"), "b/.infrasyncignore": { link: "../i" }, i: "a.yaml" },
    ["a"],
    "b/.infrasyncignore is a symbolic link",
  ],
])("a link %s counts alike on the disk and in a commit", async (_what, content, names, problem) => {
  write({ "out/x.yaml": project("x"), "out.yaml": project("y"), "in/keep.txt": "" });
  const paths: string[] = [];
  const links = new Map<string, string>();
  for (const [name, each] of Object.entries(content)) {
    if (typeof each === "string") write({ [`in/${name}`]: each });
    else {
      mkdirSync(path.dirname(at(`in/${name}`)), { recursive: true });
      symlinkSync(each.link, at(`in/${name}`));
    }
    if (typeof each === "string") paths.push(name);
    else links.set(name, each.link);
  }
  const read = async (name: string) => Buffer.from(String(content[name]));
  const given = await loadFolder({ name: at("in"), paths, links, read });
  const found = await loadManifests([at("in")]);
  for (const { documents, problems } of [given, found]) {
    expect(documents.map(({ name }) => name)).toEqual(names);
    expect(describeProblems(problems)).toContain(problem);
  }
  expect(describeProblems(given.problems)).toBe(describeProblems(found.problems));
});

test("a link that is named itself is followed to any target", async () => {
  write({ "real/a.yaml": project("a") });
  symlinkSync(at("real"), at("link"));
  symlinkSync(at("real/a.yaml"), at("a.yaml"));
  expect((await load(at("link"))).names).toEqual(["a"]);
  expect((await load(at("a.yaml"))).names).toEqual(["a"]);
});

test("messages escape control characters in file names", async () => {
  write({ "\u001B[31m.yaml": "\0" });
  expect((await load(folder)).problems).toContain("\\u001b[31m.yaml is not a text in UTF-8");
});

test("mistakes of all files are reported in the order of the files", async () => {
  write({ "a.yaml": job("cpu: x"), "b.yaml": "kind: jobb", "c.yaml": project("c") });
  const { documents, problems } = await loadManifests([folder]);
  expect(documents.map(({ name }) => name)).toEqual(["c"]);
  expect(problems.map(({ position }) => path.basename(position?.file ?? ""))).toEqual(["a.yaml", "b.yaml"]);
});
