import { rm } from "node:fs/promises";
import { outputOf } from "../../../core/forms/index.ts";
import { withName } from "../../../core/files.ts";
import { readKubeconfig } from "../../../core/show/index.ts";
import { InvalidInputError, type Problem } from "../../../core/problem.ts";
import { escapeControl } from "../../../core/text.ts";
import { exitCodes } from "../../exit-codes.ts";
import type { SettingFlags } from "../../settings/names.ts";
import type { Console } from "../../terminal/console.ts";
import { readSettings } from "../../support/read-settings.ts";
import { openOwnFile } from "../../support/own-file.ts";
import { withSession } from "../../support/session.ts";

/**
 * Writes the kubeconfig of a cluster to a file that only its owner reads; no output has it. The file is opened before any
 * request, and has to be new or empty: what it holds, such as other clusters, would be lost. Returns the exit code.
 */
export async function saveKubeconfig(
  text: string | undefined,
  flags: SettingFlags & { out?: string },
  console: Console,
): Promise<number> {
  const cluster = text?.replace(/^cluster:/i, "") ?? "";
  const { out = "" } = flags;
  if (cluster === "") throw new InvalidInputError([noCluster]);
  if (out === "" || out === "-") throw new InvalidInputError([noFile]);
  const settings = await readSettings(flags, console);
  const file = await openOwnFile("--out", out);
  let isWritten = false;
  let isTaken = false;
  try {
    isTaken = (await file.stat()).size > 0;
    if (isTaken) throw new InvalidInputError([taken(out)]);
    const kubeconfig = await withSession({ settings, console }, ({ run, organization }) =>
      readKubeconfig(run.client, organization, cluster),
    );
    try {
      await file.writeFile(kubeconfig);
      await file.sync();
    } catch (error) {
      throw withName(error, out);
    }
    isWritten = true;
  } finally {
    await file.close();
    // A file without a kubeconfig, or with half of one, would only mislead.
    if (!isWritten && !isTaken) await rm(out, { force: true });
  }
  if (console.json) console.document(outputOf("documents", { files: [out] }));
  else
    console.data(
      `The kubeconfig of ${escapeControl(cluster)} is in ${escapeControl(out)}, which only you can read.`,
    );
  return exitCodes.done;
}

const noCluster: Problem = {
  code: "argument",
  message: "infrasync get kubeconfig needs a cluster",
  advice:
    "name it, such as infrasync get kubeconfig eu-west --out FILE; a project of that name is project:kubeconfig",
};

const noFile: Problem = {
  code: "argument",
  message: "a kubeconfig is a secret, so it is written to a file and never printed",
  advice: "name a file for it with --out",
};

function taken(file: string): Problem {
  return {
    code: "unwritable",
    message: `--out: ${file} has content already`,
    advice: "name a new file, or delete that one",
  };
}
