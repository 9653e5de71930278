import { Type, type Static } from "typebox";
import { environmentMode, id, maybe, name, oneOf, withDefault } from "./common.ts";

/** When environments run: the time of day of start and stop, in a time zone, on some days of the week. */
const hours = {
  timezone: Type.String({ format: "timezone" }),
  start_time: Type.String({ format: "date-time" }),
  stop_time: Type.String({ format: "date-time" }),
  weekdays: Type.Array(oneOf("MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY")),
};

const off = withDefault(Type.Boolean(), false);

/** Body of PUT /environment/{environmentId}/deploymentRule/{deploymentRuleId}. */
export const EnvironmentRuleRequest = Type.Object({
  on_demand_preview: off,
  auto_preview: off,
  auto_stop: off,
  ...hours,
});
export type EnvironmentRule = Static<typeof EnvironmentRuleRequest>;

/** Body of POST /project/{projectId}/deploymentRule and of the PUT of one. */
export const ProjectRuleRequest = Type.Object({
  name,
  description: maybe(Type.String()),
  mode: environmentMode,
  cluster_id: id,
  auto_stop: off,
  ...hours,
  wildcard: Type.String(),
});
export type ProjectRuleSpec = Static<typeof ProjectRuleRequest>;

export const OrderRequest = Type.Object({ project_deployment_rule_ids_in_order: Type.Array(id) });
