import { isAbsolute, resolve } from "node:path";
import type { Problem } from "../../core/problems/problem.ts";

export interface RepositoryAddress {
  /** The URL for Git, without a password. */
  url: string;
  protocol: "https" | "ssh" | "file";
}

/** Reads the address of a repository: an https or ssh URL, `user@host:path`, or, if allowed, a `file:` URL or path. */
export function readRepositoryAddress(
  text: string,
  { allowLocal }: { allowLocal: boolean },
): { address: RepositoryAddress } | { problem: Problem } {
  const refused = (message: string, advice: string) => ({
    problem: { code: "argument" as const, message, advice },
  });
  const protocol = protocolOf(text) ?? (isRelative(text, allowLocal) ? "file" : undefined);
  if (!protocol)
    return refused(
      "the URL of the repository does not begin with https, ssh or file",
      "write a URL such as https://git.example.com/acme/infra.git or ssh://git@git.example.com/acme/infra.git",
    );
  if (protocol === "file")
    return allowLocal
      ? { address: { url: isRelative(text, allowLocal) ? resolve(text) : text, protocol } }
      : refused(
          "the repository is on this machine, and such repositories are not allowed",
          "allow it with --allow-local-repo",
        );
  // Everybody on the machine can read the arguments of a process, and messages quote the URL.
  if (URL.parse(text)?.password || (protocol === "https" && URL.parse(text)?.username))
    return refused(
      "the URL of the repository contains a user or a password",
      "remove it, and set INFRASYNC_GIT_TOKEN, or INFRASYNC_GIT_TOKEN_FILE to a file that contains the token",
    );
  return { address: { url: text, protocol } };
}

/** Whether a text is a path from the working directory: `./infra.git`, or `infra.git` if only paths are expected. */
function isRelative(text: string, allowLocal: boolean): boolean {
  return /^\.{1,2}(?:\/|$)/.test(text) || (allowLocal && /^\w[^:@\0\n]*$/.test(text));
}

function protocolOf(text: string): RepositoryAddress["protocol"] | undefined {
  // A text that begins with a dash would be an option, and `ext::` runs a command.
  if (text.startsWith("-") || /[\0\n]/.test(text) || text.includes("::")) return undefined;
  if (isAbsolute(text)) return "file";
  const url = URL.parse(text);
  // ssh would take such a host for an option.
  if (url?.hostname.startsWith("-") || url?.username.startsWith("-")) return undefined;
  if (url?.protocol === "https:") return "https";
  if (url?.protocol === "ssh:") return "ssh";
  if (url?.protocol === "file:") return "file";
  return /^\w[\w.-]*@\w[\w.-]*:[^:]+$/.test(text) ? "ssh" : undefined;
}
