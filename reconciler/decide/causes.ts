import { type Address, addressKey, formatAddress, parentsOf } from "../../core/model/addresses/address.ts";
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

/** The facts about the document of a resource from which causes follow. */
export interface DocumentDigest {
  /** A digest of the whole document. */
  digest: string;
  /** The declared entries, such as `variables.LEVEL`. */
  entries?: readonly string[];
  /** Its resource is created as a copy. */
  isCopy?: true;
  /** The key of its address before a rename of the resource or a parent. */
  former?: string;
}

/** The documents of a commit, by the key of their address. */
export type Digests = ReadonlyMap<string, DocumentDigest>;

/** The digests of the documents that were applied last, by the same keys; empty: not all of it is applied yet; `undeployed`: all but a deployment. */
export type AppliedDocuments = Readonly<Record<string, string>>;

const withoutDeployment = " without its deployment";

/** The digest of a document of which all but a deployment is applied. */
export function undeployed(digest: string): string {
  return isWhole(digest) ? digest + withoutDeployment : digest;
}

/** Whether a document is applied as a whole. */
export function isWhole(digest: string): boolean {
  return digest !== "" && !digest.endsWith(withoutDeployment);
}

/** A live resource that was declared and applied. */
export const ownResourceForm = form({
  /** Its address at that time: `job:shop/staging/a`. */
  address: Type.String(),
  /** It was created as a copy, so that its contents came with it. */
  isCopy: optional(Type.Literal(true)),
  /** Its declared entries, such as `variables.LEVEL`. */
  entries: optional(Type.Array(Type.String())),
});

export type OwnResource = StoredForm<typeof ownResourceForm>;

/** A resource after a plan. */
export interface AppliedResource extends OwnResource {
  removes?: readonly string[];
}

/** The live resources that a source has applied, by id. */
export type OwnResources = Readonly<Record<string, OwnResource>>;

/** The inventory entry of a resource in a plan. */
export function ownResource(
  { address, changes }: Pick<Action, "address" | "changes">,
  documents: Digests,
): AppliedResource {
  const document = documents.get(addressKey(address));
  const removes = changes.filter(({ path, after }) => path.length === 2 && (after ?? null) === null);
  return {
    address: formatAddress(address),
    ...(document?.isCopy && { isCopy: true }),
    ...(document?.entries && { entries: document.entries }),
    ...(removes.length > 0 && { removes: removes.map(({ path }) => path.join(".")) }),
  };
}

/** The existing resources of a plan that stay. Created and replaced ones follow from its report. */
export function inventoryOf(
  actions: readonly Action[],
  documents: Digests,
): Readonly<Record<string, AppliedResource>> {
  return Object.fromEntries(
    actions.flatMap((action) => {
      const { resourceId } = action;
      const isThere = resourceId !== undefined && !deletes(action) && !makes(action) && !deploys(action);
      return isThere ? [[resourceId, ownResource(action, documents)] as const] : [];
    }),
  );
}

/** The declarations that were applied before, and those of the commit in force. */
export interface CommitComparison {
  before: AppliedDocuments;
  inventory: OwnResources;
  now: Digests;
  /** The keys of resources that may be newer than their documents, without a record of the apply; default: none. */
  newer?: ReadonlySet<string> | undefined;
  /** The keys of resources of which only secrets change, because their sources have new values; default: none. */
  rotated?: ReadonlySet<string> | undefined;
}

/** Whether a document differs from the one that was applied last, or is gone. @param isOfFields whether an open deployment is no difference */
export function differs(key: string, before: AppliedDocuments, now: Digests, isOfFields = false): boolean {
  const document = now.get(key);
  const applied =
    own(before, key) ?? (document?.former === undefined ? undefined : own(before, document.former));
  if (isOfFields && document && applied === undeployed(document.digest)) return false;
  return applied !== document?.digest;
}

/** The actions, each with its cause, which follows only from a comparison of documents. */
export function withCauses(actions: readonly Action[], compared: CommitComparison): Action[] {
  const { before, inventory, now, newer, rotated } = compared;
  const byId = new Map(actions.map((action) => [action.id, action]));
  const changes = actions.filter((action) => isChange(action) && !deploys(action));
  const byAddress = new Map(changes.map((action) => [addressKey(action.address), action]));
  const isOther = (address: Address, isOfFields: boolean): boolean => {
    const key = addressKey(address);
    if (rotated?.has(key)) return true;
    const isStarted = own(before, key) !== undefined;
    return differs(key, before, now, isOfFields) && (isStarted || newer?.has(key) !== true);
  };
  const causeOf = (action: Action): Cause => {
    const { reason, address, carriedOutBy, resourceId = "" } = action;
    if (reason === "failed") return "retry";
    if (deploys(action)) return causeOfDeployment(action);
    // A pruned resource was declared before, and is no longer.
    if (deletes(action) && !makes(action))
      return own(inventory, resourceId) !== undefined && !now.has(addressKey(address)) ? "commit" : "drift";
    if (isOther(address, true)) return "commit";
    const carrier = carriedOutBy === undefined ? undefined : byId.get(carriedOutBy);
    return carrier ? causeOf(carrier) : "drift";
  };
  /** A deployment follows from the change of its service, or else from the documents of the service and its parents. */
  const causeOfDeployment = ({ address, reason }: Action): Cause => {
    const change = byAddress.get(addressKey(address));
    if (change) return causeOf(change);
    if (isOther(address, false)) return "commit";
    const isOfCommitAround = parentsOf(address).some((each) => {
      const around = byAddress.get(addressKey(each));
      return reason === "changed"
        ? around !== undefined && causeOf(around) === "commit"
        : reason === "changed_around" && isOther(each, true);
    });
    return isOfCommitAround ? "commit" : "drift";
  };
  return actions.map((action) => (isChange(action) ? { ...action, cause: causeOf(action) } : action));
}

/** Whether an action follows from the commit in force; otherwise it is drift. */
export function isOfCommit({ cause }: Pick<Action, "cause">): boolean {
  return cause !== "drift";
}
