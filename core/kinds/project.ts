import Type from "typebox";
import { path } from "../api/path.ts";
import { description } from "./fields.ts";
import { variables } from "./holdings.ts";
import { defineKind } from "./kind.ts";

export const project = defineKind({
  name: "Project",
  description: "A project holds environments.",
  fields: Type.Object({ description }, { additionalProperties: false }),
  listing: { path: (organizationId) => path`/organization/${organizationId}/project` },
  createPath: (organizationId) => path`/organization/${organizationId}/project`,
  path: (id) => path`/project/${id}`,
  holds: [variables("PROJECT")],
  reports: {},
});
