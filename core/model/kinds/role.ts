import { object } from "../schema/field.ts";
import { defineKind } from "./kind.ts";
import { organizationKind } from "./organization-kind.ts";

/** An initial role of every organization, or a role of its own. */
export const role = defineKind({
  name: "Role",
  description: "A role that tokens and members can have.",
  ...organizationKind("availableRole", { catalogue: "role", listing: { isOnlyWay: true } }),
  use: "reference",
  fields: object({}),
});
