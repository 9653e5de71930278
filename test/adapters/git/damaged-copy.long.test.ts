import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { Repository } from "../../../adapters/git/index.ts";
import { GitRepository } from "../../fixtures/git-repository.ts";
import { seed, tries } from "../../fixtures/random-cases.ts";
import { randomNumbers } from "../../fixtures/random-yaml.ts";
import { removeFolder } from "../../fixtures/remove-folder.ts";

let data: string;

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "infrasync-copy-"));
  return () => removeFolder(data);
});

const copy = () => join(data, "repository.git");

function started(url: string, branch = "main"): Repository {
  const env = { PATH: process.env["PATH"] };
  return new Repository({ address: { url, protocol: "file" }, branch, folder: data, env });
}

/** One cycle of the reconciler: the newest commit, whether an earlier one comes before it, and its files with their contents. */
async function cycle(repository: Repository, earlier: string): Promise<unknown> {
  const commit = await repository.fetch(await repository.newest());
  const isAfter = await repository.isAncestor(earlier, commit);
  const tree = await repository.treeOf(commit, "infra");
  const before = await repository.statesBefore(commit, "infra", 5);
  const changes = await repository.changesOf(commit, "infra", 5);
  const entries = await repository.list(tree);
  const ids = entries.map(({ id }) => id);
  const contents = await repository.contents(ids, 10_000);
  const files = entries.map(({ path, id }) => [path, String(contents.get(id))]);
  return { commit, isAfter, files, before: before.length, changes: changes.size };
}

/** A repository with two commits, and what a cycle reads of it. */
function startOrigin(): { origin: GitRepository; url: string; first: string; read: unknown } {
  const origin = new GitRepository();
  onTestFinished(() => origin[Symbol.dispose]());
  const first = origin.push({ "infra/a.yaml": "a: 1\n", "infra/deep/b.yaml": "b: 1\n".repeat(50) });
  const commit = origin.push({ "infra/a.yaml": "a: 2\n", "other/c.yaml": "c: 1\n" });
  const files = [
    ["a.yaml", "a: 2\n"],
    ["deep/b.yaml", "b: 1\n".repeat(50)],
  ];
  const read = { commit, isAfter: true, files, before: 1, changes: 2 };
  return { origin, url: `file://${origin.origin}`, first, read };
}

const everyFile = (): string[] =>
  readdirSync(copy(), { recursive: true, encoding: "utf8" })
    .map((name) => join(copy(), name))
    .filter((path) => statSync(path).isFile())
    .toSorted();

const packs = () => everyFile().filter((path) => path.endsWith(".pack"));

const flip = (path: string, at: number): void => {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 0x10;
  rmSync(path);
  writeFileSync(path, bytes);
};

const write = (name: string, text: string) => {
  const path = join(copy(), name);
  rmSync(path, { recursive: true, force: true, maxRetries: 10 });
  writeFileSync(path, text);
};

const damages: Record<string, () => void> = {
  "an empty ref after a power loss": () => write("refs/heads/main", ""),
  "a ref that names no object": () => write("refs/heads/main", `${"1".repeat(40)}\n`),
  "a folder where the ref is": () => {
    rmSync(join(copy(), "refs/heads/main"));
    mkdirSync(join(copy(), "refs/heads/main/below"), { recursive: true });
    write("refs/heads/main/below/x", `${"1".repeat(40)}\n`);
  },
  "a file in its place": () => {
    rmSync(copy(), { recursive: true });
    writeFileSync(copy(), "");
  },
  "a pack that is cut off": () => packs().forEach((path) => truncateSync(path, 40)),
  "a pack with wrong bytes": () => packs().forEach((path) => flip(path, 60)),
  "an empty index of a pack": () =>
    everyFile()
      .filter((path) => path.endsWith(".idx"))
      .forEach((path) => truncateSync(path, 0)),
  "no objects": () => rmSync(join(copy(), "objects"), { recursive: true }),
  "no refs": () => rmSync(join(copy(), "refs"), { recursive: true }),
  "stale locks": () =>
    ["config.lock", "shallow.lock", "packed-refs.lock", "refs/heads/main.lock", "HEAD.lock"].forEach((name) =>
      write(name, ""),
    ),
  "an empty configuration": () => write("config", ""),
  "a configuration that is none": () => write("config", "[core\n"),
  "objects of another format": () => {
    rmSync(copy(), { recursive: true });
    execFileSync("git", ["init", "--quiet", "--bare", "--object-format=sha256", copy()]);
  },
  "a shallow file with nonsense": () => write("shallow", "nonsense\n"),
};

