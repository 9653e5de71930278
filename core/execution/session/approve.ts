import {
  type Action,
  createsAnew,
  forbidden,
  hasChanges,
  isChange,
  type Plan,
  secretsWritten,
} from "../../planning/plan/index.ts";
import { isGiven } from "./consent-of-person.ts";
import { withConsents } from "./consents-of-documents.ts";
import { type Proposal, proposalOf } from "./propose.ts";
import type { Run } from "./run.ts";
import { type SpendingLimits, prevents, type Shortage, shortageOf, shortageProblem } from "./shortage.ts";
import { formatAddress } from "../../model/addresses/address.ts";
import type { Problem } from "../../problems/problem.ts";
import { type SecretReader, SecretSourceError, type OneTimeValues } from "../../secrets/index.ts";

/** Who approves a proposal, with the conditions. */
export interface Approver {
  /** Asks a person, at most once and after all other checks; `shortage`: the quota for which the run will wait. */
  confirm(shortage: Shortage | undefined): Promise<boolean>;
  /** Why the caller's rules forbid an action, because of its cause; undefined: they permit it. Default: all are. */
  permits?(action: Action): string | undefined;
  /** If the quota is too small: `wait` starts the run, which waits for new requests; `fail` does not start it. */
  onQuota: "wait" | "fail";
  /** Limits that only a settings file can raise; absent: none. */
  fixedSpending?: SpendingLimits | undefined;
  /** Why nobody can be asked, reported with all other missing consents; absent: somebody can. */
  unanswered?: readonly Problem[] | undefined;
  /** The caller's requests after the changes; default: none. */
  requestsAfter?: number;
}

/** Why a proposal is not executed. */
export type Hindrance =
  | ({ type: "refused" } & NonNullable<Proposal["refusal"]>)
  | { type: "unchanged" }
  | { type: "unaffordable"; requests: number; shortage: Shortage }
  | { type: "declined" }
  /** The signal came before the first write. */
  | { type: "interrupted" };

/** The answer of `approve` to a proposal. */
export type Approval = { type: "approved"; approved: ApprovedPlan } | Hindrance;

/** A plan that nothing forbids and that a responsible person has approved. `execute` takes it once. */
class ApprovedProposal {
  readonly plan: Plan;
  #isTaken = false;

  constructor(plan: Plan) {
    this.plan = plan;
  }

  /** Returns the plan, once. */
  static take(approved: ApprovedProposal): Plan {
    if (!(#isTaken in approved)) throw new TypeError("only a plan that approve has made can be carried out");
    if (approved.#isTaken) throw new TypeError("an approved plan can be carried out only once");
    approved.#isTaken = true;
    return approved.plan;
  }
}

/** An approved plan: `execute` accepts only this, and only `approve` makes one. */
export type ApprovedPlan = ApprovedProposal;

/** Takes the plan out of its approval. @throws TypeError for anything that `approve` has not made, and for a taken plan */
export const takeApproved = (approved: ApprovedPlan): Plan => ApprovedProposal.take(approved);

/**
 * The gate: every write of every front end passes it. Asks every rule about all effects of the plan, and approves the
 * plan unless something forbids it: a problem, an unreadable secret, a missing consent, too few requests, or the answer
 * of the person. Sends no request; reads the values of the secrets that the plan writes.
 *
 * @throws TypeError for a plan with changes that no function of this module has proposed
 */
export async function approve({ plan }: Pick<Proposal, "plan">, run: Run, by: Approver): Promise<Approval> {
  const { refusal, missingConsents, cost } = requested(plan);
  if (refusal) return { type: "refused", ...refusal };
  const secrets = [...missingPlaces(plan, run.shown), ...(await missingSecrets(plan, run.secrets))];
  if (run.signal?.aborted) return { type: "interrupted" };
  const { unanswered = [], fixedSpending } = by;
  const problems = [...secrets, ...missingConsents, ...unpermitted(plan, by), ...unanswered];
  const code = secrets.length > 0 ? "invalid_input" : "not_approved";
  const requests = cost.applying + (by.requestsAfter ?? 0);
  const shortage = hasChanges(plan) ? shortageOf(run.client, requests) : undefined;
  const lacks = shortage && prevents(shortage, by.onQuota);
  if (problems.length > 0)
    return {
      type: "refused",
      code,
      problems: [...problems, ...(lacks ? [shortageProblem(shortage, requests, fixedSpending)] : [])],
    };
  if (!hasChanges(plan)) return { type: "unchanged" };
  if (lacks) return { type: "unaffordable", requests, shortage };
  const isAgreed = await by.confirm(shortage);
  if (run.signal?.aborted) return { type: "interrupted" };
  return isAgreed ? { type: "approved", approved: new ApprovedProposal(plan) } : { type: "declined" };
}

/** The proposal of a plan, with all that the rules forbid: removing a problem of the plan opens no gate. */
function requested(plan: Plan): Proposal {
  if (!hasChanges(plan)) return proposalOf(plan);
  const { consents = [], problems } = plan;
  const whole = plan.whole?.();
  if (whole?.actions !== plan.actions)
    throw new TypeError("only a plan that the session has proposed can be approved");
  const known = new Set(problems.map(keyOf));
  const found = withConsents({ ...plan, problems: forbidden(whole) }, whole.planning.resources).problems;
  const missing = found.filter((problem) => !known.has(keyOf(problem)) && !isGiven(problem, consents));
  return proposalOf({ ...plan, problems: [...problems, ...missing] });
}

/** The problems of actions whose cause does not permit them. */
function unpermitted({ actions }: Plan, { permits }: Approver): Problem[] {
  return actions.filter(isChange).flatMap((action): Problem[] => {
    const why = permits?.(action);
    const address = formatAddress(action.address);
    return why === undefined ? [] : [{ code: "cause", message: `${address}: ${why}`, address }];
  });
}

function keyOf({ address = "", message }: Problem): string {
  return `${address} ${message}`;
}

/** A problem for each creation of a resource whose value the API shows once, if the run has no place for that value. */
function missingPlaces({ actions }: Plan, shown: OneTimeValues | undefined): Problem[] {
  return actions.flatMap((action): Problem[] => {
    const { address } = action;
    const { shownOnce } = address.kind;
    if (shown || shownOnce === undefined || !createsAnew(action)) return [];
    return [
      {
        code: "secret",
        message: `${formatAddress(address)}: the API shows its ${shownOnce} only once, in the answer to its creation, and this run has no place for it`,
        remedies: [{ setting: "secrets_out" }],
        address: formatAddress(address),
      },
    ];
  });
}

/** Reads only the secrets that a plan writes. Returns a problem for each unreadable one. */
async function missingSecrets(plan: Plan, reader: SecretReader): Promise<Problem[]> {
  if (plan.secretValues) reader.know(plan.secretValues);
  const problems = await Promise.all(
    plan.actions.flatMap((action) =>
      secretsWritten(action).map(async ({ path, at, reference }): Promise<Problem[]> => {
        try {
          await reader.read(reference);
          return [];
        } catch (error) {
          if (!(error instanceof SecretSourceError)) throw error;
          const { message, advice, remedies } = error;
          const address = formatAddress(action.address);
          const position = plan.positionOf?.(action.address, at);
          const problem = { message: `${address}: ${path}: ${message}`, advice, remedies, address };
          return [{ code: "secret", ...problem, position }];
        }
      }),
    ),
  );
  return problems.flat();
}
