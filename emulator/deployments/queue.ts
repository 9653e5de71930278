import { environmentOf } from "../http/lookup.ts";
import { get, list, postOptional, type Call, type Route } from "../http/routing.ts";
import { notFound } from "../world/errors.ts";
import type { Deployment } from "../world/records.ts";
import type { World } from "../world/world.ts";
import { cancelDeployment } from "./deployments.ts";
import { CancelRequest } from "./schemas.ts";
import { iconOf, stagesView, statusDetails } from "./statuses.ts";

type Part = Deployment["services"][number];

/** Routes that list requested deployments that have not begun, and that cancel one. */
export const queueRoutes: Route[] = [
  list(
    "/environment/{environmentId}/deploymentQueue",
    (call) => queueOf(environmentOf(call).id, call.world),
    requestView,
  ),
  list(
    "/service/{serviceId}/deploymentQueue",
    ({ world, param }) => {
      const { id, parentId } = world.store.services.get(param("serviceId"));
      return queueOf(parentId, world).flatMap((deployment) =>
        deployment.services.filter((part) => part.id === id).map((part) => ({ deployment, part })),
      );
    },
    serviceRequestView,
  ),
  get("/environment/deploymentStatus", (call) => {
    const { id, parentId, state } = requested(call, call.query["deploymentRequestId"]);
    return { deployment_request_id: id, environment_id: parentId, status: state };
  }),
  postOptional("/deploymentQueue/{deploymentRequestId}/cancelDeployment", 202, CancelRequest, (call) => {
    const { world } = call;
    const deployment = requested(call, call.param("deploymentRequestId"));
    const operation = queued(deployment.parentId, world).find(({ subjects }) =>
      subjects.includes(deployment.id),
    );
    if (!operation) throw notFound("deployment request in the queue", deployment.id);
    cancelDeployment(operation, true, world);
  }),
];

function requested({ world }: Call, id = ""): Deployment {
  return world.store.deployments.get(id);
}

/** The operations of an environment and its services that wait for their beginning. */
function queued(environmentId: string, { store, operations }: World) {
  const services = store.services.allUnder(environmentId).map(({ id }) => id);
  return operations
    .on(environmentId, ...services)
    .filter(({ kind, phase }) => kind === "deployment" && phase === "queued");
}

function queueOf(environmentId: string, world: World): Deployment[] {
  return queued(environmentId, world).flatMap(
    ({ subjects: [id = ""] }) => world.store.deployments.peek(id) ?? [],
  );
}

function requestView(deployment: Deployment, world: World): object {
  const { id, parentId, action } = deployment;
  return {
    identifier: { deployment_request_id: id, environment_id: parentId },
    auditing_data: auditing(deployment),
    trigger_action: action,
    stages: stagesView(deployment, world, (part) => ({
      identifier: identifierOf(part),
      status: deployment.outcome,
      icon_uri: iconOf(part, world),
    })),
  };
}

function serviceRequestView(
  { deployment, part }: { deployment: Deployment; part: Part },
  world: World,
): object {
  return {
    identifier: { deployment_request_id: deployment.id, ...identifierOf(part) },
    auditing_data: auditing(deployment),
    status_details: statusDetails(deployment),
    icon_uri: iconOf(part, world),
  };
}

function auditing({ triggeredBy }: Deployment): object {
  return { triggered_by: triggeredBy, origin: "API" };
}

function identifierOf({ id, kind, name }: Part): object {
  return { service_id: id, service_type: kind.toUpperCase(), name };
}
