import { type Address, parentAddress } from "../address.ts";
import type { Desired } from "../manifest/desired.ts";
import { type Fields, isFields, type Json, own } from "../json.ts";
import type { Kind } from "../kinds/index.ts";
import {
  dependentsOf,
  isDefault,
  ownPartFields,
  type Part,
  type PartEntry,
  partsIn,
  type PartNeed,
  partsWith,
  shareList,
  type StatedPart,
  statedParts,
} from "../parts/index.ts";
import type { LiveResource } from "../live/index.ts";
import type { Expected } from "./expected.ts";
import { Unplannable } from "./findings.ts";
import type { Planning } from "./planning.ts";
import type { Protection } from "./protection.ts";

/** The members of a document that state parts. */
function membersIn({ address, stated, manage }: Desired): string[] {
  return statedParts(address.kind)
    .map(({ member }) => member)
    .filter((member) => Object.hasOwn(stated, member) || manage.exclusive?.includes(member));
}

/**
 * Adds the live parts of a resource to its fields, if its document states parts. A copy gets the parts of its source.
 *
 * @throws Unplannable while they have not been read
 */
export function takeInParts(planning: Planning, desired: Desired, resource: Expected): void {
  const { partsFrom } = resource;
  if (!partsFrom) return;
  const missing = partsWith(resource.kind, membersIn(desired)).filter(
    ({ member }) => !Object.hasOwn(resource.fields, member),
  );
  if (missing.length === 0) return;
  const copied = resource.live ? missing : missing.filter(({ form }) => !form.staysWithSource);
  const entries = listedParts(planning, partsFrom, copied);
  // A copy has none of the parts that stay with its source.
  resource.fields = { ...resource.fields, ...ownPartFields(missing, entries) };
}

/**
 * The configuration of a live resource that has requests of its own and that its document does not state, without
 * defaults: a replacement has to write it again.
 *
 * @throws Unplannable while it has not been read
 */
export function unstatedConfiguration(planning: Planning, current: Expected): Fields {
  const { kind, live, fields } = current;
  const parts = statedParts(kind).filter(
    ({ member, isConfiguration }) => isConfiguration && !Object.hasOwn(fields, member),
  );
  if (!live || parts.length === 0) return {};
  const found = ownPartFields(parts, listedParts(planning, live, parts));
  return Object.fromEntries(
    parts.flatMap((part) => {
      const entries = Object.entries(entriesIn(found, part.member)).filter(
        ([key, value]) => !hasDefault(planning, part, key, value),
      );
      return entries.length === 0 ? [] : [[part.member, Object.fromEntries(entries)]];
    }),
  );
}

/** The parts of a live resource, of some sorts. @throws Unplannable while they have not been read */
function listedParts(
  { live, findings }: Planning,
  resource: LiveResource,
  parts: readonly Part[],
): PartEntry[] {
  const entries = partsIn(live.parts, resource.id, parts);
  if (entries) return entries;
  findings.needParts(resource, parts);
  throw new Unplannable();
}

/**
 * The parts that a document states, and null for each other live part if the document lists all of them. Without the
 * consent to prune, or if the resource is protected, a note lists the others.
 *
 * @param protection what protects the resource
 */
export function withRemovals(
  planning: Planning,
  desired: Desired,
  stated: Fields,
  current: Fields,
  protection?: Protection,
): Fields {
  const { policy, findings } = planning;
  const { address, manage } = desired;
  const { exclusive = [], ignore = [] } = manage;
  const result: Fields = { ...stated };
  for (const part of statedParts(address.kind)) {
    const { member, name } = part;
    if (!exclusive.includes(member)) continue;
    const entries = entriesIn(stated, member);
    const others = Object.entries(entriesIn(current, member))
      .filter(([key, value]) => !Object.hasOwn(entries, key) && !hasDefault(planning, part, key, value))
      .map(([key]) => key)
      .filter((key) => !ignore.includes(`${member}.${key}`) && !ignore.includes(member));
    if (others.length === 0) continue;
    const whoStates = desired.follows
      ? "neither its document nor its source states"
      : "its document does not state";
    const what = `${others.length} ${name}${others.length === 1 ? "" : "s"} that ${whoStates} (${others.join(", ")})`;
    if (!policy.prune || manage.prune === false)
      findings.note({
        code: "unstated_parts",
        message: `has ${what}`,
        address,
        remedies: [{ consent: "prune" }],
      });
    else if (protection)
      findings.note({
        code: "protected",
        message: `keeps ${what}, because it is protected by ${protection.by}`,
        address,
        remedies: [protection.remedy],
      });
    else result[member] = { ...entries, ...Object.fromEntries(others.map((key) => [key, null])) };
  }
  return result;
}

