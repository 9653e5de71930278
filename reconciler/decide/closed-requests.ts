import { reasonToHold, type Rules } from "../policy/index.ts";
import { type PersonRequest, table } from "../requests/index.ts";
import type { Verdict } from "./verdict.ts";
import type { EnvironmentView } from "./view.ts";

/** A request of a person that has ended. */
export interface ClosedRequest {
  environment: EnvironmentView;
  requested: PersonRequest;
  isCarriedOut: boolean;
  reasons: readonly string[];
}

/** The requests that have ended. @param hasRun whether a plan was carried out */
export function closedRequests(
  byEnvironment: ReadonlyMap<EnvironmentView, readonly Verdict[]>,
  hasRun: boolean,
): ClosedRequest[] {
  return [...byEnvironment].flatMap(([environment, verdicts]): ClosedRequest[] => {
    const { requested, rules } = environment;
    if (!requested || verdicts.some(({ does }) => does === "refresh")) return [];
    const isCovered = verdicts.some(({ isRequested }) => isRequested);
    const isApplying = verdicts.some(({ does }) => does === "apply");
    const isCarriedOut = isApplying && hasRun;
    const isAtWork = rules.atWork === true;
    if (!isCarriedOut && table[requested.type].lasts?.({ isCovered, isApplying, isAtWork })) return [];
    const isOwn = isCarriedOut && isCovered;
    const reasons = isOwn ? [] : whyNot(rules, requested, verdicts);
    return [{ environment, requested, isCarriedOut: isOwn, reasons }];
  });
}

function whyNot(rules: Rules, requested: PersonRequest, verdicts: readonly Verdict[]): string[] {
  // Of an approval: what holds its environment does not end it.
  const { over } = table[requested.type];
  if (verdicts.some(({ actions }) => actions.length > 0) && over !== undefined) return [over];
  const held = reasonToHold(rules);
  if (held !== undefined) return [held];
  const problems = verdicts.flatMap((verdict) => verdict.problems.map(({ message }) => message));
  if (problems.length > 0) return problems;
  return verdicts.every(({ actions }) => actions.length === 0) ? ["there was nothing to do"] : [];
}
