import { resolve } from "node:path";
import type { Problem } from "../../core/problems/problem.ts";
import { escapeControl, shorten } from "../../core/values/text.ts";
import { readPageToken } from "../../reconciler/index.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import type { Io } from "../terminal/io.ts";
import type { PagePlace } from "./page.ts";

/** The HTTP address of a running service. */
export interface ServiceAddress {
  /** Without a slash at its end. */
  url: string;
  /** The file of the token; undefined: none is sent. */
  token: string | undefined;
}

/** Milliseconds for an answer of the service. */
export const answerTimeout = 10_000;

/** Reads the address of the service. Adds mistakes to `problems`. @param page the address of a page on this machine */
export function readServiceAddress(
  { url: given, source }: { url?: string; source?: string },
  page: PagePlace | undefined,
  { env }: Pick<Io, "env">,
  problems: Problem[],
): ServiceAddress | undefined {
  const file = env["INFRASYNC_UI_TOKEN_FILE"] || undefined;
  const token = file === undefined ? undefined : resolve(file);
  const within = source === undefined ? "" : `/sources/${encodeURIComponent(source)}`;
  if (given === undefined) {
    if (!page || page.port === 0) return undefined;
    const { host, port } = page;
    return { url: `http://${host.includes(":") ? `[${host}]` : host}:${port}${within}`, token };
  }
  const url = URL.parse(given);
  const isLocal = url !== null && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLocal);
  if (url && isSafe && url.username === "" && url.password === "")
    return { url: url.origin + url.pathname.replace(/\/+$/, "") + within, token };
  problems.push({
    code: "argument",
    message: `--url "${escapeControl(given)}" is not the URL of a service`,
    advice: "write an https URL without a password, such as https://infra.example.com",
  });
  return undefined;
}

export async function authorization(file: string | undefined): Promise<Record<string, string>> {
  const token = file === undefined ? undefined : await readPageToken(file);
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

export function noAddress(): CommandError {
  return new CommandError("usage", exitCodes.invalid, {
    message: "the address of the service is not known",
    advice: "set the address of its page with --listen or --url",
  });
}

export function unauthorized({ url, token }: ServiceAddress): CommandError {
  return new CommandError("unauthorized", exitCodes.failed, {
    message:
      token === undefined
        ? `the service at ${url} wants a token`
        : `the service at ${url} does not know the token in ${escapeControl(token)}`,
    advice:
      token === undefined
        ? "set its file with INFRASYNC_UI_TOKEN_FILE"
        : "ask whoever runs the service which tokens have a role there",
  });
}

export function unreachable(url: string): CommandError {
  return new CommandError("unreachable", exitCodes.failed, {
    message: `no service answers at ${url}`,
    advice: "start infrasync reconcile, or set the address of its page with --listen or --url",
  });
}

/** @param between who has answered in place of the service */
export function refusedBetween(
  url: string,
  { what, advice }: { what: string; advice: string },
): CommandError {
  return new CommandError("unreachable", exitCodes.failed, { message: `${url}: ${what}`, advice });
}

/** @param text the answer */
export function refusedThere(url: string, text: string): CommandError {
  const words = shorten(escapeControl(text.trim()), 200);
  return new CommandError("forbidden", exitCodes.invalid, {
    message: `${url} refuses this (403)${words === "" ? "" : `: ${words}`}`,
    advice: "name the file of a token whose role allows it with INFRASYNC_UI_TOKEN_FILE",
  });
}
