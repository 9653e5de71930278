import { access, constants } from "node:fs/promises";
import { GitError } from "./errors.ts";
import { failed, type Git } from "./objects.ts";

/** See `Repository.isSigned`. The signature of a commit covers all its files and all commits before it. @param run Git, which may fail */
export async function isSigned(run: Git, commit: string, allowedSigners: string): Promise<boolean> {
  await access(allowedSigners, constants.R_OK).catch(() => {
    throw new GitError(
      "failed",
      `the file of allowed signers ${allowedSigners} cannot be read`,
      "create it, and let this user read it; until then no other commit is applied",
    );
  });
  const settings = [
    "gpg.format=ssh",
    `gpg.ssh.allowedSignersFile=${allowedSigners}`,
    // Other kinds of signatures, such as those of OpenPGP, do not count.
    "gpg.openpgp.program=false",
    "gpg.x509.program=false",
  ].flatMap((setting) => ["-c", setting]);
  if ((await run([...settings, "verify-commit", commit])).code === 0) return true;
  const args = ["cat-file", "commit", commit];
  const output = await run(args);
  if (output.code !== 0) throw failed(args, output);
  return false;
}
