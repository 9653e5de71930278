import type { FieldChange } from "../fields/compare.ts";
import { showsMember } from "../fields/unkept.ts";
import { type Fields, isFields, sameJson } from "../json.ts";
import type { Kind } from "../kinds/index.ts";
import { isWhole, type LiveResource } from "../live/index.ts";
import { notShown, unfinished } from "./errors.ts";

/** The check of the effect of a change. */
interface Reading {
  /** The change, as a noun. */
  what: string;
  read(): Promise<LiveResource>;
  /** The changes that a resource needs still. */
  changesLeft(current: LiveResource): readonly FieldChange[];
}

/**
 * The response that shows what has become of a change: the answer to it, or where that does not show the changed fields,
 * the answer to one read.
 *
 * @param changes those that were sent
 * @throws OperationError `pending` if the read shows none of them, or fails
 */
export async function shownBy(
  kind: Kind,
  answer: unknown,
  changes: readonly FieldChange[],
  { what, read, changesLeft }: Reading,
): Promise<Fields> {
  const shows = (response: Fields, { path }: FieldChange) =>
    showsMember(kind.form?.inRequestForm?.(response) ?? response, path);
  const tells = (response: Fields) =>
    isWhole(kind, response) || changes.every((change) => shows(response, change));
  if (isFields(answer) && tells(answer)) return answer;
  const current = await read().catch((error: unknown) => {
    throw unfinished(`the server has accepted ${what}`, error);
  });
  const left = changesLeft(current);
  const isLeft = ({ path, before }: FieldChange) =>
    left.some((other) => sameJson(other.path, path) && sameJson(other.before, before));
  // A server that keeps a value in another form has carried out the change, and one that never shows it does not tell.
  if (changes.every(isLeft) && changes.some((change) => shows(current.response, change)))
    throw notShown(what);
  return current.response;
}
