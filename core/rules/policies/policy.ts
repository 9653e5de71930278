import type { Position } from "../../problems/problem.ts";
import type { AnyAddress } from "../../model/addresses/address.ts";
import type { Fields } from "../../values/json.ts";
import { type EnvironmentScope, environmentNames } from "../../model/addresses/scope.ts";
import type { StepBudget } from "./budget.ts";
import { ConditionError } from "./condition-error.ts";

/** The effect of a policy on a matching change: deny it, warn about it, or require approval. */
export const policyEffects = ["deny", "warn", "approve"] as const;

/** The actions that a policy can check. */
export const policyActions = [
  "create",
  "clone",
  "update",
  "replace",
  "delete",
  "deploy",
  "stop",
  "restart",
  "cancel",
] as const;
export type PolicyAction = (typeof policyActions)[number];

/** A rule of a team about planned changes. */
export interface PlanPolicy {
  name: string;
  effect: (typeof policyEffects)[number];
  message: string;
  /** The slugs of the kinds that it checks, such as `job`; absent: all. */
  kinds?: readonly string[];
  actions: readonly PolicyAction[];
  /** The paths of the fields whose changes it checks; absent: all. */
  fields?: readonly (readonly string[])[];
  /** Limits the policy to these environments and their contents; absent: no limit. */
  environments?: readonly EnvironmentScope[];
  /** Whether the policy matches a change; absent: it matches every change. @throws ConditionError */
  when?(input: PolicyInput, budget: StepBudget): boolean;
  position?: Position;
  /** Its whole definition as text: two policies with the same text are the same. */
  text: string;
}

/** A planned change for policies, without values of secrets. */
export interface PolicyInput {
  action: PolicyAction;
  /** As in documents: `Job`. */
  kind: string;
  /** `job:shop/staging/migrate` */
  address: string;
  name: string;
  /** From the project down: `["shop", "staging", "migrate"]`. */
  names: readonly string[];
  /** The live fields; empty: the resource is new. */
  before: Fields;
  /** The expected fields; empty: the resource is deleted. */
  after: Fields;
  /** The changed fields: `source.image.tag`. */
  changes: readonly string[];
  /** All losses of the change, in words: `the secret API_KEY`. */
  losses: readonly string[];
}

/** A planned change, and the members that select its policies. */
export interface PolicySubject {
  /** The slug of its kind: `job`. */
  slug: string;
  /** Its effects: a replacement creates and deletes, and a loss of a part or a field also counts as a deletion. */
  does: readonly PolicyAction[];
  /** The declared and the live addresses. */
  places: readonly AnyAddress[];
  changed: readonly (readonly string[])[];
  /** The change as one of its effects, under each of its addresses. Made only for the policies that apply. */
  inputs(action: PolicyAction): readonly PolicyInput[];
}

export interface PolicyVerdict {
  policy: PlanPolicy;
  effect: PlanPolicy["effect"];
  message: string;
  /** What to do about a condition that fails; absent: what the problem says. */
  advice?: string;
}

/** The verdicts of policies on a change, under each address. One that cannot be evaluated denies the change. */
export function verdictsOn(
  policies: readonly PlanPolicy[],
  subject: PolicySubject,
  budget: StepBudget,
): PolicyVerdict[] {
  return policies.flatMap((policy): PolicyVerdict[] => {
    if (!isAbout(policy, subject)) return [];
    const { when, actions } = policy;
    const effects = subject.does.filter((action) => actions.includes(action));
    try {
      const holds =
        !when || effects.some((action) => subject.inputs(action).some((input) => when(input, budget)));
      return holds ? [{ policy, effect: policy.effect, message: policy.message }] : [];
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error;
      const message = `its condition cannot be evaluated (${error.message}), so it denies the change`;
      const advice =
        "correct the condition, such as has(after.cpu) && after.cpu > 100, or limit the policy to kinds that have the field";
      return [{ policy, effect: "deny", message, advice }];
    }
  });
}

function isAbout({ kinds, actions, fields, environments }: PlanPolicy, subject: PolicySubject): boolean {
  return (
    (kinds === undefined || kinds.includes(subject.slug)) &&
    subject.does.some((action) => actions.includes(action)) &&
    (environments === undefined ||
      environments.some((scope) => subject.places.some((place) => scope.matches(environmentNames(place))))) &&
    (fields === undefined || fields.some((field) => subject.changed.some((path) => overlaps(field, path))))
  );
}

/** Whether one of two paths is equal to the other one or leads to it. */
function overlaps(one: readonly string[], other: readonly string[]): boolean {
  return one.slice(0, other.length).every((part, index) => part === other[index]);
}

/** The policies of several settings, each once. */
export function policiesOfAll(settings: readonly (readonly PlanPolicy[] | undefined)[]): PlanPolicy[] {
  const all = settings.flatMap((policies = []) => policies);
  return [...new Map(all.map((policy) => [policy.text, policy])).values()];
}