/** Whether an entry has its default, so that there is nothing to remove. @throws Unplannable while that is not known */
function hasDefault({ live, findings }: Planning, part: StatedPart, key: string, value: Json): boolean {
  const answer = isDefault(part, live.defaults, key, value);
  if (answer !== undefined) return answer;
  if (part.form.defaults) findings.needDefaults(part.form.defaults);
  throw new Unplannable();
}

/**
 * The stated fields, with null for each part that the server deletes with one that the document removes.
 *
 * @param resource of a copy that this plan makes, only its fields with their parts are known
 * @throws Unplannable while the parts have not been read
 */
export function withDependents(
  planning: Planning,
  { address }: Desired,
  stated: Fields,
  { live, fields }: Pick<Expected, "live" | "fields">,
): Fields {
  const removing = statedParts(address.kind)
    .filter(({ form }) => !form.isPermanent)
    .map(({ member }) => member)
    .filter((member) => Object.values(entriesIn(stated, member)).includes(null));
  const parts = partsWith(address.kind, removing);
  if (parts.length === 0) return stated;
  const result: Fields = { ...stated };
  const dependents = live
    ? dependentsListed(listedParts(planning, live, parts), stated)
    : dependentsExpected(parts, fields, stated);
  for (const { member, key } of dependents) {
    if (Object.hasOwn(entriesIn(stated, member), key)) continue;
    result[member] = { ...entriesIn(result, member), [key]: null };
  }
  return result;
}

/** The parts of a live resource that go with those that a document removes. */
function dependentsListed(listed: readonly PartEntry[], stated: Fields): { member: string; key: string }[] {
  const entries = listed.filter(({ isOwn }) => isOwn);
  const removed = entries.filter(({ part, key }) => own(entriesIn(stated, part.member), key) === null);
  return dependentsOf(removed, entries).map(({ part, key }) => ({ member: part.member, key }));
}

/** The same for a copy that this plan makes: which parts refer to each other stands in its fields. */
function dependentsExpected(
  parts: readonly StatedPart[],
  fields: Fields,
  stated: Fields,
): { member: string; key: string }[] {
  const gone = parts.flatMap(({ member }) =>
    Object.keys(entriesIn(fields, member)).filter((key) => own(entriesIn(stated, member), key) === null),
  );
  const found: { member: string; key: string }[] = [];
  // A loop over a list also visits the elements that are added during the loop.
  for (const other of gone)
    for (const { member, form } of parts)
      for (const [key, entry] of Object.entries(entriesIn(fields, member))) {
        const needs = isFields(entry) ? form.needs(entry, key) : [];
        if (gone.includes(key) || !needs.some((need) => !need.isAbove && need.key === other)) continue;
        gone.push(key);
        found.push({ member, key });
      }
  return found;
}

/** The stated fields, with `rotate: true` on each existing part that cannot be compared and that the run writes again. */
export function withRotations(
  { policy, findings }: Planning,
  { address }: Desired,
  stated: Fields,
  current: Fields,
): Fields {
  const isRotated = policy.rotate.some((pattern) => pattern.matches(address));
  const result: Fields = { ...stated };
  for (const { member, name, form } of statedParts(address.kind)) {
    if (!form.isWriteOnly) continue;
    const entries = entriesIn(stated, member);
    const there = Object.entries(entries).filter(
      ([key, entry]) => isFields(entry) && Object.hasOwn(entriesIn(current, member), key),
    );
    if (there.length === 0) continue;
    if (isRotated)
      result[member] = {
        ...entries,
        ...Object.fromEntries(
          there.map(([key, entry]) => [key, { ...(isFields(entry) && entry), rotate: true }]),
        ),
      };
    else {
      const keys = there.map(([key]) => key).join(", ");
      findings.note({
        code: "values_not_compared",
        message:
          there.length === 1
            ? `the ${name} ${keys} exists; infrasync cannot compare its value`
            : `the ${name}s ${keys} exist; infrasync cannot compare their values`,
        address,
      });
    }
  }
  return result;
}

/**
 * The fields without the parts that no document states and whose values nobody can read: a replacement cannot write
 * them again.
 */
export function withoutUnknownValues({ address, stated }: Desired, fields: Fields): Fields {
  const result: Fields = { ...fields };
  for (const { member, form } of statedParts(address.kind)) {
    if (!form.isWriteOnly || !Object.hasOwn(fields, member)) continue;
    const kept = Object.entries(entriesIn(fields, member)).filter(([key]) =>
      Object.hasOwn(entriesIn(stated, member), key),
    );
    result[member] = Object.fromEntries(kept);
  }
  return result;
}

