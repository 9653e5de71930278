import { HttpError } from "../world/errors.ts";
import { ApplicationDeployRequest } from "./deploy-request.ts";
import { defineServiceKind, type ServiceBody } from "./kind.ts";
import * as shared from "./common-fields.ts";
import { Type, type Static } from "typebox";
import { GitRepositoryRequest, name as nameText, nullable, oneOf, withDefault } from "../bodies/common.ts";
import * as request from "./request.ts";

const others = {
  description: Type.Optional(nullable(Type.String())),
  build_mode: withDefault(oneOf("DOCKER"), "DOCKER"),
  dockerfile_path: Type.Optional(nullable(Type.String())),
  docker_target_build_stage: Type.Optional(nullable(Type.String())),
  ...request.running,
};

const ApplicationRequest = Type.Object({ name: nameText, git_repository: GitRepositoryRequest, ...others });
type ApplicationRequest = Static<typeof ApplicationRequest>;

/** Body of PUT /application/{applicationId}: name and repository have no default; a request without them leaves them unchanged. */
const ApplicationEditRequest = Type.Object({
  name: Type.Optional(nameText),
  git_repository: Type.Optional(GitRepositoryRequest),
  ...others,
});

/** A service built from a git repository. */
export const application = defineServiceKind({
  kind: "application",
  create: ApplicationRequest,
  edit: ApplicationEditRequest,
  deploy: ApplicationDeployRequest,
  actions: ["stop", "restart-service"],
  has: { variables: true, domains: true, restrictions: true, network: true, logs: true, status: true },

  admit(body, world, previous?: ServiceBody<shared.StoredSpec<ApplicationRequest>>) {
    const { name = previous?.name, git_repository = previous?.spec.git_repository, ...rest } = body;
    if (name === undefined || !git_repository)
      throw new HttpError(400, "name and git_repository are required");
    shared.checkCommon(rest, world);
    shared.checkInstances(rest);
    shared.checkGitRepository("git_repository", git_repository, world);
    const spec = {
      ...shared.withoutNull(rest, "description"),
      auto_deploy: shared.autoDeploy(rest, world),
      git_repository,
      ports: shared.withIds("ports", rest.ports, previous?.spec.ports, world),
      storage: shared.withIds("storage", rest.storage, previous?.spec.storage, world),
      autoscaling: shared.admitAutoscaling(rest.autoscaling, world),
    };
    return { name, spec };
  },

  view(service, world) {
    const { spec, deployment } = service;
    const { maximum_gpu: maximun_gpu, ...maxima } = shared.maxima; // misspelt in the API
    return {
      ...maxima,
      maximun_gpu,
      ...shared.autoPreview(service.parentId, world),
      icon_uri: "app://qovery-console/application",
      ...spec,
      git_repository: shared.gitRepositoryView(spec.git_repository, world, deployment?.gitCommitId),
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

  repository: ({ git_repository }) => git_repository,

  isBuilt: () => true,

  details: () => ({ commit: null }),
});
