import { formatAddress } from "../address.ts";
import type { Fields } from "../json.ts";
import type { LiveResource } from "../live/index.ts";
import { withoutShown } from "../secrets/index.ts";
import type { Run } from "./run.ts";
import { messageOf, OperationError } from "./errors.ts";
import type { ResourcePlace } from "./find.ts";

type Answer = Fields & { id: string };

/**
 * Puts the value that the answer to a creation shows once where it belongs, and takes it out of the answer. Comes before
 * all that can fail, because no request can get the value again.
 *
 * @throws OperationError `value_lost`
 */
export async function keepShown(
  { client, shown }: Run,
  { kind, name }: Pick<ResourcePlace, "kind" | "name">,
  whole: Answer,
): Promise<Answer> {
  const { shownOnce: member } = kind;
  if (member === undefined) return whole;
  const { answer, value } = withoutShown(whole, member);
  const { id } = answer;
  if (value === undefined) throw lostValue({ id }, member, `the answer to its creation has no ${member}`);
  client.hide(value);
  try {
    if (!shown) throw new Error("this run has no place for it");
    await shown.keep({ address: formatAddress({ kind, names: [name] }), id, member, value });
  } catch (error) {
    throw lostValue({ id }, member, `writing it failed: ${messageOf(error)}`);
  }
  return answer;
}

/** Refuses a resource that is there although the run has not got the answer that shows its value. */
export function refuseUnseen({ kind, id }: Pick<LiveResource, "kind" | "id">, isPerhapsOurs: boolean): void {
  if (kind.shownOnce === undefined) return;
  const why = isPerhapsOurs
    ? "the answer to its creation did not arrive"
    : "another run has created it meanwhile";
  throw lostValue({ id }, kind.shownOnce, why, isPerhapsOurs);
}

function lostValue({ id }: { id: string }, member: string, why: string, isOurs = true): OperationError {
  return new OperationError(
    "value_lost",
    `it exists (${id}), but its ${member} is lost, because ${why}, and the API shows it only once`,
    { made: isOurs ? [id] : [], remedies: [{ remake: id }] },
  );
}
