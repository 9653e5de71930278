import { invalid } from "../world/errors.ts";
import { undeclared } from "../world/defaults.ts";
import type { GitRepositoryRequest } from "../bodies/common.ts";
import { branchOf, pathOf, providerOf } from "../git/repositories.ts";
import { stamps, type Entity, type Table } from "../world/store.ts";
import type { World } from "../world/world.ts";

// The largest values that a cluster of the emulator allows for one service.
const MAXIMUM_CPU = 64_000;
const MAXIMUM_MEMORY = 262_144;
const MAXIMUM_GPU = 8;

export const maxima = { maximum_cpu: MAXIMUM_CPU, maximum_memory: MAXIMUM_MEMORY, maximum_gpu: MAXIMUM_GPU };

interface Common {
  cpu?: number;
  memory?: number;
  gpu?: number;
  annotations_groups?: { id: string }[];
  labels_groups?: { id: string }[];
}

/** Throws 400 when a service requests more than a cluster has, or a group that does not exist. */
export function checkCommon(spec: Common, world: World): void {
  requireAtMost("cpu", spec.cpu, MAXIMUM_CPU);
  requireAtMost("memory", spec.memory, MAXIMUM_MEMORY);
  requireAtMost("gpu", spec.gpu, MAXIMUM_GPU);
  const { annotationsGroups, labelsGroups } = world.store;
  checkReferences("annotations_groups", spec.annotations_groups, annotationsGroups);
  checkReferences("labels_groups", spec.labels_groups, labelsGroups);
}

function requireAtMost(field: string, value: number | undefined, maximum: number): void {
  if (value !== undefined && value > maximum) {
    throw invalid(field, `must be at most ${maximum}, the maximum of the cluster`);
  }
}

export function checkReferences(
  field: string,
  references: { id: string }[] = [],
  table: Table<Entity>,
): void {
  for (const [index, { id }] of references.entries()) requireReference(`${field}[${index}].id`, id, table);
}

export function requireReference(field: string, id: string, table: Table<Entity>): void {
  if (!table.find(id)) throw invalid(field, `there is no ${table.noun} with id ${id}`);
}

/** The annotation and label groups of a service with all their members, for a response. */
export function groupsView(spec: Common, world: World) {
  const { annotationsGroups, labelsGroups } = world.store;
  return {
    annotations_groups: (spec.annotations_groups ?? []).map(({ id }) => groupView(annotationsGroups.get(id))),
    labels_groups: (spec.labels_groups ?? []).map(({ id }) => groupView(labelsGroups.get(id))),
  };
}

export function groupView(group: Entity & { name: string; spec: object }) {
  return { ...stamps(group), ...group.spec, name: group.name };
}

const registryUrls: Record<string, string> = {
  DOCKER_HUB: "https://docker.io",
  PUBLIC_ECR: "https://public.ecr.aws",
  GITHUB_CR: "https://ghcr.io",
  GITLAB_CR: "https://registry.gitlab.com",
};

/** `source.image.registry` and the like: the details of a registry. */
export function registryDetails(registryId: string, world: World) {
  const { id, name, spec } = world.store.registries.get(registryId);
  return { id, name, url: spec.url ?? registryUrls[spec.kind] ?? "", kind: spec.kind };
}

/** Keeps the ids of list elements and gives new ids to elements without one; throws 400 for a foreign id. */
export function withIds<Element extends { id?: string }>(
  field: string,
  elements: Element[] = [],
  previous: { id: string }[] = [],
  world: World,
): (Element & { id: string })[] {
  const known = new Set(previous.map((element) => element.id));
  return elements.map((element, index) => {
    // Some clients send an empty id for a new element.
    const isNew = element.id === undefined || element.id === "";
    // A seed has the ids that its tests know.
    const isKnown = known.delete(element.id ?? "") || world.isPlanting;
    if (!isNew && !isKnown) {
      throw invalid(
        `${field}[${index}].id`,
        `this service has no element with this id, or the id is used twice`,
      );
    }
    requireSize(
      field,
      element,
      previous.find(({ id }) => id === element.id),
      world,
    );
    const keepsId = !isNew && !world.behaviour.renews_element_ids;
    return { ...element, id: keepsId ? (element.id ?? "") : world.newId() };
  });
}

/** Throws 400 for a smaller storage, if the server refuses that. */
function requireSize(field: string, desired: object, present: object = {}, { behaviour }: World): void {
  const { size = 0 } = desired as { size?: number };
  const { size: before = 0 } = present as { size?: number };
  if (behaviour.refuses_smaller_storage && size < before)
    throw invalid(field, `a storage cannot become smaller: it has ${before}`);
}

/** Ports with name and `is_default` for a response: without a chosen default, the first public port is the default. */
export function completePorts<
  Given extends { internal_port: number; name?: string; is_default?: boolean; publicly_accessible?: boolean },
>(ports: Given[]): (Given & { name: string; is_default: boolean })[] {
  // Ports of Helm charts have no `publicly_accessible`: all are public.
  const chosen = ports.find(({ is_default }) => is_default === true);
  const first = chosen ?? ports.find(({ publicly_accessible = true }) => publicly_accessible);
  return ports.map((port) => ({
    ...port,
    name: port.name ?? `p${port.internal_port}`,
    is_default: port.is_default ?? port === first,
  }));
}

/** `auto_deploy` of a service: the platform sets it if a request omits it. */
export function autoDeploy(
  { auto_deploy: declared }: { auto_deploy?: boolean | null },
  world: World,
): boolean {
  return declared ?? undeclared("service.auto_deploy", true, false, world);
}

/** `auto_preview` of a service; by default, the value of its environment. */
export function autoPreview(environmentId: string, { store }: World): { auto_preview: boolean } {
  return { auto_preview: store.environments.peek(environmentId)?.rule?.auto_preview ?? false };
}

export function checkGitRepository(field: string, repository: GitRepositoryRequest, world: World): void {
  if (repository.git_token_id) {
    requireReference(`${field}.git_token_id`, repository.git_token_id, world.store.gitTokens);
  }
}

/** `git_repository` of a response: the requested members and those that the server adds. */
export function gitRepositoryView(repository: GitRepositoryRequest, world: World, commitId?: string) {
  const { url, provider } = repository;
  const [name = "", ...owner] = pathOf(url).split("/").toReversed();
  const token = repository.git_token_id ? world.store.gitTokens.find(repository.git_token_id) : undefined;
  return {
    ...repository,
    branch: branchOf(repository, world),
    provider: provider ?? providerOf(url) ?? token?.spec.type ?? "GITLAB",
    has_access: true,
    owner: owner.toReversed().join("/"),
    name,
    ...(token && { git_token_name: token.name }),
    ...(commitId !== undefined && { deployed_commit_id: commitId }),
  };
}

export function withoutNull<Spec extends object>(spec: Spec, ...members: (keyof Spec)[]): Spec {
  const result = { ...spec };
  for (const member of members) if (result[member] === null) delete result[member];
  return result;
}