/**
 * Reports parts whose keys belong to another sort of part on the server, such as a variable that is a secret there.
 */
export function refuseOtherSorts(planning: Planning, desired: Desired, current: Expected): void {
  const { findings, live } = planning;
  const { address, stated } = desired;
  const parts = partsWith(address.kind, membersIn(desired));
  const listed = (current.live && partsIn(live.parts, current.live.id, parts)) ?? [];
  for (const part of statedParts(address.kind)) {
    const { member, name } = part;
    for (const [key, entry] of Object.entries(entriesIn(stated, member))) {
      const other = listed.find(
        (each) => each.isOwn && each.key === key && each.part.member !== member && shareList(each.part, part),
      );
      if (entry === null || !other) continue;
      findings.report(
        "exists",
        desired,
        [member, key],
        `${member}.${key}: ${key} is a ${other.part.name} already, and writing the ${name} would overwrite it`,
        `remove it first with ${other.part.member}: { ${key}: null }, or state it under ${other.part.member}`,
      );
    }
  }
}

/**
 * Reports parts that refer to something missing, such as an alias of a missing variable.
 *
 * @param wanted the fields as they will be
 * @throws Unplannable while that is not known
 */
export function refuseUnmetNeeds(
  planning: Planning,
  desired: Desired,
  current: Expected | undefined,
  wanted: Fields,
): void {
  const { findings } = planning;
  for (const part of statedParts(desired.address.kind)) {
    const stated = entriesIn(desired.stated, part.member);
    for (const [key, entry] of Object.entries(stated)) {
      for (const need of isFields(entry) ? part.form.needs(entry, key) : []) {
        if (isMet(planning, part, desired, current, wanted, need)) continue;
        const where = need.isAbove ? "no parent has" : "there is no";
        const what = need.isAbove
          ? `${need.what} ${need.key}`
          : `${need.what.replace(/^an? /, "")} ${need.key}`;
        findings.report(
          "reference",
          desired,
          [part.member, key, need.member],
          `${part.member}.${key}: ${where} ${what}`,
          need.isAbove ? "take overrides out, or correct the key" : "correct the name, or state it too",
        );
      }
    }
  }
}

/** Whether the other part is there, or will be, that an entry of a resource needs. @throws Unplannable */
export function isMet(
  planning: Planning,
  part: Part,
  desired: Desired,
  current: Expected | undefined,
  wanted: Fields,
  { key, isAbove }: PartNeed,
): boolean {
  if (!isAbove && hasEntry(part, desired.address, wanted, key)) return true;
  // Which parts a copy sees is not known before the copy exists.
  if (current && !current.live) return true;
  const listed =
    current?.live && partsIn(planning.live.parts, current.live.id, partsBeside(part, current.kind));
  // What the resource will have of its own stands in its fields.
  const isSeen = (listed ?? []).some((entry) => entry.key === key && !entry.isOwn);
  return isSeen || isStatedAbove(planning, part, parentAddress(desired.address), key, listed !== undefined);
}

/** Whether a parent of a resource has an entry, or will have it when the resource is written. */
function isStatedAbove(
  planning: Planning,
  part: Part,
  address: Address | undefined,
  key: string,
  isListed: boolean,
): boolean {
  const parent = address && planning.expectations.find(address);
  if (!address || !parent) return false;
  if (hasEntry(part, address, parent.fields, key)) return true;
  const { live } = parent;
  // The resource sees what its parent sees, unless its own list is known.
  if (live && !isListed) {
    const listed = listedParts(planning, live, partsBeside(part, live.kind));
    if (listed.some((entry) => entry.key === key)) return true;
  }
  return isStatedAbove(planning, part, parentAddress(address), key, isListed || live !== undefined);
}

/** Whether fields have a part of that key, of this sort or of another of the same list. */
function hasEntry(part: Part, { kind }: Address, fields: Fields, key: string): boolean {
  return partsBeside(part, kind).some(({ member }) => Object.hasOwn(entriesIn(fields, member), key));
}

/** The parts of a kind, perhaps another one, that are listed at the same path as a part: they see each other. */
function partsBeside(part: Part, kind: Kind): Part[] {
  return statedParts(kind).filter(({ listing }) => listing("id").path === part.listing("id").path);
}

function entriesIn(fields: Fields, member: string): Fields {
  const entries = own(fields, member);
  return isFields(entries) ? entries : {};
}
