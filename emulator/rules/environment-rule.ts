import { notFound } from "../world/errors.ts";
import { environmentOf } from "../http/lookup.ts";
import { get, put, type Route } from "../http/routing.ts";
import type { Environment } from "../world/records.ts";
import { uuidOf } from "../world/uuid.ts";
import { setRule } from "./schedule.ts";
import { EnvironmentRuleRequest } from "../bodies/rules.ts";
import { stamps } from "../world/store.ts";

export const environmentRuleRoutes: Route[] = [
  get("/environment/{environmentId}/deploymentRule", (call) => ruleView(environmentOf(call))),
  put(
    "/environment/{environmentId}/deploymentRule/{deploymentRuleId}",
    EnvironmentRuleRequest,
    (call, world, body) => {
      const environment = environmentOf(call);
      const id = call.param("deploymentRuleId");
      if (id !== ruleId(environment)) throw notFound("deployment rule of this environment", id);
      setRule(environment, body, world);
      return ruleView(environment);
    },
  ),
];

function ruleId({ id }: Environment): string {
  return uuidOf(`rule ${id}`);
}

function ruleView(environment: Environment): object {
  return {
    ...stamps(environment),
    id: ruleId(environment),
    on_demand_preview: false,
    auto_preview: false,
    auto_stop: false,
    timezone: "UTC",
    start_time: "1970-01-01T08:00:00Z",
    stop_time: "1970-01-01T19:00:00Z",
    weekdays: ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"],
    ...environment.rule,
  };
}
