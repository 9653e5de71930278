import { object } from "../schema/field.ts";
import { defineKind } from "./kind.ts";
import { organizationKind } from "./organization-kind.ts";

/** A role that a token or a member can have: one that every organization has, or a role of its own. */
export const role = defineKind({
  name: "Role",
  description: "A role that tokens and members can have.",
  ...organizationKind("availableRole", { catalogue: "role", listing: { isOnlyWay: true } }),
  use: "reference",
  fields: object({}),
});
