import {
  type Address,
  addressKey,
  formatAddress,
  parentAddress,
} from "../../core/model/addresses/address.ts";
import { own } from "../../core/values/json.ts";
import Type from "typebox";
import { form, optional } from "../../core/outputs/forms/forms.ts";
import type { StoredForm } from "../../core/files/stored-form.ts";
import {
  type Action,
  type Cause,
  deletes,
  deploys,
  isChange,
  makes,
} from "../../core/planning/plan/index.ts";

/** The document of a resource, as causes need it. */
export interface DocumentMark {
  /** Changes with everything that the document says. */
  digest: string;
  /** The entries that it states, such as `variables.LEVEL`. */
  entries?: readonly string[];
  /** Its resource is made as a copy of another one. */
  isCopy?: true;
  /** The key of the address that it had before it or something around it got another name. */
  former?: string;
}

/** The documents of a commit, by the keys of the addresses that they describe. */
export type DocumentMarks = ReadonlyMap<string, DocumentMark>;

/** The digests of the documents that were applied last, by the same keys; empty: one of which not all is applied yet. */
export type AppliedDocuments = Readonly<Record<string, string>>;

/** A live resource that the documents have described, and that was applied. */
export const ownResourceForm = form({
  /** Its address at that time: `job:shop/staging/a`. */
  address: Type.String(),
  /** It was made as a copy, so that its contents came with it. */
  isCopy: optional(Type.Literal(true)),
  /** Its entries that the documents have stated, such as `variables.LEVEL`. */
  entries: optional(Type.Array(Type.String())),
});

export type OwnResource = StoredForm<typeof ownResourceForm>;

/** A resource as a plan leaves it. */
export interface AppliedResource extends OwnResource {
  /** The entries that the plan removes. */
  removes?: readonly string[];
}

/** The live resources that a source has applied, by their ids. */
export type OwnResources = Readonly<Record<string, OwnResource>>;

/** The entry of a resource of a plan in the inventory. */
export function ownResource(
  { address, changes }: Pick<Action, "address" | "changes">,
  documents: DocumentMarks,
): AppliedResource {
  const mark = documents.get(addressKey(address));
  const removes = changes.filter(({ path, after }) => path.length === 2 && (after ?? null) === null);
  return {
    address: formatAddress(address),
    ...(mark?.isCopy && { isCopy: true }),
    ...(mark?.entries && { entries: mark.entries }),
    ...(removes.length > 0 && { removes: removes.map(({ path }) => path.join(".")) }),
  };
}

/** The live resources of the documents of a plan. What it makes and replaces is known from its report. */
export function inventoryOf(
  actions: readonly Action[],
  documents: DocumentMarks,
): Readonly<Record<string, AppliedResource>> {
  return Object.fromEntries(
    actions.flatMap((action) => {
      const { resourceId } = action;
      const isThere = resourceId !== undefined && !deletes(action) && !makes(action) && !deploys(action);
      return isThere ? [[resourceId, ownResource(action, documents)] as const] : [];
    }),
  );
}

/** What was applied before, and what the commit in force says. */
export interface CommitComparison {
  before: AppliedDocuments;
  inventory: OwnResources;
  now: DocumentMarks;
  /** The keys of resources that may be newer than the documents, where no memory says what was applied; default: none. */
  newer?: ReadonlySet<string>;
}

/** Whether the document of a key is another one than the one that was applied there last, or is there no longer. */
export function differs(key: string, before: AppliedDocuments, now: DocumentMarks): boolean {
  const mark = now.get(key);
  const applied = own(before, key) ?? (mark?.former === undefined ? undefined : own(before, mark.former));
  return applied !== mark?.digest;
}

/** The actions of a plan, each with its cause: found by comparing documents, whatever else the plan does. */
export function withCauses(actions: readonly Action[], compared: CommitComparison): Action[] {
  const causes = new Causes(actions, compared);
  return actions.map((action) => (isChange(action) ? { ...action, cause: causes.of(action) } : action));
}

class Causes {
  readonly #compared: CommitComparison;
  readonly #byId: ReadonlyMap<string, Action>;
  /** What changes resources, by the keys of their addresses; deployments follow from it. */
  readonly #changes: ReadonlyMap<string, Action>;

  constructor(actions: readonly Action[], compared: CommitComparison) {
    this.#compared = compared;
    this.#byId = new Map(actions.map((action) => [action.id, action]));
    const changes = actions.filter((action) => isChange(action) && !deploys(action));
    this.#changes = new Map(changes.map((action) => [addressKey(action.address), action]));
  }

  of(action: Action): Cause {
    if (action.reason === "failed") return "retry";
    if (deploys(action)) return this.#ofDeployment(action);
    if (deletes(action) && !makes(action)) return this.#isRemoved(action) ? "commit" : "drift";
    const { address, carriedOutBy } = action;
    if (this.#differs(address)) return "commit";
    const carrier = carriedOutBy === undefined ? undefined : this.#byId.get(carriedOutBy);
    return carrier ? this.of(carrier) : "drift";
  }

  /** A deployment follows from the change of its service, or else from the documents of the service and of what is around it. */
  #ofDeployment({ address, reason }: Action): Cause {
    const change = this.#changes.get(addressKey(address));
    if (change) return this.of(change);
    if (this.#differs(address)) return "commit";
    const around = ancestorsOf(address);
    if (reason === "changed")
      return around.some((each) => this.#isOfCommit(this.#changes.get(addressKey(each))))
        ? "commit"
        : "drift";
    return reason === "changed_around" && around.some((each) => this.#differs(each)) ? "commit" : "drift";
  }

  #isOfCommit(action: Action | undefined): boolean {
    return action !== undefined && this.of(action) === "commit";
  }

  #differs(address: Address): boolean {
    const { before, now, newer } = this.#compared;
    const key = addressKey(address);
    const isBegun = own(before, key) !== undefined;
    return differs(key, before, now) && (isBegun || newer?.has(key) !== true);
  }

  /** Whether documents have described what a prune deletes, and describe it no longer. */
  #isRemoved({ address, resourceId = "" }: Action): boolean {
    const { inventory, now } = this.#compared;
    const known = own(inventory, resourceId);
    return known !== undefined && !now.has(addressKey(address));
  }
}

function ancestorsOf(address: Address): Address[] {
  const parent = parentAddress(address);
  return parent ? [parent, ...ancestorsOf(parent)] : [];
}

/** Whether an action follows from the commit in force; what does not is drift. */
export function isOfCommit({ cause }: Pick<Action, "cause">): boolean {
  return cause !== "drift";
}
