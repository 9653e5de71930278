import type { AnyAddress } from "../../model/addresses/address.ts";
import type { Fields } from "../../values/json.ts";
import type { Loss } from "../../model/loss.ts";
import type { PolicyAction } from "../../rules/policies/index.ts";

/** A change of a resource, with any cause, as the rules about changes see it. */
export interface ResourceChange {
  /** Its effects. A loss of a part or a field also counts as a deletion. */
  does: readonly PolicyAction[];
  address: AnyAddress;
  /** The live and the declared addresses, as the server spells them. */
  addresses: readonly AnyAddress[];
  /** Undefined: the resource is created. */
  before: Fields | undefined;
  /** Undefined: the resource is deleted. */
  after: Fields | undefined;
  changed: readonly (readonly string[])[];
  losses: readonly Loss[];
  /** The resource whose action also creates or deletes this one; absent: the resource has an action of its own. */
  along?: AnyAddress;
}
