import { get, put, type Route } from "../http/routing.ts";
import type { Account, AssignedRole, Member } from "../world/records.ts";
import { uuidOf } from "../world/uuid.ts";
import type { World } from "../world/world.ts";
import { AccountEditRequest } from "../bodies/roles.ts";

const firstName = "Ada";
const lastName = "Lovelace";

/** The account of the person whose tokens use the emulator. */
export const accountRoutes: Route[] = [
  get("/account", ({ world }) => accountView(accountOf(world))),
  put("/account", AccountEditRequest, ({ world, body }) => {
    const account = accountOf(world);
    const { communication_email: email = account.email } = body;
    return accountView(world.store.accounts.change(account, { email, updated_at: world.stamp() }));
  }),
];

/** Makes the person with the account the owner of a new organization. */
export function addOwner(organizationId: string, world: World): void {
  const { id, email } = accountOf(world);
  addMember(organizationId, { userId: id, email, role: { role: "Owner" } }, world);
}

export function addMember(
  organizationId: string,
  { userId, email, role }: { userId: string; email: string; role: AssignedRole },
  world: World,
): Member {
  return world.store.members.add({ ...world.base(organizationId), userId, name: email, spec: role });
}

/** The account, which is created when it is first needed: a state of an earlier version has none. */
export function accountOf(world: World): Account {
  const [account] = world.store.accounts.all();
  if (account) return account;
  const now = world.stamp();
  return world.store.accounts.add({
    id: uuidOf("account"),
    parentId: "",
    created_at: now,
    updated_at: now,
    email: "ada@acme.example",
  });
}

function accountView({ id, created_at, email }: Account): object {
  return {
    id,
    created_at,
    nickname: firstName.toLowerCase(),
    first_name: firstName,
    last_name: lastName,
    profile_picture_url: "",
    communication_email: email,
  };
}
