import { Type } from "typebox";
import { name, nullable, oneOf, text, texts, uri, withDefault } from "../bodies/common.ts";
import { collection } from "../http/collection.ts";
import { environmentOf, organizationOf } from "../http/lookup.ts";
import { act, get, post, type Call, type Route } from "../http/routing.ts";
import type { Document } from "../world/records.ts";

const object = Type.Unsafe<object>({ type: "object" });
const objects = Type.Array(object);

const WorkflowRequest = Type.Object({
  name,
  description: withDefault(Type.String(), ""),
  webhook_ip_allowlist: withDefault(Type.Array(Type.String()), []),
  docker_fragment: withDefault(Type.String(), ""),
  enabled: withDefault(Type.Boolean(), true),
  mcp: withDefault(Type.String(), ""),
  outputs: withDefault(objects, []),
  model: Type.Optional(Type.Object({ type: oneOf("CLAUDE", "BEDROCK"), api_key: text, settings: text })),
  project_repositories: withDefault(objects, []),
  agent_prompt: withDefault(Type.String(), ""),
  governance: withDefault(Type.Object({ host_allowlist: texts }), { host_allowlist: [] }),
  resources: Type.Optional(object),
});

const usualResources = { cpu_milli: 500, ram_mib: 512, gpu: 0, storage_gib: 1 };

/** Workflows of agents and the servers of their tools. The emulator keeps them, and runs none. */
const agentRoutes: Route[] = [
  ...collection({
    path: "/environment/{environmentId}/agenticWorkflow",
    one: "/agenticWorkflow/{agenticWorkflowId}",
    id: "agenticWorkflowId",
    parentOf: environmentOf,
    table: (store) => store.agenticWorkflows,
    body: WorkflowRequest,
    admit: (spec) => ({ name: spec.name, spec }),
    view({ id, created_at, updated_at, parentId, spec }) {
      const { type = "CLAUDE", settings = "" } = (spec["model"] ?? {}) as Record<string, string>;
      return {
        id,
        created_at,
        updated_at,
        service_type: "AGENTIC_WORKFLOW",
        environment: { id: parentId },
        resources: usualResources,
        ...spec,
        slug: String(spec["name"]).toLowerCase().replaceAll(/\W+/g, "-"),
        model: { type, settings },
        webhook: { url: `https://z${id.slice(0, 8)}.workflows.internal` },
        icon_uri: "app://qovery-console/agentic-workflow",
      };
    },
  }),
  get("/agenticWorkflow/{agenticWorkflowId}/deploymentHistoryV2", (call) => {
    workflowOf(call);
    return { page: 1, page_size: 20, results: [] };
  }),
  act("/agenticWorkflow/{agenticWorkflowId}/cancelDeployment", 202, (call) => {
    workflowOf(call);
  }),
  ...collection({
    path: "/organization/{organizationId}/mcpServer",
    one: "/mcpServer/{mcpServerId}",
    id: "mcpServerId",
    parentOf: organizationOf,
    table: (store) => store.mcpServers,
    body: Type.Object({
      name,
      description: withDefault(Type.String(), ""),
      url: uri,
      headers: Type.Optional(object),
    }),
    admit: (spec) => ({ name: spec.name, spec }),
    view: ({ id, created_at, updated_at, spec: { headers, ...spec } }) => {
      const header_names = Object.keys((headers ?? {}) as object);
      return { id, created_at, updated_at, ...spec, header_names };
    },
  }),
];

function workflowOf({ world, param }: Call): Document {
  return world.store.agenticWorkflows.get(param("agenticWorkflowId"));
}

const blueprint = {
  name,
  tag: Type.String(),
  icon: Type.String(),
  spec_overrides: Type.Optional(nullable(object)),
};
const one = "/blueprint/{blueprintId}";

/** Services that are made from a catalogue. The emulator keeps which one was asked for, and makes no service of it. */
const blueprintRoutes: Route[] = [
  post("/environment/{environmentId}/blueprint", 201, Type.Object(blueprint), (call) => {
    const { world, body: spec } = call;
    const base = world.base(environmentOf(call).id);
    return blueprintView(world.add(world.store.blueprints, { ...base, name: spec.name, spec }));
  }),
  {
    ...post(one, 200, Type.Object(blueprint), (call) => {
      const { world, body: spec } = call;
      return blueprintView(
        world.update(world.store.blueprints, blueprintOf(call), { name: spec.name, spec }),
      );
    }),
    method: "PATCH",
  },
  act(`${one}/deploy`, 202, (call) => {
    blueprintOf(call);
    return { deployment_id: call.world.newId(), execution_id: call.world.newId() };
  }),
];

function blueprintOf({ world, param }: Call): Document {
  return world.store.blueprints.get(param("blueprintId"));
}

function blueprintView({ id, parentId: environment_id, name: title, spec }: Document): object {
  return { id, environment_id, tag: spec["tag"], catalog_url: `https://blueprints.acme.invalid/${title}` };
}

/** Agents and catalogues. */
export const workflowRoutes: Route[] = [...agentRoutes, ...blueprintRoutes];
