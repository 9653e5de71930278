import { stateIn } from "./state.ts";

/** The live resources that a source has applied, by their addresses. @param state the content of the file of its memory */
export function leftLive(state: string): string[] {
  const { inventory = {} } = stateIn(state);
  return [...new Set(Object.values(inventory).map(({ address }) => address))].toSorted();
}
