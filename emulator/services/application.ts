import { HttpError } from "../errors.ts";
import { ApplicationEditRequest, ApplicationRequest } from "../schemas/application.ts";
import { defineServiceKind } from "./kind.ts";
import * as shared from "./shared.ts";

interface Spec extends Omit<ApplicationRequest, "name" | "ports" | "storage" | "autoscaling"> {
  ports: shared.Port[];
  storage: shared.Storage[];
  autoscaling: shared.Autoscaling;
}

/** A service built from a git repository. */
export const application = defineServiceKind({
  kind: "application",
  type: "APPLICATION",
  create: ApplicationRequest,
  edit: ApplicationEditRequest,

  admit(body, { world, previous }): { name: string; spec: Spec } {
    const { name = previous?.name, git_repository = previous?.spec.git_repository, ...rest } = body;
    if (name === undefined || !git_repository)
      throw new HttpError(400, "name and git_repository are required");
    shared.checkCommon(rest, world);
    shared.checkInstances(rest);
    shared.checkGitRepository("git_repository", git_repository, world);
    const spec = {
      ...shared.withoutNull(rest, "description", "auto_deploy"),
      git_repository,
      ports: shared.withIds("ports", rest.ports, previous?.spec.ports, world),
      storage: shared.withIds("storage", rest.storage, previous?.spec.storage, world),
      autoscaling: shared.admitAutoscaling(rest.autoscaling, world),
    };
    return { name, spec };
  },

  view(service, world) {
    const { spec } = service;
    return {
      ...shared.serviceBase(service),
      maximum_cpu: shared.MAXIMUM_CPU,
      maximum_memory: shared.MAXIMUM_MEMORY,
      maximun_gpu: shared.MAXIMUM_GPU, // spelled so in the interface
      icon_uri: "app://console/application",
      ...spec,
      git_repository: shared.gitRepositoryView(spec.git_repository, world),
      ports: spec.ports.map(shared.portView),
      ...shared.groupsView(spec, world),
      ...shared.autoscalingView(
        spec.autoscaling,
        service,
        world.store.environments.get(service.parentId).organizationId,
      ),
      service_type: "APPLICATION",
    };
  },

  copy: (spec, world) => ({
    ...spec,
    ports: shared.withNewIds(spec.ports, world),
    storage: shared.withNewIds(spec.storage, world),
  }),
});
