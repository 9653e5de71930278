import { quote } from "../../core/source/mistake.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";

/** The digest of `--expect`. @throws CommandError if it is none, before requests are spent */
export function expectedDigest(given: string | undefined): string | undefined {
  const digest = given?.trim().toLowerCase();
  if (digest === undefined || /^[\da-f]{64}$/.test(digest)) return digest;
  throw new CommandError("usage", exitCodes.invalid, {
    message: `--expect ${quote(digest)} is not a digest`,
    advice: "write the 64 characters that infrasync plan shows after Digest:",
  });
}
