import { type Address, type AnyAddress, formatReference } from "../../model/addresses/address.ts";
import { compare, type FieldChange } from "../../model/fields/compare.ts";
import { type Fields, isFields, sameJson } from "../../values/json.ts";
import type { Kind } from "../../model/kinds/index.ts";
import type { KnownCredentials } from "../../redaction/known-credentials.ts";
import { nameKey } from "../../model/addresses/names.ts";
import { shownChange } from "../../rules/credentials.ts";
import { declaredParts } from "../../model/parts/index.ts";
import { withoutHiddenValues } from "../../secrets/index.ts";

export interface ComparedResource {
  address: Address;
  /** As declared in a document; omitted members have their defaults. */
  fields: Fields;
}

/** Two corresponding resources and their differences, or a resource without a counterpart. */
export interface ResourceDifference {
  kind: Kind;
  /** Its name on both sides: `api`; empty for the compared resources themselves. */
  name: string;
  /** Absent: only the other side has it. */
  first?: Address;
  second?: Address;
  changes: FieldChange[];
}

/** The name of a resource within its side of a comparison. */
type NameWithin = (address: AnyAddress) => readonly string[];

/** The name that other environments have too: `shop/api` of `shop/staging/api`. */
export const nameBesideEnvironment: NameWithin = ({ names }) => names.filter((_, depth) => depth !== 1);

export interface ResourceDifferences {
  differences: ResourceDifference[];
  /** The number of equal resources. */
  same: number;
}

/** Compares the resources of two sides with the same kind and name. Of secrets, only the keys are compared. */
export function differencesBetween(
  first: Parameters<typeof byName>[0],
  second: Parameters<typeof byName>[0],
): ResourceDifferences {
  const [left, right] = [byName(first), byName(second)];
  const keys = new Set([...left.keys(), ...right.keys()]);
  const differences = [...keys].flatMap((key): ResourceDifference[] => {
    const [one, other] = [left.get(key), right.get(key)];
    const known = one ?? other;
    if (!known) return [];
    const { kind } = known.address;
    const changes =
      one && other
        ? compare(kind.fields, withoutSecrets(kind, one.fields), withoutSecrets(kind, other.fields))
            // References are names here.
            .filter(({ before = null, after = null }) => !sameJson(before, after))
        : [];
    if (one && other && changes.length === 0) return [];
    return [
      {
        kind,
        name: formatReference([...known.within]),
        ...(one && { first: one.address }),
        ...(other && { second: other.address }),
        changes,
      },
    ];
  });
  return { differences, same: keys.size - differences.length };
}

/** Differences as output shows them: a placeholder replaces each credential. */
export function shownDifferences(whole: ResourceDifferences, known?: KnownCredentials): ResourceDifferences {
  return {
    ...whole,
    differences: whole.differences.map((each) => ({
      ...each,
      changes: each.changes.map((change) => shownChange(each.kind, change, known)),
    })),
  };
}

function byName({
  resources,
  nameWithin,
}: {
  resources: readonly ComparedResource[];
  nameWithin: NameWithin;
}): Map<string, ComparedResource & { within: readonly string[] }> {
  return new Map(
    resources.map((resource) => {
      const within = nameWithin(resource.address);
      return [
        `${resource.address.kind.slug} ${nameKey(formatReference([...within]))}`,
        { ...resource, within },
      ];
    }),
  );
}

/** Replaces a secret. No document may have it. */
const hiddenPlaceholder = "(secret)";

function withoutSecrets(kind: Kind, fields: Fields): Fields {
  const hidden = declaredParts(kind).filter(({ form }) => form.isWriteOnly);
  return {
    ...withoutHiddenValues(kind.fields, fields, hiddenPlaceholder),
    ...Object.fromEntries(
      hidden.flatMap(({ member }) => {
        const entries = fields[member];
        return isFields(entries)
          ? [[member, Object.fromEntries(Object.keys(entries).map((key) => [key, hiddenPlaceholder]))]]
          : [];
      }),
    ),
  };
}
