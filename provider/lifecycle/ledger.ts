import { createHash } from "node:crypto";
import { readStored } from "../../core/files/stored-form.ts";
import { type Fields, stableJson, textIn } from "../../core/values/json.ts";
import { findKind, type Kind } from "../../core/model/kinds/index.ts";
import { hasUnknown } from "../../core/problems/unknown.ts";
import { nameKey } from "../../core/model/addresses/names.ts";
import type { ResourcePlace } from "../../core/operations/index.ts";
import { isOnDemand } from "../../core/state/live/index.ts";
import type { Properties, ParsedInputs } from "./inputs.ts";
import { entries, isHolding, isSame, type LedgerLine, lineForm, type Successor } from "./ledger-line.ts";
import { isRunning, ledgerFile, processToken, SharedLines } from "./ledger-file.ts";

/**
 * The ledger of one run of the engine: which resource of the program has which live resource, and the losses of the
 * run. Every process of the provider appends to one file, because the engine starts a process for each instance of the
 * provider, for each version of its SDK and for dynamic resources. A preview is a run of its own.
 *
 * The engine tells a process about an unchanged resource before it changes or deletes parts of it.
 */
export class RunLedger {
  readonly #shared: SharedLines;
  readonly #lines: LedgerLine[] = [];
  readonly #byId = new Map<string, LedgerLine[]>();
  #isDamaged = false;
  readonly organizations = new Set<string>();
  /** The entries that resources declare, or remove (null), by id. Not in the file: programs declare them once in a process. */
  readonly #entries = new Map<string, { parentId: string | undefined; declared: Fields }>();
  /** The resources that the program makes. Not in the file, because inputs may be secret. */
  readonly #new: (ResourcePlace & { resource: string | undefined; declared: ParsedInputs })[] = [];
  /** The unchecked successors of replaced resources. Not in the file, because inputs may be secret. */
  readonly #successors: Successor[] = [];
  readonly #named = new Map<string, Successor>();

  /** @param file of the run, for all its processes; undefined: none @param isAlone whether no other process exists */
  constructor(file?: string, isAlone = true) {
    this.#shared = new SharedLines(file, (line) => this.#take(readStored(lineForm, line).content));
    this.#shared.isBlind = file === undefined && !isAlone;
    if (file === undefined) return;
    const isOver =
      this.#all.every(({ did, what }) => did !== "joined" || !isRunning(what ?? "")) && !this.#isDamaged;
    // An earlier run had the same address.
    if (isOver && this.#lines.length > 0) this.record({ did: "began" });
    this.record({ did: "joined", what: processToken() });
  }

  /** Whether this process sees the operations of the others, and can read all of them. */
  get isWhole(): boolean {
    this.#shared.read();
    return !this.#shared.isBlind && !this.#isDamaged;
  }

  record(line: LedgerLine): void {
    this.#shared.append(line);
  }

  replace(successor: Successor): void {
    const { id, resource: urn, declared } = successor;
    const [kind, empties] = [successor.kind.name, declared.deleteContents];
    const names = [textIn(successor.olds, "name") ?? declared.name];
    const inputs = { ...declared.fields, [successor.kind.parentMember ?? ""]: declared.parentId ?? null };
    const unknown = Object.keys(inputs).filter((member) => hasUnknown(inputs[member]));
    this.record({ did: "replaces", id, urn, kind, names, empties, unknown, state: digestOf(successor.olds) });
    this.#successors.push(successor);
    if (urn !== undefined) this.#named.set(urn, successor);
  }

  /** Records a resource that the program creates, also as a replacement. */
  expect(place: ResourcePlace, resource: string | undefined, declared: ParsedInputs): void {
    this.#new.push({ ...place, resource, declared });
    this.record({ did: "expected", urn: resource, kind: place.kind.name });
  }

  /** The resources (of a kind) that the run makes, also as a replacement, by their names in the program: a preview knows no id. */
  unmade(kind?: Kind): string[] {
    const made = [...this.#of("expected"), ...this.#of("replaces")];
    return [...new Set(made.flatMap((line) => (!kind || line.kind === kind.name ? (line.urn ?? []) : [])))];
  }

  /** The inputs with which the program makes a resource; undefined: it makes none, as far as this process knows. */
  remade(resource: string | undefined): ParsedInputs | undefined {
    return this.#new.findLast((each) => resource !== undefined && each.resource === resource)?.declared;
  }

  newOnes(kind: Kind): readonly (ResourcePlace & { declared: ParsedInputs })[] {
    return this.#new.filter((place) => place.kind === kind && !hasUnknown(place.name));
  }

  /** The resources that the program makes in a parent (undefined: the organization): of a kind, or those that its contents show. */
  newIn(parentId: string | undefined, kind?: Kind): ResourcePlace[] {
    return this.#new.filter(
      (place) =>
        !hasUnknown(place.name) &&
        (kind ? place.kind === kind : !isOnDemand(place.kind)) &&
        (place.kind.parent ? this.#isFor(place.parentId, parentId) : parentId === undefined),
    );
  }

  /** A replaced parent has an unknown id until it is made. */
  #isFor(parentId: string, id: string | undefined): boolean {
    return parentId === id || (id !== undefined && hasUnknown(parentId) && this.isReplaced(id));
  }

  declare(id: string, parentId: string | undefined, declared: Fields): void {
    this.#entries.set(id, { parentId, declared });
  }

  /** The declared values of a resource and its parents, from that resource up. */
  entriesFrom(id: string | undefined): Fields[] {
    const { parentId, declared = {} } = this.#entries.get(id ?? "") ?? {};
    return id === undefined ? [] : [declared, ...this.entriesFrom(parentId)];
  }

  /** The latest successor of which this holds, before its predecessor is deleted. */
  successor(isIt: (successor: Successor) => boolean): Successor | undefined {
    return this.#successors.findLast(isIt);
  }

  /** The successors that no earlier call has returned. */
  takeSuccessors(): Successor[] {
    return this.#successors.splice(0);
  }

  /**
   * Whether the live resource stays on deletion, because another resource of the program has it, or this one has got it
   * in this run. A state can have it twice under one name, if a run was killed between an adoption and the deletion of
   * the earlier entry.
   *
   * @param state a digest of the deleted entry of the state
   */
  isHeld(id: string, urn: string | undefined, state?: string): boolean {
    return this.#linesOf(id).some((line) => {
      const isOtherEntry = line.state !== undefined && state !== undefined && line.state !== state;
      const isThis = isSame(line.urn, urn) && !isOtherEntry;
      return isHolding(line) && (line.did !== "states" || !(isThis || this.#isRemade(line)));
    });
  }

  /** Whether another resource of the program has a live resource. @param inThisRun whether it has created or adopted it now */
  isOfAnother(id: string, urn: string | undefined, inThisRun = false): boolean {
    return this.#linesOf(id).some(
      (line) => isHolding(line) && !isSame(line.urn, urn) && !(inThisRun && line.did === "states"),
    );
  }

