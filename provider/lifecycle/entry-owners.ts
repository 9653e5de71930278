import { type Json, textIn } from "../../core/json.ts";
import type { Kind } from "../../core/kinds/index.ts";
import { type LivePartOwner, type LiveResource, parentIdIn, readOne } from "../../core/live/index.ts";
import { partsIn, partsWith } from "../../core/parts/index.ts";
import { RefusedError } from "./errors.ts";
import { type Properties } from "./inputs.ts";
import { ownerKindProperty } from "./internal.ts";
import type { ProviderSession } from "./session.ts";
import { entryMembers, type EntryName, ownersOf } from "./variable-inputs.ts";

/** What has an entry, as inputs and outputs name it. */
export interface EntryOwner {
  /** Undefined where only the id is known. */
  kind: Kind | undefined;
  id: string;
  /** The input that names it. */
  input: string;
}

/** Finds the resource that has a variable or a secret: the program names it by the input `owner`, or by that of its kind. */
export class EntryOwners {
  readonly #name: EntryName;
  readonly #member: (typeof entryMembers)[EntryName];
  /** The kinds that have some, by the input that names one. */
  readonly kinds: ReadonlyMap<string, Kind>;

  constructor(name: EntryName) {
    this.#name = name;
    this.#member = entryMembers[name];
    this.kinds = new Map(ownersOf(name).map((kind) => [kind.slug, kind]));
  }

  /** The owner that properties name; undefined where they name none. */
  of(properties: Properties): EntryOwner | undefined {
    for (const [input, kind] of this.kinds) {
      const id = textIn(properties, input);
      if (id !== undefined) return { kind, id, input };
    }
    const id = textIn(properties, "owner");
    const kind = this.kinds.get(textIn(properties, ownerKindProperty) ?? "");
    return id === undefined ? undefined : { kind, id, input: "owner" };
  }

  /** Whether an input names the owner. */
  isNamedBy(input: string): boolean {
    return input === "owner" || this.kinds.has(input);
  }

  /** The input that names the owner. Ids are the same in whatever case, and whether `owner` or another input names them. */
  comparable(properties: Properties, olds: Properties, news: Properties): Properties {
    const owner = this.of(properties);
    const inputs = [olds, news].map((each) => this.of(each)?.input);
    const input = inputs.includes("owner") ? inputs[1] : owner?.input;
    return owner && input !== undefined ? { [input]: owner.id.toLowerCase() } : {};
  }

  /** Reads the owner that properties name; undefined where the server has none. */
  async read(session: ProviderSession, properties: Properties): Promise<LiveResource | undefined> {
    const { kind: known, id } = this.of(properties) ?? {};
    if (id === undefined) return undefined;
    const kind = known ?? this.kinds.get(session.bindings.kinds.get(id)?.slug ?? "");
    const found = kind
      ? ((await session.holder(kind, id)) ?? (await this.#readAgain(session, kind, id, properties)))
      : await this.#search(session, id);
    return found && { ...found, parentId: await session.parentIdOf(parentIdIn(found.kind, found.response)) };
  }

  /** The owner of an id that this program does not have as a resource: the API finds a resource only by its kind. */
  async #search(session: ProviderSession, id: string): Promise<LiveResource | undefined> {
    for (const kind of this.kinds.values()) {
      const found = await session.holder(kind, id);
      if (found) return found;
    }
    return undefined;
  }

  /** The error for an owner that the server does not have. */
  missing(news: Properties): RefusedError {
    return new RefusedError(`there is no ${this.#titleOf(news)}; run \`pulumi refresh\``);
  }

  /**
   * An owner that one answer has called missing, read again if the list of its entries has this one: one 404 is no proof.
   *
   * @throws RefusedError where the two still contradict each other
   */
  async #readAgain(
    session: ProviderSession,
    kind: Kind,
    id: string,
    { key }: Properties,
  ): Promise<LiveResource | undefined> {
    if (!(await this.lists(session, { kind, id, parentId: "" }, key))) return undefined;
    const found = await readOne(session.client, kind, id, "");
    if (found) return found;
    throw new RefusedError(
      `the server says that there is no ${this.#titleOf({ [kind.slug]: id })}, and lists its ${this.#name.toLowerCase()} ${String(key)}; run \`pulumi up\` again later`,
    );
  }

  /** Whether the list of the entries of an owner, read again, has one. */
  async lists(session: ProviderSession, owner: LivePartOwner, key: Json | undefined): Promise<boolean> {
    const parts = partsWith(owner.kind, [this.#member]);
    const listed = await session.run.live.rereadParts(session.client, owner, parts);
    const entries = listed && partsIn(listed, owner, parts);
    return entries?.some((entry) => entry.isOwn && entry.key === key) === true;
  }

  #titleOf(properties: Properties): string {
    const { kind, id } = this.of(properties) ?? {};
    return `${kind?.name ?? "project, environment or service"} with the id ${id}`;
  }
}
