import { ContainerDeployRequest } from "./deploy-request.ts";
import { defineServiceKind, type ServiceBody } from "./kind.ts";
import * as shared from "./common-fields.ts";
import { Type, type Static } from "typebox";
import { description, name as nameText } from "../bodies/common.ts";
import * as request from "./request.ts";

/** Body of POST /environment/{environmentId}/container and PUT /container/{containerId}. */
const ContainerRequest = Type.Object({
  name: nameText,
  description,
  registry_id: Type.String(),
  image_name: Type.String({ minLength: 1 }),
  tag: Type.String({ minLength: 1 }),
  ...request.running,
});
type ContainerRequest = Static<typeof ContainerRequest>;

/** A service that runs an image from a registry. */
export const container = defineServiceKind({
  kind: "container",
  create: ContainerRequest,
  edit: ContainerRequest,
  deploy: ContainerDeployRequest,
  actions: ["stop", "restart-service"],
  has: { variables: true, domains: true, network: true, logs: true, status: true },

  admit({ name, ...body }, world, previous?: ServiceBody<shared.StoredSpec<ContainerRequest>>) {
    shared.checkCommon(body, world);
    shared.checkInstances(body);
    shared.requireReference("registry_id", body.registry_id, world.store.registries);
    const spec = {
      ...body,
      auto_deploy: shared.autoDeploy(body, world),
      ports: shared.withIds("ports", body.ports, previous?.spec.ports, world),
      storage: shared.withIds("storage", body.storage, previous?.spec.storage, world),
      autoscaling: shared.admitAutoscaling(body.autoscaling, world),
    };
    return { name, spec };
  },

  view(service, world) {
    const { spec } = service;
    return {
      ...shared.maxima,
      ...shared.autoPreview(service.parentId, world),
      icon_uri: "app://qovery-console/container",
      ...spec,
      registry: shared.registryDetails(spec.registry_id, world),
      ports: shared.portsView(spec.ports),
      ...shared.groupsView(spec, world),
      ...shared.autoscalingView(spec.autoscaling, service, world),
    };
  },

  copy: (spec, world) => ({
    ...spec,
    ports: shared.withNewIds(spec.ports, world),
    storage: shared.withNewIds(spec.storage, world),
  }),

  deployed: (spec, { image_tag: tag }) => (tag === undefined ? spec : { ...spec, tag }),

  isBuilt: () => false,

  details: ({ image_name, tag }) => ({ image_name, tag }),
});
