import { createHash } from "node:crypto";
import { stableJson } from "../../core/values/json.ts";
import { findKind, type Kind } from "../../core/model/kinds/index.ts";
import { nameKey } from "../../core/model/addresses/names.ts";
import type { ResourcePlace } from "../../core/operations/index.ts";
import type { Properties, ParsedInputs } from "./inputs.ts";
import { isRunning, ledgerFile, processToken, SharedLines } from "./ledger-file.ts";

/**
 * What a resource of the program has done with a live resource, or is going to do, in one run of the engine. `states`: its state
 * has it, and keeps it. `replaces`: its state has it, and another one is going to be made in its place.
 */
const deeds = ["states", "replaces", "made", "adopted", "written"] as const;

type LedgerOperation = (typeof deeds)[number];

interface Line {
  did:
    | LedgerOperation
    | "lost"
    | "spared"
    | "claimed"
    | "moved"
    | "retried"
    | "deleting"
    | "counted"
    | "began"
    | "joined";
  /** The resource of the program. */
  urn?: string | undefined;
  /** The id of the live resource. */
  id?: string;
  /** What its kind is called. */
  kind?: string;
  /** The names of the live resource in the state and in the program. */
  names?: readonly string[];
  /** A digest of what the state has of it. */
  state?: string;
  /** Whether the replacement may delete what it still contains. */
  empties?: boolean;
  /** The place in which a resource is, or what it claims. */
  place?: string;
  /** The place that it gets. */
  to?: string;
  /** What a run loses, or the process that has joined. */
  what?: string;
}

/** The resource that will be created in place of another one. */
interface Successor {
  /** Whether it gets another name or another parent. */
  isMoved: boolean;
  kind: Kind;
  stated: ParsedInputs;
  resource?: string | undefined;
}

/**
 * The ledger of one run of the engine: which resource of the program has which live resource, and what the run loses. Every process
 * of the provider appends to one file: the engine starts a process for each instance of the provider, for each version of its SDK
 * and for dynamic resources. A preview is a run of its own.
 *
 * The engine tells a process of what a resource keeps before it changes or deletes anything of it.
 */
export class RunLedger {
  readonly #shared: SharedLines;
  readonly #lines: Line[] = [];
  readonly #byId = new Map<string, Line[]>();
  /** The organizations of the resources in the state. */
  readonly organizations = new Set<string>();
  /** What replaces resources, and nobody has checked yet. Only this process knows it, because inputs may be secret. */
  readonly #successors: Successor[] = [];

