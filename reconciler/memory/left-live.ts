import { stateIn } from "./state.ts";

/** The live resources that a source has applied, by their addresses. @param state the content of the file of its memory */
export function leftLive(state: string): string[] {
  const { inventory = {} } = stateIn(state);
  return [...new Set(Object.values(inventory).map(({ address }) => address))].toSorted();
}

/** What a source has applied: the id of its organization, and the keys of the resources that its documents described. */
export function appliedIn(state: string): { organization?: string | undefined; documents: string[] } {
  const { organization, documents = {} } = stateIn(state);
  return { organization, documents: Object.keys(documents) };
}
