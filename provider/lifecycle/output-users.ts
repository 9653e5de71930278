import { inSentence } from "../../core/values/text.ts";
import { isOutputOf, partsTakingOutputs } from "../../core/model/kinds/index.ts";
import { partsIn } from "../../core/model/parts/index.ts";
import type { LiveResource } from "../../core/state/live/index.ts";
import { RefusedError } from "./errors.ts";
import { contentsLife, type ProviderSession } from "./session.ts";

/**
 * Refuses to delete a resource whose outputs other services use, because the server deletes the variables with it, and
 * the state of those services would not show that. A destruction may delete it before them. Lists may be some seconds
 * old: the deletion itself refuses what has appeared since.
 *
 * @throws RefusedError
 */
export async function refuseOutputUsers(
  session: ProviderSession,
  { kind, id, parentId, name }: Pick<LiveResource, "kind" | "id" | "parentId" | "name">,
): Promise<void> {
  const { ledger, client, run } = session;
  if (kind.outputs === undefined || ledger.goesWithParent(id)) return;
  // The engine does not ask about a resource that the user replaces.
  const isReplacement = ledger.isReplaced(id) || ledger.isAt({ kind, parentId, name }, "claimed");
  if (!isReplacement && ledger.isEmpty) return;
  const { resources = [] } = (await session.listOf(kind, parentId)) ?? {};
  const others = resources.filter(
    (each) => each.id !== id && !ledger.isReplaced(each.id) && (isReplacement || ledger.has(each.id)),
  );
  const users = await Promise.all(
    others.map(async (each) => {
      const parts = partsTakingOutputs(each.kind);
      const lists =
        parts.length > 0 ? await run.live.rereadParts(client, each, parts, contentsLife) : undefined;
      const used = ((lists && partsIn(lists, each, parts)) ?? []).filter((entry) =>
        isOutputOf(entry, { kind, id, name }),
      );
      const keys = used.map(({ part, key }) => `${part.name} ${key}`).toSorted();
      return keys.length === 0 ? [] : [`${keys.join(", ")} of the ${each.kind.name} "${each.name}"`];
    }),
  );
  if (users.flat().length > 0)
    throw new RefusedError(
      `the ${kind.name} "${name}" stays, because the server would delete its outputs with it: ${inSentence(users.flat(), "and")}; take them out of the program, run \`pulumi up\`, make this change, and then declare them again`,
    );
}
