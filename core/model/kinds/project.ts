import { path } from "../../api/index.ts";
import { isFields, textIn } from "../../values/json.ts";
import { object } from "../schema/field.ts";
import { description } from "./fields.ts";
import { secrets, variables } from "../parts/index.ts";
import { defineKind } from "./kind.ts";

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
    witnesses: [
      {
        path: (organizationId) => path`/organization/${organizationId}/environments`,
        idIn: ({ project: its }) => (isFields(its) ? textIn(its, "id") : undefined),
      },
      { path: (organizationId) => path`/organization/${organizationId}/services` },
    ],
  },
  requests: {
    create: (organizationId) => path`/organization/${organizationId}/project`,
    one: (id) => path`/project/${id}`,
  },
  parts: [secrets("PROJECT"), variables("PROJECT")],
  reports: {},
});
