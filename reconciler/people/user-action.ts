import Type, { type Static } from "typebox";
import { choice, form, optional, text } from "../../core/outputs/forms/forms.ts";
import type { Change } from "../decide/index.ts";
import type { AppliedCommit } from "../memory/index.ts";
import type { Rules, Share } from "../policy/index.ts";
import type { Role } from "./access-schema.ts";
import { isFields, own, textIn } from "../../core/values/json.ts";

/** The actions of people, and the role that each needs. */
export const userActionRoles = {
  refresh: "operate",
  sync: "operate",
  approve: "approve",
  rollback: "operate",
  follow: "operate",
  pause: "operate",
  resume: "operate",
} as const satisfies Record<string, Role>;

export type UserActionType = keyof typeof userActionRoles;

/** The form of a request of a person. */
export const userActionForm = form({
  type: choice(Object.keys(userActionRoles) as UserActionType[], "What is asked for."),
  environment: optional(
    text("`shop/production`; of pauses also a pattern, such as `shop/*`; absent: everything."),
  ),
  plan: optional(text("Of `approve`: the digest of the plan, or its first 16 characters.")),
  lost: optional(
    text(
      "Of `approve`: the name of a resource of which the plan loses something for good. A form of the page has to declare it.",
    ),
  ),
  commit: optional(text("Of `rollback`: the commit, or its first 7 characters.")),
  for: optional(text("Of `pause`: for how long, such as `2h`.")),
  until: optional(text("Of `pause`: until when, in the place of for how long.")),
  reason: optional(text("Of `pause`: why.")),
  all: optional(Type.Boolean({ description: "Of `resume`: also the pauses of others." })),
});

/** A request of a person. */
export interface UserAction extends Static<typeof userActionForm> {
  /** Empty: everything. */
  environment: string;
}

/** The actions that people can ask for, by the last cycle. */
export interface KnownShares {
  shares: readonly Share[];
  /** The digest of what differs in a share. */
  planOf(share: Share): string | undefined;
  /** What differs in a share. */
  changesOf(share: Share): readonly Change[];
  /** The commits that were applied there, the newest first. */
  appliedCommitsIn(share: Share): readonly AppliedCommit[];
  /** The rules of a share; undefined if no cycle has read them yet. */
  rulesOf(share: Share): Rules | undefined;
  /** Whether the service deploys, and so deploys again what has failed. */
  deploys: boolean;
  /** Whether something has to be mended or allowed there before anything is applied. */
  isBlocked(share: Share): boolean;
  /** Resolves when the changes that are being made now are made; undefined if there are none. */
  underWay?: Promise<unknown> | undefined;
}

/** Why something is not done that somebody has asked for. */
export class UserActionError extends Error {
  /** `forbidden`: the person may not; `wrong`: nobody could ask for that now. */
  readonly code: "forbidden" | "wrong";

  constructor(code: UserActionError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** An action as a program or a form sends it; undefined if the form is wrong. */
export function userActionIn(given: unknown): UserAction | undefined {
  if (!isFields(given)) return undefined;
  const type = textIn(given, "type");
  if (type === undefined || !isUserActionType(type)) return undefined;
  const texts = Object.keys(userActionForm.properties).map(
    (member) => [member, textIn(given, member)] as const,
  );
  const isAll = textIn(given, "all") === "true" || own(given, "all") === true;
  return {
    environment: "",
    ...Object.fromEntries(texts.filter(([, value]) => value !== undefined)),
    type,
    all: isAll || undefined,
  };
}

function isUserActionType(type: string): type is UserActionType {
  return Object.hasOwn(userActionRoles, type);
}
