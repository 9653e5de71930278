import { path } from "../../api/index.ts";
import { type Fields, isFields, textIn } from "../../values/json.ts";
import { object } from "../schema/field.ts";
import { description } from "./fields.ts";
import { secrets, variables } from "../parts/index.ts";
import { defineKind } from "./kind.ts";
import { environmentsIn, servicesIn } from "./organization-kind.ts";

/** The id of the project of an environment. */
export const projectIn = ({ project: its }: Fields) => (isFields(its) ? textIn(its, "id") : undefined);

/**
 * ```yaml
 * kind: Project
 * name: shop
 * description: The shop.
 * variables: { LOG_LEVEL: info }
 * ```
 *
 * See also: [Variables and secrets](../../guides/variables.md).
 */
export const project = defineKind({
  name: "Project",
  description: "A project holds environments.",
  catalogue: "project",
  deletion: { breaksReferences: true },
  fields: object({ description }),
  listing: {
    path: (organizationId) => path`/organization/${organizationId}/project`,
    inOrganization: [{ path: environmentsIn, idIn: projectIn }, { path: servicesIn }],
  },
  requests: {
    create: (organizationId) => path`/organization/${organizationId}/project`,
    one: (id) => path`/project/${id}`,
  },
  parts: [secrets("PROJECT"), variables("PROJECT")],
  reports: {},
});
