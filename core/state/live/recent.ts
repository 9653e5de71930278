import { type Client, unexpectedAnswer } from "../../api/index.ts";
import { nameKey } from "../../model/addresses/names.ts";
import { type Kind, listedKinds } from "../../model/kinds/index.ts";
import type { AuditEvent, EventLog } from "../events/index.ts";
import { type Creation, type CreationPlace, type CreationRecord, listLag } from "./creation-record.ts";
import { allNamed, type Contents, listKey, type ListPlace } from "./contents.ts";
import { type LiveResource, readOne, sameId } from "./resource.ts";
import { resourceIn } from "./write-effect.ts";

/** Lists of a parent while they are read; each creation that they lack is read by its id at most once. */
export class ParentLists {
  readonly client: Client;
  readonly #kinds: readonly Kind[];
  readonly #parentId: string;
  readonly #creations = new Map<string, Promise<LiveResource | undefined>>();

  constructor(client: Client, kinds: readonly Kind[], parentId: string) {
    this.client = client;
    this.#kinds = kinds;
    this.#parentId = parentId;
  }

  /** Whether the lists ought to show a creation. */
  shows({ kind, parentId }: Creation): boolean {
    return sameId(parentId, this.#parentId) && this.#kinds.includes(kind);
  }

  /** A creation as it is now, read once by its id; undefined: it does not exist. */
  read({ kind, id }: Creation): Promise<LiveResource | undefined> {
    const reading = this.#creations.get(id) ?? readOne(this.client, kind, id, this.#parentId);
    this.#creations.set(id, reading);
    return reading;
  }
}

/**
 * The creations of the last minutes, by the record of this machine and by the events of the organization. A list that lacks
 * one of them lags: the resource is then read by its id.
 */
export class RecentCreations {
  readonly #creations = new Map<string, Creation>();
  /** Those of the run. */
  readonly #own = new Map<string, Creation>();
  readonly #record: CreationRecord;
  #isRecorded = false;
  #reading: Promise<void> | undefined;
  /** Whether the events cannot be read, so that nobody tells what other machines have created. */
  isBlind = false;

  constructor(record: CreationRecord) {
    this.#record = record;
  }

  /** Enters what events tell, the newest first. */
  enter(events: readonly AuditEvent[], organizationId: string): void {
    for (const event of events.toReversed()) {
      const { type, subjectId: id, subjectName: name = "", time: at } = event;
      if (id === undefined) continue;
      if (type === "DELETE" || type === "DELETED") this.remove(id);
      if (type !== "CREATE" && type !== "CLONE") continue;
      const kind = kindIn(event);
      const parentId = kind && parentIn(event, kind, organizationId);
      if (!kind || parentId === undefined) continue;
      const isLate = type === "CLONE" || this.#creations.get(id.toLowerCase())?.isLate === true;
      this.#creations.set(id.toLowerCase(), { kind, id, parentId, name, at, isLate });
    }
  }

  /** Enters what the run has created: later lists may lack it. What only a list can show is not asked for. */
  made({ kind, parentId, name }: CreationPlace, id: string, at: number): void {
    if (!kind.listing.isOnlyWay)
      this.#own.set(id.toLowerCase(), { kind, parentId, name, id, at, isLate: false });
  }

