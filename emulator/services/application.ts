import { HttpError } from "../world/errors.ts";
import { defineServiceKind, type ServiceBody } from "./kind.ts";
import * as shared from "./common-fields.ts";
import { Type, type Static } from "typebox";
import { GitRepositoryRequest, maybe, name as nameText, oneOf, text, withDefault } from "../bodies/common.ts";
import {
  admitRunning,
  checkRunning,
  runningMembers,
  runningView,
  type RunningSpec,
} from "./running-services.ts";

const others = {
  description: maybe(Type.String()),
  build_mode: withDefault(oneOf("DOCKER"), "DOCKER"),
  dockerfile_path: maybe(Type.String()),
  docker_target_build_stage: maybe(Type.String()),
  ...runningMembers.properties,
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
  deploy: Type.Object({ git_commit_id: text }),
  actions: ["stop", "restart-service"],
  has: { variables: true, domains: true, restrictions: true, network: true, logs: true, status: true },

  admit(body, world, previous?: ServiceBody<RunningSpec<ApplicationRequest>>) {
    const { name = previous?.name, git_repository = previous?.spec.git_repository, ...rest } = body;
    if (name === undefined || !git_repository)
      throw new HttpError(400, "name and git_repository are required");
    checkRunning(rest, world);
    shared.checkGitRepository("git_repository", git_repository, world);
    const spec = {
      ...shared.withoutNull(rest, "description"),
      git_repository,
      ...admitRunning(rest, previous?.spec, world),
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
      ...runningView(service, world),
    };
  },

  repository: ({ git_repository }) => git_repository,

  isBuilt: () => true,

  details: () => ({ commit: null }),
});
