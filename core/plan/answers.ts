import { showsMember } from "../fields/unkept.ts";
import type { Kind } from "../kinds/index.ts";
import type { LiveState } from "./given.ts";

/** The members that the answers of the server show for the resources of a kind. */
export class Answers {
  readonly #live: LiveState;
  readonly #shown = new Map<string, boolean>();

  constructor(live: LiveState) {
    this.#live = live;
  }

  /** Whether any resource of the kind that has been read has the member at a path, even as null. */
  show(kind: Kind, path: readonly string[]): boolean {
    const key = JSON.stringify([kind.name, path]);
    const known = this.#shown.get(key);
    if (known !== undefined) return known;
    const { contents, lists } = this.#live;
    const isShown = [...contents.values(), ...lists.values()].some(({ resources }) =>
      resources.some(
        ({ kind: its, response }) =>
          its === kind && showsMember(kind.inRequestForm?.(response) ?? response, path),
      ),
    );
    this.#shown.set(key, isShown);
    return isShown;
  }
}