  /**
   * @param file that of the run, which several processes write; undefined: there is none
   * @param isAlone whether there are no other processes
   */
  constructor(file?: string, isAlone = true) {
    this.#shared = new SharedLines(file, (line) => this.#take(line as object as Line));
    this.#shared.isBlind = file === undefined && !isAlone;
    if (file === undefined) return;
    const isOver = this.#all.every(({ did, what }) => did !== "joined" || !isRunning(what ?? ""));
    // An earlier run had the same address.
    if (isOver && this.#lines.length > 0) this.#append({ did: "began" });
    this.#append({ did: "joined", what: processToken() });
  }

  /** Whether this process sees what the others do. */
  get isWhole(): boolean {
    this.#shared.read();
    return !this.#shared.isBlind;
  }

  /** Notes what a resource of the program does with a live resource. */
  note(
    did: LedgerOperation,
    id: string,
    urn: string | undefined,
    more: Pick<Line, "kind" | "names" | "empties" | "state"> = {},
  ): void {
    this.#append({ did, id, urn, ...more });
  }

  /** Notes that a live resource is to be replaced. */
  replace(id: string, urn: string | undefined, successor: Successor): void {
    this.note("replaces", id, urn, successor.stated.deleteContents ? { empties: true } : {});
    this.#successors.push(successor);
  }

  /** The successors of replaced resources that no earlier call has returned. */
  takeSuccessors(): Successor[] {
    return this.#successors.splice(0);
  }

  /**
   * Whether another resource of the program has a live resource, or this one has got it in this run, so that it stays. A state can have
   * it twice under one name, where a run was killed between an adoption and the deletion of the earlier entry.
   *
   * @param state a digest of the entry of the state that is deleted
   */
  isHeld(id: string, urn: string | undefined, state?: string): boolean {
    return this.#linesOf(id).some((line) => {
      const isOtherEntry = line.state !== undefined && state !== undefined && line.state !== state;
      return isHolding(line) && (line.did !== "states" || !isSame(line.urn, urn) || isOtherEntry);
    });
  }

  /** Whether another resource of the program has a live resource. */
  isOfAnother(id: string, urn: string | undefined): boolean {
    return this.#linesOf(id).some((line) => isHolding(line) && !isSame(line.urn, urn));
  }

  /** Whether another resource of the program has made or adopted a live resource in this run. */
  isTaken(id: string, urn: string | undefined): boolean {
    const lines = this.#linesOf(id);
    return lines.some((line) => line.did !== "states" && isHolding(line) && !isSame(line.urn, urn));
  }

  /** Whether the state of a resource of the program has a live resource. */
  isOwn(id: string, urn: string | undefined): boolean {
    const lines = this.#linesOf(id);
    return lines.some((line) => ["states", "replaces"].includes(line.did) && isSame(line.urn, urn));
  }

  /** Whether a live resource is going to be replaced. */
  isReplaced(id: string): boolean {
    const lines = this.#linesOf(id);
    return lines.some(({ did }) => did === "replaces") && !lines.some(({ did }) => did === "adopted");
  }

  /** Whether the program has a live resource. */
  has(id: string): boolean {
    return this.#linesOf(id).some(({ did }) => deeds.some((deed) => deed === did));
  }

  /** Whether the program agrees that the replacement of a resource deletes what it still contains. */
  mayEmpty(id: string): boolean {
    return this.#linesOf(id).some(({ empties }) => empties === true);
  }

  /** The kind of a resource of the program; undefined where the id is not one of its own. */
  kindOf(id: string): Kind | undefined {
    const kind = this.#linesOf(id).find((line) => line.kind !== undefined)?.kind;
    return kind === undefined ? undefined : findKind(kind);
  }

  /** The names of a live resource in the state and in the program. */
  namesOf(id: string): readonly string[] {
    return this.#linesOf(id).findLast(({ names }) => names)?.names ?? [];
  }

  /** Claims what only one resource can have, such as a name in its parent; false where another one of the program has it. */
  claim(place: ResourcePlace | string, urn: string | undefined): boolean {
    const key = typeof place === "string" ? place : placeKey(place);
    const first = () => this.#of("claimed").find((line) => line.place === key);
    const earlier = first();
    if (earlier) return isSame(earlier.urn, urn);
    this.#append({ did: "claimed", place: key, urn });
    // Another process may have been first.
    return first()?.urn === urn;
  }

  /**
   * Notes that a resource gives up what only one can have, and gets something else of the sort; false if others wait for what it has in
   * a circle, so that none can be the first.
   */
  move(from: string, to: string): boolean {
    this.#append({ did: "moved", place: from, to });
    const moves = Map.groupBy(this.#of("moved"), ({ place }) => place);
    const seen = new Set([to]);
    // A loop over a set also visits what is added during the loop.
    for (const place of seen) for (const { to: next = "" } of moves.get(place) ?? []) seen.add(next);
    return !seen.has(from);
  }

  /** Notes that this run retries a creation whose outcome in an earlier run is unknown. */
  retry(place: ResourcePlace): void {
    this.#append({ did: "retried", place: placeKey(place) });
  }

  isRetried(place: ResourcePlace): boolean {
    const key = placeKey(place);
    return this.#of("retried").some((line) => line.place === key);
  }

  /** Notes what the change of a resource loses. The engine asks about a change more than once; each thing counts once. */
  lose(id: string, what: readonly string[]): void {
    for (const each of what) this.#append({ did: "lost", id, what: each });
  }

  /** Notes that the engine has asked for the deletion of a resource, whose losses are going to be counted. */
  beginDeletion(id: string): void {
    this.#append({ did: "deleting", id });
  }

  /** Notes that all that the deletion of a resource loses has been noted. */
  endCount(id: string): void {
    this.#append({ did: "counted", id });
  }

  /** The deletions that the engine has asked for, and those of them whose losses have not been counted. */
  get deletions(): { begun: number; uncounted: number } {
    const begun = this.#of("deleting");
    const uncounted = begun.filter(({ id = "" }) => !this.#linesOf(id).some(({ did }) => did === "counted"));
    return { begun: begun.length, uncounted: uncounted.length };
  }

  /** Notes that a resource loses nothing after all. */
  spare(id: string): void {
    this.#append({ did: "spared", id });
  }

  /** How much the changes of other resources lose. */
  lostBeside(id: string | undefined): number {
    const lost = new Map<string, Set<string>>();
    for (const { did, id: of = "", what = "" } of this.#all) {
      if (did === "spared") lost.delete(of);
      if (did === "lost" && of !== id) lost.set(of, (lost.get(of) ?? new Set()).add(what));
    }
    return [...lost.values()].reduce((sum, { size }) => sum + size, 0);
  }

  #linesOf(id: string): Line[] {
    this.#shared.read();
    return this.#byId.get(id) ?? [];
  }

  #of(did: Line["did"]): Line[] {
    return this.#all.filter((line) => line.did === did);
  }

  get #all(): readonly Line[] {
    this.#shared.read();
    return this.#lines;
  }

  #append({ names, urn, ...line }: Line): void {
    this.#shared.append({
      ...line,
      ...(urn !== undefined && { urn }),
      ...(names && { names: [...names] }),
    });
  }

  #take(line: Line): void {
    if (line.did === "began") {
      this.#lines.length = 0;
      this.#byId.clear();
    } else {
      this.#lines.push(line);
      if (line.id !== undefined) this.#byId.set(line.id, [...(this.#byId.get(line.id) ?? []), line]);
    }
  }
}

