import { formatPath } from "../fields/compare.ts";
import { unstatedDifferences } from "../fields/strict.ts";
import { parentOf } from "../manifest/index.ts";
import type { Comparison } from "../plan/overlay.ts";
import type { Concern, Planning } from "../plan/planning.ts";

/**
 * Enters how a live resource differs from its document, and from its defaults where the document says nothing. What has
 * come with a clone is as in its source.
 */
function findDifferences(
  { findings, policy }: Planning,
  { given, desired, base, fields, changes }: Comparison,
): void {
  if (!base?.live) return;
  const { name } = base;
  const { address } = desired;
  const isCopy = [desired, parentOf(desired)].some((each) => each?.cloneFrom);
  const found = isCopy ? [] : unstatedDifferences(address.kind.fields, desired.stated, fields);
  findings.unstated.push(...found.map((difference) => ({ ...difference, address })));
  const unstated = policy.strict ? found.map(({ path, value }) => ({ path, before: value })) : [];
  if (changes.length + unstated.length > 0)
    findings.differences.push({ desired: given, name, changes, unstated });
}

/**
 * Mentions the fields that no document states and that differ from their defaults: how many there are, or with a strict
 * policy each. A plan does not change them, so "no changes" does not mean that they are as somebody has reviewed them.
 */
function noteUnstated({ findings, policy }: Planning): void {
  const { unstated } = findings;
  if (policy.strict)
    for (const { address, path, value, default: fallback } of unstated)
      findings.note({
        code: "unstated_field",
        message: `${formatPath(path)} is ${JSON.stringify(value)}, which no document states; its default is ${JSON.stringify(fallback)}`,
        address,
      });
  else if (unstated.length > 0)
    findings.note({
      code: "unstated_field",
      message: `${unstated.length === 1 ? "1 field differs from its default and is" : `${unstated.length} fields differ from their defaults and are`} not described`,
      resources: [...new Set(unstated.map(({ address }) => address))],
      remedies: [{ setting: "strict" }],
    });
}

const isNew = "a new resource is as its document says";

/** Where a live resource differs from its document, whether a plan can change that or not. */
export const unstated: Concern = {
  name: "unstated",
  programs: "the state of a program has every field as an output, so a refresh shows what others change",
  note: { on: { nothing: isNew, source: isNew, existing: true }, run: findDifferences },
  remark: noteUnstated,
};
