import { describeAddress, formatAddress } from "../../model/addresses/address.ts";
import type { Kind } from "../../model/kinds/index.ts";
import type { FieldChange } from "../../model/fields/compare.ts";
import type { DesiredResource } from "../../manifests/manifest/index.ts";
import {
  isOnDemand,
  listKey,
  type ListPlace,
  type LiveResource,
  type Needs,
} from "../../state/live/index.ts";
import { listingKey, type Part, type PartListing } from "../../model/parts/index.ts";
import type { Objection } from "../../rules/possible.ts";
import type { ProblemCode } from "../../problems/codes.ts";
import { valueAt } from "../../values/json.ts";
import type { KnownCredentials } from "../../redaction/known-credentials.ts";
import { unknownIn } from "../../problems/unknown.ts";
import type { Problem } from "../../problems/problem.ts";
import type { Help } from "../../problems/remedy.ts";
import { type Message, textOf, reported } from "../../problems/say.ts";
import type { Note } from "./action.ts";
import { open } from "./answer.ts";
import { type LiveState, unreadIn } from "./live-state.ts";
import type { UnmanagedDetail, Unread } from "./unmanaged-state.ts";

/** The differences of a live resource from its document, including those that a plan cannot change. */
export interface Difference {
  desired: DesiredResource;
  name: string;
  /** From live to desired, including the name. */
  changes: readonly FieldChange[];
  /** The unmanaged live values; none unless the policy is strict. */
  undeclared: readonly FieldChange[];
  /** Credentials that the server has shown: no file gets them. */
  credentials?: KnownCredentials | undefined;
}

/** Why a document cannot be carried out. */
export interface Refusal {
  code: ProblemCode;
  /** The path of the mistake in the document. */
  path: readonly (string | number)[];
  message: string | Message;
  help?: string | Help;
  /** Set if the member is missing; the schema's words: `is needed`. */
  missing?: Pick<Objection, "message" | "oneOf"> | undefined;
  /** No unknown value lifts it. */
  isCertain?: true;
}

/** The reads that the next pass needs. */
export interface PassNeeds extends Needs {
  /** Names for a message. */
  names: ReadonlySet<string>;
}

/** The results of one pass of planning: the reads for the next pass, problems, and notes. */
export class Findings {
  readonly problems: Problem[] = [];
  readonly notes: Note[] = [];
  readonly differences: Difference[] = [];
  readonly unmanaged: UnmanagedDetail[] = [];
  readonly unread: Unread[] = [];
  readonly #unreadKeys = new Set<string>();
  readonly #needs = {
    organization: false as boolean,
    contents: new Set<LiveResource>(),
    lists: new Map<string, ListPlace>(),
    parts: new Map<LiveResource, Set<Part>>(),
    defaults: new Map<string, PartListing>(),
    statuses: new Map<string, Kind>(),
    passwords: new Map<string, Kind>(),
    names: new Set<string>(),
  } satisfies PassNeeds;
  readonly refusals = new Map<Problem, Refusal>();
  #requested = 0;

  /** How often unknown state was needed. */
  get requested(): number {
    return this.#requested;
  }

  get needs(): PassNeeds | undefined {
    return this.#requested > 0 ? this.#needs : undefined;
  }

  /** Asks for the contents of a resource. @param parent undefined means the organization */
  needContents(parent: LiveResource | undefined): typeof open {
    if (parent) this.#needs.contents.add(parent);
    else this.#needs.organization = true;
    return this.#ask(`the contents of ${parent ? named(parent) : "the organization"}`);
  }

  /** Asks for the resources of a kind in a parent. @param parent undefined means the organization */
  needList(kind: Kind, parentId: string, parent: LiveResource | undefined): typeof open {
    if (!isOnDemand(kind)) return this.needContents(parent);
    const key = listKey({ kind, parentId });
    this.#needs.lists.set(key, { kind, parentId });
    return this.#ask(`the list ${key}`);
  }

  /** Asks for the unread lists in a resource. @param of the kinds whose lists are needed; default: all */
  needInside(live: LiveState, resource: LiveResource, of: (kind: Kind) => boolean = () => true): void {
    for (const kind of unreadIn(live, resource.kind, resource.id).filter(of))
      this.needList(kind, resource.id, resource);
  }

  /** Asks for the entries of parts. */
  needParts(resource: LiveResource, parts: readonly Part[]): typeof open {
    const before = this.#needs.parts.get(resource) ?? [];
    this.#needs.parts.set(resource, new Set([...before, ...parts]));
    return this.#ask(...parts.map(({ member }) => `the ${member} of ${named(resource)}`));
  }

  /** Asks for the values of the platform where nobody sets one. */
  needDefaults(listing: PartListing): typeof open {
    const key = listingKey(listing);
    this.#needs.defaults.set(key, listing);
    return this.#ask(`the defaults at ${key}`);
  }

  /** Asks for the statuses of the services in an environment. */
  needStatuses(kind: Kind, id: string): typeof open {
    this.#needs.statuses.set(id, kind);
    return this.#ask(`the statuses of ${named({ kind, id })}`);
  }

  /** Asks for the password of a resource, because output may contain it. */
  needPassword(resource: LiveResource): typeof open {
    this.#needs.passwords.set(resource.id, resource.kind);
    return this.#ask(`the password of ${named(resource)}`);
  }

  #ask(...names: readonly string[]): typeof open {
    this.#requested += 1;
    for (const name of names) this.#needs.names.add(name);
    return open;
  }

  /** Reports why a document cannot be carried out. */
  refuse(desired: DesiredResource, ...refusals: readonly Refusal[]): typeof open {
    for (const refusal of refusals) {
      const { code, path, message, help = {} } = refusal;
      const problem: Problem = {
        code,
        message: `${describeAddress(desired.address)}: ${textOf(message)}`,
        ...(typeof help === "string" ? { advice: help } : help),
        ...dependsOn(unknownBehind(desired, refusal)),
        position: desired.position(path.map(plainPart)),
        address: formatAddress(desired.address),
      };
      this.problems.push(problem);
      this.refusals.set(problem, refusal);
    }
    return open;
  }

  /** Records that parts, contents or deployments of a resource have not been read. */
  leaveUnread(unread: Unread): void {
    const key = `${unread.sort} ${formatAddress(unread.address)}`;
    if (this.#unreadKeys.has(key)) return;
    this.#unreadKeys.add(key);
    this.unread.push(unread);
  }

  /** Adds a note to the plan. */
  note({ message, ...note }: Omit<Note, "message"> & { message: string | Message }): void {
    this.notes.push({ ...note, ...reported(message) });
  }
}

function named({ kind, id }: Pick<LiveResource, "kind" | "id">): string {
  return `the ${kind.name} ${id}`;
}

/** The unknown values on which a problem depends. */
export function dependsOn(unknown: readonly (readonly string[])[]): Pick<Problem, "unknown"> {
  return unknown.length === 0 ? {} : { unknown };
}

/** The unknown values that may lift a refusal; for a missing member, those in its parent object. */
export function unknownBehind(
  { declared }: DesiredResource,
  { path, missing, isCertain }: Refusal,
): readonly (readonly string[])[] {
  if (isCertain) return [];
  if (!missing) return unknownIn(declared);
  return path.length > 1 ? unknownIn(valueAt(declared, path.slice(0, -1))) : [];
}

/** Turns `[2]`, the form in paths of fields, into the index 2, the form in positions. */
function plainPart(part: string | number): string | number {
  const index = typeof part === "string" ? /^\[(\d+)\]$/.exec(part)?.[1] : undefined;
  return index === undefined ? part : Number(index);
}