  isOwn(id: string, urn: string | undefined): boolean {
    const lines = this.#linesOf(id);
    return lines.some((line) => ["states", "replaces"].includes(line.did) && isSame(line.urn, urn));
  }

  isReplaced(id: string): boolean {
    const lines = this.#linesOf(id);
    return lines.some(({ did }) => did === "replaces") && !lines.some(({ did }) => did === "adopted");
  }

  has(id: string): boolean {
    return this.#linesOf(id).some(({ did }) => entries.some((entry) => entry === did));
  }

  /** Whether no resource of a program is known: a destruction compares none. */
  get isEmpty(): boolean {
    return !this.#all.some(({ did }) => entries.some((entry) => entry === did));
  }

  /** Whether a live resource is replaced or deleted in this run. */
  goes(id: string): boolean {
    return this.isReplaced(id) || this.#linesOf(id).some(({ did }) => did === "deleting");
  }

  /** Whether a resource is in the program, as far as that has been checked. */
  hasClaim(urn: string | undefined): boolean {
    return this.#of("claimed").some((line) => isSame(line.urn, urn));
  }

  /** Whether the replacement of a resource may delete its remaining contents. */
  mayEmpty(id: string): boolean {
    return this.#linesOf(id).some(({ empties }) => empties === true);
  }

  /** The kind of a resource of the program; undefined for other ids. */
  kindOf(id: string): Kind | undefined {
    const kind = this.#linesOf(id).find((line) => line.kind !== undefined)?.kind;
    return kind === undefined ? undefined : findKind(kind);
  }

  /** The names of a live resource in the state and in the program. */
  namesOf(id: string): readonly string[] {
    return this.#linesOf(id).findLast(({ names }) => names)?.names ?? [];
  }

  /** Claims an exclusive value, such as a name in a parent; false if another resource of the program has it. */
  claim(place: ResourcePlace | string, urn: string | undefined): boolean {
    const key = typeof place === "string" ? place : placeKey(place);
    const first = () => this.#of("claimed").find((line) => line.place === key);
    const earlier = first();
    if (earlier) return isSame(earlier.urn, urn);
    this.record({ did: "claimed", place: key, urn });
    // Another process may have been first.
    return first()?.urn === urn;
  }

  /**
   * Records that a resource gives up an exclusive value, and what it gets in the same change; false if that closes a
   * circle of waiting resources, so that no change can come first.
   */
  move(from: string, gained: readonly string[]): boolean {
    this.record({ did: "moved", place: from, to: gained.join("\n") });
    return !this.isExchanged(from);
  }

