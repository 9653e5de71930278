import { comesWithin, type Clock } from "../../core/api/index.ts";
import type { Source } from "./source.ts";

/** The claims of a source's documents in an organization. */
export interface Claim {
  organization: string;
  /** The declared resources: keys of addresses, and ids of live resources. */
  declared: ReadonlySet<string>;
  /** The resources that the source would prune: keys and ids. */
  pruned: ReadonlySet<string>;
}

/** A resource that another source declares too, or would prune. */
export interface Conflict {
  /** The key of its address, or its id. */
  key: string;
  source: string;
  /** Whether this source would prune it, and whether the other one would; otherwise it declares it. */
  isPrunedHere: boolean;
  isPrunedThere: boolean;
}

/** The name under which the previews of a source are claimed, beside its documents. */
export function previewsOf(source: string): string {
  return `${source} (previews)`;
}

/** The source of a claimant's name. */
export function sourceOf(claimant: string): string {
  return claimant.replace(/ \(previews\)$/, "");
}

/** The claims of all workers, in their database. */
export interface StoredClaims extends Pick<SourceClaims, "claim"> {
  /** Removes all claims but those of these sources and of their previews. */
  follow(claimants: readonly string[]): Promise<void>;
  /** The sources that have claims. @throws DatabaseError */
  claimants(): Promise<readonly string[]>;
}

/** The resources that two sources claim: two prunes of one are no conflict. */
export function conflictsOf(claim: Claim, source: string, other: Claim): Conflict[] {
  if (other.organization !== claim.organization) return [];
  const all = new Set([...claim.declared, ...claim.pruned]);
  return [...all].flatMap((key) => {
    const isPrunedHere = !claim.declared.has(key);
    const isPrunedThere = !other.declared.has(key);
    const isDesired = !isPrunedThere || (other.pruned.has(key) && !isPrunedHere);
    return isDesired ? [{ key, source, isPrunedHere, isPrunedThere }] : [];
  });
}

/** Milliseconds for which a source waits for the first claims of others: an unavailable repository holds up none for longer. */
const longestWait = 20_000;
/** Milliseconds until the claims of other workers are asked again. */
const pollInterval = 500;

/** Compares the claims of the sources of this process, and of the workers' database, so that no resource has two. */
export class SourceClaims {
  readonly #clock: Clock;
  readonly #stored: StoredClaims | undefined;
  readonly #claims = new Map<string, Claim>();
  /** The sources without claims yet, and until when the others wait for them. */
  #awaited = new Map<string, number>();
  #changed = Promise.withResolvers<void>();

  /** @param stored the claims of all workers; undefined if this process works alone */
  constructor(clock: Clock, stored?: StoredClaims) {
    this.#clock = clock;
    this.#stored = stored;
  }

  async follow(sources: readonly Pick<Source, "name" | "previews">[]): Promise<void> {
    const until = this.#clock.now() + longestWait;
    const names = sources.map(({ name }) => name);
    const claimants = sources.flatMap(({ name, previews }) => (previews ? [name, previewsOf(name)] : name));
    for (const name of this.#claims.keys()) if (!claimants.includes(name)) this.#claims.delete(name);
    this.#awaited = new Map(
      names.flatMap((name) => (this.#claims.has(name) ? [] : [[name, this.#awaited.get(name) ?? until]])),
    );
    this.#wake();
    await this.#stored?.follow(claimants);
  }

  /** Announces the claims of a source, and gives those of others. @param isForWrite otherwise those of other workers may be a moment old */
  async claim(source: string, claim: Claim, isForWrite = false): Promise<readonly Conflict[]> {
    this.#claims.set(source, claim);
    if (this.#awaited.delete(source)) this.#wake();
    const here = [...this.#claims].flatMap(([name, other]) =>
      name === source ? [] : conflictsOf(claim, name, other),
    );
    const elsewhere = (await this.#stored?.claim(source, claim, isForWrite)) ?? [];
    const keyOf = ({ key, source: name }: Conflict) => `${name} ${key}`;
    return [...new Map([...elsewhere, ...here].map((each) => [keyOf(each), each])).values()];
  }

  /** Others no longer wait for the claims of a source: its refresh has ended, with or without them. */
  looked(source: string): void {
    if (this.#awaited.delete(source)) this.#wake();
  }

  /** Resolves when every source has announced its claims, or has had time for that. */
  async settled(): Promise<void> {
    for (;;) {
      const changed = this.#changed.promise;
      const isAwaiting = () => Math.max(...this.#awaited.values()) > this.#clock.now();
      if (!isAwaiting()) return;
      for (const name of (await this.#stored?.claimants()) ?? []) this.#awaited.delete(name);
      if (!isAwaiting()) return;
      const left = Math.max(...this.#awaited.values()) - this.#clock.now();
      await comesWithin(this.#clock, this.#stored ? Math.min(left, pollInterval) : left, changed);
    }
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
