import { join } from "node:path";
import { expect, test } from "vitest";
import { readRevision, Repository } from "../../../adapters/git/index.ts";
import { chooseTag } from "../../../adapters/git/revision.ts";
import { GitRepository } from "../../fixtures/git-repository.ts";

/** A repository with three versions, and one that follows a revision of it. */
function following(given: string) {
  const repository = new GitRepository();
  const revision = readRevision(given);
  if (!revision) throw new Error(`${given} is not a revision`);
  const copy = new Repository({
    address: { url: repository.origin, protocol: "file" },
    branch: "main",
    revision,
    folder: join(repository.folder, "data"),
    env: { PATH: process.env["PATH"] },
  });
  const release = (tag: string, ...how: string[]) => {
    const commit = repository.push({ "a.yaml": `# ${tag}` });
    repository.git("tag", ...how, tag);
    repository.git("push", "--quiet", "origin", tag);
    return commit;
  };
  return { repository, copy, release };
}

const newestOf = async (copy: Repository) => copy.fetch(await copy.newest());

test("a range of versions follows the highest version; other pushes change nothing", async () => {
  const { repository, copy, release } = following("v1.*");
  using _ = repository;
  release("v1.2.0");
  const nine = release("v1.9.0", "--annotate", "--message", "nine");
  release("v2.0.0");
  release("nightly");
  expect(await newestOf(copy)).toBe(nine);
  expect(await copy.treeOf(nine, "")).toMatch(/^[0-9a-f]{40}$/);
  const ten = release("v1.10.0");
  release("v1.11.0-rc.1");
  repository.push({ "a.yaml": "# newer" });
  expect(await newestOf(copy)).toBe(ten);
});

test("a tag is followed where it goes, and one that has gone is an error", async () => {
  const { repository, copy, release } = following("live");
  using _ = repository;
  const first = release("live");
  expect(await newestOf(copy)).toBe(first);
  const second = repository.push({ "a.yaml": "# second" });
  expect(await newestOf(copy)).toBe(first);
  repository.git("tag", "--force", "live");
  repository.git("push", "--quiet", "--force", "origin", "live");
  expect(await newestOf(copy)).toBe(second);
  repository.git("push", "--quiet", "origin", ":live");
  await expect(copy.newest()).rejects.toMatchObject({
    failure: "no_branch",
    message: expect.stringContaining("no tag live"),
  });
});

test("a pinned commit stays, and has to be one of the branch", async () => {
  const at = new GitRepository();
  using _ = at;
  const first = at.push({ "a.yaml": "# first" });
  const pinned = (id: string) =>
    new Repository({
      address: { url: at.origin, protocol: "file" },
      branch: "main",
      revision: { type: "commit", id },
      folder: join(at.folder, "data"),
      env: { PATH: process.env["PATH"] },
    });
  at.push({ "a.yaml": "# second" });
  expect(await newestOf(pinned(first))).toBe(first);
  await expect(newestOf(pinned("f".repeat(40)))).rejects.toMatchObject({
    message: expect.stringContaining("has no commit fffffff"),
  });
});

test.each(["-v1", "a..b", "v1:v2", "*/x y", "--upload-pack=x", ""])("%j is not a revision", (given) => {
  expect(readRevision(given)).toBeUndefined();
});

test("a tag is chosen only by its version or its name", () => {
  const id = "a".repeat(40);
  const listed = [
    `${id}\trefs/tags/v1.0.0`,
    `${id}\trefs/tags/v9:refs/heads/main`,
    `x\trefs/tags/v1.5.0`,
  ].join("\n");
  expect(chooseTag(listed, ">=1")).toEqual({ name: "v1.0.0", commit: id });
  expect(chooseTag(listed, "^2")).toBeUndefined();
});
