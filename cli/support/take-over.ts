import type { Address } from "../../core/address.ts";
import { type TakenDifference, updateManifests } from "../../core/manifest-update/index.ts";
import { escapeControl } from "../../core/text.ts";
import { exitCodes } from "../exit-codes.ts";
import { title } from "../render/title.ts";
import { renderFiles, updateJson } from "../render/update.ts";
import type { Console } from "../terminal/console.ts";
import type { DescribedSources } from "./manifests.ts";
import { newFiles, writeUpdate } from "./write-update.ts";

/** How values are taken over into manifests. */
export interface TakeOverFlags {
  dryRun?: boolean;
  autoApprove?: boolean;
}

/**
 * States values in manifests: shows the changes of the files, asks, writes them, and plans.
 *
 * @param nothing the text where nothing changes
 * @param planned shows the plan of the written manifests
 */
export async function takeOver(
  { loaded, variables, resources, sources }: DescribedSources & { sources: readonly string[] },
  taken: readonly TakenDifference[],
  { dryRun = false, autoApprove = false }: TakeOverFlags,
  { nothing, planned }: { nothing: string; planned: () => Promise<number> },
  console: Console,
): Promise<number> {
  const changed = updateManifests(loaded, taken, variables);
  const update = { ...changed, missing: [], problems: [], liveNames: new Map<string, string>() };
  const added = await newFiles(sources, update.added);
  const secrets = resources.flatMap(({ secretValues }) => [...secretValues.values()]);
  const shown = { update, added, secrets };
  const kept = update.kept.map(
    ({ address, message, advice }) =>
      `${title(address)}: ${escapeControl(message)}${advice === undefined ? "" : `\n  ${escapeControl(advice)}`}`,
  );
  if (!console.json)
    console.data([...renderFiles(shown, console.dataColors), ...kept].join("\n\n") || nothing);
  const isWritten = await writeUpdate(shown, { dryRun, autoApprove }, console);
  if (console.json) console.document(updateJson(shown, isWritten));
  else if (isWritten) await planned();
  return kept.length > 0 ? exitCodes.failed : exitCodes.done;
}

/** A field of a resource that its manifests are to state; none need state it yet. */
export function stating(
  address: Address,
  path: readonly string[],
  value: string,
  present: string | undefined,
): TakenDifference {
  const change = { path: [...path], before: value, ...(present !== undefined && { after: present }) };
  return { desired: { address }, name: address.names.at(-1) ?? "", changes: [], unstated: [change] };
}
