import { formatAddress, nameOf } from "../../model/addresses/address.ts";
import { formatPath } from "../../model/fields/compare.ts";
import type { Fields } from "../../values/json.ts";
import { findKind } from "../../model/kinds/index.ts";
import { wordsFor } from "../../model/loss.ts";
import { isChange } from "../plan/action-types.ts";
import { dependsOn } from "../plan/findings.ts";
import type { Concern, Whole } from "../plan/planning.ts";
import { type EarlierRule, isDeclaredIn, rulesBeforeFor } from "../plan/rules-before.ts";
import {
  type PlanPolicy,
  policiesOfAll,
  type PolicyAction,
  type PolicySubject,
  type PolicyVerdict,
  seenByPolicies,
  StepBudget,
  verdictsOn,
} from "../../rules/policies/index.ts";
import { placeOf, type Problem } from "../../problems/problem.ts";
import { unknownIn } from "../../problems/unknown.ts";
import type { ResourceChange } from "./change.ts";
import { changesIn } from "./changes.ts";

/** Changes that the policies of the settings deny, warn about, or require an approval for. */
export const policies: Concern = {
  name: "policies",
  programs: true,
  needsNames: ({ planning: { policy }, actions }) =>
    (policy.policies ?? []).length > 0 && actions.some(isChange),
  guard: problemsOfPolicies,
};

function problemsOfPolicies(whole: Whole): Problem[] {
  const { policy, findings, resources } = whole.planning;
  const declared = policy.policies ?? [];
  const isOlder = policy.before?.some((rules) => rules.isOlder) === true;
  if (declared.length === 0 && !isOlder) return [];
  const declaredFor = ({ addresses }: ResourceChange) => {
    const held = isOlder ? rulesBeforeFor(policy, addresses, isDeclaredIn(resources, addresses)) : [];
    return held.length === 0 ? declared : policiesOfAll([declared, ...held.map(liftedPolicies)]);
  };
  const budget = new StepBudget();
  return changesIn(whole).flatMap((change) =>
    reported(verdictsOn(declaredFor(change), subjectOf(change), budget)).flatMap(
      ({ policy: { name, position }, effect, message, advice }): Problem[] => {
        const { along } = change;
        const title = `${formatAddress(change.address)}${along ? `, with ${formatAddress(along)}` : ""}`;
        const says = `${title}: policy ${name}: ${message}`;
        const unknown = dependsOn(unknownIn({ ...change.after, name: nameOf(change.address) }));
        if (effect === "warn") {
          findings.note({ code: "policy", message: says, ...unknown });
          return [];
        }
        const problem = {
          code: "policy",
          message: says,
          ...unknown,
          rule: placeOf(position),
          address: formatAddress(along ?? change.address),
        } as const;
        if (effect === "approve" && whole.operation)
          return [{ ...problem, advice: "declare the change in documents: their plan can be approved" }];
        return effect === "approve"
          ? [{ ...problem, remedies: [{ consent: "policy", name }] }]
          : [{ ...problem, advice: advice ?? "undo the change, or adapt it to the policy" }];
      },
    ),
  );
}

const mostReported = 10;

function reported(verdicts: readonly PolicyVerdict[]): readonly PolicyVerdict[] {
  const denying = verdicts.filter(({ effect }) => effect === "deny");
  return denying.length > mostReported ? denying.slice(0, mostReported) : verdicts;
}

function liftedPolicies({ rules, next }: EarlierRule): PlanPolicy[] {
  const remaining = new Set(next?.policy.policies?.map(({ text }) => text));
  return (rules.policy.policies ?? []).filter(({ text }) => !remaining.has(text));
}

function subjectOf({
  does,
  address,
  addresses,
  before,
  after,
  changed,
  losses,
}: ResourceChange): PolicySubject {
  const kind = findKind(address.kind.slug);
  const seen = (fields: Fields | undefined) => (kind && fields ? seenByPolicies(kind, fields) : {});
  const declared = () => ({
    kind: address.kind.name,
    before: seen(before),
    after: seen(after),
    changes: changed.map((path) => formatPath(path)),
    losses: losses.map((loss) => wordsFor(loss, "the")),
  });
  let made: ReturnType<typeof declared> | undefined;
  return {
    slug: address.kind.slug,
    does,
    places: [address, ...addresses],
    changed,
    inputs(action: PolicyAction) {
      const known = (made ??= declared());
      return addresses.map((each) => ({
        ...known,
        action,
        address: formatAddress(each),
        name: nameOf(each),
        names: each.names,
      }));
    },
  };
}
