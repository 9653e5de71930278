import { type Fields, isFields, type Json, own, textIn } from "../../core/json.ts";
import { type FieldSchema, type Kind, kindOf } from "../../core/kinds/index.ts";
import type { LiveResource } from "../../core/live/index.ts";
import { limited, OperationError } from "../../core/operations/index.ts";
import { entriesIn } from "../../core/parts/index.ts";
import type { Policy } from "../../core/plan/index.ts";
import { showPath } from "../../core/source/mistake.ts";
import { article } from "../../core/text.ts";
import { toCamel } from "./casing.ts";
import { check, checkProgramResource, type InputMistake } from "./check.ts";
import { type EntryOwner, EntryOwners } from "./entry-owners.ts";
import { RefusedError } from "./errors.ts";
import { findAnywhere } from "./find.ts";
import { inputChanges, inputDifference } from "./input-difference.ts";
import { carryOut, type ProgramChange } from "./gate.ts";
import { cleanInputs, engineProperties, fieldsAmong, isInternal, type Properties } from "./inputs.ts";
import { ignoredProperty, ownerKindProperty, resourceProperty } from "./internal.ts";
import { nothingStated, parentProperty } from "./outputs.ts";
import { readStatedParts, withChangedValues } from "./parts.ts";
import type { BegunCreations } from "./begun.ts";
import type { Bindings } from "./bindings.ts";
import { ask } from "./question.ts";
import { changeOf } from "./questions.ts";
import type { CallOptions, ProgramResource } from "./program-resource.ts";
import { secretPointersIn } from "./secret-inputs.ts";
import { Secrets } from "./secrets.ts";
import type { ProviderSession } from "./session.ts";
import { shapeOf, withResets } from "./shape.ts";
import { readingInside } from "./reading.ts";
import { stateOf, withEmptyParts } from "./world.ts";
import { hasUnknown, unknownValue } from "./unknown.ts";
import { entryInputs, entryMembers, type EntryName, entryOf, entrySchema } from "./variable-inputs.ts";

/*
 * One variable or one secret as a resource of its own, beside the inputs `variables` and `secrets` of what has it: for
 * values that another program or another team has to say.
 */

/** The lifecycle of variables or secrets that are resources of their own. */
export class Entries implements ProgramResource {
  readonly name: EntryName;
  readonly description: string;
  readonly inputs: FieldSchema;
  readonly outputs = {};
  readonly #member: (typeof entryMembers)[EntryName];
  readonly #owner: EntryOwners;
  /** The inputs of an entry. */
  readonly #entry: FieldSchema;

  constructor(name: EntryName) {
    this.name = name;
    this.#member = entryMembers[name];
    this.#owner = new EntryOwners(name);
    this.#entry = entrySchema(name);
    this.inputs = entryInputs(name);
    this.description = `A ${name.toLowerCase()} of a project, an environment or a service, as a resource of its own. The input \`${this.#member}\` of these states many at once, with fewer requests.`;
  }

  readonly check: ProgramResource["check"] = (olds, news, { bindings, begun, now }) => {
    const checked = checkProgramResource(this.name, this.inputs, news);
    const owner = this.#owner.of(checked.inputs);
    if (checked.failures.length > 0) return checked;
    const missing = `${this.name} needs its owner: the id of the project, the environment or the service that has it`;
    if (!owner) return { ...checked, failures: [{ property: "", reason: missing }] };
    const failures = this.#misfits(checked.inputs, owner, bindings.kinds.get(owner.id));
    const entry = this.#entryOf(news);
    if (entry !== undefined && failures.length === 0 && Object.keys(olds).length === 0) {
      bindings.owners.expect(entry);
      begun.announce(entry, now);
    }
    return { ...checked, failures };
  };

