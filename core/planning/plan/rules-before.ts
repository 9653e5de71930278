import { addressKey, type AnyAddress } from "../../model/addresses/address.ts";
import { once } from "../../values/json.ts";
import { type DesiredResource, formerAddress } from "../../manifests/manifest/index.ts";
import { policiesOfAll } from "../../rules/policies/index.ts";
import type { Policy, RulesBefore } from "./policy.ts";

/**
 * The rules before a change, the stricter of which hold together with its own: those of the commit before it, and those of the
 * commit that was applied last. Where that is not known, an earlier commit still protects what no later one describes: the
 * change that took it away may have been refused.
 *
 * @param states the commits before the change, from the newest to the oldest, without those with mistakes
 * @param applied the commit that was applied last, as far as it is known and another one than the change
 * @param pushedOnto the commit that the change was pushed onto with others, where that is not the newest of the states
 */
export async function rulesBefore<Rules extends RulesBefore>(
  states: AsyncIterable<Rules> | Iterable<Rules>,
  applied: Rules | undefined,
  pushedOnto?: Rules,
): Promise<Rules[]> {
  const whole = [pushedOnto, applied].filter((each) => each !== undefined);
  const found: Rules[] = [];
  for await (const state of states) {
    const isWhole = found.length === 0 || whole.some(({ name }) => name === state.name);
    found.push(isWhole ? state : { ...state, isOlder: true });
    if (applied) break;
  }
  const known = new Set(found.map(({ name }) => name));
  return [...found, ...whole.filter(({ name }) => !known.has(name))];
}

/**
 * A policy together with the rules before, from the newest to the oldest, and newer than those that it has already: the
 * strictest hold.
 */
export function withRulesBefore(policy: Policy, before: readonly RulesBefore[]): Policy {
  const all = [policy, ...before.flatMap(({ isOlder, policy: its }) => (isOlder ? [] : [its]))];
  const { policies, caps } = strictest(all);
  return { ...policy, policies, caps, before: [...before, ...(policy.before ?? [])] };
}

/** What several settings restrict together. */
export function strictest(all: readonly RulesBefore["policy"][]): Required<RulesBefore["policy"]> {
  const lowest = (cap: "count" | "percent") => Math.min(...all.map(({ caps }) => caps[cap]));
  return {
    protect: all.flatMap(({ protect }) => protect),
    policies: policiesOfAll(all.map(({ policies }) => policies)),
    caps: { count: lowest("count"), percent: lowest("percent") },
  };
}

/** Rules before that hold for a live resource. */
export interface EarlierRule {
  rules: RulesBefore;
  /** The next commit, which no longer describes the resource, where the rules are older: they hold where that one lifts them. */
  next?: RulesBefore | undefined;
}

/**
 * The rules before that hold for a live resource.
 *
 * @param addresses those that it has on the server and in documents
 * @param isDescribed whether a document of the change describes it
 */
export function rulesBeforeFor(
  { before = [] }: Policy,
  addresses: readonly AnyAddress[],
  isDescribed: boolean,
): EarlierRule[] {
  let isFound = isDescribed;
  return before.flatMap((rules, index): EarlierRule[] => {
    const isLast = !isFound && isDescribedIn(rules.resources, addresses);
    isFound ||= isLast;
    if (!rules.isOlder) return [{ rules }];
    return isLast ? [{ rules, next: before[index - 1] }] : [];
  });
}

/** Whether one of these documents has one of these addresses. */
export function isDescribedIn(
  resources: readonly DesiredResource[],
  addresses: readonly AnyAddress[],
): boolean {
  const keys = keysIn(resources);
  return addresses.some((address) => keys.has(addressKey(address)));
}

/** The earlier form of a document, by its address, its former address or its id. */
export function earlierForm(
  resources: readonly DesiredResource[],
  desired: DesiredResource,
): DesiredResource | undefined {
  const former = formerAddress(desired);
  const keys = new Set([desired.address, ...(former ? [former] : [])].map(addressKey));
  const { id } = desired.manage;
  return resources.find(
    ({ address, manage }) => keys.has(addressKey(address)) || (id !== undefined && manage.id === id),
  );
}

const keysIn = once(
  (resources: readonly DesiredResource[]) => new Set(resources.map(({ address }) => addressKey(address))),
);
