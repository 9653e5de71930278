import { nameKey } from "../../core/names.ts";
import { appliedIn } from "../memory/index.ts";
import {
  changePauses,
  isPausedBy,
  type Pause,
  pausesIn,
  type Share,
  shareKeyOf,
  shareOf,
} from "../policy/index.ts";
import type { SourceMemory } from "../sources/index.ts";
import { type Requests, requestsIn } from "./requests.ts";

/**
 * Takes over what people have asked for in environments that another source has described before, whether that one has
 * another name now, has ended, or has given the environment away: pauses, rollbacks and approvals belong to environments.
 * Happens once for each share, so that a pause that has ended here does not come back.
 *
 * @param organization its id
 * @param folder the data folder with the pauses of this source
 * @param others the memories of all other sources
 * @returns whether a share is rolled back by that
 */
export async function takeOver(
  shares: readonly Share[],
  organization: string,
  { requests, folder }: { requests: Requests; folder: string },
  others: () => Promise<readonly SourceMemory[]>,
  now: number,
): Promise<boolean> {
  const first = shares.filter(({ key }) => !requests.knows(key));
  if (first.length === 0) return false;
  const pauses: Pause[] = [];
  let isRolledBack = false;
  for (const memory of await others()) {
    const applied = appliedIn(memory.state);
    if (applied.organization !== organization) continue;
    const described = new Set(applied.documents.map((key) => nameKey(shareKeyOf(shareOf(key).names))));
    const theirs = first.filter(({ key }) => described.has(nameKey(key)));
    for (const { name, names } of theirs)
      for (const pause of pausesIn(memory.pauses) ?? [])
        if (names.length > 1 && isPausedBy(pause, names, now)) pauses.push({ ...pause, pattern: name });
    const asked = requestsIn(memory.requests);
    if (asked) isRolledBack = (await requests.takeOver(theirs, asked)) || isRolledBack;
  }
  if (pauses.length > 0) await changePauses(folder, now, (all) => [...all, ...pauses]);
  await requests.know(first.map(({ key }) => key));
  return isRolledBack;
}
