import { formatAddress } from "../../core/model/addresses/address.ts";
import type { Plan } from "../../core/planning/plan/index.ts";
import { own } from "../../core/values/json.ts";
import { environmentOf, modeOf } from "../policy/index.ts";
import { isSame } from "../identity.ts";
import { healthText, isIll, type ServiceHealth } from "./health.ts";
import { onFailure, rollbackOf, type PolicyRollback } from "./rollback.ts";
import type { Failure, Failures, EnvironmentView, View } from "./view.ts";

type RetryState = Pick<EnvironmentView, "rules" | "digest"> & {
  requested?: EnvironmentView["requested"] | undefined;
  rollout?: EnvironmentView["rollout"] | undefined;
};

/** Whether a failed service is deployed again now, by a request of a person or by the policy. */
export function isRetryDue(address: string, environment: RetryState, now: number): boolean {
  const { requested, rules } = environment;
  if (requested && requested.type !== "approve" && !isSame(requested.by, onFailure)) return true;
  return modeOf(rules, true) === "apply" && (nextRetry(address, environment) ?? Infinity) <= now;
}

/** When the policy retries a failed service, in milliseconds since 1970; undefined: never. */
function nextRetry(address: string, { rules: { retry }, digest, rollout }: RetryState): number | undefined {
  const { since, tried = 0 } = failuresOf({ digest, rollout })[address] ?? {};
  if (!retry || since === undefined || tried >= retry.limit) return undefined;
  return since + retry.backoff * 2 ** tried;
}

function failuresOf({ digest, rollout }: Pick<RetryState, "digest" | "rollout">): Failures["services"] {
  const { failures } = rollout ?? {};
  return failures?.digest === digest ? failures.services : {};
}

/** The remaining retries of the policy for the failed services of an environment; undefined: it has none. */
export function retryOf(
  environment: RetryState,
  health: readonly ServiceHealth[],
): { reason: string; until?: number } | undefined {
  const { retry } = environment.rules;
  const failed = health.filter(isRetryable);
  if (!retry || failed.length === 0) return undefined;
  const triedOf = ({ address }: ServiceHealth) => own(failuresOf(environment), address)?.tried ?? 0;
  const next = failed
    .flatMap((service) => {
      const until = nextRetry(service.address, environment);
      return until === undefined ? [] : [{ until, tried: triedOf(service) }];
    })
    .toSorted((one, other) => one.until - other.until)[0];
  return next
    ? { reason: `retry ${next.tried + 1} of ${retry.limit} follows`, until: next.until }
    : { reason: `no retry follows: the policy has ${retry.limit}` };
}

function isRetryable({ health, isOutOfDate }: Pick<ServiceHealth, "health" | "isOutOfDate">): boolean {
  return health === "failed" && !isOutOfDate;
}

/** The present failed deployments of an environment. A healthy service, and changed documents, reset their count. */
export function failuresNow(
  environment: RetryState & Pick<EnvironmentView, "health" | "isHealthUnread">,
  now: number,
): Failures | undefined {
  const { rules, digest, rollout, health, isHealthUnread } = environment;
  if (!rules.retry) return undefined;
  const before = failuresOf({ digest, rollout });
  if (isHealthUnread) return { digest, services: before };
  const services = health.flatMap((service) => {
    const { address, health: state, started } = service;
    const { tried = 0, ...known }: Partial<Failure> = own(before, address) ?? {};
    if (!isRetryable(service))
      return state === "healthy" || tried === 0 ? [] : [[address, { tried }] as const];
    const since = known.started === started ? (known.since ?? now) : now;
    return [[address, { tried, since, ...(started !== undefined && { started }) }] as const];
  });
  return services.length === 0 ? undefined : { digest, services: Object.fromEntries(services) };
}

/** The failures after a retry of some services. */
export function withRetries(
  failures: Failures | undefined,
  addresses: readonly string[],
): Failures | undefined {
  if (!failures) return undefined;
  const retried = addresses.flatMap((address) => {
    const known = own(failures.services, address);
    return known ? [[address, { tried: known.tried + 1 }] as const] : [];
  });
  return { ...failures, services: { ...failures.services, ...Object.fromEntries(retried) } };
}

/** The environments that the policy rolls back. @param states of the environments, in the same order */
export function requestedRollbacks(
  environments: readonly EnvironmentView[],
  states: readonly { health?: readonly ServiceHealth[] }[],
): PolicyRollback[] {
  return environments.flatMap((environment, index): PolicyRollback[] => {
    const { health = [] } = states[index] ?? {};
    const to =
      retryOf(environment, health)?.until === undefined ? rollbackOf(environment, { health }) : undefined;
    return to ? [{ environment, to, reasons: health.filter(isIll).map(healthText) }] : [];
  });
}

/** The services that a plan deploys again because the policy wants that, by environments. */
export function retriedIn(
  { actions }: Pick<Plan, "actions">,
  { environments }: Pick<View, "environments">,
): { key: string; addresses: string[] }[] {
  return environments.flatMap(({ key, requested }) => {
    const addresses = actions.flatMap(({ cause, address }) =>
      cause === "retry" && environmentOf(address).key === key ? [formatAddress(address)] : [],
    );
    return requested || addresses.length === 0 ? [] : [{ key, addresses }];
  });
}