  /** Removes a resource that was deleted. */
  remove(id: string): void {
    for (const creations of [this.#creations, this.#own]) creations.delete(id.toLowerCase());
  }

  get #all(): Map<string, Creation> {
    return new Map([...this.#own, ...this.#creations]);
  }

  /** The ids, in lower case, of the creations beyond the shown ones that a read by id finds: somebody may have deleted the others. */
  async existingBeyond(shown: ReadonlySet<string>, lists: ParentLists): Promise<string[]> {
    const { client } = lists;
    if (!this.#isRecorded) this.#readRecord(client);
    const isLacked = ([id, { at, kind }]: readonly [string, Creation]) =>
      !shown.has(id) && client.serverTime - at < listLag && !kind.listing.isOnlyWay;
    const lacked = [...this.#all].filter((each) => isLacked(each) && lists.shows(each[1]));
    const found = await Promise.all(lacked.map(async ([id, each]) => ((await lists.read(each)) ? id : [])));
    return found.flat();
  }

  /** Takes in the record of this machine, and the events of the last minutes: no machine has a record of what others create. */
  async load(client: Client, organizationId: string, log: EventLog): Promise<void> {
    this.#readRecord(client);
    this.#reading ??= log
      .since(client, organizationId, client.serverTime - listLag)
      .then((events) => this.follow(events, organizationId));
    await this.#reading;
  }

  #readRecord({ serverTime }: Client): void {
    this.#isRecorded = true;
    for (const each of this.#record.read(serverTime)) this.#creations.set(each.id.toLowerCase(), each);
  }

  /** Enters all events of the last minutes, which somebody has read. @param events undefined: they cannot be read */
  follow(events: readonly AuditEvent[] | undefined, organizationId: string): void {
    this.enter(events ?? [], organizationId);
    this.isBlind = !events;
    this.#reading = Promise.resolve();
  }

  /** The lists that ought to show the creations. */
  get places(): ListPlace[] {
    return [...new Map([...this.#creations.values()].map((each) => [listKey(each), each])).values()];
  }

  /** The creations that a list of some kinds lacks, each read by its id. @throws UnexpectedAnswerError where only the list could show one */
  async lackedBy(contents: Contents, lists: ParentLists): Promise<LiveResource[]> {
    const { client } = lists;
    // Every list shows what earlier runs of this machine have created, whoever reads it; only events cost a request.
    if (!this.#isRecorded) this.#readRecord(client);
    const listed = [...this.#all.values()].filter((each) => lists.shows(each));
    // If a later list lacks one that was there, it is gone.
    for (const { kind, id, name, at } of listed) {
      // An event may have another id than the list.
      const isNamed = kind.listing.isOnlyWay && allNamed(contents, kind, name).length > 0;
      if (isNamed || resourceIn(contents, id) || client.serverTime - at >= listLag) this.remove(id);
    }
    const isListed = ({ id }: Creation) =>
      this.#creations.has(id.toLowerCase()) || this.#own.has(id.toLowerCase());
    const read = await Promise.all(
      listed.filter(isListed).map(async (each) => (await lists.read(each)) ?? this.#absent(client, each)),
    );
    return read.filter((live) => live !== undefined);
  }

  /** Until when a clone of that name may appear that was requested and that nothing shows; undefined if there is none. */
  awaitedUntil({ kind, parentId, name }: CreationPlace): number | undefined {
    const isAwaited = (each: Creation) =>
      each.isLate && each.kind === kind && sameId(each.parentId, parentId) && each.name === nameKey(name);
    const creation = [...this.#creations.values()].find(isAwaited);
    return creation && creation.at + listLag;
  }

  /** A resource that cannot be read by its id is gone, unless it is a clone. Where only the list could show it, nobody knows. */
  #absent(client: Client, { kind, id, parentId, name, at, isLate }: Creation): undefined {
    if (kind.listing.isOnlyWay) {
      const ago = Math.max(1, Math.round((client.serverTime - at) / 1000));
      throw unexpectedAnswer(
        kind.listing.path(parentId),
        `the list does not show the ${kind.name} ${name} (${id}) yet, which was created ${ago} s ago`,
        "try again in a minute",
      );
    }
    if (!isLate) this.remove(id);
  }
}

function kindIn({ targetType, subTargetType = targetType }: AuditEvent): Kind | undefined {
  const slug = subTargetType.replaceAll("_", "").toLowerCase();
  return listedKinds.find((kind) => kind.slug === slug);
}

function parentIn(event: AuditEvent, { parent }: Kind, organizationId: string): string | undefined {
  const ids: Readonly<Record<string, string | undefined>> = {
    environment: event.environmentId,
    project: event.projectId,
  };
  return parent ? ids[parent.slug] : organizationId;
}
