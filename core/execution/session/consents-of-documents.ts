import { createHash } from "node:crypto";
import { addressKey, formatAddress, parseAnyAddress } from "../../model/addresses/address.ts";
import { digestOfActions, essenceOf } from "../../outputs/forms/digest.ts";
import { stableJson } from "../../values/json.ts";
import type { DesiredResource } from "../../manifests/manifest/index.ts";
import { type Action, type Plan, isReplacement, updates } from "../../planning/plan/index.ts";
import type { Problem } from "../../problems/problem.ts";
import type { Remedy } from "../../problems/remedy.ts";

/** A plan without the problems to which documents consent by the fingerprint of an action, which the remaining problems name. */
export function withConsents(plan: Plan, resources: readonly DesiredResource[]): Plan {
  if (plan.problems.length === 0) return plan;
  const declared = new Map(
    resources.flatMap(({ address, manage }) =>
      manage.consent === undefined ? [] : [[addressKey(address), manage.consent]],
    ),
  );
  const taking = new Map(
    plan.actions
      .filter((action) => updates(action) || (isReplacement(action) && action.carriedOutBy === undefined))
      .map((action) => [formatAddress(action.address), action]),
  );
  return {
    ...plan,
    problems: plan.problems.flatMap((problem): Problem[] => {
      if (problem.remedies?.some((remedy) => isDeclared(remedy, declared))) return [];
      if (problem.code === "policy") return [withDigest(problem, plan)];
      const isConsentable = problem.code === "replacement" || problem.code === "loss";
      const action = isConsentable ? taking.get(problem.address ?? "") : undefined;
      if (!action) return [problem];
      const consent = consentTo(action, plan.actions);
      if (declared.get(addressKey(action.address)) === consent) return [];
      const remedies = problem.remedies?.map((remedy) =>
        "consent" in remedy && remedy.consent === "replace" ? { ...remedy, declared: consent } : remedy,
      );
      return [{ ...problem, ...(remedies && { remedies }) }];
    }),
  };
}

/** The problem of a policy that requires approval, with the digest of the plan. */
function withDigest(problem: Problem, plan: Plan): Problem {
  const remedies = problem.remedies?.map((remedy) =>
    "consent" in remedy && remedy.consent === "policy"
      ? { ...remedy, digest: digestOfActions(plan) }
      : remedy,
  );
  return { ...problem, ...(remedies && { remedies }) };
}

/** Whether the document of a resource declares the consent to a name that no pattern protects. */
function isDeclared(remedy: Remedy, declared: ReadonlyMap<string, string>): boolean {
  if (!("consent" in remedy) || remedy.consent !== "unprotect") return false;
  const address = parseAnyAddress(remedy.address);
  return declared.get(addressKey(address)) === remedy.declared;
}

/** A document's consent to a replacement or a loss. It changes with the resource, reasons, changes and losses. */
function consentTo(action: Action, actions: readonly Action[]): string {
  const along = (id: string): Action[] =>
    actions.filter(({ carriedOutBy }) => carriedOutBy === id).flatMap((each) => [each, ...along(each.id)]);
  const done = [action, ...along(action.id)].map((each) => stableJson(essenceOf(each))).toSorted();
  // The word keeps YAML from reading digits alone as a number.
  return `replace-${createHash("sha256").update(stableJson(done)).digest("hex").slice(0, 16)}`;
}
