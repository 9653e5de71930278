import { Type, type Static } from "typebox";
import { description, environmentMode, id, maybe, name, oneOf, withDefault } from "./common.ts";

/** A token has a scope, or a role from the list of roles. */
export const ApiTokenRequest = Type.Object({
  name,
  description,
  scope: maybe(oneOf("ADMIN", "READ", "DEPLOY", "WRITE")),
  role_id: maybe(id),
  expires_at: maybe(Type.String({ format: "date-time" })),
});

export const CustomRoleCreateRequest = Type.Object({ name, description });

const ClusterPermissions = Type.Array(
  Type.Object({ cluster_id: id, permission: oneOf("VIEWER", "ENV_CREATOR", "ADMIN") }),
);

const ProjectPermissions = Type.Array(
  Type.Object({
    project_id: id,
    is_admin: withDefault(Type.Boolean(), false),
    permissions: withDefault(
      Type.Array(
        Type.Object({
          environment_type: environmentMode,
          permission: oneOf("NO_ACCESS", "VIEWER", "DEPLOYER", "MANAGER"),
        }),
      ),
      [],
    ),
  }),
);

export const CustomRoleUpdateRequest = Type.Object({
  name,
  description,
  cluster_permissions: ClusterPermissions,
  project_permissions: ProjectPermissions,
});

export type CustomRoleSpec = Omit<Static<typeof CustomRoleUpdateRequest>, "name">;

export const InviteMemberRequest = Type.Object({
  email: Type.String({ format: "email" }),
  role: Type.Optional(oneOf("ADMIN", "DEVELOPER", "OWNER", "VIEWER")),
  role_id: Type.Optional(id),
});

export const MemberRoleUpdateRequest = Type.Object({ user_id: Type.String(), role_id: id });

export const MemberRemovalRequest = Type.Object({ user_id: id });

export const AccountEditRequest = Type.Object({
  communication_email: Type.Optional(Type.String({ format: "email" })),
});
