import { addressKey, formatAddress, parseAnyAddress } from "../../core/model/addresses/address.ts";
import { deploys, isChange, type Plan } from "../../core/planning/plan/index.ts";
import {
  type Change,
  type CycleEnd,
  type DocumentMarks,
  holderOf,
  isOfCommit,
  type Look,
} from "../decide/index.ts";
import { shareOf } from "../policy/index.ts";
import type { BegunChange, NewsItem } from "./transitions.ts";

/** The changes that are to be told, with those of a plan that is about to be carried out. */
export function withBegunChanges(
  before: readonly BegunChange[],
  { actions }: Plan,
  { commit, documents }: { commit: string; documents: DocumentMarks },
): BegunChange[] {
  const begun = actions
    .filter(
      (action) =>
        isChange(action) && (action.cause === "commit" || (action.cause === "drift" && !deploys(action))),
    )
    .map(({ id, address, cause, type }) => ({
      id,
      commit,
      address: formatAddress(address),
      digest: documents.get(addressKey(address))?.digest,
      ...(cause === "drift" && { setBack: type }),
    }));
  const addresses = new Set(begun.map(({ address }) => address));
  return [...before.filter(({ address }) => !addresses.has(address)), ...begun];
}

/**
 * The changes of commits that a cycle has made, and what one before it had begun and is found made: it was killed, or the
 * server was still at work. `setBack`: the drift among that; `begun`: what nobody knows of yet.
 */
export function newsOfApplied(
  { commit, enacted = [], look }: CycleEnd,
  before: readonly BegunChange[],
): { news: NewsItem[]; setBack: Pick<Change, "action" | "address">[]; begun: BegunChange[] } {
  const done = enacted.flatMap(({ plan, report }) => {
    const ofCommit = new Set(
      plan.actions.filter((action) => isOfCommit(action) && action.cause !== "retry").map(({ id }) => id),
    );
    return report.outcomes
      .filter(({ status, type }) => status === "done" && isChange({ type }))
      .map(({ id, address }) => ({ id, address, commit, isApplied: ofCommit.has(id) }));
  });
  const ended = new Set(done.map(({ id }) => id));
  const isMade = before.length > 0 && look ? madeIn(look) : () => undefined;
  const fates = Map.groupBy(
    before.filter(({ id }) => !ended.has(id)),
    isMade,
  );
  const made = fates.get(true) ?? [];
  const applied = [...made.filter(({ setBack }) => !setBack), ...done.filter(({ isApplied }) => isApplied)];
  const news = [...Map.groupBy(applied, (change) => change.commit)].map(([of, changes]): NewsItem => {
    const byName = Map.groupBy(changes, ({ address }) => shareOf(address).name);
    const environments = [...byName].map(([environment, its]) => ({ environment, changes: its.length }));
    return { type: "applied", commit: of, environments };
  });
  return {
    news,
    setBack: made.flatMap(({ address, setBack: action }) => (action ? [{ address, action }] : [])),
    begun: fates.get(undefined) ?? [],
  };
}

/** Whether a change is made, or will never be, because another commit wants something else; undefined: nobody knows yet. */
function madeIn({ actions, shares, documents }: Look): (change: BegunChange) => boolean | undefined {
  const byAddress = Map.groupBy(actions, ({ address }) => addressKey(address));
  return ({ address, digest }) => {
    const key = addressKey(parseAnyAddress(address));
    if (documents.get(key)?.digest !== digest) return false;
    const planned = byAddress.get(key);
    if (planned) return planned.some(isChange) ? undefined : true;
    const isLeft = holderOf(shares, address)?.undescribed?.includes(address);
    return digest === undefined && isLeft !== undefined ? !isLeft : undefined;
  };
}
