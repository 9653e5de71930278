import { overlay, overlayStated, withoutElementIds } from "../fields/overlay.ts";
import { compare } from "../fields/compare.ts";
import { steering } from "../fields/steering.ts";
import { type Fields, isFields, type Json, mapFields, own } from "../json.ts";
import type { Desired } from "../manifest/index.ts";
import { entriesIn, type StatedPart, statedParts, withoutParts } from "../parts/index.ts";
import { alternativesOf } from "../schema/field-schema.ts";
import { sourceOf } from "../plan/source.ts";
import type { Expected } from "../plan/expected.ts";
import { attempt, Unplannable } from "../plan/findings.ts";
import { hasSources, withNamedOutputs } from "./outputs.ts";
import { withLiveParts } from "../plan/parts.ts";
import { isMet } from "./needs.ts";
import type { Planning } from "../plan/planning.ts";

/**
 * A document that follows its source, as one that states what the source has, overlaid with what the document itself
 * states. The siblings that it names are left out.
 *
 * @throws Unplannable while the source or the parts of both have not been read
 */
export function following(planning: Planning, desired: Desired, current: Expected): Desired {
  const { address, stated, manage } = desired;
  const { kind } = address;
  const { ignore = [], exclusive = [] } = manage;
  const source = sourceOf(planning, desired);
  const parts = followedParts(desired, source);
  const members = parts.map(({ member }) => member);
  const wide = { ...desired, manage: { ...manage, exclusive: [...new Set([...exclusive, ...members])] } };
  // Both are needed, so both are asked for at once.
  const [clone, whole] = [current, source].map((each) =>
    attempt(() => ({ ...each, fields: withLiveParts(planning, wide, each) })),
  );
  if (!clone || !whole) throw new Unplannable();

  const fields = followedFields(desired, whole, clone);
  // The clone has what the platform says of its own siblings.
  const named = withNamedOutputs(planning, desired.cloneFrom ?? desired.address, whole);
  const entries = parts.map((part) => ({ part, ...followedEntries(planning, wide, part, named, clone) }));
  const followed = {
    ...fields,
    ...Object.fromEntries(entries.map(({ part, states }) => [part.member, states])),
  };
  const left = entries.flatMap(({ part, leaves }) => leaves.map((key) => `${part.member}.${key}`));
  return {
    ...wide,
    stated: overlayStated(kind.fields, followed, stated),
    manage: { ...wide.manage, ignore: [...ignore, ...left] },
  };
}

/**
 * The sorts of parts that a clone carries and its document does not ignore as a whole. Configuration that a resource
 * mostly has with its defaults is read only where a document of the clone or of the source states it.
 */
function followedParts({ address, stated, manage }: Desired, source: Expected): StatedPart[] {
  const { ignore = [], exclusive = [] } = manage;
  const isStated = (member: string) =>
    exclusive.includes(member) || [stated, source.fields].some((fields) => Object.hasOwn(fields, member));
  return statedParts(address.kind).filter(
    ({ member, form, isConfiguration }) =>
      !form.staysWithSource && !ignore.includes(member) && (!isConfiguration || isStated(member)),
  );
}

/**
 * The fields in which a clone differs from its source, stated so that an overlay makes them the same. Where this run
 * makes the source, it is not known which values the server gives to what no document states.
 */
function followedFields({ address }: Desired, source: Expected, current: Expected): Fields {
  const { kind } = address;
  const ownFields = (fields: Fields) => withoutParts(kind, fields);
  const there = ownFields(current.fields);
  const wanted = withoutElementIds(kind.fields, ownFields(source.fields));
  const stated = source.origin ? steering(kind.fields, there, wanted) : wanted;
  return mapFields(stated, (value, member) => {
    const alone = { [member]: value };
    return compare(kind.fields, there, overlay(kind.fields, there, alone)).length === 0 ? undefined : value;
  });
}

/** The entries of a part that a clone takes over from its source, and the keys that are left as they are. */
function followedEntries(
  planning: Planning,
  desired: Desired,
  part: StatedPart,
  source: Expected,
  current: Expected,
): { states: Fields; leaves: string[] } {
  const { member, form } = part;
  const ownKeys = new Set(Object.keys(entriesIn(desired.stated, member)));
  const entries = Object.entries(entriesIn(source.fields, member)).filter(([key]) => !ownKeys.has(key));
  const states: Fields = {};
  const leaves: string[] = [];
  for (const [key, entry] of entries) {
    const isKept = form.isPersonal?.(key) || isUnknown(part, entry);
    if (isKept) leaves.push(key);
    else states[key] = withDefaults(part, entriesIn(current.fields, member)[key], entry);
    if (isKept && !form.isPersonal?.(key) && !Object.hasOwn(entriesIn(current.fields, member), key))
      noteMissing(planning, desired, part, key);
  }
  for (const key of Object.keys(entriesIn(current.fields, member)))
    if (form.isPersonal?.(key) && !ownKeys.has(key) && !leaves.includes(key)) leaves.push(key);
  for (const [key, entry] of Object.entries(states)) {
    const needs = isFields(entry) ? form.needs(entry, key) : [];
    const wanted = { ...current.fields, [member]: { ...states, ...entriesIn(desired.stated, member) } };
    const isThere = hasSources(planning, desired, { [member]: { [key]: entry } });
    if (
      isThere &&
      needs.every((need) => need.isOutput || isMet(planning, part, desired, current, wanted, need))
    )
      continue;
    // It names something that only the source sees, such as a variable that the platform sets for another service.
    delete states[key];
    leaves.push(key);
  }
  return { states, leaves };
}

/** An entry of the source, with the default of each member that only the entry of the clone has. */
function withDefaults({ form }: StatedPart, current: Json | undefined, entry: Json): Json {
  if (!isFields(entry) || !isFields(current)) return entry;
  const { properties = {} } = form.schema.entries ?? {};
  const missing = Object.keys(current).filter((member) => !Object.hasOwn(entry, member));
  const defaults = missing.flatMap((member): [string, Json][] => {
    const value = own(properties, member)?.default;
    return value === undefined ? [] : [[member, value]];
  });
  return { ...entry, ...Object.fromEntries(defaults) };
}

/** Whether the value cannot be read back and no document of this run states its source. */
function isUnknown({ form }: StatedPart, entry: Fields[string]): boolean {
  if (!form.isWriteOnly) return false;
  const { entries } = form.schema;
  return !isFields(entry) || !entries || alternativesOf(entries, entry).length === 0;
}

function noteMissing(
  { findings }: Planning,
  { address }: Desired,
  { name, member }: StatedPart,
  key: string,
): void {
  findings.note({
    code: "not_followed",
    message: `has no ${name} ${key}, unlike its source; nobody can read the value there, so state it under ${member}`,
    address,
  });
}
