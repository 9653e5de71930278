import type { Kind } from "../../core/kinds/index.ts";
import { type Contents, Looks } from "../../core/live/index.ts";

/**
 * Milliseconds for which checks of one parent wait for others, to share a request: the engine works on several
 * resources at once.
 */
const gathering = 50;

/** Checks that wait a moment for others of the same parent. */
export class GatheredLooks extends Looks {
  override look(
    parent: Kind | undefined,
    parentId: string,
    delay = 0,
    signal?: AbortSignal,
  ): Promise<Contents | undefined> {
    return super.look(parent, parentId, Math.max(delay, gathering), signal);
  }
}
