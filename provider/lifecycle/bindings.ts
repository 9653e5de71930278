import { nameKey } from "../../core/address.ts";
import type { Kind } from "../../core/kinds/index.ts";
import type { Place } from "../../core/steps/find.ts";
import { RefusedError } from "./errors.ts";
import type { StatedInputs } from "./inputs.ts";

/**
 * What a live resource is to the program: of a resource that is in the state and stays, of one that is about to be
 * replaced, or taken over in this pass.
 */
export type Binding = "kept" | "replaced" | "adopted";

/** What is to be made in the place of a resource. */
export interface Successor {
  kind: Kind;
  stated: StatedInputs;
}

/**
 * What this pass has learned of who is who. The engine asks for the differences of a resource before it has anything
 * done to it, and it keeps one process for all the resources of a pass.
 */
export class Bindings {
  readonly #byId = new Map<string, Binding>();
  readonly #claims = new Set<string>();
  readonly #retries = new Set<string>();
  readonly #successors: Successor[] = [];

  of(id: string): Binding | undefined {
    return this.#byId.get(id);
  }

  /** Notes that a resource of the state stays. Once it is to be replaced, it is. */
  keep(id: string): void {
    if (this.#byId.get(id) !== "replaced") this.#byId.set(id, "kept");
  }

  /** Notes that a resource of the state is to be replaced. */
  replace(id: string, successor: Successor): void {
    this.#byId.set(id, "replaced");
    this.#successors.push(successor);
  }

  /** What comes in the place of what is replaced, as far as this has not been told before. */
  takeSuccessors(): Successor[] {
    return this.#successors.splice(0);
  }

  adopt(id: string): void {
    this.#byId.set(id, "adopted");
  }

  /** Reserves a name for a resource that is to be made; false when this pass has given it to another. */
  claim(place: Place): boolean {
    const key = keyOf(place);
    if (this.#claims.has(key)) return false;
    this.#claims.add(key);
    return true;
  }

  /** Notes that an earlier pass has tried to make this, does not know with what outcome, and this pass tries again. */
  retry(place: Place): void {
    this.#retries.add(keyOf(place));
  }

  isRetried(place: Place): boolean {
    return this.#retries.has(keyOf(place));
  }
}

function keyOf({ kind, parentId, name }: Place): string {
  return `${kind.slug}/${parentId}/${nameKey(name)}`;
}

/** Two resources of a program cannot be the same live one. */
export function boundTwice(kind: Kind, id: string): RefusedError {
  return new RefusedError(
    `another resource of this program is the ${kind.name} ${id} already; leave one of the two out (\`pulumi state delete\` takes it out of the state and leaves the ${kind.name}), or, if the other is this one under an earlier name, add \`aliases\``,
  );
}
