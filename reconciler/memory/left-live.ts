import { readStoredText } from "../../core/files/stored-form.ts";
import { stateForm } from "./state.ts";

/** The live resources that a source has applied, by its memory; undefined: that is damaged. @param state undefined: it has none */
export function leftLive(state: string | undefined): string[] | undefined {
  if (state === undefined) return [];
  const { content } = readStoredText(stateForm, state);
  return (
    content && [...new Set(Object.values(content.inventory ?? {}).map(({ address }) => address))].toSorted()
  );
}
