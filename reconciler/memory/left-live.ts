import { readStoredText } from "../../core/files/stored-form.ts";
import { stateForm } from "./state.ts";

/**
 * The live resources that a source has applied, by their addresses; undefined: its memory is damaged.
 *
 * @param state the content of the file of its memory; empty: it has none
 */
export function leftLive(state: string): string[] | undefined {
  if (state === "") return [];
  const { content } = readStoredText(stateForm, state);
  return (
    content && [...new Set(Object.values(content.inventory ?? {}).map(({ address }) => address))].toSorted()
  );
}
