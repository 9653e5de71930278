import { compare, type FieldChange } from "../model/fields/compare.ts";
import { overlay } from "../model/fields/overlay.ts";
import { type Fields, isFields, type Json, own } from "../values/json.ts";
import { type OutputSource, withAliases, withOutputs } from "../model/kinds/index.ts";
import type { LivePartOwner, LiveResource } from "../state/live/index.ts";
import {
  entriesIn,
  listingKey,
  listingsOf,
  ownPartFields,
  type PartChange,
  type PartEntry,
  partReports,
  partsIn,
  type PartLists,
  type PartRequest,
  partsWith,
  shareList,
  siblingParts,
  type DeclaredPart,
} from "../model/parts/index.ts";
import type { Run } from "./run.ts";
import { outdated } from "./errors.ts";
import { refuseOtherParts, refuseOthers, type PlannedPart } from "./refuse-others.ts";
import { PartSends } from "./part-sends.ts";

/** The changes of some parts that have to be made. */
export interface PendingPart {
  part: DeclaredPart;
  changes: PartChange[];
}

/** The parts of a resource while they are written: the lists that were read, with the answers entered. */
export class PartState {
  readonly #run: Run;
  readonly #owner: LivePartOwner;
  readonly #declared: Fields;
  readonly #sources: readonly OutputSource[];
  /** The sorts of parts that are declared, and those in the same lists. */
  readonly #parts: readonly DeclaredPart[];
  #lists: PartLists;
  readonly #read = new Set<string>();
  /** The keys of the lists that are known to the last entry: they have been read, and the answers since have told all. */
  readonly #whole = new Set<string>();
  /** The lists of a new resource, as far as the answers to its own writes tell them. */
  readonly #reported: Map<string, readonly Fields[]>;
  /** When nothing was written yet, by the clock of the server. */
  readonly #started: number;
  /** The keys that the server does not give to an entry of another sort. */
  readonly #refused = new Set<string>();
  readonly sends = new PartSends();

  /** @param sources the siblings of which the declared parts use outputs */
  constructor(run: Run, owner: LivePartOwner, declared: Fields, sources: readonly OutputSource[] = []) {
    this.#run = run;
    this.#sources = sources;
    this.#owner = owner;
    this.#declared = declared;
    this.#parts = partsWith(owner.kind, Object.keys(declared));
    this.#lists = new Map([...listingsOf(owner, this.#parts).keys()].map((key) => [key, []]));
    this.#reported = new Map(this.#lists);
    this.#started = run.client.serverTime;
  }

