import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { InvalidInputError } from "../../../core/problems/problem.ts";
import { shorten } from "../../../core/values/text.ts";
import { forgeAt } from "../../../adapters/forge/index.ts";
import { short } from "../../../adapters/git/index.ts";
import type { Console } from "../../terminal/console.ts";
import { findForge, forgeSettings } from "../../repository/forge.ts";
import { openCheckout } from "./commit-files.ts";

/** Milliseconds: somebody waits for the end. */
const longestLimit = 60_000;

/** Finds the Git host of the repository around files; throws before anything is written. */
export async function preparePullRequest(
  files: readonly string[],
  console: Console,
): Promise<{
  /** Commits the files on a branch of their own, pushes it, and opens the pull request. @returns its address */
  open(files: readonly string[], subject: string): Promise<string>;
  /** Restores the files from the checked-out branch. */
  revert(files: readonly string[]): Promise<void>;
}> {
  const { env } = console.io;
  const failure = ["", "fix the problem that git names, and run again"] as const;
  const { branch, git, textOf, problems, refuse } = await openCheckout(files, failure, console.io);
  const remote = (await textOf("config", `branch.${branch}.remote`)) || "origin";
  const url = await textOf("remote", "get-url", "--push", remote);
  if (url === "")
    refuse(`git knows no remote ${remote} of the manifests`, "add one: git remote add origin URL");
  const place = url === "" ? undefined : findForge(url, {}, env, problems);
  if (!place || problems.length > 0) throw new InvalidInputError(problems);
  const forge = forgeAt(place.api).connect(
    place.project,
    await forgeSettings(console, place.api, longestLimit),
  );

  return {
    async open(written, subject) {
      const scratch = await mkdtemp(join(tmpdir(), "infrasync-index-"));
      try {
        // A separate index leaves the user's index and the checked-out branch unchanged.
        const index = { env: { ...env, GIT_INDEX_FILE: join(scratch, "index") } };
        await git(["read-tree", "HEAD"], index);
        await git(["add", "--", ...written.map((file) => resolve(file))], index);
        const tree = await git(["write-tree"], index);
        const commit = await git(["commit-tree", tree, "-p", "HEAD", "-m", subject]);
        const head = `infrasync/${slugOf(subject)}-${short(commit)}`;
        await git(["push", "--quiet", remote, `${commit}:refs/heads/${head}`], { withHelpers: true });
        console.note(`Pushed the branch ${head}.`);
        const body = "Proposed by infrasync. The check of this change shows its plan.";
        return (await forge.openPullRequest({ title: subject, body, head, base: branch })).url;
      } finally {
        await rm(scratch, { recursive: true, force: true });
      }
    },
    async revert(written) {
      for (const file of written.map((each) => resolve(each))) {
        const isKnown = (await textOf("ls-files", "--", file)) !== "";
        await (isKnown ? git(["checkout", "--quiet", "HEAD", "--", file]) : rm(file));
      }
    },
  };
}

function slugOf(subject: string): string {
  const words = subject
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return shorten(words, 60)
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/-$/, "");
}
