import { isFields, own, textIn } from "../../core/json.ts";
import { type Wish, wishes, type WishType } from "./wish.ts";

/** A wish as a program or a form sends it; undefined if the form is wrong. */
export function wishIn(given: unknown): Wish | undefined {
  if (!isFields(given)) return undefined;
  const type = textIn(given, "type");
  if (type === undefined || !isWishType(type)) return undefined;
  const [environment = "", plan, commit, length, until, reason, all] = [
    "environment",
    "plan",
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
