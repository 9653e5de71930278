import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { readFile } from "node:fs/promises";
import { isEqual } from "../equal.ts";
import type { AccessFile } from "./access-file.ts";
import { everywhere, type Grant, type Person } from "./roles.ts";
import type { SignedIn } from "./sign-in.ts";

/** Who may see the page without a role. */
export type Access =
  /** Whoever reaches the address, on this machine alone: names that others could point to it are refused. */
  | { type: "loopback" }
  /** Whoever has the token in this file, which is read again each time. */
  | { type: "token"; file: string }
  | { type: "public" }
  /** Nobody. */
  | { type: "roles" };

/** Who has signed in, as a session keeps it. What the person may do is asked for each time. */
export type SessionIdentity =
  | ({ type: "provider" } & SignedIn)
  | { type: "token"; name: string; digest: string };

/** The name of the token that lets people see the page. */
const pageToken = "the token of the page";

/** Says who comes to the page, and what they may do. */
export class PeopleGate {
  readonly #access: Access;
  readonly #file: AccessFile | undefined;

  /** @param file says who has which role; undefined if nobody can act */
  constructor(access: Access, file?: AccessFile) {
    this.#access = access;
    this.#file = file;
  }

  /**
   * Who sends a request; `wrong_host`: it came by a name that is not this machine's; undefined if nobody knows.
   *
   * @param identity of the session of a browser
   */
  async personOf(
    headers: IncomingHttpHeaders,
    identity: SessionIdentity | undefined,
  ): Promise<Person | "wrong_host" | undefined> {
    // A page of another site could otherwise let its own name mean this machine, and read the page.
    if (this.#access.type === "loopback" && !isLoopbackName(headers.host ?? "")) return "wrong_host";
    const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1];
    const known = bearer === undefined ? identity : await this.identify(bearer);
    const person = known && (await this.#person(known));
    if (person) return person;
    const isOpen = this.#access.type === "public" || this.#access.type === "loopback";
    return isOpen ? { name: "somebody", grants: [everywhere("see")] } : undefined;
  }

  /** Whose token that is. */
  async identify(given: string): Promise<SessionIdentity | undefined> {
    const token = given.trim();
    for (const [name, file] of await this.#tokens()) {
      const expected = await readPageToken(file);
      if (expected !== undefined && isEqual(token, expected))
        return { type: "token", name, digest: digestOf(expected) };
    }
    return undefined;
  }

  /** Whether a token lets anybody in, so that a form for it makes sense. */
  async takesTokens(): Promise<boolean> {
    return (await this.#tokens()).length > 0;
  }

  async #person(identity: SessionIdentity): Promise<Person | undefined> {
    const { roles = [] } = (await this.#file?.rules()) ?? {};
    if (identity.type === "provider") {
      const grants: Grant[] = roles.filter((role) => "group" in role && identity.groups.includes(role.group));
      return { name: identity.name, grants };
    }
    const { name, digest } = identity;
    const file = (await this.#tokens()).find(([each]) => each === name)?.[1];
    const token = file === undefined ? undefined : await readPageToken(file);
    // Another token has taken its place.
    if (token === undefined || digestOf(token) !== digest) return undefined;
    const own = this.#access.type === "token" && name === pageToken ? [everywhere("see")] : [];
    return { name, grants: [...own, ...roles.filter((role) => "name" in role && role.name === name)] };
  }

  /** The names of all tokens, and the files that they are in. */
  async #tokens(): Promise<[name: string, file: string][]> {
    const { roles = [] } = (await this.#file?.rules()) ?? {};
    return [
      ...(this.#access.type === "token" ? [[pageToken, this.#access.file] as [string, string]] : []),
      ...roles.flatMap((role): [string, string][] => ("name" in role ? [[role.name, role.tokenFile]] : [])),
    ];
  }
}

/** The token in a file; undefined when the file has none, so that nobody gets in. */
export async function readPageToken(file: string): Promise<string | undefined> {
  const token = await readFile(file, "utf8").catch(() => "");
  return token.trim() === "" ? undefined : token.trim();
}

/** Not the token itself, which has no place in a session. */
function digestOf(token: string): string {
  return createHmac("sha256", token).update("infrasync page").digest("base64url");
}

/** Whether an address, with or without a port, is this machine as it calls itself. */
export function isLoopbackName(host: string): boolean {
  const name = host.replace(/:\d+$/, "").toLowerCase();
  return name === "localhost" || name === "[::1]" || name === "::1" || /^127(?:\.\d{1,3}){3}$/.test(name);
}