  /** The mistakes of an entry by the rules of the kind of its owner; where that is not known, by the rules of a job. */
  #misfits(inputs: Properties, owner: EntryOwner, known: Kind | undefined): InputMistake[] {
    if (inputs["key"] === unknownValue) return [];
    const kind = owner.kind ?? known;
    if (kind && !this.#owner.kinds.has(kind.slug)) {
      const reason = `${owner.input} is the id of ${article(kind.name)} ${kind.name}, which has no ${this.#member}`;
      return [{ property: owner.input, reason }];
    }
    const hidden = new Secrets(inputs);
    return this.#mistakesIn(kind ?? kindOf("Job"), owner.id, inputs).map(({ property, reason }) => ({
      property,
      reason: hidden.hide(reason),
    }));
  }

  /** What the check of its owner, and the planner, say of an entry, with the names of its own inputs. */
  #mistakesIn(kind: Kind, id: string, inputs: Properties): InputMistake[] {
    const path = showPath([this.#member, String(inputs["key"])]);
    const entries = { [this.#member]: { [String(inputs["key"])]: this.#entryIn(inputs) } };
    const whole = { name: unknownValue, [parentProperty(kind)]: unknownValue, ...entries };
    const { failures } = check(kind, whole, whole);
    const state = withEmptyParts(stateOf(kind, id, {}));
    const stated = { name: state.name, ignored: [] };
    const { objections } = ask(changeOf(state, stated, this.#fieldsOf(kind, inputs)));
    const missing = objections.map(({ member, reason }) => ({ property: member, reason }));
    return (failures.length > 0 ? failures : missing).map(({ property, reason }) => ({
      property: property === path ? "key" : property.replace(`${path}.`, ""),
      reason: reason
        .replaceAll(`${path}.`, "")
        .replaceAll(path, `the ${this.name} of ${article(kind.name)} ${kind.name}`),
    }));
  }

  readonly diff: ProgramResource["diff"] = ({ bindings, begun }, _id, olds, news, resource) => {
    begun.settle(this.#placeOf(olds));
    this.#claim(bindings, news, resource);
    const [before = {}, after = {}] = [olds, news].map((properties) => ({
      ...chosen(properties, (name) => name !== "adopt" && !this.#owner.isNamedBy(name), news),
      ...this.#owner.comparable(properties, olds, news),
    }));
    const difference = inputDifference(this.inputs, before, after);
    const changes = difference.changes || bindings.owners.isReleased(this.#entryOf(news));
    return { ...difference, changes, deleteBeforeReplace: true, keepsName: difference.replaces.length === 0 };
  };

  readonly details: ProgramResource["details"] = inputChanges;

  readonly preview: ProgramResource["preview"] = (news) => news;

  readonly previewUpdate: ProgramResource["previewUpdate"] = (_olds, news) => news;

  readonly isKnown: ProgramResource["isKnown"] = (outputs) => Object.hasOwn(outputs, "key");

  readonly create: ProgramResource["create"] = async (session, news, options) => {
    this.#claim(session.bindings, news, options.resource);
    return { id: this.#idOf(news), outs: await this.#create(session, news, options) };
  };

  /** @throws RefusedError where there is one of that key that is not this program's */
  async #create(session: ProviderSession, news: Properties, options: CallOptions): Promise<Properties> {
    const owner = await this.#owner.read(session, news);
    if (!owner) throw this.#owner.missing(news);
    const stated = this.#fieldsOf(owner.kind, news);
    const key = String(news["key"]);
    const place = { kind: owner.kind, parentId: owner.id, name: this.#placeName(news) };
    const isAdopting =
      news["adopt"] === true ||
      session.settings.adopt ||
      session.bindings.owners.isHandedOver(entryOf(owner.id, key));
    const there = isAdopting ? undefined : await this.#find(session, owner, stated);
    const { serverTime } = session.client;
    // A run that was killed has made it: before that, there was none.
    if (there !== undefined && session.begun.begunAt(place, options.resource, serverTime) === undefined)
      throw new RefusedError(
        `the ${owner.kind.name} "${owner.name}" has a ${this.name.toLowerCase()} ${key} already; set \`adopt: true\` to take it over, or take it out of the input \`${this.#member}\` or the other resource that states it`,
      );
    if (!isAdopting) session.begun.begin(place, options.resource, serverTime);
    try {
      const isNew = !isAdopting && there === undefined;
      const written = withChangedValues(owner.kind, stated, {});
      const entries = { before: {}, after: entriesIn(written, this.#member) };
      await this.#carryOut(session, owner, entries, options, isNew);
    } catch (error) {
      const mayBeThere = error instanceof OperationError && ["unclear", "pending"].includes(error.code);
      if (!mayBeThere) session.begun.settle(place);
      throw error;
    }
    return this.#outputsOf(news, owner.kind);
  }

  readonly read: ProgramResource["read"] = async (session, id, olds) => {
    const owner = await this.#owner.read(session, olds);
    const entry = owner && (await this.#prove(session, owner, olds));
    if (!owner || entry === undefined) return { id: "", props: {} };
    const all = toCamel(owner.kind.fields, { [this.#member]: { [String(olds["key"])]: entry } });
    const members = isFields(all) ? all[this.#member] : undefined;
    const live = isFields(members) ? own(members, String(olds["key"])) : undefined;
    const props = { ...chosen(olds, (name) => !this.#isOfEntry(name)), ...(isFields(live) && live) };
    return { id, props, inputs: chosen(props, (name) => !isInternal(name)) };
  };

  /** Finds one by the kind of its owner, the id or the path of that, and its key. Nobody can read the value of a secret. */
  readonly find: ProgramResource["find"] = async (session, text) => {
    const [, slug = "", place = "", key = ""] = /^([^:]+):(.+)\/([^/]+)$/.exec(text) ?? [];
    const kind = this.#owner.kinds.get(slug);
    if (!kind)
      throw new RefusedError(
        `"${text}" names no ${this.name}; write what has it, by its path or its id, and the key: job:shop/staging/nightly/KEY`,
      );
    const owner = await findAnywhere(session, kind, place);
    if (!owner) return { id: "", props: {} };
    const inputs = { [slug]: owner.id, key };
    return this.read(session, this.#idOf(inputs), inputs);
  };

  readonly update: ProgramResource["update"] = async (session, _id, olds, news, options) => {
    const kindName = olds[ownerKindProperty] ?? null;
    const owner = await this.#owner.read(session, { ...news, [ownerKindProperty]: kindName });
    if (!owner) throw this.#owner.missing(news);
    const isReleased = session.bindings.owners.isReleased(this.#entryOf(news));
    const before = isReleased ? {} : this.#fieldsOf(owner.kind, olds, news);
    const shape = shapeOf(owner.kind.fields, before);
    const wanted = withResets(owner.kind.fields, this.#fieldsOf(owner.kind, news, news), shape);
    const changed = withChangedValues(owner.kind, wanted, before);
    const entries = {
      before: entriesIn(before, this.#member),
      after: entriesIn(changed, this.#member),
    };
    await this.#carryOut(session, owner, entries, options);
    return { outs: this.#outputsOf(news, owner.kind) };
  };

  readonly remove: ProgramResource["remove"] = async (session, _id, olds, options) => {
    session.begun.settle(this.#placeOf(olds));
    const entry = this.#entryOf(olds);
    const name = options.resource ?? textIn(olds, resourceProperty);
    // Another resource of the program states it now: it only loses its old entry in the state.
    if (entry !== undefined && session.bindings.owners.otherOf(entry, name) !== undefined) return;
    const owner = await this.#owner.read(session, olds);
    if (!owner) return;
    const key = String(olds["key"]);
    // The preview shows that it goes; it does not show what goes with it.
    const entries = { before: { [key]: {} }, after: { [key]: null }, hidesLosses: "elsewhere" } as const;
    if ((await this.#prove(session, owner, olds)) === undefined) return;
    try {
      await this.#carryOut(session, owner, entries, options);
    } catch (error) {
      if (!(error instanceof OperationError) || error.code !== "gone") throw error;
    }
  };

  /** Changes the entries of their owner. */
  async #carryOut(
    session: ProviderSession,
    owner: LiveResource,
    entries: { before: Fields; after: Fields; hidesLosses?: Policy["hidesLosses"] },
    { limit }: CallOptions,
    isExact = false,
  ): Promise<void> {
    const { before, after, hidesLosses = "all" } = entries;
    const base = withEmptyParts({ ...owner, fields: { ...owner.fields, [this.#member]: before } });
    const question = changeOf(base, { name: owner.name, ignored: [] }, { [this.#member]: after });
    const change: ProgramChange = {
      question: { ...question, policy: { hidesLosses } },
      may: readingInside,
      freshly: () => ({ live: owner, isExact }),
    };
    await carryOut(session, change, limited(session.run, limit));
  }

  /** The id by which the state knows it: the API has no request for a single one. */
  #idOf(news: Properties): string {
    return `${this.#owner.of(news)?.id ?? ""}/${String(news["key"])}`;
  }

  /** Where it is; nothing where the program does not say it. */
  #placeOf(properties: Properties): Parameters<BegunCreations["settle"]>[0] {
    const { kind, id: parentId } = this.#owner.of(properties) ?? {};
    return { kind, parentId, name: this.#placeName(properties) };
  }

  /** The entry that it is; undefined while its owner or its key is not known. */
  #entryOf(properties: Properties): string | undefined {
    const { id } = this.#owner.of(properties) ?? {};
    const { key } = properties;
    if (id === undefined || typeof key !== "string" || hasUnknown([id, key])) return undefined;
    return entryOf(id, key);
  }

  /** @throws RefusedError where another resource of the program states it */
  #claim({ owners }: Bindings, properties: Properties, resource: string | undefined): void {
    const entry = this.#entryOf(properties);
    if (entry !== undefined) owners.claimAll([entry], resource, this.name.toLowerCase());
  }

  #placeName({ key }: Properties): string {
    return `${this.#member}/${String(key)}`;
  }

  #outputsOf(news: Properties, kind: Kind): Properties {
    const secrets = new Secrets(news, secretPointersIn(this.inputs, news)).properties;
    const ownerKind = news["owner"] === undefined ? {} : { [ownerKindProperty]: kind.slug };
    return { ...cleanInputs(this.inputs, news), ...engineProperties(news), ...ownerKind, ...secrets };
  }

  /** The entry as the server has it; undefined where two lists in a row lack it: one that lacks it is no proof. */
  async #prove(
    session: ProviderSession,
    owner: LiveResource,
    properties: Properties,
  ): Promise<Json | undefined> {
    const find = () => this.#find(session, owner, this.#fieldsOf(owner.kind, properties));
    const found = await find();
    if (found !== undefined || !(await this.#owner.lists(session, owner, properties["key"]))) return found;
    return find();
  }

  /** The entry as the server has it, with the value that the state has of a secret; undefined where there is none. */
  async #find(session: ProviderSession, owner: LiveResource, stated: Fields): Promise<Json | undefined> {
    const memory = { ...nothingStated, shape: shapeOf(owner.kind.fields, stated) };
    const { fields } = await readStatedParts(session, { ...owner, fields: {} }, memory, stated);
    const entries = own(fields, this.#member);
    return isFields(entries) ? Object.values(entries)[0] : undefined;
  }

  /** The entry as a field of its owner, in manifest form. */
  #fieldsOf(kind: Kind, properties: Properties, ignoring: Properties = {}): Fields {
    const entry = this.#entryIn(properties, ignoring);
    return fieldsAmong(kind, { [this.#member]: { [String(properties["key"])]: entry } });
  }

  #entryIn(properties: Properties, ignoring: Properties = {}): Fields {
    return chosen(properties, (name) => this.#isOfEntry(name) && properties[name] !== null, ignoring);
  }

  #isOfEntry(name: string): boolean {
    return this.#entry.properties?.[name] !== undefined;
  }
}

/** Some of the properties, without those that the option `ignoreChanges` of other ones names. */
function chosen(
  properties: Properties,
  isChosen: (name: string) => boolean,
  { [ignoredProperty]: option }: Properties = {},
): Fields {
  const ignored = Array.isArray(option) ? option : [];
  return Object.fromEntries(
    Object.entries(properties).filter(([name]) => !ignored.includes(name) && isChosen(name)),
  );
}
