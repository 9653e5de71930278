import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { readFile } from "node:fs/promises";
import { isEqual } from "../../equal.ts";

/** Who may see the page. */
export type Access =
  /** Whoever reaches the address, on this machine alone: names that others could point to it are refused. */
  | { type: "loopback" }
  /** Whoever has the token in this file, which is read again each time. */
  | { type: "token"; file: string }
  | { type: "public" };

/** Whether a request may see the page; `wrong_host`: it came by a name that is not this machine's. */
export async function judge(
  access: Access,
  headers: IncomingHttpHeaders,
): Promise<"allowed" | "wrong_host" | "unknown"> {
  switch (access.type) {
    case "public":
      return "allowed";
    case "loopback":
      // A page of another site could otherwise let its own name mean this machine, and read the page.
      return isLoopbackName(headers.host ?? "") ? "allowed" : "wrong_host";
    case "token": {
      const token = await readPageToken(access.file);
      if (token === undefined) return "unknown";
      const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1];
      const cookie = cookieIn(headers.cookie ?? "");
      const isKnown =
        (bearer !== undefined && isEqual(bearer, token)) ||
        (cookie !== undefined && isEqual(cookie, cookieFor(token)));
      return isKnown ? "allowed" : "unknown";
    }
    default:
      return access satisfies never;
  }
}

/** The token of the page; undefined when the file has none, so that nobody gets in. */
export async function readPageToken(file: string): Promise<string | undefined> {
  const token = await readFile(file, "utf8").catch(() => "");
  return token.trim() === "" ? undefined : token.trim();
}

/** The header that lets a browser in that has given the token; undefined when the token is another one. */
export async function entrance(file: string, given: string, isSecure: boolean): Promise<string | undefined> {
  const token = await readPageToken(file);
  if (token === undefined || !isEqual(given.trim(), token)) return undefined;
  const secure = isSecure ? "; Secure" : "";
  return `${cookieName}=${cookieFor(token)}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000${secure}`;
}

const cookieName = "infrasync";

/** Not the token itself, which would otherwise lie in the browser's files. */
function cookieFor(token: string): string {
  return createHmac("sha256", token).update("infrasync page").digest("base64url");
}

function cookieIn(header: string): string | undefined {
  return header
    .split(/;\s*/)
    .map((each) => each.split("="))
    .find(([name]) => name === cookieName)?.[1];
}

/** Whether an address, with or without a port, is this machine as it calls itself. */
export function isLoopbackName(host: string): boolean {
  const name = host.replace(/:\d+$/, "").toLowerCase();
  return name === "localhost" || name === "[::1]" || name === "::1" || /^127(?:\.\d{1,3}){3}$/.test(name);
}
