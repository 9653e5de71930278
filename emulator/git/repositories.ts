import { createHash } from "node:crypto";
import type { GitRepositoryRequest } from "../bodies/common.ts";
import type { GitRepositorySeed } from "../bodies/git.ts";
import type { GitRepository } from "../world/records.ts";
import type { World } from "../world/world.ts";

const usualBranch = "main";

export function addRepository(organizationId: string, spec: GitRepositorySeed, world: World): void {
  world.nextId = spec.id;
  world.store.gitRepositories.add({ ...world.base(organizationId), name: pathOf(spec.url), spec });
}

/** `acme/web` of `https://github.com/acme/web.git` or `git@github.com:acme/web.git`. */
export function pathOf(url: string): string {
  const path = url.replace(/^[a-z+]+:\/\/[^/]*\/|^[^:/]*:/i, "");
  const parts = path.split("/");
  // Split instead of a regular expression that ends in `/*$`, whose run time is quadratic in the number of slashes.
  const end = parts.findLastIndex((part) => part !== "");
  return parts
    .slice(0, end + 1)
    .join("/")
    .replace(/\.git$/, "");
}

export function providerOf(url: string): string | undefined {
  return /github|gitlab|bitbucket/i.exec(url)?.[0].toUpperCase();
}

export function repositoryAt(url: string, { store }: World): GitRepository | undefined {
  const known = (address: string) => `${providerOf(address) ?? ""} ${pathOf(address)}`.toLowerCase();
  return store.gitRepositories.all().find(({ spec }) => known(spec.url) === known(url));
}

export function branchOf({ url, branch }: GitRepositoryRequest, world: World): string {
  return branch ?? defaultBranch(repositoryAt(url, world));
}

export function defaultBranch(repository: GitRepository | undefined): string {
  return repository?.spec.default_branch ?? repository?.spec.branches?.[0] ?? usualBranch;
}

/** The latest commit of a branch: of an unknown repository, one derived from its URL and branch. */
export function latestCommit(request: GitRepositoryRequest, world: World): string {
  const [latest] = repositoryAt(request.url, world)?.spec.commits ?? [];
  return latest?.git_commit_id ?? createHash("sha1").update(sourceOf(request, world)).digest("hex");
}

/** The repository and branch of a commit, as a key. */
export function sourceOf(request: GitRepositoryRequest, world: World): string {
  return `${request.url}#${branchOf(request, world)}`;
}

export function commitView(commit: NonNullable<GitRepositorySeed["commits"]>[number]): object {
  return { created_at: new Date(0).toISOString(), tag: "", message: "", author_name: "", ...commit };
}
