import { inSentence } from "../../values/text.ts";
import {
  type Address,
  addressKey,
  describeAddress,
  formatAddress,
  parentAddress,
} from "../../model/addresses/address.ts";
import { nameKey } from "../../model/addresses/names.ts";
import type { DesiredResource } from "../../manifests/manifest/index.ts";
import type { Fields } from "../../values/json.ts";
import { entryKindOf, type Kind, kindsOfCatalogue } from "../../model/kinds/index.ts";
import { type Contents, type LiveResource, usualKinds } from "../../state/live/index.ts";
import type { Catalogue } from "../../model/schema/catalogues.ts";
import type { SourceReference } from "./action.ts";
import { type Answer, collect, open } from "./answer.ts";
import { become, type ExpectedResource, ExpectedContents, expectMade } from "./expected-resources.ts";
import type { Findings } from "./findings.ts";
import { contentsIn, contentsOfOrganization, type LiveState, unreadIn } from "./live-state.ts";
import { expectNaming } from "./naming.ts";

/** A parent of resources: the organization, or a resource. */
export type Parent = ExpectedResource | ExpectedOrganization;

/** The members of a parent that its contents depend on. */
type ParentMembers = Pick<Parent, "kind" | "origin" | "contents">;

/** The organization, as the plan expects it. */
interface ExpectedOrganization extends Partial<
  Record<"kind" | "madeBy" | "madeWith" | "live" | "origin" | "replaced", undefined>
> {
  id: string;
  contents: ExpectedContents;
}

/** The organization after the actions planned so far: a copy of the live state, which stays unchanged. */
export class Expectations {
  readonly #findings: Findings;
  readonly #organization: ExpectedOrganization;
  readonly #found = new Map<string, ExpectedResource>();
  readonly #bound = new Map<LiveResource, DesiredResource>();
  readonly #isFinal: boolean;

