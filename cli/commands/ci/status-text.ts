import { shorten } from "../../../core/text.ts";

const digestForm = /\b[0-9a-f]{64}\b/;
/** What the description of a status that is out of date begins with. */
const staleWord = "stale";

/**
 * The description of a status, which carries the digest of the plan that was shown.
 *
 * @param sentence it is shortened where both do not fit
 * @param longest how many characters the forge takes
 */
export function withDigest(sentence: string, digest: string, longest: number): string {
  const end = ` Digest: ${digest}`;
  // A margin for the sign of what is left out.
  return `${shorten(sentence, longest - end.length - 1)}${end}`;
}

/** The digest in the description of a status. */
export function digestIn(description: string): string | undefined {
  return digestForm.exec(description)?.[0];
}

/** The description of a plan that an apply would not make any more. @param why `the base has changed` */
export function staleText(why: string, digest: string, longest: number): string {
  return withDigest(`${staleWord}: ${why}; plan again.`, digest, longest);
}

/** Whether a description is that of a plan that is out of date. */
export function isStale(description: string): boolean {
  return description.startsWith(`${staleWord}:`);
}