describe.each(Object.entries(damages))("a copy with %s", (_damage, damage) => {
  test.each(["while it runs", "before it starts"])("is fetched again %s, in that cycle", async (when) => {
    const { url, first, read } = startOrigin();
    const repository = started(url);
    expect(await cycle(repository, first)).toEqual(read);
    damage();
    expect(await cycle(when === "while it runs" ? repository : started(url), first)).toEqual(read);
  });

  test("is fetched again where the branch has moved on", async () => {
    const { origin, url, first } = startOrigin();
    const repository = started(url);
    await cycle(repository, first);
    damage();
    const commit = origin.push({ "infra/a.yaml": "a: 3\n" });
    expect(await cycle(repository, first)).toMatchObject({ commit, isAfter: true });
  });
});

test("files of the copy that are deleted, cut off or changed at random do not outlast a cycle", async () => {
  const { url, first, read } = startOrigin();
  const numbers = randomNumbers(seed);
  const below = (end: number) => Math.floor(numbers() * end);
  let repository = started(url);
  for (let round = 0; round < tries(30); round += 1) {
    expect(await cycle(repository, first)).toEqual(read);
    const said: string[] = [];
    for (let count = below(3); count >= 0; count -= 1) {
      const files = everyFile();
      const path = files[below(files.length)] ?? "";
      const size = statSync(path).size;
      const how = below(3);
      said.push(`${["delete", "cut off", "change"][how]} ${path.slice(copy().length + 1)}`);
      if (how === 0) rmSync(path);
      else if (how === 1) truncateSync(path, below(size + 1));
      else if (size > 0) flip(path, below(size));
    }
    if (below(2) === 0) repository = started(url);
    expect(await cycle(repository, first), said.join(", ")).toEqual(read);
  }
});

test("a new copy that a process left behind when it was killed is removed by the next one", async () => {
  const { url, first, read } = startOrigin();
  await cycle(started(url), first);
  mkdirSync(join(data, "repository.git.new", "objects"), { recursive: true });
  expect(await cycle(started(url), first)).toEqual(read);
  expect(readdirSync(data)).toEqual(["repository.git"]);
});

test("a branch whose name lies below the name of one that was followed before is fetched", async () => {
  using origin = new GitRepository();
  const first = origin.push({ "infra/a.yaml": "a: 1\n" }, "main");
  origin.git("push", "--quiet", "origin", "main:release");
  await cycle(started(origin.origin, "release"), first);
  origin.git("push", "--quiet", "origin", ":release");
  origin.git("push", "--quiet", "origin", "main:release/1.0");
  expect(await cycle(started(origin.origin, "release/1.0"), first)).toMatchObject({ commit: first });
});

test("a repository whose objects have ids of 64 digits is read", async () => {
  const author = join(data, "author");
  execFileSync("git", ["init", "--quiet", "--object-format=sha256", "--initial-branch=main", author]);
  mkdirSync(join(author, "infra"));
  writeFileSync(join(author, "infra/a.yaml"), "a: 1\n");
  execFileSync("git", ["-C", author, "add", "."]);
  const user = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
  execFileSync("git", ["-C", author, ...user, "commit", "--quiet", "-m", "first"]);
  const first = execFileSync("git", ["-C", author, "rev-parse", "HEAD"], { encoding: "utf8" }).trim();
  expect(await cycle(started(`file://${author}`), first)).toMatchObject({ files: [["a.yaml", "a: 1\n"]] });
});

test("a remote that goes away leaves the copy as it is", async () => {
  const { origin, url, first } = startOrigin();
  const repository = started(url);
  await cycle(repository, first);
  const before = everyFile();
  await removeFolder(origin.origin);
  await expect(repository.fetch("1".repeat(40))).rejects.toMatchObject({ failure: "unreachable" });
  expect(everyFile()).toEqual(before);
});

test("a folder that the commit does not have is no damage of the copy", async () => {
  const { url, first } = startOrigin();
  const repository = started(url);
  await cycle(repository, first);
  const { ino } = statSync(copy());
  const commit = await repository.fetch(await repository.newest());
  await expect(repository.treeOf(commit, "nowhere")).rejects.toMatchObject({ failure: "no_path" });
  expect(statSync(copy()).ino).toBe(ino);
});