  constructor(live: LiveState, findings: Findings) {
    this.#findings = findings;
    this.#isFinal = live.isFinal === true;
    const { id } = live.organization;
    this.#organization = {
      id,
      contents: expectContents(live, contentsOfOrganization(live), unreadIn(live, undefined, id)),
    };
  }

  /** Undefined: the parent does not exist. */
  parentOf(address: Address): Answer<Parent | undefined> {
    const parent = parentAddress(address);
    return parent ? this.find(parent) : this.#organization;
  }

  /** The reference of an action to a parent. */
  referenceTo({ id, madeBy, madeWith }: Parent): SourceReference {
    if (id !== undefined) return { id };
    return madeBy === undefined && madeWith !== undefined ? { madeWith } : { madeBy: madeBy ?? "" };
  }

  /** Undefined: the resource does not exist. */
  find(address: Address): Answer<ExpectedResource | undefined> {
    const key = addressKey(address);
    const known = this.#found.get(key);
    if (known) return known;
    const parent = this.parentOf(address);
    if (!parent || parent === open) return parent;
    const name = address.names.at(-1) ?? "";
    // A partly known list may be enough.
    const isThere = parent.contents.find(address.kind, name).length > 0;
    const contents = isThere ? parent.contents : this.contentsOf(parent, address.kind);
    if (contents === open) return open;
    const [first, second] = contents.find(address.kind, name);
    if (first && second) {
      const { message, advice } = duplicatesProblem([first, second]);
      this.#findings.problems.push({
        code: "twins",
        message: `${describeAddress(address)}: ${message}`,
        advice,
        address: formatAddress(address),
      });
    }
    if (first) this.#found.set(key, first);
    return first;
  }

  /** The contents of a parent. @param of the kind whose list has to be known; default: all but those on demand */
  contentsOf({ kind, origin, contents }: ParentMembers, of?: Kind): Answer<ExpectedContents> {
    const unread = (of ? [of] : usualKinds(kind)).filter((each) => contents.unread.includes(each));
    if (unread.length === 0) return contents;
    const parentId = origin?.id ?? this.#organization.id;
    for (const each of unread) this.#findings.needList(each, parentId, origin);
    return open;
  }

  /** The contents of a parent, to find a resource. Known contents suffice for a known id, and if no more is read. */
  contentsFor(
    { address: { kind }, manage: { id } }: DesiredResource,
    parent: ParentMembers,
  ): Answer<ExpectedContents> {
    const isThere = id !== undefined && parent.contents.findById(kind, id) !== undefined;
    return isThere || this.#isFinal ? parent.contents : this.contentsOf(parent, kind);
  }

  /** The resources of a kind in the organization. */
  inOrganization(kind: Kind): Answer<ExpectedResource[]> {
    const contents = this.contentsOf(this.#organization, kind);
    return contents === open ? open : contents.all.filter((each) => each.kind === kind);
  }

  /** The entries that fields can name by a catalogue. Managed entries are as the plan expects them. */
  entriesOf(catalogue: Catalogue): Answer<ExpectedResource[]> {
    const listed = entryKindOf(catalogue);
    const entries = this.inOrganization(listed);
    // Without a document of a kind, no action changes any.
    const declared = kindsOfCatalogue(catalogue).filter(
      (kind) => kind !== listed && !this.#organization.contents.unread.includes(kind),
    );
    if (entries === open || declared.length === 0) return entries;
    const expected = collect(declared, (kind) => this.inOrganization(kind));
    if (expected === open) return open;
    const known = new Set(expected.map(({ origin }) => origin?.id));
    return [...expected, ...entries.filter(({ id }) => !known.has(id))];
  }

  /** Records the resource of a document; a second document for it is a problem. */
  bind(desired: DesiredResource, resource: ExpectedResource): void {
    const { live } = resource.replaced ?? resource;
    const first = live && this.#bound.get(live);
    if (first && first !== desired)
      this.#findings.refuse(desired, {
        code: "duplicate",
        path: desired.manage.id === undefined ? ["name"] : ["manage", "id"],
        message: `the document of ${describeAddress(first.address)} declares the same resource`,
        help: "remove one of the two documents, or correct manage.id or renamed_from",
      });
    else if (live) this.#bound.set(live, desired);
    this.#found.set(addressKey(desired.address), resource);
  }

  /** Records the creation of a resource. */
  add(desired: DesiredResource, parent: Parent, made: ExpectedResource): void {
    parent.contents.add(made);
    expectNaming(made, parent.contents);
    this.#found.set(addressKey(desired.address), made);
  }

  /** Records the new name and fields of a resource. */
  change(resource: ExpectedResource, parent: Parent, name: string, fields: Fields): void {
    become(resource, { fields });
    if (nameKey(resource.name) !== nameKey(name)) parent.contents.rename(resource, name);
    expectNaming(resource, parent.contents);
  }

  /** Records a replacement. The new resource has no contents. */
  replace(
    resource: ExpectedResource,
    parent: Parent,
    made: Pick<ExpectedResource, "name" | "fields" | "madeBy">,
  ): void {
    const { kind: _kind, key: _key, ...state } = expectMade(resource.kind, made);
    const gone = { id: undefined, live: undefined, origin: undefined, madeWith: undefined };
    become(resource, { ...state, ...gone, replaced: { ...resource } });
    // The replaced parent is empty until then.
    if (parent.replaced) parent.contents.add(resource);
  }
}

export function duplicatesProblem(duplicates: readonly ExpectedResource[]) {
  return {
    message: `the API has two resources with this name: ${inSentence(duplicates.map(({ id = "" }) => id))}`,
    advice: "delete or rename one of them, or choose one with manage.id",
  };
}

/** The live contents of a parent, before anything is planned. */
function expectContents(live: LiveState, contents: Contents, unread: readonly Kind[]): ExpectedContents {
  const expected = new ExpectedContents(contents.unknown, unread);
  for (const child of contents.resources) expected.add(expectLive(live, child));
  return expected;
}

function expectLive(live: LiveState, resource: LiveResource): ExpectedResource {
  const { kind, name, id, response, fields } = resource;
  const contents = expectContents(live, contentsIn(live, resource), unreadIn(live, kind, id));
  const state = { kind, name, key: id, response, fields, origin: resource, contents };
  return live.unmade?.has(id) ? { ...state, madeBy: id } : { ...state, id, live: resource };
}
