import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { rootCertificates } from "node:tls";
import type { RepositoryAddress } from "./address.ts";
import type { EnvironmentVariables } from "../../core/api/index.ts";

/** The operator's variables that Git and ssh may see: network access, and keys. */
const passedOn = [
  "PATH",
  "HTTPS_PROXY",
  "https_proxy",
  "ALL_PROXY",
  "all_proxy",
  "NO_PROXY",
  "no_proxy",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "GIT_SSL_CAINFO",
  "SSH_AUTH_SOCK",
  "HOME",
] as const;

/** Answers Git's question for a user and a password. It is no file, because no program may run where the data is. */
const helper = `!f() { test "$1" != get || printf 'username=%s\\npassword=%s\\n' "\${INFRASYNC_GIT_USER:-oauth2}" "$INFRASYNC_GIT_TOKEN"; }; f`;

/**
 * Makes the environment of the next call. The token is read each time, because it may have been replaced.
 *
 * @param folder of the copy, for the file with the authorities that Git trusts
 */
export async function gitEnvironment(
  given: EnvironmentVariables,
  folder: string,
  { url, protocol }: RepositoryAddress,
): Promise<{
  env: Record<string, string | undefined>;
  /** Texts that no message may contain. */
  secrets: string[];
  /** The setting of Git with the helper that returns the token, if there is one. */
  helper?: string;
}> {
  const token = protocol === "https" ? await readToken(given) : undefined;
  const knownHosts = given["INFRASYNC_GIT_KNOWN_HOSTS"];
  const key = given["INFRASYNC_GIT_SSH_KEY_FILE"];
  const env: Record<string, string | undefined> = {
    ...Object.fromEntries(passedOn.map((name) => [name, given[name]])),
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ALLOW_PROTOCOL: protocol,
    GIT_SSH_COMMAND: sshCommand(knownHosts, key),
    // A damaged or missing copy is not searched for in the folders above.
    GIT_CEILING_DIRECTORIES: dirname(folder),
    ...(protocol === "https" && (await trusted(given, folder))),
  };
  if (token === undefined) return { env, secrets: [] };
  return {
    env: { ...env, INFRASYNC_GIT_TOKEN: token, INFRASYNC_GIT_USER: given["INFRASYNC_GIT_USER"] },
    secrets: [token],
    // For this server only: a proxy that asks for a password does not get the token.
    helper: `credential.${new URL(url).origin}.helper=${helper}`,
  };
}

/** Makes Git trust the additional authorities of Node. Authorities that are configured for Git stay. */
async function trusted(given: EnvironmentVariables, folder: string): Promise<Record<string, string>> {
  const { NODE_EXTRA_CA_CERTS: extra, GIT_SSL_CAINFO: own, SSL_CERT_FILE: other } = given;
  if (!extra || own || other) return {};
  // Node ignores an unreadable file too, with a warning at its start.
  const more = await readFile(extra, "utf8").catch(() => undefined);
  if (more === undefined) return {};
  const file = join(folder, "authorities.pem");
  await writeFile(file, [...rootCertificates, more].join("\n"));
  return { GIT_SSL_CAINFO: file };
}

async function readToken(given: EnvironmentVariables): Promise<string | undefined> {
  const { INFRASYNC_GIT_TOKEN: token, INFRASYNC_GIT_TOKEN_FILE: file } = given;
  if (token) return token;
  return file ? (await readFile(file, "utf8")).trim() : undefined;
}

/** ssh that asks nothing and trusts no unknown host. */
function sshCommand(knownHosts: string | undefined, key: string | undefined): string {
  const option = (name: string, value: string) => `-o ${quoted(`${name}=${value}`)}`;
  return [
    "ssh",
    option("BatchMode", "yes"),
    option("StrictHostKeyChecking", "yes"),
    option("ConnectTimeout", "20"),
    ...(knownHosts
      ? [option("UserKnownHostsFile", filePath(knownHosts)), option("GlobalKnownHostsFile", "/dev/null")]
      : []),
    ...(key ? [option("IdentityFile", filePath(key)), option("IdentitiesOnly", "yes")] : []),
  ].join(" ");
}

/** A path in an option of ssh, which splits it at spaces and replaces `%h` and the like. */
function filePath(path: string): string {
  return `"${path.replaceAll("%", "%%")}"`;
}

/** Git gives the command to a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
