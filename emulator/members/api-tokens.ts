import { newSecret } from "../http/access.ts";
import { organizationOf } from "../http/lookup.ts";
import { get, list, post, remove, type Call, type Route } from "../http/routing.ts";
import type { ApiToken, Role } from "../world/records.ts";
import type { World } from "../world/world.ts";
import { ApiTokenRequest } from "../bodies/roles.ts";
import { availableRoles, roleMembers, roleWithId } from "./roles.ts";

const scopes = { ADMIN: "Admin", READ: "Read", DEPLOY: "Deploy", WRITE: "Write" } as const;

/** API tokens, and the roles that they can have. Only the response to the creation contains the value of a token. */
export const apiTokenRoutes: Route[] = [
  list("/organization/{organizationId}/apiToken", tokensOf, tokenView),
  post("/organization/{organizationId}/apiToken", 201, ApiTokenRequest, (call, world, body) => {
    const { name, description, expires_at } = body;
    const organization = organizationOf(call);
    const token: ApiToken = {
      ...world.base(organization.id),
      name,
      secret: newSecret(),
      spec: {
        ...(body.role_id == null
          ? { role: roleWithScope(body.scope) }
          : roleWithId(body.role_id, organization.id, world)),
        ...(description !== undefined && { description }),
        ...(expires_at != null && { expires_at }),
      },
    };
    return { ...tokenView(world.add(world.store.apiTokens, token), world), token: token.secret };
  }),
  remove("/organization/{organizationId}/apiToken/{apiTokenId}", ({ world, param }) =>
    world.remove(world.store.apiTokens, world.store.apiTokens.get(param("apiTokenId"))),
  ),
  get("/organization/{organizationId}/availableRole", (call) => ({
    results: availableRoles(organizationOf(call).id, call.world),
  })),
];

function tokensOf(call: Call): ApiToken[] {
  const { name, creatorName } = call.query;
  const tokens = call.world.store.apiTokens.under(organizationOf(call).id);
  // Tokens have no creator in the emulator, so a filter by creator matches none.
  if (creatorName !== undefined) return [];
  return tokens.filter((token) => name === undefined || token.name === name);
}

/** The role of a scope; without one, the role with the fewest permissions. */
function roleWithScope(scope: keyof typeof scopes | null = null): Role {
  return scope === null ? "Read" : scopes[scope];
}

function tokenView({ id, created_at, updated_at, name, spec }: ApiToken, world: World): object {
  const { role: _role, customRoleId: _customRoleId, ...rest } = spec;
  return { id, created_at, updated_at, name, description: "", ...rest, ...roleMembers(spec, world) };
}
