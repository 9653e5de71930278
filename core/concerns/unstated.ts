import { describeAddress } from "../address.ts";
import { formatPath } from "../fields/compare.ts";
import type { LiveResource } from "../live/index.ts";
import type { Comparison } from "../plan/overlay.ts";
import { attempt } from "../plan/findings.ts";
import { listedParts, unstatedConfiguration } from "../plan/parts.ts";
import type { Concern, Planning } from "../plan/planning.ts";
import { type DescribedUnstated, unreadOf, unstatedCounts, unstatedOf } from "../plan/unstated.ts";
import { listingKey, siblingKindOf, statedParts } from "../parts/index.ts";
import { shownValue } from "../rules/credentials.ts";
import { shorten } from "../text.ts";

/** The most resources that a note names. */
const mostNamed = 3;

/**
 * Enters how a live resource differs from its document, what is set in it that no document states, and what has not been read of
 * it. A strict policy reads the parts that no document states too.
 */
function findDifferences(planning: Planning, comparison: Comparison): void {
  const { given, desired, base, changes } = comparison;
  if (!base?.live) return;
  const { findings, policy, live, inventory } = planning;
  if (policy.strict && !desired.cloneFrom) readAll(planning, comparison, base.live);
  const known = inventory.byId.get(base.live.id)?.documents ?? [];
  const describing = known.includes(given) ? known : [given];
  const found = unstatedOf(live, base.live, describing);
  findings.unstated.push(...found);
  if (describing[0] === given) findings.unread.push(...unreadOf(live, base.live, describing));
  const unstated = policy.strict
    ? found.map(({ path, value }) => ({ path, ...(value !== undefined && { before: value }) }))
    : [];
  if (changes.length + unstated.length > 0)
    findings.differences.push({ desired: given, name: base.name, changes, unstated });
}

/** Reads all parts of a live resource, with what they have where nobody sets it. @throws Unplannable while something is missing */
function readAll(planning: Planning, comparison: Comparison, resource: LiveResource): void {
  const parts = statedParts(resource.kind).filter((part) => siblingKindOf(part) === undefined);
  for (const { form } of parts)
    if (form.defaults && !planning.live.defaults.has(listingKey(form.defaults)))
      planning.findings.needDefaults(form.defaults);
  attempt(() => unstatedConfiguration(planning, comparison));
  listedParts(planning, resource, parts);
}

/**
 * Mentions what is set on the server and no document states: how much there is, or with a strict policy each. A plan does not
 * change it, so "no changes" does not mean that it is as somebody has reviewed it.
 */
function noteUnstated({ findings, policy }: Planning): void {
  // Resources that no document describes have a note of their own.
  const unstated = findings.unstated.filter(({ sort }) => sort !== "resource");
  if (policy.strict)
    for (const each of unstated)
      findings.note({ code: "unstated_field", message: sentenceOf(each), address: each.address });
  else if (unstated.length > 0) {
    const resources = [...new Set(unstated.map(({ address }) => address))];
    const more = resources.length > mostNamed ? ` and ${resources.length - mostNamed} more` : "";
    const where = resources.slice(0, mostNamed).map(describeAddress).join(", ") + more;
    findings.note({
      code: "unstated_field",
      message: `Set on the server and not in the manifests: ${unstatedCounts(unstated)} (${where})`,
      resources,
      remedies: [{ setting: "strict" }],
    });
  }
}

function sentenceOf({ sort, address, path, value, default: fallback }: DescribedUnstated): string {
  if (sort !== "field" && path.length > 1) return `${sort} ${path.at(-1)} is set, and no document states it`;
  const is =
    value === undefined ? "set" : shorten(JSON.stringify(shownValue(address.kind, path, value)), 200);
  const known = fallback === undefined ? "" : `; its default is ${JSON.stringify(fallback)}`;
  return `${formatPath(path)} is ${is}, which no document states${known}`;
}

const isNew = "a new resource is as its document says";

/** Where a live resource differs from its document, whether a plan can change that or not. */
export const unstated: Concern = {
  name: "unstated",
  programs: "the state of a program has every field as an output, so a refresh shows what others change",
  note: { on: { nothing: isNew, source: isNew, existing: true }, run: findDifferences },
  remark: noteUnstated,
};
