import type { PlanView } from "../render/plan.ts";
import { nameOf } from "../../core/model/addresses/address.ts";
import { findKind } from "../../core/model/kinds/index.ts";
import type { DesiredResource } from "../../core/manifests/manifest/index.ts";
import { nameKey } from "../../core/model/addresses/names.ts";
import { type Goal, type Policy, defaultCaps } from "../../core/planning/plan/index.ts";
import { propose, type Proposal, type Run } from "../../core/execution/session/index.ts";
import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import type { Restriction } from "../../core/model/addresses/restriction.ts";
import { escapeControl } from "../../core/values/text.ts";
import type { PlanFlags } from "../flags.ts";
import type { Session } from "../session/session.ts";
import type { DeclaredSettings } from "../settings/index.ts";
import { readPattern, readSecretChoice } from "../../core/manifests/settings/patterns.ts";

export interface DesiredPlan extends Pick<PlanView, "set" | "sectionOf"> {
  resources: readonly DesiredResource[];
  policy: Policy;
}

/** A proposal that is possible, and the run that has made it. */
export interface PreparedProposal extends Pick<PlanView, "set" | "sectionOf"> {
  proposal: Proposal;
  run: Run;
}

/** The policy of a plan, from flags and settings. Adds wrong patterns to `problems`. */
export function policyOf(
  flags: PlanFlags,
  { protect, policies, maxDeletes, fixedCaps, strict, tokenName, deploy }: DeclaredSettings,
  problems: Problem[],
): Policy {
  const read = (patterns: readonly string[] = []) =>
    patterns.flatMap((pattern) => readPattern(pattern, problems));
  return {
    targets: read(flags.target),
    prune: flags.prune ?? false,
    allowReplace: read(flags.allowReplace),
    ...(flags.allowInfrastructure && { infrastructure: flags.confirm ?? [] }),
    restrictions: confirmed(flags),
    rotate: (flags.rotateSecrets ?? []).flatMap((text) => readSecretChoice(text, problems)),
    protect,
    policies,
    ...(tokenName !== undefined && { ownToken: tokenName }),
    caps: { ...defaultCaps, ...maxDeletes },
    ...(fixedCaps && { fixedCaps }),
    strict,
    deploy,
  };
}

/** The names of `--confirm`: one that nothing has, or without the flag beside it, consents to nothing. */
function confirmed({ confirm = [], allowInfrastructure = false }: PlanFlags): Restriction[] {
  return confirm.map((name) => ({
    title: `--confirm ${escapeControl(name)}`,
    idle: allowInfrastructure
      ? "no infrastructure that is declared or live has that name"
      : "--allow-infrastructure is missing",
    matches: (address) =>
      allowInfrastructure &&
      findKind(address.kind.slug)?.isInfrastructure === true &&
      nameKey(nameOf(address)) === nameKey(name),
  }));
}

/** Plans the desired documents. Missing consents stay in the proposal. */
export async function proposeDesired(
  goal: Goal,
  { resources, policy, set, sectionOf }: DesiredPlan,
  { run, organization }: Session,
): Promise<PreparedProposal> {
  return {
    proposal: possible(await propose(run, organization, goal, resources, policy)),
    run,
    set,
    sectionOf,
  };
}

/** The proposal, unless it is refused. @throws InvalidInputError */
export function possible(proposal: Proposal): Proposal {
  const { refusal } = proposal;
  if (refusal) throw new InvalidInputError(refusal.problems, refusal.code);
  return proposal;
}
