import type { Desired } from "../manifest/desired.ts";
import { type Fields, isFields, type Json, own } from "../json.ts";
import {
  isDefault,
  ownPartFields,
  type Part,
  type PartEntry,
  partsIn,
  partsWith,
  type StatedPart,
  statedParts,
} from "../parts/index.ts";
import type { LiveResource } from "../live/index.ts";
import type { Expected } from "./expected.ts";
import { Unplannable } from "./findings.ts";
import type { Planning } from "./planning.ts";

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
export function listedParts(
  { live, findings }: Planning,
  resource: LiveResource,
  parts: readonly Part[],
): PartEntry[] {
  const entries = partsIn(live.parts, resource, parts);
  if (entries) return entries;
  findings.needParts(resource, parts);
  throw new Unplannable();
}

/** Whether an entry has its default, so that there is nothing to remove. @throws Unplannable while that is not known */
export function hasDefault(
  { live, findings }: Planning,
  part: StatedPart,
  key: string,
  value: Json,
): boolean {
  const answer = isDefault(part, live.defaults, key, value);
  if (answer !== undefined) return answer;
  if (part.form.defaults) findings.needDefaults(part.form.defaults);
  throw new Unplannable();
}

/** The members of a document that state parts. */
export function membersIn({ address, stated, manage }: Desired): string[] {
  return statedParts(address.kind)
    .map(({ member }) => member)
    .filter((member) => Object.hasOwn(stated, member) || manage.exclusive?.includes(member));
}

/** The entries of a sort of parts in the fields of a resource, by their keys. */
export function entriesIn(fields: Fields, member: string): Fields {
  const entries = own(fields, member);
  return isFields(entries) ? entries : {};
}
