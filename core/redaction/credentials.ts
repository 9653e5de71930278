import { readFile, stat } from "node:fs/promises";
import { isNamedCredential } from "./credential-names.ts";
import { credentialIn } from "./environment-variables.ts";
import type { EnvironmentVariables } from "../api/index.ts";

/** Bytes of the largest file that is taken for one with a credential. */
const largest = 65_536;
/** The shortest user of a URL without a password that is taken for a token. */
const shortestUser = 16;

/** The secrets in the variables of an environment, without the files that they name. */
export function declaredCredentials(environment: EnvironmentVariables): string[] {
  return [
    ...valuesOf(environment, "text").flatMap(secretTexts),
    ...valuesOf(environment, "address").flatMap(secretsOfAddress),
  ];
}

/** The credentials of infrasync in an environment, and in the files that it names. */
export async function configuredCredentials(environment: EnvironmentVariables): Promise<string[]> {
  const inFiles = await Promise.all(credentialFiles(environment).map(credentialsIn));
  return [...valuesOf(environment, "text").flatMap(secretTexts), ...inFiles.flat()];
}

export function credentialFiles(environment: EnvironmentVariables): string[] {
  return valuesOf(environment, "file");
}

/** The secrets in a file; none if it cannot be read, or is a pipe, which can be read only once. */
export async function credentialsIn(file: string): Promise<string[]> {
  const isCredential = await stat(file).then(
    (stats) => stats.isFile() && stats.size <= largest,
    () => false,
  );
  return isCredential ? secretTexts(await readFile(file, "utf8").catch(() => "")) : [];
}

/** The secret part of a credential: all of it; of a URL its password, or the path that identifies the sender in a chat. */
export function secretTexts(credential: string): string[] {
  const text = credential.trim();
  const url = urlIn(text);
  if (!url) return text === "" ? [] : [text];
  const path = url.pathname + url.search;
  return [...secretsOfAddress(text), ...(/^https?:$/.test(url.protocol) && path !== "/" ? [path] : [])];
}

/** The secret parts of an address: its password, a token in place of the user, and query parameters named like one. */
function secretsOfAddress(address: string): string[] {
  const { username = "", password = "", search = "" } = urlIn(address.trim()) ?? {};
  const ofUser = password === "" && username.length >= shortestUser ? username : password;
  const ofQuery = search
    .slice(1)
    .split("&")
    .map((parameter) => /^([^=]*)=(.*)$/.exec(parameter) ?? [])
    .flatMap(([, name = "", value = ""]) => (isNamedCredential(decoded(name), value) ? [value] : []));
  const secrets = [ofUser, ...ofQuery].filter(Boolean);
  return [...new Set(secrets.flatMap((secret) => [secret, decoded(secret)]))];
}

function urlIn(text: string): URL | null {
  return /^[a-z][a-z+]*:\/\/\S+$/i.test(text) ? URL.parse(text) : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function valuesOf(environment: EnvironmentVariables, desired: ReturnType<typeof credentialIn>): string[] {
  return Object.entries(environment).flatMap(([name, value = ""]) =>
    value !== "" && credentialIn(name) === desired ? [value] : [],
  );
}
