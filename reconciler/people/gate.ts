import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { readFile } from "node:fs/promises";
import { isEqual } from "../equal.ts";
import Type from "typebox";
import type { StoredForm } from "../../core/files/stored-form.ts";
import { form } from "../../core/outputs/forms/forms.ts";
import { anybody, type Identity, identityForm, identityOfToken, isSame } from "../identity.ts";
import type { AccessFile } from "./access-file.ts";
import { isLoopbackName } from "./safe-url.ts";
import { everywhere, type Grant, type Person } from "./roles.ts";

/** Who may see the page without a role. */
export type Access =
  /** Whoever reaches the address, on this machine alone: names that others could point to it are refused. */
  | { type: "loopback" }
  /** Whoever has the token in this file, which is read again each time. */
  | { type: "token"; file: string }
  | { type: "public" }
  /** Nobody. */
  | { type: "roles" };

const signedInForm = form({
  /** Named `anna@example.com (00u1a2b3)`: the second is the claim `sub`, which never changes. */
  identity: identityForm,
  groups: Type.Array(Type.String()),
});

/** Somebody whom the provider vouches for. */
export type SignedIn = StoredForm<typeof signedInForm>;

export const sessionIdentityForm = Type.Union([
  form({ type: Type.Literal("provider"), ...signedInForm.properties }),
  form({ type: Type.Literal("token"), identity: identityForm }),
]);

/** Who has signed in, as a session keeps it. The permissions of the person are read each time. */
export type SessionIdentity = StoredForm<typeof sessionIdentityForm>;

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

  /** Who sends a request; `wrong_host`: by a name that is not this machine's; undefined: nobody knows. @param known of the session */
  async personOf(
    headers: IncomingHttpHeaders,
    known: SessionIdentity | undefined,
  ): Promise<Person | "wrong_host" | undefined> {
    // A page of another site could otherwise let its own name mean this machine, and read the page.
    if (this.#access.type === "loopback" && !isLoopbackName(headers.host ?? "")) return "wrong_host";
    const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1];
    const session = bearer === undefined ? known : await this.identify(bearer);
    const person = session && (await this.#person(session));
    const isOpen = this.#access.type === "public" || this.#access.type === "loopback";
    if (!isOpen) return person;
    return { identity: session?.identity ?? anybody, grants: [everywhere("see"), ...(person?.grants ?? [])] };
  }

  async identify(given: string): Promise<SessionIdentity | undefined> {
    const token = given.trim();
    const holder = (await this.#holders()).find((each) => isEqual(token, each.token));
    return holder && { type: "token", identity: holder.identity };
  }

  /** Whether a token lets anybody in, so that a form for it makes sense. */
  async takesTokens(): Promise<boolean> {
    return (await this.#holders()).length > 0;
  }

  async #person(session: SessionIdentity): Promise<Person | undefined> {
    const { identity } = session;
    if (session.type === "provider") {
      const { roles = [] } = (await this.#file?.rules()) ?? {};
      return {
        identity,
        grants: roles.filter((role) => "group" in role && session.groups.includes(role.group)),
      };
    }
    // Undefined as soon as the file of the token is gone, or another token is newer.
    const holders = (await this.#holders()).filter((holder) => isSame(holder.identity, identity));
    return holders.length === 0 ? undefined : { identity, grants: holders.flatMap(({ grants }) => grants) };
  }

  /** Those who have a token that can be read. Two roles with one token are of one holder. */
  async #holders(): Promise<TokenHolder[]> {
    const { roles = [] } = (await this.#file?.rules()) ?? {};
    const declared = roles.flatMap((role) =>
      "group" in role ? [] : [{ name: role.name, file: role.tokenFile, grants: [role] }],
    );
    const page =
      this.#access.type === "token"
        ? [{ name: pageToken, file: this.#access.file, grants: [everywhere("see")] }]
        : [];
    const holders = await Promise.all(
      [...page, ...declared].map(async ({ name, file, grants }): Promise<TokenHolder[]> => {
        const token = await readPageToken(file);
        return token === undefined
          ? []
          : [{ token, identity: identityOfToken(digestOf(token), name), grants }];
      }),
    );
    return holders.flat();
  }
}

interface TokenHolder {
  token: string;
  identity: Identity;
  grants: readonly Grant[];
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
