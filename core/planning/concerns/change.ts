import type { AnyAddress } from "../../model/addresses/address.ts";
import type { Fields } from "../../values/json.ts";
import type { Loss } from "../../model/loss.ts";
import type { PolicyAction } from "../../rules/policies/index.ts";

/** A change of a resource, as rules about changes see it, whatever causes it. */
export interface ResourceChange {
  /** Its effects: what loses something deletes too. */
  does: readonly PolicyAction[];
  address: AnyAddress;
  /** The addresses that the resource has on the server and in documents, as the server spells them. */
  addresses: readonly AnyAddress[];
  /** Undefined for a resource that does not exist before. */
  before: Fields | undefined;
  /** Undefined for a resource that ceases to exist. */
  after: Fields | undefined;
  /** The paths of the fields that change. */
  changed: readonly (readonly string[])[];
  losses: readonly Loss[];
  /** The resource with whose action it comes or goes; absent: it has its own. */
  along?: AnyAddress;
}
