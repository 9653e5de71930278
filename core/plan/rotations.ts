import { formatPath } from "../fields/compare.ts";
import { type Fields, isFields } from "../json.ts";
import type { Desired } from "../manifest/desired.ts";
import { statedParts } from "../parts/index.ts";
import { secretField, secretsInFields, secretsWithoutSource, withRotated } from "../secrets/index.ts";
import { entriesIn } from "./parts.ts";
import type { Planning } from "./planning.ts";

/**
 * The stated fields, with `rotate: true` on each secret that exists and that this run writes again. A note names those
 * that it does not write, because nobody can compare their values.
 */
export function withRotations(
  { policy, findings }: Planning,
  { address }: Desired,
  stated: Fields,
  current: Fields,
): Fields {
  const isRotated = policy.rotate.some((pattern) => pattern.matches(address));
  const note = (name: string, keys: readonly string[]): void => {
    if (keys.length > 0 && !isRotated)
      findings.note({
        code: "values_not_compared",
        message:
          keys.length === 1
            ? `the ${name} ${keys.join()} exists; infrasync cannot compare its value`
            : `the ${name}s ${keys.join(", ")} exist; infrasync cannot compare their values`,
        address,
      });
  };
  const inFields = secretsInBoth(address, stated, current);
  note(secretField, inFields.map(formatPath));
  let result = isRotated ? withRotated(address.kind.fields, stated, inFields) : stated;
  for (const { member, name, form } of statedParts(address.kind)) {
    if (!form.isWriteOnly) continue;
    const entries = entriesIn(stated, member);
    const there = Object.entries(entries).filter(
      ([key, entry]) => isFields(entry) && Object.hasOwn(entriesIn(current, member), key),
    );
    if (isRotated && there.length > 0)
      result = {
        ...result,
        [member]: {
          ...entries,
          ...Object.fromEntries(
            there.map(([key, entry]) => [key, { ...(isFields(entry) && entry), rotate: true }]),
          ),
        },
      };
    else
      note(
        name,
        there.map(([key]) => key),
      );
  }
  return result;
}

/** The paths of the secrets that a document states and that the resource has. */
function secretsInBoth({ kind }: Desired["address"], stated: Fields, current: Fields): string[][] {
  const there = new Set(secretsWithoutSource(kind.fields, current).map(formatPath));
  return secretsInFields(kind.fields, stated)
    .map(({ path }) => path)
    .filter((path) => there.has(formatPath(path)));
}
