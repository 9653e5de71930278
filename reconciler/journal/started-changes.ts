import Type from "typebox";
import { addressKey, formatAddress, parseAnyAddress } from "../../core/model/addresses/address.ts";
import { form, optional } from "../../core/outputs/forms/forms.ts";
import { deploys, isChange, type Plan } from "../../core/planning/plan/index.ts";
import type { StoredForm } from "../../core/files/stored-form.ts";
import { changeForm, type Digests, holderOf, isOfCommit } from "../decide/index.ts";
import { environmentOf } from "../policy/index.ts";
import type { CycleResult, CyclePlan } from "./cycle-result.ts";
import type { NewEntry } from "./entry.ts";

/** A change that a cycle was about to make, and of which the journal does not know yet whether it was made. */
export const startedChangeForm = form({
  id: Type.String(),
  commit: Type.String(),
  /** Of the resource: `job:shop/staging/a`. */
  address: Type.String(),
  action: changeForm.properties.action,
  /** Of its document; absent: it is deleted. */
  digest: optional(Type.String()),
  /** Whether drift is set back; otherwise it is a change of the commit. */
  isDrift: optional(Type.Boolean()),
});

export type StartedChange = StoredForm<typeof startedChangeForm>;

/** The changes of which nobody knows yet whether they were made, with those of a plan that is about to be carried out. */
export function withPlan(
  before: readonly StartedChange[],
  { actions }: Plan,
  { commit, documents }: { commit: string; documents: Digests },
): StartedChange[] {
  const started = actions
    .filter(
      (action) =>
        isChange(action) && (action.cause === "commit" || (action.cause === "drift" && !deploys(action))),
    )
    .map(({ id, address, cause, type }) => ({
      id,
      commit,
      address: formatAddress(address),
      action: type,
      digest: documents.get(addressKey(address))?.digest,
      ...(cause === "drift" && { isDrift: true }),
    }));
  const addresses = new Set(started.map(({ address }) => address));
  return [...before.filter(({ address }) => !addresses.has(address)), ...started];
}

type ChangeEntry = Extract<NewEntry, { type: "applied" | "retried" | "reverted" }>;

/** The changes that a cycle has made, and earlier ones that are found made after a kill or a wait. `started`: those of unknown outcome. */
export function madeBy(
  { commit, environments = [], enacted = [], whole }: CycleResult,
  before: readonly StartedChange[],
): { made: ChangeEntry[]; started: StartedChange[] } {
  const done = enacted.flatMap(({ plan, report }) => {
    const actions = new Map(plan.actions.map((action) => [action.id, action]));
    return report.outcomes.flatMap(({ id, address, status, type: action }) => {
      const planned = actions.get(id);
      if (!planned || status !== "done" || !isChange({ type: action })) return [];
      const isRetry = planned.cause === "retry";
      const type: ChangeEntry["type"] | undefined = isRetry
        ? "retried"
        : isOfCommit(planned)
          ? "applied"
          : undefined;
      return [{ id, type, commit, address: formatAddress(address), action }];
    });
  });
  const ended = new Set(done.map(({ id }) => id));
  const isMade = before.length > 0 && whole ? madeIn(whole) : () => undefined;
  const fates = Map.groupBy(
    before.filter(({ id }) => !ended.has(id)),
    isMade,
  );
  const earlier = (fates.get(true) ?? []).map((each) => ({
    ...each,
    type: each.isDrift ? ("reverted" as const) : ("applied" as const),
  }));
  const reverted = environments.flatMap((status) =>
    (status.reverted ?? []).map((change) => ({ ...change, type: "reverted" as const, commit })),
  );
  // What an earlier cycle has done comes first. Of drift, the states have the authors.
  const all = [...earlier, ...done, ...reverted];
  const byEntry = Map.groupBy(all, (each) =>
    [each.type, each.commit, environmentOf(each.address).name].join(" "),
  );
  const made = [...byEntry.values()].flatMap((its): ChangeEntry[] => {
    const [{ type, commit: of, address } = { type: undefined, commit, address: "" }] = its;
    const changes = its.map((each) => ({
      action: each.action,
      address: each.address,
      ...("fields" in each && each.fields && { fields: each.fields }),
      ...("by" in each && each.by !== undefined && { by: each.by }),
    }));
    return type ? [{ type, commit: of, environment: environmentOf(address).name, changes }] : [];
  });
  return { made, started: fates.get(undefined) ?? [] };
}

/** Whether a change is made, or will never be, because another commit wants something else; undefined: nobody knows yet. */
function madeIn(plan: CyclePlan): (change: StartedChange) => boolean | undefined {
  const { actions, environments, documents } = plan;
  const byAddress = Map.groupBy(actions, ({ address }) => addressKey(address));
  return ({ address, digest }) => {
    const key = addressKey(parseAnyAddress(address));
    if (documents.get(key)?.digest !== digest) return false;
    const planned = byAddress.get(key);
    if (planned) return planned.some(isChange) ? undefined : true;
    const isLeft = holderOf(environments, address)?.unmanaged?.includes(address);
    return digest === undefined && isLeft !== undefined ? !isLeft : undefined;
  };
}
