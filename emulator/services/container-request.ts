import { Type, type Static } from "typebox";
import { description, flag, name } from "../bodies/common.ts";
import * as service from "./request.ts";

/** Body of POST /environment/{environmentId}/container and PUT /container/{containerId}. */
export const ContainerRequest = Type.Object({
  name,
  description,
  registry_id: Type.String(),
  image_name: Type.String({ minLength: 1 }),
  tag: Type.String({ minLength: 1 }),
  ...service.resources,
  ...service.instances,
  healthchecks: service.healthchecks,
  auto_preview: flag,
  ...service.ports,
  ...service.storage,
  ...service.command,
  ...service.autoDeploy,
  ...service.groups,
  ...service.iconUri,
  ...service.autoscaling,
});
export type ContainerRequest = Static<typeof ContainerRequest>;
