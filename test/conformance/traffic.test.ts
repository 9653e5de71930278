import { expect, test } from "vitest";
import { type Exchange, TrafficCheck } from "./traffic.ts";

const id = "6f1d3b52-8d0a-4d2e-9c1f-0a2b3c4d5e6f";
const project = {
  id,
  created_at: "2026-01-02T03:04:05Z",
  organization: { id },
  name: "shop",
  associated_environments_count: 0,
};
const listed: Exchange = {
  method: "GET",
  path: `/organization/${id}/project`,
  status: 200,
  request: undefined,
  response: { results: [project] },
};
const created: Exchange = {
  ...listed,
  method: "POST",
  status: 200,
  request: { name: "shop" },
  response: project,
};
const failed: Exchange = {
  ...created,
  status: 409,
  response: { status: 409, error: "Conflict", message: "taken" },
};

const violationsOf = (exchange: Exchange) => {
  const traffic = new TrafficCheck();
  traffic.check(exchange);
  expect(traffic.findings).toMatchObject({ checked: 1, uncovered: [] });
  return traffic.findings.violations.map(({ side, errors }) => `${side}: ${errors.join("; ")}`);
};

test.each<[name: string, exchange: Exchange, violations: string[]]>([
  ["a list", listed, []],
  ["a creation", created, []],
  ["a failure", failed, []],
  ["a member that the shapes do not know", { ...created, response: { ...project, beside: 1 } }, []],
  [
    "null where the shapes allow it",
    {
      ...listed,
      path: `/organization/${id}/cluster/${id}/status`,
      response: {
        cluster_id: id,
        status: "READY",
        is_deployed: true,
        reason: "MAINTENANCE",
        next_k8s_available_version: null,
      },
    },
    [],
  ],
  [
    "a list without a member of its items",
    { ...listed, response: { results: [{ ...project, name: undefined }] } },
    ["response: /results/0 must have required property 'name'"],
  ],
  ["a member of another type", { ...created, request: { name: 7 } }, ["request: /name must be string"]],
  [
    "null where the shapes forbid it",
    { ...created, request: { name: null } },
    ["request: /name must be string"],
  ],
  [
    "a text that is no uuid",
    { ...created, response: { ...project, id: "7" } },
    ['response: /id must match format "uuid"'],
  ],
  ["another status of success", { ...created, status: 201 }, ["status: is not among 200"]],
  ["a response without a body", { ...created, response: undefined }, ["response: has no JSON body"]],
  [
    "a failure without a message",
    { ...failed, response: { status: 409, error: "Conflict" } },
    ["response: is not { status, error, message }"],
  ],
  [
    "a value that is none of an enumeration",
    {
      method: "PUT",
      path: `/environment/${id}`,
      status: 200,
      request: { mode: "PRIVATE" },
      response: undefined,
    },
    [
      "request: /mode must be equal to one of the allowed values: DEVELOPMENT, PRODUCTION, STAGING",
      "response: has no JSON body",
    ],
  ],
  [
    "an object of a variant without a member that only this variant has",
    {
      method: "POST",
      path: `/organization/${id}/aws/credentials`,
      status: 201,
      request: { type: "AWS_ROLE", name: "for a cluster" },
      response: { id, name: "for a cluster", object_type: "AWS_ROLE", role_arn: "arn" },
    },
    ["request: / must have required property 'role_arn'"],
  ],
])("the check of the traffic judges %s", (_name, exchange, violations) => {
  expect(violationsOf(exchange)).toEqual(violations);
});

test("a literal part of a path comes before a parameter in its place", () => {
  const order: Exchange = {
    ...listed,
    method: "PUT",
    path: `/project/${id}/deploymentRule/order`,
    request: { project_deployment_rule_ids_in_order: [id] },
    response: undefined,
  };
  expect(violationsOf(order)).toEqual([]);
});

test("a successful request that no operation covers is listed, and a failed one is not", () => {
  const traffic = new TrafficCheck();
  for (const status of [200, 404]) traffic.check({ ...listed, path: "/nothing", status });
  expect(traffic.findings).toEqual({ checked: 0, uncovered: ["GET /nothing"], violations: [] });
});
