import { path } from "../api/path.ts";
import { type Fields, isFields } from "../json.ts";

/** The one list of variables and secrets of a scope. */
export const variableListing = (id: string, scope: string) => ({
  path: path`/variable`,
  query: { parent_id: id, scope },
});

/** Whether an entry has a value that is never shown; another name for such a value is no secret itself. */
export function isSecret(entry: Fields): boolean {
  return entry["is_secret"] === true && !isFields(entry["aliased_variable"]);
}
