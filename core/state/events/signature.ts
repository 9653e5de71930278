import { randomBytes } from "node:crypto";

const form = / \((run [\w-]{16})(?: proved (\w+\.[\w-]{16}))?\)$/;

/** A new text by which the events of a run are known: the server notes the program that has sent a write. */
export function newSignature(): string {
  return `run ${randomBytes(12).toString("base64url")}`;
}

/** The signature in the name of a program as the server has noted it; undefined if it has none. */
export function signatureIn(program: string | undefined): string | undefined {
  return form.exec(program ?? "")?.[1];
}

/** The proof behind the signature; undefined if there is none. */
export function proofIn(program: string | undefined): string | undefined {
  return form.exec(program ?? "")?.[2];
}

/** The name of a program without the signature of its run. */
export function withoutSignature(program: string | undefined): string | undefined {
  return program?.replace(form, "");
}
