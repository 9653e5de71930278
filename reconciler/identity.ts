import Type from "typebox";
import { form } from "../core/outputs/forms/forms.ts";
import type { StoredForm } from "../core/files/stored-form.ts";

export const identityForm = form({
  /** All that is compared, and unique: `person:ISSUER#SUBJECT`, `token:DIGEST`, `user:NAME` of this machine, `database:NAME`. */
  id: Type.String(),
  /** For people only: two identities may have the same name. */
  name: Type.String(),
});

/** Who somebody is. It is made in the place where somebody is recognised, and kept with what that person does. */
export type Identity = StoredForm<typeof identityForm>;

/** Whoever reads a page that everybody may read, without having signed in. */
export const anybody: Identity = { id: "anybody", name: "somebody" };

/** Who pauses environments while nobody knows what people have requested there. */
export const theService: Identity = { id: "service", name: "the service" };

/** A person for whom a provider of sign-ins vouches. @param issuer URL of the provider @param subject the claim `sub` */
export function identityOfPerson(issuer: string, subject: string, name: string): Identity {
  return { id: `person:${issuer}#${subject}`, name };
}

/** Whoever has a token. @param digest of the token */
export function identityOfToken(digest: string, name: string): Identity {
  return { id: `token:${digest}`, name };
}

/** A user of this machine. */
export function identityOfUser(name: string): Identity {
  return { id: `user:${name}`, name: `${name} on this machine` };
}

/** Whoever has connected to the database of the workers. */
export function identityOfDatabaseUser(name: string): Identity {
  return { id: `database:${name}`, name: `${name} through the database` };
}

export function isSame(one: Identity, other: Identity): boolean {
  return one.id === other.id;
}
