import type { Address } from "../../../core/model/addresses/address.ts";
import {
  type AcceptedDifference,
  type UpdatedFile,
  updateManifests,
} from "../../../core/import/manifest-update/index.ts";
import type { Problem } from "../../../core/problems/problem.ts";
import { escapeControl } from "../../../core/values/text.ts";
import { exitCodes } from "../../exit-codes.ts";
import { title } from "../../render/text.ts";
import { renderFiles, updateJson } from "../../render/update.ts";
import type { Console } from "../../terminal/console.ts";
import type { DeclaredSources } from "../../manifests/manifests.ts";
import { newFiles, writeUpdate } from "../../files/write-update.ts";

export interface TakeOverFlags {
  dryRun?: boolean;
  autoApprove?: boolean;
  commit?: boolean;
  /** Whether a pull request on the Git host proposes the changed files instead. */
  pullRequest?: boolean;
}

/** Separates the flags of a change of manifests from those of its plan. */
export function takeOverFlags<Flags extends TakeOverFlags>(flags: Flags) {
  const { dryRun = false, autoApprove = false, commit = false, pullRequest = false, ...rest } = flags;
  return { taking: { dryRun, autoApprove, commit, pullRequest }, rest };
}

/** The words of a change of manifests, and its next steps. */
interface TakingOver {
  /** The text without changes. */
  nothing: string;
  subject: string;
  /** Shows the plan of the written manifests. */
  planned: () => Promise<number>;
  /** Changed files beside the manifests: those of variables. */
  files?: readonly UpdatedFile[];
  /** The requested values that cannot be taken over. */
  leftOut?: readonly Problem[];
}

/** Declares values in manifests: shows the changes of the files, asks, writes them, and plans. */
export async function takeOver(
  { loaded, variables, resources, sources }: DeclaredSources & { sources: readonly string[] },
  taken: readonly AcceptedDifference[],
  { dryRun = false, autoApprove = false, commit = false, pullRequest = false }: TakeOverFlags,
  { nothing, subject, planned, files: others = [], leftOut = [] }: TakingOver,
  console: Console,
): Promise<number> {
  const changed = updateManifests(loaded, taken, variables);
  const update = {
    ...changed,
    files: [...others, ...changed.files],
    missing: [],
    problems: [],
    liveNames: new Map<string, string>(),
  };
  const added = await newFiles(sources, update.added);
  const secrets = resources.flatMap(({ secretValues }) => [...secretValues.values()]);
  const shown = { update, added, secrets };
  const kept = update.kept.map(
    ({ address, message, advice }) =>
      `${title(address)}: ${escapeControl(message)}${advice === undefined ? "" : `\n  ${escapeControl(advice)}`}`,
  );
  if (!console.json)
    console.data([...renderFiles(shown, console.dataColors), ...kept].join("\n\n") || nothing);
  tellLeftOut(leftOut, console);
  const files = [...update.files, ...added].map(({ name }) => name);
  const proposal =
    pullRequest && !dryRun && files.length > 0
      ? await (await import("./pull-request.ts")).preparePullRequest(files, console)
      : undefined;
  const toCommit =
    commit && !dryRun && files.length > 0
      ? await (await import("./commit-files.ts")).prepareCommit(files, console.io)
      : undefined;
  const isWritten = await writeUpdate(shown, { dryRun, autoApprove }, console);
  if (isWritten && toCommit)
    console.note(`Committed as ${await toCommit(subject)}: ${escapeControl(subject)}`);
  try {
    if (isWritten && proposal)
      console.note(`To merge: ${escapeControl(await proposal.open(files, subject))}`);
    if (console.json) console.document(updateJson(shown, isWritten));
    else if (isWritten)
      await planned().catch((error: unknown) => {
        console.note("The files stay as they are written; their plan could not be made:");
        throw error;
      });
  } finally {
    if (isWritten) await proposal?.revert(files);
  }
  return kept.length > 0 || (leftOut.length > 0 && files.length === 0) ? exitCodes.failed : exitCodes.done;
}

/** Names the skipped requests, with the reason. */
export function tellLeftOut(leftOut: readonly Problem[], console: Console): void {
  for (const { message, advice } of leftOut)
    console.note(
      `Left out: ${escapeControl(message)}${advice === undefined ? "" : `\n  ${escapeControl(advice)}`}`,
    );
}

/** A field that the manifests of a resource will declare. */
export function stating(
  address: Address,
  path: readonly string[],
  value: string,
  present: string | undefined,
): AcceptedDifference {
  const change = { path: [...path], before: value, ...(present !== undefined && { after: present }) };
  return { desired: { address }, name: address.names.at(-1) ?? "", changes: [], undeclared: [change] };
}
