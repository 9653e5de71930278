import { needed, object, reference, text } from "../schema/field.ts";
import { defineKind } from "./kind.ts";
import { organizationKind } from "./organization-kind.ts";

const why = "the API cannot change a token";

/**
 * ```yaml
 * kind: ApiToken
 * name: ci
 * description: Deploys from CI.
 * role: deployers
 * ```
 */
export const apiToken = defineKind({
  name: "ApiToken",
  description:
    "A token of the API, with a role. The API shows its value once, when it creates the token, and cannot change a token: another role needs a new one.",
  ...organizationKind("apiToken", { listing: { isOnlyWay: true } }),
  names: { immutable: why },
  deletion: { sparesOwn: true },
  shownOnce: "token",
  fields: object({
    description: text("Purpose.", { default: "", immutable: why }),
    role: needed(
      reference("role", "Role, by name or id: `Admin`, or a role of the organization.", { immutable: why }),
    ),
  }),
});
