import { addressKey, type AnyAddress } from "../../model/addresses/address.ts";
import { once } from "../../values/json.ts";
import { type DesiredResource, formerAddress } from "../../manifests/manifest/index.ts";
import { policiesOfAll } from "../../rules/policies/index.ts";
import type { Policy, RulesBefore } from "./policy.ts";

/**
 * The strictest rules of the previous commit and of the one that was applied last. If that is unknown, earlier ones
 * protect resources that no later commit declares; `pushedOnto`: the commit before a push of several.
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

/** A policy with the rules before, from the newest to the oldest, and newer than its own: the strictest apply. */
export function withRulesBefore(policy: Policy, before: readonly RulesBefore[]): Policy {
  const all = [policy, ...before.flatMap(({ isOlder, policy: its }) => (isOlder ? [] : [its]))];
  const { policies, caps } = strictest(all);
  return { ...policy, policies, caps, before: [...before, ...(policy.before ?? [])] };
}

/** The strictest combination of several settings. */
export function strictest(all: readonly RulesBefore["policy"][]): Required<RulesBefore["policy"]> {
  const lowest = (cap: "count" | "percent") => Math.min(...all.map(({ caps }) => caps[cap]));
  return {
    protect: all.flatMap(({ protect }) => protect),
    policies: policiesOfAll(all.map(({ policies }) => policies)),
    caps: { count: lowest("count"), percent: lowest("percent") },
  };
}

export interface EarlierRule {
  rules: RulesBefore;
  /** For older rules: the next commit. It no longer declares the resource; the rules apply where it lifts them. */
  next?: RulesBefore | undefined;
}

/** The rules before for a live resource, by its live and declared addresses; `isDeclared`: the change declares it. */
export function rulesBeforeFor(
  { before = [] }: Policy,
  addresses: readonly AnyAddress[],
  isDeclared: boolean,
): EarlierRule[] {
  let isFound = isDeclared;
  return before.flatMap((rules, index): EarlierRule[] => {
    const isLast = !isFound && isDeclaredIn(rules.resources, addresses);
    isFound ||= isLast;
    if (!rules.isOlder) return [{ rules }];
    return isLast ? [{ rules, next: before[index - 1] }] : [];
  });
}

/** Whether a document has one of these addresses. */
export function isDeclaredIn(
  resources: readonly DesiredResource[],
  addresses: readonly AnyAddress[],
): boolean {
  const keys = keysIn(resources);
  return addresses.some((address) => keys.has(addressKey(address)));
}

/** The earlier form of a document, by its address, former address or id. */
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
