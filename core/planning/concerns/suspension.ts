import { formatAddress } from "../../model/addresses/address.ts";
import type { Concern, Whole } from "../plan/planning.ts";
import type { Problem } from "../../problems/problem.ts";
import { changesIn } from "./changes.ts";

/** Suspended resources do not change. */
export const suspension: Concern = { name: "suspension", programs: true, guard: problemsOfSuspended };

function problemsOfSuspended(whole: Whole): Problem[] {
  const { policy } = whole.planning;
  if (!policy.suspended) return [];
  const found = changesIn(whole).flatMap((change) => {
    const [reason] = [change.address, ...change.addresses].flatMap((each) => policy.suspended?.(each) ?? []);
    return reason === undefined ? [] : [{ reason, address: formatAddress(change.along ?? change.address) }];
  });
  return [...Map.groupBy(found, ({ reason }) => reason)].flatMap(([reason, all]): Problem[] => {
    const [address, ...others] = new Set(all.map((each) => each.address));
    if (address === undefined) return [];
    const also = others.length === 0 ? "" : `, nor can ${others.length} more`;
    return [
      {
        code: "suspended",
        message: `${address} cannot be changed${also}: ${reason}`,
        advice: "wait, or end the suspension in a change of its own",
        address,
        blocks: "apply",
      },
    ];
  });
}
