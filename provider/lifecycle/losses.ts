import { type Address, formatAddress, formatReference } from "../../core/address.ts";
import type { FieldChange } from "../../core/fields/compare.ts";
import { lostBy } from "../../core/fields/losses.ts";
import type { Kind } from "../../core/kinds/index.ts";
import type { LiveResource } from "../../core/live/index.ts";
import { isForGood, type Loss, wordsFor } from "../../core/loss.ts";
import { dependentsOf, type PartEntry, type StatedPart, statedParts } from "../../core/parts/index.ts";
import { addressesOf, contentsBelow, type AddressedResource } from "./addresses.ts";
import { RefusedError } from "./errors.ts";
import { showMembers } from "./possible.ts";
import type { ProviderSession } from "./session.ts";
import { variableOf } from "./settings.ts";

/** A loss as Pulumi has to ask for it: the engine asks one question for all changes of a run. */
export type UpdateLoss = Pick<Loss, "sort" | "what" | "name" | "extent" | "described" | "restorable">;

/**
 * The losses of changes that nobody can restore: data, and secrets that get no other value. A program removes the secrets
 * that it leaves out, so these are lost as well.
 */
export function lossesOf(kind: Kind, changes: readonly FieldChange[]): UpdateLoss[] {
  const ofFields = lostBy(kind.fields, changes)
    .filter(({ sort }) => sort !== "overwritten")
    .map(({ key, path, ...loss }) => ({ ...loss, name: loss.sort === "value" ? showMembers(path) : key }));
  const ofParts = removedParts(kind, changes)
    .filter(({ part }) => part.form.isWriteOnly)
    .map(({ part, key }) => ({ sort: "part" as const, what: part.name, name: key }));
  return [...ofFields, ...ofParts].map((loss) => ({ ...loss, described: false, restorable: false }));
}

/** Whether changes remove parts with which the server may delete others, such as aliases. */
export function removesTogether(kind: Kind, changes: readonly FieldChange[]): boolean {
  return removedParts(kind, changes).some(({ part }) => part.form.goesWith);
}

/** The parts, such as aliases, that the server deletes with those that changes remove: in the resource and inside it. */
export async function lossesWith(
  session: ProviderSession,
  { kind, id, parentId = "" }: AddressedResource,
  changes: readonly FieldChange[],
): Promise<UpdateLoss[]> {
  const removed = removedParts(kind, changes).filter(({ part }) => part.form.goesWith);
  if (removed.length === 0) return [];
  const isRemoved = ({ part, key }: PartEntry) =>
    removed.some((each) => each.part.member === part.member && each.key === key);
  const own = await ownParts(session, { kind, id, parentId });
  const inside = await contentsBelow(session, { kind, id });
  const others = await Promise.all(
    inside.map(async ({ resource, names }) =>
      (await ownParts(session, resource)).map((entry) => ({
        entry,
        name: `${formatReference(names)}: ${entry.key}`,
      })),
    ),
  );
  const named = new Map([
    ...own.map((entry) => [entry, entry.key] as const),
    ...others.flat().map(({ entry, name }) => [entry, name] as const),
  ]);
  return dependentsOf(own.filter(isRemoved), [...named.keys()]).map((entry) => ({
    sort: "part",
    what: entry.part.name,
    name: named.get(entry) ?? entry.key,
    described: false,
    restorable: entry.isReadable,
  }));
}

/**
 * Refuses an update with losses, unless a setting names each address of the resource and no other setting protects it.
 *
 * @throws RefusedError
 */
export async function refuseLosses(
  session: ProviderSession,
  subject: AddressedResource,
  losses: readonly UpdateLoss[],
): Promise<void> {
  if (losses.length === 0) return;
  const addresses = await addressesOf(session, subject);
  const what = `the update of the ${subject.kind.name} "${subject.names.at(-1)}" would lose ${losses.map((loss) => wordsFor(loss)).join(", ")}${losses.some(isForGood) ? ", and nobody could restore that" : ""}`;
  const protection = protectionOf(session, addresses);
  if (protection !== undefined) throw new RefusedError(`${what}; ${protection}`);
  const missing = addresses.filter(
    (address) => !session.settings.allowLosses.some((each) => each.matches(address)),
  );
  if (missing.length === 0) return;
  throw new RefusedError(
    `${what}; undo the change, or consent: add ${missing.map(formatAddress).join(" and ")} to infrasync:allowLosses (or ${variableOf("allowLosses")})`,
  );
}

/**
 * Refuses to delete or replace what a setting protects: a resource, and everything that goes with it.
 *
 * @throws RefusedError
 */
export async function refuseProtected(
  session: ProviderSession,
  subject: AddressedResource,
  what: "be deleted" | "be replaced" | `lose ${string}`,
): Promise<void> {
  const { kind, names } = subject;
  if (session.settings.protect.length === 0) return;
  const own = await addressesOf(session, subject);
  const inside = await contentsBelow(session, subject, "with data");
  const all = [
    ...own,
    ...own.flatMap((above) =>
      inside.map(({ resource, names: below }) => ({
        kind: resource.kind,
        names: [...above.names, ...below],
      })),
    ),
  ];
  const protection = protectionOf(session, all);
  if (protection === undefined) return;
  throw new RefusedError(`the ${kind.name} "${names.at(-1)}" cannot ${what}: ${protection}`);
}

/** The parts that changes remove. */
function removedParts(kind: Kind, changes: readonly FieldChange[]): { part: StatedPart; key: string }[] {
  return changes.flatMap(({ path: [member, key, ...inside], after }) => {
    const part = statedParts(kind).find((each) => each.member === member);
    return part && key !== undefined && inside.length === 0 && after === undefined ? [{ part, key }] : [];
  });
}

/** The parts of a resource itself that the server may delete with others, or others with them. */
async function ownParts(
  { run: { live }, client }: ProviderSession,
  owner: Pick<LiveResource, "kind" | "id" | "parentId">,
): Promise<PartEntry[]> {
  const parts = statedParts(owner.kind).filter(({ form }) => form.goesWith);
  const entries = parts.length === 0 ? [] : await live.partsOf(client, owner, parts);
  return (entries ?? []).filter(({ isOwn }) => isOwn);
}

/** The first protected address and its protection; undefined if no address is protected. */
function protectionOf({ settings }: ProviderSession, addresses: readonly Address[]): string | undefined {
  for (const address of addresses) {
    const pattern = settings.protect.find((each) => each.matches(address));
    if (pattern)
      return `the pattern "${pattern.text}" of infrasync:protect (or ${variableOf("protect")}) protects ${formatAddress(address)}; undo the change, or take the pattern out`;
  }
  return undefined;
}
