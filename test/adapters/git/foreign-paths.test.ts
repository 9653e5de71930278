import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readFolder, Repository } from "../../../adapters/git/index.ts";
import { infrasync } from "../../cli/captured.ts";
import { shop } from "../../fixtures/manifests.ts";
import { GitRepository } from "../../fixtures/git-repository.ts";
import { temporaryFolder } from "../../fixtures/temporary-folder.ts";

/** Commits a tree that no checkout can have: each name is one folder further down, and the last one is a file. */
function commitOf(repository: GitRepository, names: readonly string[]): string {
  const call = { cwd: repository.origin, encoding: "latin1" } as const;
  const write = (type: string, input: Buffer) =>
    execFileSync("git", ["hash-object", "-t", type, "--literally", "-w", "--stdin"], {
      ...call,
      input,
    }).trim();
  let [mode, id] = ["100644", write("blob", Buffer.from(shop))];
  for (const name of names.toReversed()) {
    id = write("tree", Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, "hex")]));
    mode = "40000";
  }
  const who = "author <author@example.com> 1700000000 +0000";
  return write("commit", Buffer.from(`tree ${id}\nauthor ${who}\ncommitter ${who}\n\nforeign\n`));
}

const foreign = [
  ["..", "..", "a.yaml"],
  ["manifests", "..", "..", "a.yaml"],
  ["manifests", ".", "a.yaml"],
  ["manifests", ".git", "a.yaml"],
  ["manifests", ".GIT", "a.yaml"],
].map((names) => [names.join("/"), names] as const);

test.each(foreign)(
  "a commit with the path %s is refused wherever its paths are listed",
  async (path, names) => {
    using repository = new GitRepository();
    repository.push({ "manifests/shop.yaml": shop });
    const commit = commitOf(repository, names);
    const [env, signal] = [{ PATH: process.env["PATH"] }, AbortSignal.timeout(60_000)];
    const folder = join(repository.folder, "author");
    const refusal = {
      failure: "failed",
      message: expect.stringContaining(`the path ${JSON.stringify(path)}`),
    };
    await expect(readFolder(folder, commit, [folder], { env, signal })).rejects.toMatchObject(refusal);
    repository.atOrigin("update-ref", "refs/heads/foreign", commit);
    const address = { url: repository.origin, protocol: "file" } as const;
    const copy = new Repository({ address, branch: "foreign", folder: join(repository.folder, "copy"), env });
    await copy.fetch(await copy.newest());
    await expect(copy.list(commit)).rejects.toMatchObject(refusal);
  },
);

test("plan --base writes no file outside of its own folder, whatever paths the base has", async () => {
  using repository = new GitRepository();
  repository.push({ "manifests/shop.yaml": shop });
  const name = `infrasync-escaped-${process.pid}.yaml`;
  const temporary = temporaryFolder("foreign");
  const commit = commitOf(repository, ["manifests", "..", "..", "..", name]);
  const { code, stderr } = await infrasync(
    ["plan", join(repository.folder, "author", "manifests"), "--base", commit],
    {
      env: {
        PATH: process.env["PATH"],
        TMPDIR: temporary,
        INFRASYNC_TOKEN: "t",
        INFRASYNC_BASE_URL: "http://127.0.0.1:9",
      },
    },
  );
  expect({
    code,
    escaped: [existsSync(join(tmpdir(), name)), existsSync(join(tmpdir(), "..", name))],
  }).toEqual({ code: 1, escaped: [false, false] });
  expect(stderr).toContain(`the path "manifests/../../../${name}"`);
});
