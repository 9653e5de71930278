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
import { type Message, textOf, told } from "../../problems/say.ts";
import type { Note } from "./action.ts";
import { open } from "./answer.ts";
import { type LiveState, unreadIn } from "./live-state.ts";
import type { UnmanagedDetail, Unread } from "./unmanaged-state.ts";

/** The fields in which a live resource differs from its document, whether a plan can change them or not. */
export interface Difference {
  desired: DesiredResource;
  name: string;
  /** From live to desired; the name is among them if it differs. */
  changes: readonly FieldChange[];
  /** The live values that somebody has set and no document states; none unless the policy is strict. */
  unstated: readonly FieldChange[];
  /** What the server has told as credentials: no file gets it. */
  credentials?: KnownCredentials | undefined;
}

/** Why a document cannot be carried out. */
export interface Refusal {
  code: ProblemCode;
  /** The member of the document that is wrong. */
  path: readonly (string | number)[];
  message: string | Message;
  /** Advice, or data that front ends phrase. */
  help?: string | Help;
  /** The member is missing, in the words of the schema: `is needed`. */
  missing?: Pick<Objection, "message" | "oneOf"> | undefined;
}

/** What has to be read before the next pass. */
export interface PassNeeds extends Needs {
  /** All of it in words, for a message. */
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
  /** The problems that are mistakes of a document, each with the member that is wrong. */
  readonly refusals = new Map<Problem, Refusal>();
  #asked = 0;

  /** How often something was needed that is not known. */
  get asked(): number {
    return this.#asked;
  }

  /** The state that has to be read; undefined if the plan is complete. */
  get needs(): PassNeeds | undefined {
    return this.#asked > 0 ? this.#needs : undefined;
  }

  /** The contents of a resource are needed; undefined means the organization. */
  needContents(parent: LiveResource | undefined): typeof open {
    if (parent) this.#needs.contents.add(parent);
    else this.#needs.organization = true;
    return this.#ask(`the contents of ${parent ? named(parent) : "the organization"}`);
  }

  /**
   * Asks for the resources of a kind in a parent.
   *
   * @param parent undefined means the organization
   */
  needList(kind: Kind, parentId: string, parent: LiveResource | undefined): typeof open {
    if (!isOnDemand(kind)) return this.needContents(parent);
    const key = listKey({ kind, parentId });
    this.#needs.lists.set(key, { kind, parentId });
    return this.#ask(`the list ${key}`);
  }

  /** The plan needs the lists of what is in a resource that have not been read. @param of of which kinds; default: all */
  needInside(live: LiveState, resource: LiveResource, of: (kind: Kind) => boolean = () => true): void {
    for (const kind of unreadIn(live, resource.kind, resource.id).filter(of))
      this.needList(kind, resource.id, resource);
  }

  /** The plan needs the entries of parts of a resource. */
  needParts(resource: LiveResource, parts: readonly Part[]): typeof open {
    const before = this.#needs.parts.get(resource) ?? [];
    this.#needs.parts.set(resource, new Set([...before, ...parts]));
    return this.#ask(...parts.map(({ member }) => `the ${member} of ${named(resource)}`));
  }

  /** The plan needs the values that the platform sets where nobody states one. */
  needDefaults(listing: PartListing): typeof open {
    const key = listingKey(listing);
    this.#needs.defaults.set(key, listing);
    return this.#ask(`the defaults at ${key}`);
  }

  /** The plan needs the statuses of the services in an environment. */
  needStatuses(kind: Kind, id: string): typeof open {
    this.#needs.statuses.set(id, kind);
    return this.#ask(`the statuses of ${named({ kind, id })}`);
  }

  /** The plan needs the password of a resource: what it shows may have it in it. */
  needPassword(resource: LiveResource): typeof open {
    this.#needs.passwords.set(resource.id, resource.kind);
    return this.#ask(`the password of ${named(resource)}`);
  }

  #ask(...names: readonly string[]): typeof open {
    this.#asked += 1;
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

  /** Parts, contents or deployments of a resource have not been read. */
  leaveUnread(unread: Unread): void {
    const key = `${unread.sort} ${formatAddress(unread.address)}`;
    if (this.#unreadKeys.has(key)) return;
    this.#unreadKeys.add(key);
    this.unread.push(unread);
  }

  /** Adds a note to the plan. */
  note({ message, ...note }: Omit<Note, "message"> & { message: string | Message }): void {
    this.notes.push({ ...note, ...told(message) });
  }
}

function named({ kind, id }: Pick<LiveResource, "kind" | "id">): string {
  return `the ${kind.name} ${id}`;
}

/** What a problem depends on, where that is not known yet. */
export function dependsOn(unknown: readonly (readonly string[])[]): Pick<Problem, "unknown"> {
  return unknown.length === 0 ? {} : { unknown };
}

/** The unknown values that may lift a refusal. A missing member may follow from a value beside it, at the top from none. */
export function unknownBehind(
  { stated }: DesiredResource,
  { path, missing }: Refusal,
): readonly (readonly string[])[] {
  if (!missing) return unknownIn(stated);
  return path.length > 1 ? unknownIn(valueAt(stated, path.slice(0, -1))) : [];
}

/** Turns `[2]`, the form in paths of fields, into the index 2, the form in positions. */
function plainPart(part: string | number): string | number {
  const index = typeof part === "string" ? /^\[(\d+)\]$/.exec(part)?.[1] : undefined;
  return index === undefined ? part : Number(index);
}
