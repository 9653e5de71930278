import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Variables } from "../../../core/source/variables.ts";
import { Repository } from "../../../adapters/git/index.ts";
import { CommitSource } from "../../../reconciler/view/commits.ts";
import { GitRepository } from "../../fixtures/git-repository.ts";
import { shop } from "../../fixtures/manifests.ts";
import { findTool, mayBeMissing } from "../../fixtures/tools.ts";

/** A repository whose author has a key, and a source that wants signatures. */
function startRepository() {
  const repository = new GitRepository();
  onTestFinished(() => repository[Symbol.dispose]());
  const key = (name: string) => {
    const file = join(repository.folder, name);
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", file]);
    return file;
  };
  const keys = { author: key("author-key"), stranger: key("stranger-key") };
  const allowed = join(repository.folder, "allowed-signers");
  const allow = (file: string) => {
    const text = execFileSync("ssh-keygen", ["-y", "-f", file], { encoding: "utf8" });
    writeFileSync(allowed, `author@example.com namespaces="git" ${text}`);
  };
  allow(keys.author);
  const copy = new Repository({
    address: { url: repository.origin, protocol: "file" },
    branch: "main",
    folder: join(repository.folder, "data"),
    env: { PATH: process.env["PATH"] },
  });
  const source = new CommitSource(copy, {
    path: "infra",
    variables: new Variables(),
    allowedSigners: allowed,
  });
  const signWith = (file: string | undefined) => {
    repository.git("config", "gpg.format", "ssh");
    repository.git("config", "user.signingkey", file ?? keys.author);
    repository.git("config", "commit.gpgsign", String(file !== undefined));
  };
  return { repository, source, keys, allow, signWith };
}

const unsigned = { code: "invalid", message: expect.stringContaining("has no signature by an ssh key") };

test.skipIf(mayBeMissing(findTool("ssh-keygen")))(
  "only a commit that is signed with an allowed key has no problem",
  async () => {
    const { repository, source, keys, signWith } = startRepository();
    signWith(keys.author);
    repository.push({ "infra/shop.yaml": shop });
    expect((await source.newest()).problems).toEqual([]);
    signWith(undefined);
    repository.push({ "infra/shop.yaml": `${shop}# changed\n` });
    expect((await source.newest()).problems).toMatchObject([unsigned]);
    signWith(keys.stranger);
    repository.push({ "infra/shop.yaml": `${shop}# changed again\n` });
    expect((await source.newest()).problems).toMatchObject([unsigned]);
    // The same files in a commit that is signed as it has to be.
    signWith(keys.author);
    repository.push({});
    expect((await source.newest()).problems).toEqual([]);
  },
);

test.skipIf(mayBeMissing(findTool("ssh-keygen")))(
  "a key that is allowed later makes a commit right without another commit",
  async () => {
    const { repository, source, keys, allow, signWith } = startRepository();
    signWith(keys.stranger);
    repository.push({ "infra/shop.yaml": shop });
    expect((await source.newest()).problems).toMatchObject([unsigned]);
    allow(keys.stranger);
    expect((await source.newest()).problems).toEqual([]);
  },
);

test("a file of allowed signers that is not there is named, instead of the commit", async () => {
  const repository = new GitRepository();
  onTestFinished(() => repository[Symbol.dispose]());
  const commit = repository.push({ "infra/shop.yaml": shop });
  const copy = new Repository({
    address: { url: repository.origin, protocol: "file" },
    branch: "main",
    folder: join(repository.folder, "data"),
    env: { PATH: process.env["PATH"] },
  });
  await copy.fetch(await copy.newest());
  await expect(copy.isSigned(commit, join(repository.folder, "nowhere"))).rejects.toMatchObject({
    name: "GitError",
    message: expect.stringContaining("allowed signers"),
  });
});
