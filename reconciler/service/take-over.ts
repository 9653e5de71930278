import { nameKey } from "../../core/model/addresses/names.ts";
import type { TSchema } from "typebox";
import { ensureRead, readStoredText } from "../../core/files/stored-form.ts";
import { stateForm } from "../memory/index.ts";
import {
  changePauses,
  isPausedBy,
  type Pause,
  pausesForm,
  type Share,
  shareKeyOf,
  shareOf,
} from "../policy/index.ts";
import type { SourceMemory } from "../sources/index.ts";
import { type Requests, requestsForm } from "../requests/index.ts";

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
    const kept = readMemory(memory);
    if (kept?.state.organization !== organization) continue;
    const documents = Object.keys(kept.state.documents ?? {});
    const described = new Set(documents.map((key) => nameKey(shareKeyOf(shareOf(key).names))));
    const theirs = first.filter(({ key }) => described.has(nameKey(key)));
    for (const { name, names } of theirs)
      for (const pause of kept.pauses)
        if (names.length > 1 && isPausedBy(pause, names, now)) pauses.push({ ...pause, pattern: name });
    if (kept.requests) isRolledBack = (await requests.takeOver(theirs, kept.requests)) || isRolledBack;
  }
  if (pauses.length > 0) await changePauses(folder, now, (all) => [...all, ...pauses]);
  await requests.know(first.map(({ key }) => key));
  return isRolledBack;
}

/** What people have asked for at another source; undefined: nothing. @throws InvalidInputError when that is damaged */
function readMemory({ name, state, pauses, requests }: SourceMemory) {
  if (pauses === "" && requests === "") return undefined;
  const read = <Form extends TSchema>(form: Form, text: string, file: string) =>
    text === ""
      ? undefined
      : ensureRead(
          readStoredText(form, text),
          `${file} of the source ${name}`,
          "start that source, which mends the file or says what is to be done; pauses and approvals there may hold here too",
        );
  return {
    state: read(stateForm, state, "state.json") ?? {},
    pauses: read(pausesForm, pauses, "pauses.json")?.pauses ?? [],
    requests: read(requestsForm, requests, "requests.json"),
  };
}
