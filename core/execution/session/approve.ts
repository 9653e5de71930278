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

/** The conditions for approving a proposal. */
export interface Terms {
  /**
   * Asks the responsible person whether to make the changes. Called at most once, after all other checks have passed.
   *
   * @param shortage the quota for which the run is going to wait
   */
  consent(shortage: Shortage | undefined): Promise<boolean>;
  /** Why the rules of the caller do not permit an action, because of its cause; undefined if they do. Default: they permit everything. */
  permits?(action: Action): string | undefined;
  /** If the quota is too small: `wait` starts the run, which waits for new requests; `fail` does not start it. */
  onQuota: "wait" | "fail";
  /** What nothing but a settings file can raise; absent: nothing. */
  fixedSpending?: SpendingLimits | undefined;
  /** Why nobody can be asked, told with all other consents that the run lacks; absent: somebody can. */
  unanswered?: readonly Problem[] | undefined;
  /** How many requests the caller sends after the changes; default: none. */
  requestsAfter?: number;
}

/** Why a proposal is not carried out. */
export type Hindrance =
  | ({ type: "refused" } & NonNullable<Proposal["refusal"]>)
  /** The plan changes nothing. */
  | { type: "unchanged" }
  | { type: "unaffordable"; requests: number; shortage: Shortage }
  | { type: "declined" }
  /** The signal came before the first write. */
  | { type: "interrupted" };

/** The answer of `approve` to a proposal. */
export type Approval = { type: "approved"; approved: ApprovedPlan } | Hindrance;

/** A plan that nothing forbids and that a responsible person agrees to. `execute` takes it once. */
class ApprovedProposal {
  readonly plan: Plan;
  #isTaken = false;

  constructor(plan: Plan) {
    this.plan = plan;
  }

  /** Gives the plan out, once. */
  static take(approved: ApprovedProposal): Plan {
    if (!(#isTaken in approved)) throw new TypeError("only a plan that approve has made can be carried out");
    if (approved.#isTaken) throw new TypeError("an approved plan can be carried out only once");
    approved.#isTaken = true;
    return approved.plan;
  }
}

/** A plan that nothing forbids: the only thing that `execute` carries out, and `approve` the only function that makes one. */
export type ApprovedPlan = ApprovedProposal;

/**
 * Takes the plan out of its approval, to carry it out.
 *
 * @throws TypeError for what `approve` has not made, and for a plan that was taken before
 */
export const takeApproved = (approved: ApprovedPlan): Plan => ApprovedProposal.take(approved);

/**
 * The gate: every write of every front end passes it. Asks every rule about all that the plan does, and approves the plan unless
 * something forbids it: a problem, a secret that cannot be read, a missing consent, too few requests, or the answer of the
 * person who is asked. Sends no request; reads the values of the secrets that the plan writes.
 *
 * @throws TypeError for a plan with changes that no function of this module has proposed
 */
export async function approve({ plan }: Pick<Proposal, "plan">, run: Run, terms: Terms): Promise<Approval> {
  const { refusal, missingConsents, cost } = asked(plan);
  if (refusal) return { type: "refused", ...refusal };
  const secrets = [...missingPlaces(plan, run.shown), ...(await missingSecrets(plan, run.secrets))];
  if (run.signal?.aborted) return { type: "interrupted" };
  const { unanswered = [], fixedSpending } = terms;
  const problems = [...secrets, ...missingConsents, ...unpermitted(plan, terms), ...unanswered];
  const code = secrets.length > 0 ? "invalid_input" : "consent";
  const requests = cost.applying + (terms.requestsAfter ?? 0);
  const shortage = hasChanges(plan) ? shortageOf(run.client, requests) : undefined;
  const lacks = shortage && prevents(shortage, terms.onQuota);
  if (problems.length > 0)
    return {
      type: "refused",
      code,
      problems: [...problems, ...(lacks ? [shortageProblem(shortage, requests, fixedSpending)] : [])],
    };
  if (!hasChanges(plan)) return { type: "unchanged" };
  if (lacks) return { type: "unaffordable", requests, shortage };
  const isAgreed = await terms.consent(shortage);
  if (run.signal?.aborted) return { type: "interrupted" };
  return isAgreed ? { type: "approved", approved: new ApprovedProposal(plan) } : { type: "declined" };
}

/**
 * The proposal of a plan, with all that the rules forbid of it, whatever problems the plan has: nobody passes the gate by
 * leaving out a problem.
 */
function asked(plan: Plan): Proposal {
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
function unpermitted({ actions }: Plan, { permits }: Terms): Problem[] {
  return actions.filter(isChange).flatMap((action): Problem[] => {
    const why = permits?.(action);
    const address = formatAddress(action.address);
    return why === undefined ? [] : [{ code: "cause", message: `${address}: ${why}`, address }];
  });
}

function keyOf({ address = "", message }: Problem): string {
  return `${address} ${message}`;
}

/** A problem for each creation of a resource whose value the API shows once, in a run that has no place for that value. */
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

/** Reads only the secrets that a plan writes. Returns a problem for each secret whose value cannot be read. */
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
