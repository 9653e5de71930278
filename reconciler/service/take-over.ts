import { nameKey } from "../../core/model/addresses/names.ts";
import type { TSchema } from "typebox";
import { ensureRead, readStoredText } from "../../core/files/stored-form.ts";
import { stateForm } from "../memory/index.ts";
import { type Environment, environmentKeyOf, environmentOf } from "../policy/index.ts";
import type { SourceMemory } from "../sources/index.ts";
import { type Requests, requestsForm } from "../requests/index.ts";

/**
 * Takes over what people have requested in environments that another source has declared before, whether that one has
 * another name now, has ended, or has given the environment away: pauses, rollbacks and approvals belong to environments.
 * Happens once for each environment, so that a pause that has ended here does not come back.
 *
 * @param organization its id
 * @param others the memories of all other sources
 * @returns whether an environment is rolled back by that
 * @throws InvalidInputError when a memory is damaged
 */
export async function takeOver(
  environments: readonly Environment[],
  organization: string,
  requests: Requests,
  others: readonly SourceMemory[],
  now: number,
): Promise<boolean> {
  let isRolledBack = false;
  for (const { name, place, state: stateText, requests: text } of others) {
    if (text === undefined) continue;
    const read = <Form extends TSchema>(form: Form, content: string, file: string) =>
      ensureRead(
        readStoredText(form, content),
        `${file} of the source ${name}, in ${place},`,
        "start that source: it repairs the file, or reports the repair; its pauses and approvals may apply here too",
      );
    const state = stateText === undefined ? {} : read(stateForm, stateText, "state.json");
    const stored = read(requestsForm, text, "requests.json");
    if (state.organization !== organization) continue;
    const documents = Object.keys(state.documents ?? {});
    const declared = new Set(documents.map((key) => nameKey(environmentKeyOf(environmentOf(key).names))));
    const theirs = environments.filter(({ key }) => declared.has(nameKey(key)));
    isRolledBack = (await requests.takeOver(theirs, stored, now)) || isRolledBack;
  }
  await requests.know(environments.map(({ key }) => key));
  return isRolledBack;
}
