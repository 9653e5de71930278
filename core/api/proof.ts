import { createHmac, timingSafeEqual } from "node:crypto";

/** The maker of a resource, as the server notes it: texts that any client can send. */
interface Maker {
  program: string | undefined;
  signature: string | undefined;
}

/** Milliseconds between a request and its event, by a clock that may be wrong. */
const longest = 600_000;

/** Proves for a short time that a holder of the token makes what it says it makes. @param at in milliseconds */
export function proofOf(token: string, { program, signature }: Maker, about: string, at: number): string {
  const when = Math.round(at).toString(36);
  const text = JSON.stringify([program, signature, about, when]);
  return `${when}.${createHmac("sha256", token).update(text).digest("base64url").slice(0, 16)}`;
}

/** Whether a proof that came with an event is one of that token, for just this. @param time of the event, in milliseconds */
export function isProof(token: string, proof: string, maker: Maker, about: string, time: number): boolean {
  const at = Number.parseInt(proof, 36);
  const [given, right] = [proof, proofOf(token, maker, about, at)].map((text) => Buffer.from(text));
  const isEqual = given && right && given.length === right.length && timingSafeEqual(given, right);
  return isEqual === true && Math.abs(time - at) <= longest;
}
