import { nameKey } from "../../core/names.ts";
import type { Kind } from "../../core/kinds/index.ts";
import type { ResourcePlace } from "../../core/operations/index.ts";
import { RefusedError } from "./errors.ts";
import type { StatedInputs } from "./inputs.ts";
import { Owners } from "./owners.ts";

/**
 * The use of a live resource by the program: it is in the state and stays, it is about to be replaced, or this pass has
 * taken it over.
 */
export type Binding = "kept" | "replaced" | "adopted";

/** The resource that will be created in place of another one. */
export interface Successor {
  kind: Kind;
  stated: StatedInputs;
}

/**
 * Records which resource of the program is which live resource, for one pass. The engine calls `diff` for a resource
 * before it changes the resource, and one process serves all resources of a pass.
 */
export class Bindings {
  readonly #byId = new Map<string, Binding>();
  /** The kinds of the resources of the program, by their ids. */
  readonly kinds = new Map<string, Kind>();
  /** The organizations of the resources in the state. */
  readonly organizations = new Set<string>();
  readonly #owners = new Map<string, string>();
  readonly #names = new Map<string, readonly string[]>();
  readonly #claims = new Set<string>();
  readonly #retries = new Set<string>();
  readonly #successors: Successor[] = [];
  readonly #emptied = new Set<string>();
  /** Which resource of the program has what only one can have. */
  readonly owners = new Owners();
  /** The places that resources leave with their old names, and those that they take. */
  readonly #renames = new Map<string, string>();

  of(id: string): Binding | undefined {
    return this.#byId.get(id);
  }

  /**
   * Notes which resource of the program has a live resource in its state, and the names that the live resource has there
   * and in the program.
   */
  own(id: string, resource: string | undefined, names: readonly string[] = []): void {
    if (resource !== undefined) this.#owners.set(id, resource);
    this.#names.set(id, names);
  }

  /** The names of a live resource in the state and in the program. */
  namesOf(id: string): readonly string[] {
    return this.#names.get(id) ?? [];
  }

  /** Whether the state of a resource of the program has that live resource. */
  isOwn(id: string, resource: string | undefined): boolean {
    return resource !== undefined && this.#owners.get(id) === resource;
  }

  /** Whether a resource of the program other than this one has a live resource, and keeps it. */
  isManagedByAnother(id: string, resource: string | undefined): boolean {
    const binding = this.#byId.get(id);
    return binding === "adopted" || (binding === "kept" && !this.isOwn(id, resource));
  }

  /** Notes that a resource of the state stays, unless a replacement of it has been noted. */
  keep(id: string): void {
    if (this.#byId.get(id) !== "replaced") this.#byId.set(id, "kept");
  }

  /** Notes that a resource of the state is to be replaced. */
  replace(id: string, successor: Successor): void {
    this.#byId.set(id, "replaced");
    this.#successors.push(successor);
    if (successor.stated.deleteContents) this.#emptied.add(id);
  }

  /** Whether the program agrees that the replacement of a resource deletes what it still contains. */
  mayEmpty(id: string): boolean {
    return this.#emptied.has(id);
  }

  /** The successors of replaced resources that no earlier call has returned. */
  takeSuccessors(): Successor[] {
    return this.#successors.splice(0);
  }

  adopt(id: string): void {
    this.#byId.set(id, "adopted");
  }

  /**
   * Reserves a name for a resource that will be created; false when this pass has given the name to another resource.
   */
  claim(place: ResourcePlace): boolean {
    const key = keyOf(place);
    if (this.#claims.has(key)) return false;
    this.#claims.add(key);
    return true;
  }

  /** Notes that a resource gets another name; false if others wait for its name in a circle, so that none can be the first. */
  rename(from: ResourcePlace, to: ResourcePlace): boolean {
    const first = keyOf(from);
    this.#renames.set(first, keyOf(to));
    const seen = new Set<string>();
    let at: string | undefined = keyOf(to);
    while (at !== undefined && at !== first && !seen.has(at)) {
      seen.add(at);
      at = this.#renames.get(at);
    }
    return at !== first;
  }

  /** Notes that this pass retries a creation whose outcome in an earlier pass is unknown. */
  retry(place: ResourcePlace): void {
    this.#retries.add(keyOf(place));
  }

  isRetried(place: ResourcePlace): boolean {
    return this.#retries.has(keyOf(place));
  }
}

function keyOf({ kind, parentId, name }: ResourcePlace): string {
  return `${kind.slug}/${parentId}/${nameKey(name)}`;
}

/** The error for two resources of a program with the same live resource. */
export function boundTwice(kind: Kind, id: string): RefusedError {
  return new RefusedError(
    `another resource of this program manages the ${kind.name} ${id} already; remove one of the two from the program (\`pulumi state delete\` removes it from the state and keeps the ${kind.name}), or, if the other is an earlier name of this one, add \`aliases\``,
  );
}
