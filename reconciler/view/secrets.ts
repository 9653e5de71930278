import { addressKey } from "../../core/address.ts";
import { textIn } from "../../core/json.ts";
import type { Known } from "../../core/live/index.ts";
import type { Desired } from "../../core/manifest/index.ts";
import { entriesIn, partsIn, statedParts } from "../../core/parts/index.ts";
import type { Plan, Policy } from "../../core/plan/index.ts";
import type { SeenSecret } from "../memory/index.ts";

/**
 * The described secrets that exist, each with what becomes another text when somebody writes it: nobody can compare the
 * values. Those that a document leaves to others are not among them.
 */
export function secretsSeen(
  { actions }: Pick<Plan, "actions">,
  resources: readonly Pick<Desired, "address" | "stated" | "manage">[],
  { parts }: Pick<Known, "parts">,
): SeenSecret[] {
  const documents = new Map(resources.map((desired) => [addressKey(desired.address), desired]));
  return actions.flatMap(({ address, liveAddress, resourceId: id, parent }) => {
    const owner = addressKey(address);
    const document = documents.get(owner);
    // A person who has renamed it is another difference, which comes first.
    if (!document || liveAddress || id === undefined || !("id" in parent)) return [];
    const { stated, manage } = document;
    return statedParts(address.kind)
      .filter(({ form, member }) => form.isWriteOnly && !manage.ignore?.includes(member))
      .flatMap((part) => {
        const { member } = part;
        const wanted = entriesIn(stated, member);
        const ignored = new Set(manage.ignore);
        return (partsIn(parts, { id, parentId: parent.id }, [part]) ?? [])
          .filter(({ key, isOwn }) => isOwn && Object.hasOwn(wanted, key) && !ignored.has(`${member}.${key}`))
          .flatMap(({ key, response }): SeenSecret[] => {
            const at = part.changedAt?.(response);
            if (at === undefined) return [];
            return [{ owner, path: `${member}.${key}`, key, mark: `${textIn(response, "id")} ${at}` }];
          });
      });
  });
}

/** Choices of secrets that somebody else has written, so that a plan writes them again. */
export function chosen(secrets: readonly SeenSecret[]): Policy["rotate"] {
  return secrets.map(({ owner, path, key }) => ({
    text: `${owner}:${path}`,
    matches: (address, its) => its === key && addressKey(address) === owner,
  }));
}
