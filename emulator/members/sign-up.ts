import { RewardClaim, SignUpRequest } from "../bodies/roles.ts";
import { get, post, type Route } from "../http/routing.ts";
import { HttpError, invalid } from "../world/errors.ts";
import { accountOf } from "./account.ts";

/** The answers of a person at the first visit, and the people whom that person has invited. */
export const signUpRoutes: Route[] = [
  get("/admin/userSignUp", ({ world }) => {
    const { id, created_at, updated_at, signUp } = accountOf(world);
    if (!signUp) throw new HttpError(404, "this account has not signed up");
    return { id, created_at, updated_at, ...signUp };
  }),
  post("/admin/userSignUp", 204, SignUpRequest, ({ world, body: signUp }) => {
    world.store.accounts.change(accountOf(world), { signUp, updated_at: world.stamp() });
  }),
  get("/account/referral", ({ world }) => {
    const { id, invited = 0 } = accountOf(world);
    return { total_invited: invited, invitation_link: `https://console.invalid/signup?code=${id}` };
  }),
  // There is only one account: it has both sent and accepted the invitation.
  post("/account/rewardClaim", 204, RewardClaim, ({ world, body }) => {
    const account = accountOf(world);
    if (body.code !== account.id) throw invalid("code", "no account invites with this code");
    world.store.accounts.change(account, { invited: (account.invited ?? 0) + 1 });
  }),
];
