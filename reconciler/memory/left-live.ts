import { readStoredText } from "../../core/files/stored-form.ts";
import { stateForm } from "./state.ts";

/** The live resources that a source has applied, by its memory, empty if it has none; undefined: it is damaged. */
export function leftLive(state: string): string[] | undefined {
  if (state === "") return [];
  const { content } = readStoredText(stateForm, state);
  return (
    content && [...new Set(Object.values(content.inventory ?? {}).map(({ address }) => address))].toSorted()
  );
}
