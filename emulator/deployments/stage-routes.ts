import { defaultStage, stagesOf } from "../lifecycle/creation.ts";
import { conflict, notFound } from "../world/errors.ts";
import type { Stage } from "../world/records.ts";
import {
  change,
  get,
  list,
  post,
  put,
  remove,
  withOptionalBody,
  type Call,
  type Route,
} from "../http/routing.ts";
import { StageRequest, StageServiceRequest } from "./schemas.ts";
import type { World } from "../world/world.ts";
import { environmentOf } from "../http/lookup.ts";
import { stamps } from "../world/store.ts";

/** Deployment stages: the order in which an environment deploys its services. */
export const stageRoutes: Route[] = [
  list(
    "/environment/{environmentId}/deploymentStage",
    (call) => stagesOf(environmentOf(call).id, call.world),
    stageView,
  ),
  post(
    "/environment/{environmentId}/deploymentStage",
    200,
    StageRequest,
    (call, world, { name, ...spec }) => {
      const environment = environmentOf(call);
      const order = Math.max(0, ...stagesOf(environment.id, world).map((stage) => stage.order)) + 1;
      const stage = { ...world.base(environment.id), name, spec, order };
      return stageView(world.add(world.store.stages, stage), world);
    },
  ),
  get("/deploymentStage/{deploymentStageId}", (call, world) => stageView(stageOf(call), world)),
  put("/deploymentStage/{deploymentStageId}", StageRequest, (call, world, { name, ...spec }) =>
    stageView(world.update(world.store.stages, stageOf(call), { name, spec }), world),
  ),
  remove("/deploymentStage/{deploymentStageId}", (call, world) => {
    const stage = stageOf(call);
    const start = defaultStage(stage.parentId, world);
    if (stage === start) throw conflict("the default stage of an environment cannot be deleted");
    for (const service of world.store.services.allUnder(stage.parentId)) {
      if (service.stage.stageId === stage.id) service.stage.stageId = start.id;
    }
    world.remove(world.store.stages, stage);
  }),
  withOptionalBody(
    put(
      "/deploymentStage/{deploymentStageId}/service/{serviceId}",
      StageServiceRequest,
      (call, world, body) => {
        const stage = stageOf(call);
        const service = world.store.services.get(call.param("serviceId"));
        if (service.parentId !== stage.parentId) throw notFound("service of this environment", service.id);
        service.stage.stageId = stage.id;
        service.stage.isSkipped = body.is_skipped ?? service.stage.isSkipped;
        return changedOrder(stage, world);
      },
    ),
  ),
  change("/deploymentStage/{deploymentStageId}/moveBefore/{stageId}", (call) => move(call, 0)),
  change("/deploymentStage/{deploymentStageId}/moveAfter/{stageId}", (call) => move(call, 1)),
  get("/service/{serviceId}/deploymentStage", ({ world, param }) => {
    const service = world.store.services.get(param("serviceId"));
    return stageView(world.store.stages.get(service.stage.stageId), world);
  }),
];

/** Moves the stage of the path before (0) or after (1) another stage of its environment. */
function move(call: Call, offset: 0 | 1): object {
  const { world, param } = call;
  const stage = stageOf(call);
  const target = world.store.stages.get(param("stageId"));
  if (target.parentId !== stage.parentId) throw notFound("stage of this environment", target.id);
  if (target !== stage) {
    const order = stagesOf(stage.parentId, world).filter((other) => other !== stage);
    order.splice(order.indexOf(target) + offset, 0, stage);
    for (const [index, each] of order.entries()) each.order = index + 1;
  }
  return changedOrder(stage, world);
}

function changedOrder(stage: Stage, world: World): object {
  world.record("UPDATE", world.store.stages, stage);
  return { results: stagesOf(stage.parentId, world).map((each) => stageView(each, world)) };
}

function stageOf({ world, param }: Call): Stage {
  return world.store.stages.get(param("deploymentStageId"));
}

function stageView(stage: Stage, { store }: World): object {
  const { id, parentId, name, order, spec } = stage;
  const services = store.services.under(parentId).filter((service) => service.stage.stageId === id);
  return {
    ...stamps(stage),
    environment: { id: parentId },
    name,
    description: spec.description ?? "",
    deployment_order: order,
    services: services.map((service) => ({
      ...stamps(service),
      id: service.stage.id,
      service_id: service.id,
      service_type: service.kind.toUpperCase(),
      is_skipped: service.stage.isSkipped,
    })),
  };
}
