import { defineServiceKind, type ServiceBody } from "./kind.ts";
import * as shared from "./common-fields.ts";
import { Type, type Static } from "typebox";
import { description, name as nameText } from "../bodies/common.ts";
import {
  admitRunning,
  checkRunning,
  runningMembers,
  runningView,
  type RunningSpec,
} from "./running-services.ts";

/** Body of POST /environment/{environmentId}/container and PUT /container/{containerId}. */
const ContainerRequest = Type.Object({
  name: nameText,
  description,
  registry_id: Type.String(),
  image_name: Type.String({ minLength: 1 }),
  tag: Type.String({ minLength: 1 }),
  ...runningMembers.properties,
});
type ContainerRequest = Static<typeof ContainerRequest>;

/** A service that runs an image from a registry. */
export const container = defineServiceKind({
  kind: "container",
  create: ContainerRequest,
  edit: ContainerRequest,
  deploy: Type.Object({ image_tag: Type.String() }),
  actions: ["stop", "restart-service"],
  has: { variables: true, domains: true, network: true, logs: true, status: true },

  admit({ name, ...body }, world, previous?: ServiceBody<RunningSpec<ContainerRequest>>) {
    checkRunning(body, world);
    shared.requireReference("registry_id", body.registry_id, world.store.registries);
    return { name, spec: { ...body, ...admitRunning(body, previous?.spec, world) } };
  },

  view(service, world) {
    const { spec } = service;
    return {
      ...shared.maxima,
      ...shared.autoPreview(service.parentId, world),
      icon_uri: "app://qovery-console/container",
      ...spec,
      registry: shared.registryDetails(spec.registry_id, world),
      ...runningView(service, world),
    };
  },

  deployed: (spec, { image_tag: tag }) => (tag === undefined ? spec : { ...spec, tag }),

  details: ({ image_name, tag }) => ({ image_name, tag }),
});