/** Whether nothing else deletes a live resource after a deed: what nobody has done by name is not told from what follows it. */
function isHolding({ did, urn }: Line): boolean {
  return (
    did === "states" || did === "adopted" || ((did === "made" || did === "written") && urn !== undefined)
  );
}

/** The ledger of a run. @param address where its engine listens; undefined: there is no engine */
export function ledgerOf(address: string | undefined, environment: NodeJS.ProcessEnv): RunLedger {
  return address === undefined ? new RunLedger() : new RunLedger(ledgerFile(address, environment), false);
}

/** The address of the engine among the arguments of a process that it has started. */
export function engineAddressIn(args: readonly string[]): string | undefined {
  return args.slice(2).find((argument) => /^[\w.[\]]+:\d+$/.test(argument));
}

/** Whether two names mean the same resource of a program. A name of before, `project/stack/name`, has any parent. */
function isSame(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one === other || shortName(one) === other || one === shortName(other);
}

/** `project/stack/name` of a URN: `urn:pulumi:STACK::PROJECT::TYPES::NAME`. */
function shortName(urn: string): string | undefined {
  const [stack = "", project, , ...name] = urn.split("::");
  return stack.startsWith("urn:pulumi:")
    ? `${project}/${stack.slice("urn:pulumi:".length)}/${name.join("::")}`
    : undefined;
}

/** A digest of what the state has of a resource. */
export function digestOf(olds: Properties): string {
  return createHash("sha256").update(stableJson(olds)).digest("hex");
}

/** A key that is the same for the same place. */
export function placeKey({ kind, parentId, name }: ResourcePlace): string {
  return `${kind.slug}/${parentId}/${nameKey(name)}`;
}
