import { expect, test } from "vitest";
import type { AuditEvent } from "../../../../core/state/events/event.ts";
import { reachOf } from "../../../../core/state/events/index.ts";

const quiet = {
  id: "1",
  time: 0,
  type: "UPDATE",
  subTargetType: undefined,
  subjectId: undefined,
  subjectName: undefined,
  targetId: "target",
  targetName: undefined,
  projectId: undefined,
  environmentId: undefined,
  program: undefined,
  signature: undefined,
  proof: undefined,
  who: undefined,
  origin: undefined,
  names: [],
};
const inProject = { projectId: "project" };
const inEnvironment = { ...inProject, environmentId: "environment" };

test.each<[about: string, event: Partial<AuditEvent> & { targetType: string }, reach: unknown]>([
  ["an API token", { targetType: "ORGANIZATION", subTargetType: "API_TOKEN" }, { only: "target" }],
  ["an invitation", { targetType: "ORGANIZATION", subTargetType: "INVITATION" }, { only: "target" }],
  ["a webhook", { targetType: "WEBHOOK" }, { only: "target" }],
  ["a member", { targetType: "MEMBERS_AND_ROLES" }, { only: "target" }],
  ["a registry", { targetType: "CONTAINER_REGISTRY" }, { only: "target" }],
  ["a cluster", { targetType: "CLUSTER" }, "everything"],
  ["a new cluster", { type: "CREATE", targetType: "CLUSTER" }, { only: "target" }],
  [
    "a new group of labels",
    { type: "CREATE", targetType: "ORGANIZATION", subTargetType: "LABELS_GROUP" },
    { only: "target" },
  ],
  ["a group of labels", { targetType: "ORGANIZATION", subTargetType: "LABELS_GROUP" }, "everything"],
  ["a new organization", { type: "CREATE", targetType: "ORGANIZATION" }, "everything"],
  ["the organization itself", { targetType: "ORGANIZATION" }, "everything"],
  [
    "a sort of thing of the organization that is not known",
    { targetType: "ORGANIZATION", subTargetType: "NEW" },
    "everything",
  ],
  ["a target that is not known", { targetType: "NEW" }, "everything"],
  ["a project", { targetType: "PROJECT", ...inProject }, { inside: "project" }],
  ["an environment", { targetType: "ENVIRONMENT", ...inEnvironment }, { inside: "environment" }],
  [
    "an environment that was deployed",
    { type: "DEPLOYED", targetType: "ENVIRONMENT", ...inEnvironment },
    { only: "environment" },
  ],
  [
    "a service that was deployed",
    { type: "DEPLOYED", targetType: "CONTAINER", ...inEnvironment },
    { only: "target" },
  ],
  [
    "a service that was deployed and tells its siblings nothing",
    { type: "DEPLOYED", targetType: "JOB", ...inEnvironment },
    "nothing",
  ],
  ["a service", { targetType: "CONTAINER", ...inEnvironment }, { inside: "environment" }],
  ["a service that tells its siblings nothing", { targetType: "JOB", ...inEnvironment }, { only: "target" }],
  [
    "a variable of a service",
    { targetType: "CONTAINER", subTargetType: "VARIABLE", ...inEnvironment },
    { only: "target" },
  ],
])("an event about %s reaches no further than it can", (_about, event, reach) => {
  expect(reachOf({ ...quiet, ...event }, (type) => type === "JOB")).toEqual(reach);
});