  /** Reads the lists that other resources share: a new resource has no other parts. */
  async readShared(): Promise<void> {
    await this.read(siblingParts(this.#parts));
  }

  /** @param parts those whose lists are read; all when left out */
  async read(parts: readonly DeclaredPart[] = this.#parts): Promise<void> {
    const { kind, id } = this.#owner;
    const { client, live } = this.#run;
    const lists = await live.parts.read(client.finishing, this.#owner, parts, 0);
    if (!lists) throw outdated("gone", `the ${kind.name} ${id} has disappeared meanwhile`);
    this.#lists = new Map([...this.#lists, ...lists]);
    const differing = this.#differing();
    this.sends.listed(membersOf(parts), (member, key) => !differing.get(member)?.has(key));
    for (const part of parts) {
      const key = this.#listOf(part);
      this.#read.add(key);
      // a list that lacks an accepted entry is not cached.
      const isLate = this.unlistedBeside(part).length > 0;
      if (isLate) live.takeInParts(this.#owner, part.listing(id, this.#owner.parentId), undefined);
      if (isLate) this.#whole.delete(key);
      else this.#whole.add(key);
    }
  }

  /** The differences between the parts of some lists and the wanted ones, as fields of their resource. */
  differences(lists = this.#lists): FieldChange[] {
    const { fields } = this.#owner.kind;
    const current = this.#fieldsIn(lists);
    return compare(fields, current, overlay(fields, current, this.#declared));
  }

  /** Refuses differences that were not planned, and from other parts than the plan saw, or the caller. @throws OperationError `changed` */
  refuseOthers(
    differences: readonly FieldChange[],
    planned: readonly FieldChange[] | undefined,
    seen: readonly PlannedPart[],
  ): void {
    // Which sibling a resource names before depends on which of the plan's changes come first.
    const shared = membersOf(siblingParts(this.#parts));
    const alone = differences.filter(({ path: [member = ""] }) => !shared.has(member));
    if (planned) refuseOthers(this.#owner, alone, planned);
    refuseOtherParts(this.#owner, this.#entriesIn(this.#lists), this.#parts, differences, seen, planned);
  }

  /** The parts that the resource itself has. */
  present(): PartEntry[] {
    return this.#entriesIn(this.#lists).filter(({ isOwn }) => isOwn);
  }

  /** The wanted parts, as fields of the resource. */
  desired(): Fields {
    return overlay(this.#owner.kind.fields, this.#fieldsIn(this.#lists), this.#declared);
  }

  /** The reports of the API about the parts, as far as answers and lists show them. */
  reports(): Fields {
    return partReports({ parts: this.#parts }, this.#entriesIn(this.#lists));
  }

  /** Enters all that a new resource has in the store, so that no plan has to read it. */
  tell(owner: LiveResource): void {
    for (const [key, listing] of listingsOf(owner, this.#parts)) {
      const entries = this.#reported.get(key);
      if (entries) this.#run.live.tell({ owner, listing, at: this.#started, entries });
    }
  }

  #tell(key: string, { listedAfter, makes }: PartRequest, answer: unknown): void {
    const before = this.#reported.get(key);
    const after =
      before && answer !== undefined
        ? (listedAfter?.(answer, before) ?? (makes && [...before, ...makes]))
        : undefined;
    if (after) this.#reported.set(key, after);
    else this.#reported.delete(key);
  }

  /** Enters an answer. @param answer undefined if it does not show the result */
  takeIn(part: DeclaredPart, request: PartRequest, answer: unknown): void {
    const { keys, listedAfter } = request;
    const listing = part.listing(this.#owner.id, this.#owner.parentId);
    const key = listingKey(listing);
    this.#tell(key, request, answer);
    const listedNow = (before: readonly Fields[]) =>
      answer === undefined ? undefined : listedAfter?.(answer, before);
    const listed = listedNow(this.#lists.get(key) ?? []);
    const lists = listed && new Map([...this.#lists, [key, listed]]);
    // A list that does not show the sent entry is not believed.
    const isAsSent =
      lists &&
      !this.differences(lists).some(
        ({ path: [top, inner = ""] }) => top === part.member && keys.includes(inner),
      );
    if (lists && isAsSent) this.#lists = lists;
    else this.#whole.delete(key);
    // Others may have changed a list of siblings since.
    const change =
      listed && ((before: readonly Fields[]) => (listing.siblings && listedNow(before)) || listed);
    this.#run.live.takeInParts(this.#owner, listing, this.#whole.has(key) ? change : undefined, keys.length);
  }

  #listOf(part: DeclaredPart): string {
    return listingKey(part.listing(this.#owner.id, this.#owner.parentId));
  }

  /** Reads a list that others share once more, since it may be older than this resource. Returns false for a list of its own. */
  async readAnew(part: DeclaredPart): Promise<boolean> {
    const listing = part.listing(this.#owner.id, this.#owner.parentId);
    if (listing.siblings === undefined) return false;
    this.#run.live.takeInParts(this.#owner, listing, undefined);
    await this.readBeside(part);
    return true;
  }

  async readBeside(part: DeclaredPart): Promise<void> {
    await this.read(this.#beside(part));
  }

  /** The keys in the list of a part that the server has accepted and does not list yet. */
  unlistedBeside(part: DeclaredPart): string[] {
    return this.sends.unlistedIn(membersOf(this.#beside(part))).map(({ key }) => key);
  }

  /** Whether the list of a part has been read and shows all that the server has accepted. */
  isListed(part: DeclaredPart): boolean {
    return this.#read.has(this.#listOf(part)) && this.unlistedBeside(part).length === 0;
  }

  #beside(part: DeclaredPart): DeclaredPart[] {
    return this.#parts.filter((other) => this.#listOf(other) === this.#listOf(part));
  }

  /** All changes that have to be made. */
  allPending(): PendingPart[] {
    return this.#parts.flatMap((part) => {
      const changes = this.pending(part);
      return changes.length > 0 ? [{ part, changes }] : [];
    });
  }

  /** The request that can be sent first, for any sort of part; undefined if none can be sent yet. */
  nextOfAll(): { part: DeclaredPart; request: PartRequest } | undefined {
    for (const { part, changes } of this.allPending()) {
      const request = this.next(part, changes);
      if (request) return { part, request };
    }
    return undefined;
  }

  #fieldsIn(lists: PartLists): Fields {
    const entries = this.#entriesIn(lists);
    const fields = ownPartFields(this.#parts, entries);
    return withOutputs(this.#owner.kind, fields, this.#sources, entries, this.#declared);
  }

  #entriesIn(lists: PartLists): PartEntry[] {
    return partsIn(lists, this.#owner, this.#parts, this.#declared) ?? [];
  }

  #differing(): Map<string, Set<string>> {
    const differing = new Map<string, Set<string>>();
    for (const {
      path: [member = "", key = ""],
    } of this.differences())
      differing.set(member, (differing.get(member) ?? new Set()).add(key));
    return differing;
  }

  /** The changes of one sort of parts that have to be made. */
  pending({ member }: DeclaredPart): PartChange[] {
    const desired = entriesIn(this.desired(), member);
    return [...(this.#differing().get(member) ?? [])]
      .filter((key) => !this.sends.isDone(member, key))
      .map((key) => ({ key, desired: own(desired, key) }));
  }

  /** The request that makes some of these changes; undefined if none can be sent yet. */
  next(part: DeclaredPart, changes: readonly PartChange[]): PartRequest | undefined {
    const { form, member } = part;
    const reachable = this.#reachable();
    const entries = entriesIn(this.#withAliases(this.desired(), reachable), member);
    const taken = (key: string) => this.#inPlaceOf(part, key).length > 0;
    // A write of a taken key replaces the entry, such as a variable that becomes a secret, so that one of the two always exists.
    const replacing = changes.filter(({ key, desired }) => desired && taken(key) && !this.#refused.has(key));
    const others = changes.filter(({ key, desired }) =>
      desired ? !taken(key) && !this.#outlives(part, key, desired) : !this.#isReplaced(part, key),
    );
    // Another resource may have the key: then nothing is removed either.
    if (form.isUnique) others.sort((one, other) => Number(!one.desired) - Number(!other.desired));
    for (const some of [...replacing.map((change) => [change]), others]) {
      const given = some.map(({ key, desired }) => ({
        key,
        desired: desired && (own(entries, key) ?? desired),
      }));
      const { id, parentId } = this.#owner;
      const request = given.length > 0 && form.nextRequest(id, given, reachable, parentId, entries);
      if (request) return request;
    }
    return undefined;
  }

  /** The own entries of other sorts that have a key. */
  #inPlaceOf(part: DeclaredPart, key: string): PartEntry[] {
    if (part.form.isSingle) return [];
    return this.#reachable().filter(
      (other) =>
        other.isOwn && other.key === key && other.part.member !== part.member && shareList(other.part, part),
    );
  }

  /** Whether an entry that another one needs is still to be removed: the server would remove the other one with it. */
  #outlives(part: DeclaredPart, key: string, desired: Json): boolean {
    const needs = (isFields(desired) && part.form.needs?.(desired, key)) || [];
    return this.#beside(part).some((other) =>
      this.pending(other).some(
        (change) => !change.desired && needs.some(({ key: needed, as }) => !as && needed === change.key),
      ),
    );
  }

  /** Whether the write of another sort of that key is still to come, which removes this one. */
  #isReplaced(part: DeclaredPart, key: string): boolean {
    return (
      !this.#refused.has(key) &&
      this.#parts.some(
        (other) =>
          other.member !== part.member &&
          !other.form.isSingle &&
          shareList(other, part) &&
          this.pending(other).some((change) => change.key === key && change.desired),
      )
    );
  }

  /** Enters that a write has been done, and with it the removal of what had its keys before. */
  done(part: DeclaredPart, { method, keys }: PartRequest): void {
    this.sends.done(part.member, keys);
    if (method === "POST")
      for (const key of keys)
        for (const { part: other } of this.#inPlaceOf(part, key)) this.sends.done(other.member ?? "", [key]);
  }

  /** Whether entries with these keys have to be removed first, since the server does not replace them. */
  makesRoom(part: DeclaredPart, { method, keys }: PartRequest): boolean {
    const taken = method === "POST" ? keys.filter((key) => this.#inPlaceOf(part, key).length > 0) : [];
    for (const key of taken) this.#refused.add(key);
    return taken.length > 0;
  }

  /** The fields as the API has them: an output of a sibling is an alias of a variable that the resource sees. */
  #withAliases(fields: Fields, seen: readonly PartEntry[]): Fields {
    if (this.#sources.length === 0) return fields;
    const keys = seen.map(({ key }) => key);
    return withAliases(this.#owner.kind, fields, this.#sources, keys);
  }

  /** The entries without those of scopes above whose key the resource has got since they were read, and without removed ones. */
  #reachable(): PartEntry[] {
    const desired = this.desired();
    return this.#entriesIn(this.#lists).filter(({ part, key, isOwn }) => {
      const stays = isOwn && (own(entriesIn(desired, part.member), key) ?? null) !== null;
      return stays || !this.sends.isUnlisted(part.member, key);
    });
  }

  /** The ids of the entries that have this key on the server. */
  ownIds({ member }: DeclaredPart, key: string): string[] {
    const entries = this.#entriesIn(this.#lists).filter(
      (entry) => entry.part.member === member && entry.isOwn && entry.key === key,
    );
    return [...new Set(entries.map(({ response }) => String(response["id"])))];
  }
}

function membersOf(parts: readonly DeclaredPart[]): Set<string> {
  return new Set(parts.map(({ member }) => member));
}