  /** Whether two resources exchange their places, directly or through others. */
  isExchanged(from: string): boolean {
    const moves = Map.groupBy(this.#of("moved"), ({ place }) => place);
    const gained = (place: string) => (moves.get(place)?.at(-1)?.to ?? "").split("\n");
    const seen = new Set(gained(from));
    for (const place of seen) for (const next of gained(place)) seen.add(next);
    return seen.has(from);
  }

  /** The successor of that name in the program, also after its predecessor is deleted. */
  successorNamed(urn: string | undefined): Successor | undefined {
    return urn === undefined ? undefined : this.#named.get(urn);
  }

  /** The names in the program of the resources that replace others. */
  get replacedOnes(): string[] {
    return this.#of("replaces").flatMap(({ urn }) => urn ?? []);
  }

  /** Whether one of these resources of the program has got an id in this run, or claims a name. */
  isMadeBy(urns: readonly string[], id: string, name: string): boolean {
    const made = this.#linesOf(id).filter(({ did }) => did === "made" || did === "adopted");
    const claims = this.#of("claimed").filter(({ place }) => place?.endsWith(`/${name}`));
    return [...made, ...claims].some(({ urn = "" }) => urns.includes(urn));
  }

  /** Whether a resource leaves a replaced one, as far as the run knows now. */
  get hasLeaving(): boolean {
    return this.#of("leaves").length > 0;
  }

  /** The unknown members of the inputs of a replaced resource, as far as the run knows now: it is replaced with what they name. */
  unknownIn(id: string): readonly string[] {
    return this.#linesOf(id).flatMap(({ did, unknown = [] }) => (did === "replaces" ? unknown : []));
  }

  /** Whether a resource stays, as far as the run knows now. The engine may replace one that needs no replacement. */
  stays(id: string): boolean {
    return this.has(id) && !this.#linesOf(id).some((line) => line.did === "states" && this.#isRemade(line));
  }

  /** Whether the run replaces a resource that a refresh has compared before. Of a dependant, the engine may tell no name. */
  #isRemade({ id = "", urn, state }: LedgerLine): boolean {
    const isIt = (line: LedgerLine) => line.did === "replaces" && line.state === state;
    return this.unmade().some((each) => isSame(each, urn)) || this.#linesOf(id).some(isIt);
  }

  /** Whether a resource is replaced with its parent. */
  goesWithParent(id: string): boolean {
    return this.unknownIn(id).includes(this.kindOf(id)?.parentMember ?? "");
  }

  /** Whether a resource moves from this parent to another one. */
  isLeft(id: string): boolean {
    return this.#of("moved").some(({ place, to }) => parentIn(place) === id && parentIn(to) !== id);
  }

  /** Whether the resource at a place gives it up in this run, or has, or its creation is retried; or a program claims it. */
  isAt(place: ResourcePlace | string, did: "moved" | "retried" | "freed" | "claimed"): boolean {
    const key = typeof place === "string" ? place : placeKey(place);
    return this.#of(did).some((line) => line.place === key);
  }

  /** The requested deletions, and those whose losses have not been counted. */
  get deletions(): { started: number; uncounted: number } {
    const started = this.#of("deleting");
    const uncounted = started.filter(
      ({ id = "" }) => !this.#linesOf(id).some(({ did }) => did === "counted"),
    );
    return { started: started.length, uncounted: uncounted.length };
  }

  /** The keys of the losses by changes of other resources. */
  lostBeside(id: string | undefined): ReadonlySet<string> {
    const lost = new Map<string, Set<string>>();
    for (const { did, id: of = "", what = "" } of this.#all) {
      if (did === "spared") lost.delete(of);
      if (did === "lost" && of !== id) lost.set(of, (lost.get(of) ?? new Set()).add(what));
    }
    return new Set([...lost.values()].flatMap((keys) => [...keys]));
  }

  #linesOf(id: string): LedgerLine[] {
    this.#shared.read();
    return this.#byId.get(id) ?? [];
  }

  #of(did: LedgerLine["did"]): LedgerLine[] {
    return this.#all.filter((line) => line.did === did);
  }

  get #all(): readonly LedgerLine[] {
    this.#shared.read();
    return this.#lines;
  }

  #take(line: LedgerLine | undefined): void {
    if (!line) {
      this.#isDamaged = true;
    } else if (line.did === "began") {
      this.#isDamaged = false;
      this.#lines.length = 0;
      this.#byId.clear();
    } else {
      this.#lines.push(line);
      if (line.id !== undefined) this.#byId.set(line.id, [...(this.#byId.get(line.id) ?? []), line]);
    }
  }
}

/** @param address the address of the engine; undefined: there is no engine */
export function ledgerOf(address: string | undefined, environment: NodeJS.ProcessEnv): RunLedger {
  return address === undefined ? new RunLedger() : new RunLedger(ledgerFile(address, environment), false);
}

export function digestOf(olds: Properties): string {
  return createHash("sha256").update(stableJson(olds)).digest("hex");
}

/** The id of the parent in a place. */
export function parentIn(place = ""): string | undefined {
  return place.split("/")[1];
}

export function placeKey({ kind, parentId, name }: ResourcePlace): string {
  return `${kind.slug}/${parentId}/${nameKey(name)}`;
}
