import { type Address, addressKey, formatAddress, parentsOf } from "../../model/addresses/address.ts";
import { once } from "../../values/json.ts";
import { type DesiredResource, formerAddress } from "../../manifests/manifest/index.ts";
import type { Scope } from "../../model/addresses/scope.ts";
import type { Note } from "../plan/action.ts";
import { addressBy, addressesOf, type ResourceIdentity, type Inventory } from "../plan/inventory.ts";
import type { Policy, RulesBefore } from "../plan/policy.ts";
import { rulesBeforeFor } from "../plan/rules-before.ts";
import { placeOf } from "../../problems/problem.ts";
import type { Remedy } from "../../problems/remedy.ts";

/** A protection of a resource: its rule, and the remedies that lift it. */
export interface Protection {
  /** A subject: `manage.protect of environment:shop/production`. */
  by: string;
  remedies: readonly Remedy[];
  /** Only an earlier commit protects the resource: this change lifts that, and so must not delete it as well. */
  isLifted?: true;
}

/** The protection of a live resource: by documents, settings, or an earlier commit, under each of its names. */
export function protectionOf(
  inventory: Inventory,
  policy: Policy,
  identity: ResourceIdentity,
): Protection | undefined {
  const { protect, protectedElsewhere = [] } = policy;
  const document =
    protectingDocument(inventory, identity) ?? protectingAmong(protectedElsewhere, identity)?.address;
  if (document) {
    const address = formatAddress(document);
    return { by: byDocument(address), remedies: [{ unprotect: address }] };
  }
  const pattern = patternFor(protect, identity);
  if (pattern)
    return {
      by: `the pattern "${pattern.text}"`,
      remedies: [{ setting: "protect", value: pattern.text, file: placeOf(pattern.restriction?.position) }],
    };
  return protectionBefore(policy, identity);
}

function protectionBefore(policy: Policy, identity: ResourceIdentity): Protection | undefined {
  for (const { rules, next } of rulesBeforeFor(
    policy,
    addressesOf(identity),
    identity.documents.length > 0,
  )) {
    const by = protectorIn(rules, identity);
    if (by !== undefined && !(next && protectorIn(next, identity)))
      return { by, remedies: [], isLifted: true };
  }
  return undefined;
}

function protectorIn(
  { name, policy, resources, unreadable }: RulesBefore,
  identity: ResourceIdentity,
): string | undefined {
  if (unreadable !== undefined) return `the rules of ${name}, which cannot be read (${unreadable})`;
  const document = protectingAmong(protectedIn(resources), identity);
  if (document) return `${byDocument(formatAddress(document.address))} in ${name}`;
  const pattern = patternFor(policy.protect, identity);
  return pattern && `the pattern "${pattern.text}" in the settings of ${name}`;
}

const protectedIn = once((resources: readonly DesiredResource[]) =>
  resources.filter(({ manage }) => manage.protect),
);

function patternFor(protect: readonly Scope[], identity: ResourceIdentity): Scope | undefined {
  const addresses = identity.names.map((names) => addressBy(identity, names));
  return protect.find((each) => addresses.some((address) => each.matches(address)));
}

export function patternsIn({ protect, before = [] }: Policy): Scope[] {
  return [...protect, ...before.flatMap(({ isOlder, policy }) => (isOlder ? [] : policy.protect))];
}

/** A note that a protection keeps something. @param effect `not pruned` */
export function protectedNote(
  { by, remedies, isLifted }: Protection,
  effect: string,
  address: Address,
): Note {
  const message = `${effect}, because it is protected by ${by}`;
  return { code: "protected", message, address, remedies, isLifted };
}

export function byDocument(address: string): string {
  return `manage.protect of ${address}`;
}

/** The address of the outermost document that protects a resource, so that its whole contents have the same. */
function protectingDocument(inventory: Inventory, identity: ResourceIdentity): Address | undefined {
  const around = identity.parent && protectingDocument(inventory, identity.parent);
  if (around) return around;
  return levelsOf(identity).findLast((at) => inventory.documentOf(at)?.manage.protect);
}

function levelsOf(identity: ResourceIdentity): Address[] {
  return addressesOf(identity).flatMap((address) => [address, ...parentsOf(address)]);
}

/** The document that protects a resource or one of its parents, found by address, former address or id. */
function protectingAmong(
  documents: readonly DesiredResource[],
  identity: ResourceIdentity,
): DesiredResource | undefined {
  if (documents.length === 0) return undefined;
  const around = new Set(levelsOf(identity).map(addressKey));
  const ids = new Set<string>();
  for (let at: ResourceIdentity | undefined = identity; at; at = at.parent) ids.add(at.id.toLowerCase());
  const protects = (document: DesiredResource) => {
    const former = formerAddress(document);
    return (
      around.has(addressKey(document.address)) ||
      (former !== undefined && around.has(addressKey(former))) ||
      ids.has(document.manage.id?.toLowerCase() ?? "")
    );
  };
  return documents.find(protects);
}
