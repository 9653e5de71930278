import { invalid } from "../world/errors.ts";
import { Type } from "typebox";
import { text } from "../bodies/common.ts";
import { HelmRequest, type HelmPortRequest } from "./helm-request.ts";
import type { World } from "../world/world.ts";
import { defineServiceKind, type ServiceBody } from "./kind.ts";
import * as shared from "./common-fields.ts";

type HelmPort = HelmPortRequest & { id: string };

/** A Helm chart from a chart repository or a git repository. */
export const helm = defineServiceKind({
  kind: "helm",
  create: HelmRequest,
  edit: HelmRequest,
  deploy: Type.Object({ chart_version: text, git_commit_id: text, values_override_git_commit_id: text }),
  actions: ["stop"],
  has: { domains: true, restrictions: true, status: true },

  admit(
    { name, ...body },
    world,
    previous?: ServiceBody<Omit<HelmRequest, "name" | "ports"> & { ports: HelmPort[] }>,
  ) {
    checkSource(body.source, world);
    const valuesRepository = body.values_override.file?.git?.git_repository;
    if (valuesRepository) {
      shared.checkGitRepository("values_override.file.git.git_repository", valuesRepository, world);
    }
    const ports = shared.withIds("ports", body.ports, previous?.spec.ports, world);
    return { name, spec: { ...shared.withoutNull(body, "auto_preview"), ports } };
  },

  view({ parentId, spec, deployment }, world) {
    return {
      ...shared.autoPreview(parentId, world),
      icon_uri: "app://qovery-console/helm",
      ...spec,
      source: sourceView(spec.source, world, deployment?.gitCommitId),
      ports: shared.completePorts(spec.ports).map(portView),
      values_override: valuesView(spec.values_override, world),
    };
  },

  deployed: (spec, { chart_version }) => {
    const chart = spec.source.helm_repository;
    if (chart_version === undefined || !chart) return spec;
    return { ...spec, source: { helm_repository: { ...chart, chart_version } } };
  },

  repository: ({ source }) => source.git_repository,

  details: ({ source }) => ({
    ...(source.helm_repository && {
      repository: {
        chart_name: source.helm_repository.chart_name,
        chart_version: source.helm_repository.chart_version,
      },
    }),
  }),
});

function checkSource({ git_repository, helm_repository }: HelmRequest["source"], world: World): void {
  if (Boolean(git_repository) === Boolean(helm_repository)) {
    throw invalid("source", "exactly one of git_repository and helm_repository is required");
  }
  if (git_repository) shared.checkGitRepository("source.git_repository", git_repository, world);
  if (helm_repository) {
    const field = "source.helm_repository.repository";
    if (!helm_repository.repository) throw invalid(field, "is required");
    shared.requireReference(field, helm_repository.repository, world.store.helmRepositories);
  }
}

function sourceView(source: HelmRequest["source"], world: World, commitId?: string): object {
  const { git_repository, helm_repository } = source;
  if (git_repository) {
    return { git: { git_repository: shared.gitRepositoryView(git_repository, world, commitId) } };
  }
  const { id, name, spec } = world.store.helmRepositories.get(helm_repository?.repository ?? "");
  return { repository: { ...helm_repository, repository: { id, name, url: spec.url ?? "" } } };
}

function portView({ service_name, service_selectors, ...port }: HelmPort): object {
  if (service_name != null) return { ...port, port_type: "SERVICE_NAME", service_name };
  return { ...port, port_type: "SERVICE_SELECTORS", service_selectors: service_selectors ?? [] };
}

function valuesView({ file, ...sets }: HelmRequest["values_override"], world: World): object {
  if (!file?.git) return { ...sets, ...(file !== undefined && { file }) };
  const git_repository = shared.gitRepositoryView(file.git.git_repository, world);
  return { ...sets, file: { ...file, git: { ...file.git, git_repository } } };
}
