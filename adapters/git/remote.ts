import type { ProgramOutput } from "../../core/files/run-program.ts";
import { type EnvironmentVariables, sendOnce } from "../../core/api/index.ts";
import { causeOf } from "../../core/files/program-cause.ts";
import { escapeControl, shorten } from "../../core/values/text.ts";
import type { RepositoryAddress } from "./address.ts";
import { GitError } from "./errors.ts";
import { linesOf } from "./objects.ts";
import { chooseTag, isObjectId } from "./revision.ts";

export type GitCaller = (args: readonly string[]) => Promise<ProgramOutput>;

/** A remote repository, and the way to it. */
export interface Remote {
  call: GitCaller;
  address: RepositoryAddress;
  environment: EnvironmentVariables;
}

/** A ref of a remote repository, and its commit. */
export interface RemoteHead {
  ref: string;
  commit: string;
}

/** The newest commit of a branch on the remote. @throws GitError */
export async function newestOfBranch(remote: Remote, branch: string): Promise<RemoteHead> {
  const { call, address } = remote;
  const ref = `refs/heads/${branch}`;
  const { stdout, stderr, code } = await call(["ls-remote", "--exit-code", "--", address.url, ref]);
  if (code === 2)
    throw new GitError(
      "no_branch",
      `the repository has no branch ${branch}`,
      "check the branch; nothing is deleted because of the missing branch",
    );
  if (code !== 0) throw await unreadable(remote, stderr);
  const line = linesOf(stdout).find((each) => each.endsWith(`\t${ref}`));
  const commit = line?.split("\t")[0] ?? "";
  if (!isObjectId(commit)) throw unreachable(address, "an answer without a commit");
  return { ref, commit };
}

/** The tag with a name, or the newest version of a range, on the remote. @throws GitError */
export async function newestTag(remote: Remote, desired: string): Promise<RemoteHead> {
  const { call, address } = remote;
  const { stdout, stderr, code } = await call(["ls-remote", "--tags", "--", address.url]);
  if (code !== 0) throw await unreadable(remote, stderr);
  const tag = chooseTag(stdout.toString(), desired);
  if (!tag)
    throw new GitError(
      "no_branch",
      `the repository has no tag ${desired}, and no version of that range`,
      "check the revision; nothing is deleted because of the missing tag",
    );
  return { ref: `refs/tags/${tag.name}`, commit: tag.commit };
}

const refs = "/info/refs?service=git-upload-pack";

/** The failure of a call on a remote repository; if it has moved, with its new address. */
async function unreadable({ address, environment }: Remote, stderr: string): Promise<GitError> {
  const { failure, message, advice } = unreachable(address, stderr);
  const isRedirected = /returned error: 30\d|redirect/i.test(stderr) && address.url.startsWith("http");
  const redirect = isRedirected ? await redirectOf(address.url, environment) : "";
  return new GitError(failure, message + redirect, advice);
}

/** Tells where a server redirects to for a repository, without a token. */
async function redirectOf(url: string, environment: EnvironmentVariables): Promise<string> {
  const from = `${url.replace(/\/+$/, "")}${refs}`;
  const { answer } = await sendOnce(from, { environment });
  const said = answer?.headers.location;
  const location = said ? URL.parse(said, from) : undefined;
  if (!location) return "";
  const { origin, pathname, href } = location;
  if (href === URL.parse(from)?.href) return "; the server redirects to itself";
  const to = shorten(escapeControl(`${origin}${pathname.replace(/\/info\/refs$/, "")}`), 200);
  const isRepository = pathname.endsWith("/info/refs");
  return isRepository ? `; it has moved to ${to}` : `; the server redirects to ${to}, which is no repository`;
}

export function unreachable({ url }: RepositoryAddress, stderr: string): GitError {
  const { message, advice = "check the URL, the credentials and the network" } = causeOf(stderr);
  return new GitError(
    "unreachable",
    `the repository ${url} cannot be read: ${message}`,
    `${advice}; nothing has been changed`,
  );
}
