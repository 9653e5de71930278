import type { Change, PersonRequest } from "../decide/index.ts";
import type { AppliedCommit } from "../memory/index.ts";
import type { Rules, Share } from "../policy/index.ts";
import type { Role } from "./access-schema.ts";
import { isFields, own, textIn } from "../../core/json.ts";

/** The actions of people, and the role that each needs. */
export const wishes = {
  refresh: "operate",
  sync: "operate",
  approve: "approve",
  rollback: "operate",
  follow: "operate",
  withdraw: "operate",
  pause: "operate",
  resume: "operate",
} as const satisfies Record<string, Role>;

export type WishType = keyof typeof wishes;

/** A request of a person as it comes in, unchecked. */
export interface Wish {
  type: WishType;
  /** `shop/production`; of pauses also a pattern, such as `shop/*`; empty: everything. */
  environment: string;
  /** Of an approval: the digest of the plan, or its beginning. */
  plan?: string | undefined;
  /** Of an approval by a form: the name of a resource of which the plan loses something for good; empty: nobody has typed one. */
  lost?: string | undefined;
  /** Of a rollback: the commit, or its beginning. */
  commit?: string | undefined;
  /** Of a pause: for how long, and why. */
  for?: string | undefined;
  /** Of a pause: until when, in the place of for how long. */
  until?: string | undefined;
  reason?: string | undefined;
  /** Of the end of pauses: also those of others. */
  all?: boolean;
}

/** The wishes that people can send, by the last cycle. */
export interface KnownShares {
  shares: readonly Share[];
  /** The digest of what differs in a share. */
  planOf(share: Share): string | undefined;
  /** What differs in a share. */
  changesOf(share: Share): readonly Change[];
  /** What somebody has asked for in a share, and what still waits. */
  askedIn(share: Share): PersonRequest | undefined;
  /** The commits that were applied there, the newest first. */
  historyOf(share: Share): readonly AppliedCommit[];
  /** The rules of a share; undefined if no cycle has read them yet. */
  rulesOf(share: Share): Rules | undefined;
  /** Whether something has to be mended or allowed there before anything is applied. */
  isBlocked(share: Share): boolean;
  /** Resolves when the changes that are being made now are made; undefined if there are none. */
  underWay?: Promise<unknown> | undefined;
}

/** Why something is not done that somebody has asked for. */
export class WishError extends Error {
  /** `forbidden`: the person may not; `wrong`: nobody could ask for that now. */
  readonly code: "forbidden" | "wrong";

  constructor(code: WishError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** A wish as a program or a form sends it; undefined if the form is wrong. */
export function wishIn(given: unknown): Wish | undefined {
  if (!isFields(given)) return undefined;
  const type = textIn(given, "type");
  if (type === undefined || !isWishType(type)) return undefined;
  const [environment = "", plan, lost, commit, length, until, reason, all] = [
    "environment",
    "plan",
    "lost",
    "commit",
    "for",
    "until",
    "reason",
    "all",
  ].map((member) => textIn(given, member));
  return {
    type,
    environment,
    plan,
    lost,
    commit,
    for: length,
    until,
    ...((all === "true" || own(given, "all") === true) && { all: true }),
    reason,
  };
}

function isWishType(type: string): type is WishType {
  return Object.hasOwn(wishes, type);
}
