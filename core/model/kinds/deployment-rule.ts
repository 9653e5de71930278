import { path } from "../../api/index.ts";
import { after, idsWithBehind } from "../parts/index.ts";
import { field, say } from "../../problems/say.ts";
import { choice, flag, needed, object, oftenChanged, reference, set, text } from "../schema/field.ts";
import { description, environmentModes, weekdays } from "./fields.ts";
import { defineKind } from "./kind.ts";
import { project } from "./project.ts";

const name = "DeploymentRule";
const rules = (projectId: string) => path`/project/${projectId}/deploymentRule`;

const place = "priority_index";

const order = after({
  sibling: name,
  path: rules,
  description:
    "Another rule of the project, by name: this rule follows it. The first matching rule applies to an environment.",
  place,
  first: 0,
  request: (id, targetId, { parentId, siblings }) => ({
    path: `${rules(parentId)}/order`,
    body: { project_deployment_rule_ids_in_order: idsWithBehind(id, targetId, siblings, place) },
  }),
});

/**
 * ```yaml
 * kind: DeploymentRule
 * project: shop
 * name: working-hours
 * mode: STAGING
 * cluster: eu-west
 * timezone: Europe/Paris
 * start_time: 2026-01-01T08:00:00Z
 * stop_time: 2026-01-01T19:00:00Z
 * weekdays: [MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY]
 * ```
 *
 * See also: [Deployments](../../guides/deployments.md).
 */
export const deploymentRule = defineKind({
  name,
  description: "A rule of a project: when its new environments that match are started and stopped.",
  parent: project,
  listing: { path: rules, onDemand: true, mayBeMissing: true },
  requests: { create: rules, one: (id, projectId) => `${rules(projectId)}${path`/${id}`}` },
  fields: object({
    description,
    mode: needed(choice(environmentModes, "Mode of matching environments.")),
    cluster: needed(reference("cluster", "Cluster of matching environments, by name or id.")),
    wildcard: text(
      "Pattern for the names of matching environments: `*` stands for any characters; none: all names.",
      { default: "", alwaysSent: true },
    ),
    auto_stop: oftenChanged(
      flag("Whether environments are stopped and started automatically.", { default: false }),
    ),
    timezone: needed(text("Time zone of the times.", { format: "time-zone" })),
    start_time: needed(
      text("When environments start; only the time of day is used.", { format: "date-time" }),
    ),
    stop_time: needed(text("When environments stop; only the time of day is used.", { format: "date-time" })),
    weekdays: needed(
      set([], choice(weekdays, "A day."), "Days on which environments start and stop.", { alwaysSent: true }),
    ),
  }),
  doubt(_name, { auto_stop: stops, weekdays: days, start_time: start, stop_time: stop }) {
    if (stops !== true) return undefined;
    if (Array.isArray(days) && days.length === 0)
      return { field: "weekdays", message: "has no day, so the rule never starts or stops an environment" };
    return typeof start === "string" && start === stop
      ? {
          field: "stop_time",
          message: say`is the ${field(["start_time"])} too, so environments stop when they start`,
        }
      : undefined;
  },
  parts: [order],
  reports: { priority_index: { type: "integer", description: "Place in the order of the rules, from 0." } },
});
