import { createHash } from "node:crypto";
import type { Clock } from "../../../../core/api/index.ts";
import { SharedLooks, TokenUsers } from "../../../../reconciler/index.ts";
import type { Settings } from "../../../settings/index.ts";
import type { Shared } from "./open-member.ts";
import type { Workers } from "./workers.ts";

/** Keeps the state shared by sources with the same token of the same API, and by those of them with the same organization. */
export function sharedByToken(
  clock: Clock,
  workers: Workers | undefined,
): Pick<Shared, "tokenUsersOf" | "looksOf"> {
  const tokenUsers = new Map<string, TokenUsers>();
  const looks = new Map<string, SharedLooks>();
  return {
    tokenUsersOf: (settings) => kept(tokenUsers, tokenKey(settings), () => new TokenUsers(clock)),
    looksOf(settings) {
      const key = tokenKey(settings, settings.organization ?? "");
      return kept(looks, key, () => new SharedLooks(clock, workers?.readsOf(key)));
    },
  };
}

/** The same for the same token: a token is kept nowhere but where it is used. */
function tokenKey({ baseUrl, token }: Settings, ...more: readonly string[]): string {
  return createHash("sha256")
    .update([baseUrl, token, ...more].join("\n"))
    .digest("base64");
}

function kept<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}
