import type { Kind } from "../../core/kinds/index.ts";
import { type Contents, Looks } from "../../core/live/index.ts";

/** Milliseconds in which looks at the same parent gather for one request: the engine works on several at once. */
const gathering = 50;

/** Looks that wait a moment for others at the same parent. */
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
