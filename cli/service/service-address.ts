import { resolve } from "node:path";
import type { Problem } from "../../core/problems/problem.ts";
import { escapeControl } from "../../core/values/text.ts";
import { isSafeUrl, readPageToken } from "../../reconciler/index.ts";
import type { Io } from "../terminal/io.ts";
import type { PagePlace } from "./page.ts";

/** The HTTP address of a running service. */
export interface ServiceAddress {
  /** Without a slash at its end. */
  url: string;
  /** The file of the token; undefined: none is sent. */
  token: string | undefined;
}

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
  if (isSafeUrl(url) && url.username === "" && url.password === "")
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
