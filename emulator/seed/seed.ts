import type { TSchema } from "typebox";
import { markDeployed } from "../clusters/deployments.ts";
import type { CredentialsBody } from "../bodies/credentials.ts";
import { providers } from "../credentials/providers.ts";
import { addRepository } from "../git/repositories.ts";
import { HttpError, invalid } from "../world/errors.ts";
import type { ApiToken, Store } from "../world/records.ts";
import { routes } from "../routes.ts";
import { serviceKinds } from "../services/index.ts";
import defaults from "./organization.json" with { type: "json" };
import { foundOrganization, withCredentials } from "./organization.ts";
import { byName, SeedFile, type Item, type Seed } from "./seed-file.ts";
import type { Entity, Table } from "../world/store.ts";
import { strictMistakes } from "../http/validation.ts";
import type { World } from "../world/world.ts";

// The members in which a seed may write a name instead of an id, and the tables of these names.
const referenceTables = new Map<string, keyof Store>([
  ["registry_id", "registries"],
  ["git_token_id", "gitTokens"],
  ["repository", "helmRepositories"],
  ["cluster", "clusters"],
  ["cluster_id", "clusters"],
  ["role_id", "customRoles"],
  ["credentials", "credentials"],
  ["annotations_groups", "annotationsGroups"],
  ["labels_groups", "labelsGroups"],
]);

// The members of an organization in a seed, with the last part of their API path.
const members = {
  clusters: "cluster",
  registries: "containerRegistry",
  helm_repositories: "helmRepository",
  git_tokens: "gitToken",
  annotations_groups: "annotationsGroups",
  labels_groups: "labelsGroups",
  webhooks: "webhook",
  custom_roles: "customRole",
  invitations: "inviteMember",
} as const;

/** Fills a world from a seed, and returns its mistakes: `projects[0].environments[0]: name is required`. */
export function plant(seed: Seed, world: World): string[] {
  // Compiling the schema takes longer than the start.
  const mistakes =
    typeof seed === "object" && Object.keys(seed ?? {}).length === 0
      ? []
      : mistakesIn(SeedFile, seed, "seed");
  if (mistakes.length > 0) return mistakes;
  const organizationId = foundOrganization(seed, world);
  for (const repository of seed.git_repositories ?? []) addRepository(organizationId, repository, world);
  const planter = new Planter(world);
  for (const [place, item] of placed("credentials", seed.credentials))
    planter.credentials(place, organizationId, item);
  for (const [member, path] of Object.entries(members) as [keyof typeof members, string][]) {
    const fallback: { [Member in keyof typeof members]?: Item[] } = defaults;
    for (const [place, item] of placed(member, seed[member] ?? fallback[member])) {
      const id = planter.make(
        place,
        `/organization/{organizationId}/${path}`,
        organizationId,
        member === "clusters" ? withCredentials(item, organizationId, world) : item,
      );
      // The environments of a seed need clusters that run.
      if (member === "clusters" && id !== undefined) markDeployed(world.store.clusters.get(id), world);
    }
  }
  for (const [place, member] of placed("members", seed.members))
    planter.member(place, organizationId, member);
  for (const [place, project] of placed("projects", seed.projects))
    planter.project(place, organizationId, project);
  return planter.mistakes;
}

/** @param place of a value without a place of its own */
function mistakesIn(schema: TSchema, value: unknown, place: string): string[] {
  return strictMistakes(schema, value).map(({ member, problem }) => {
    const [, item = place, rest = ""] = /^(?:(.*\])(?:\.|$))?(.*)$/.exec(member) ?? [];
    return `${item}: ${rest === "" ? "" : `${rest} `}${problem}`;
  });
}

/** Creates resources through the API's routes, so that the same rules apply to a seed. */
class Planter {
  readonly mistakes: string[] = [];
  readonly #world: World;
  readonly #token: ApiToken;

  constructor(world: World) {
    this.#world = world;
    const [admin] = world.store.apiTokens.all();
    if (!admin) throw new Error("the organization has no token");
    this.#token = admin;
  }

  credentials(place: string, organizationId: string, { provider, ...body }: Item): void {
    this.#at(place, () => {
      const known = providers.find(({ path }) => path === provider);
      if (!known) throw invalid("provider", `must be one of ${providers.map(({ path }) => path).join(", ")}`);
      const schema = byName(known.schemaFor(known.complete?.(body as CredentialsBody) ?? body));
      const mistakes = mistakesIn({ ...schema, properties: { ...schema.properties, id: {} } }, body, place);
      this.mistakes.push(...mistakes);
      const path = `/organization/{organizationId}/${known.path}/credentials`;
      if (mistakes.length === 0) this.make(place, path, organizationId, body);
    });
  }

  member(place: string, organizationId: string, { id, ...invitation }: Item): void {
    const path = "/organization/{organizationId}/inviteMember";
    const invited = this.make(place, path, organizationId, invitation);
    this.make(place, `${path}/{inviteId}`, invited, { id });
  }

  project(
    place: string,
    organizationId: string,
    { environments, variables, deployment_rules: rules, ...body }: Item,
  ): void {
    const id = this.make(place, "/organization/{organizationId}/project", organizationId, body);
    this.#variables(place, "PROJECT", id, variables);
    for (const [inner, environment] of placed(`${place}.environments`, environments))
      this.#environment(inner, id, environment);
    // Rules are for new environments, and those of a seed are there already.
    const inRequestForm = ({ cluster, ...rule }: Item) =>
      cluster === undefined ? rule : { ...rule, cluster_id: cluster };
    for (const [inner, rule] of placed(`${place}.deployment_rules`, rules))
      this.make(inner, "/project/{projectId}/deploymentRule", id, rule, inRequestForm);
  }

  #environment(
    place: string,
    projectId: string | undefined,
    { variables, deployment_stages: stages, ...item }: Item,
  ): void {
    const kinds = serviceKinds.map(({ kind }) => ({ kind, member: `${kind}s` }));
    const lists = new Set(kinds.map(({ member }) => member));
    const body = Object.fromEntries(Object.entries(item).filter(([member]) => !lists.has(member)));
    const id = this.make(place, "/project/{projectId}/environment", projectId, body);
    this.#variables(place, "ENVIRONMENT", id, variables);
    this.#parts(`${place}.deployment_stages`, "/environment/{environmentId}/deploymentStage", id, stages);
    for (const { kind, member } of kinds) {
      for (const [where, service] of placed(`${place}.${member}`, item[member])) {
        const { variables: own, custom_domains: domains, ...rest } = service;
        const serviceId = this.make(where, `/environment/{environmentId}/${kind}`, id, rest);
        this.#variables(where, kind.toUpperCase(), serviceId, own);
        this.#parts(`${where}.custom_domains`, `/${kind}/{${kind}Id}/customDomain`, serviceId, domains);
      }
    }
  }

  #variables(place: string, scope: string, parentId: string | undefined, variables: unknown): void {
    for (const [inner, variable] of placed(`${place}.variables`, variables)) {
      const body = { is_secret: false, ...variable, variable_scope: scope, variable_parent_id: parentId };
      this.make(inner, "/variable", parentId, body);
    }
  }

  #parts(place: string, path: string, parentId: string | undefined, parts: unknown): void {
    for (const [inner, part] of placed(place, parts)) this.make(inner, path, parentId, part);
  }

  /** POSTs an item to a path below a parent and returns its id; undefined for a mistake, or if the parent has one. */
  make(
    place: string,
    path: string,
    parentId: string | undefined,
    { id, ...item }: Item,
    inRequestForm = (body: Item) => body,
  ): string | undefined {
    const route = routes.find((candidate) => candidate.method === "POST" && candidate.path === path);
    if (!route) throw new Error(`there is no operation POST ${path}`);
    return this.#at(place, () => {
      const body = inRequestForm(this.#resolve(item) as Item);
      if (parentId === undefined) return undefined;
      if (id !== undefined) this.#world.nextId = this.#unused(String(id));
      const made = route.run({
        world: this.#world,
        token: this.#token,
        param: () => parentId,
        query: {},
        body,
        address: path,
        failsDeployment: false,
      });
      return (made as Entity).id;
    });
  }

  /** Records a mistake with its place in the seed. */
  #at<Result>(place: string, run: () => Result): Result | undefined {
    try {
      return run();
    } catch (error) {
      this.#world.nextId = undefined;
      if (!(error instanceof HttpError)) throw error;
      this.mistakes.push(`${place}: ${error.message}`);
      return undefined;
    }
  }

  #unused(id: string): string {
    const tables = Object.values(this.#world.store) as unknown as Table<Entity>[];
    if (tables.some((table) => table.peek(id))) throw new HttpError(400, `the id ${id} is used twice`);
    return id;
  }

  /** Replaces names of registries, git tokens, helm repositories, clusters, credentials and groups by their ids. */
  #resolve(value: unknown, member = ""): unknown {
    if (Array.isArray(value)) return value.map((element) => this.#resolve(element, member));
    if (typeof value === "object" && value !== null) {
      const inner = (key: string) => (key === "id" ? member : key);
      return Object.fromEntries(
        Object.entries(value).map(([key, part]) => [key, this.#resolve(part, inner(key))]),
      );
    }
    const table = referenceTables.get(member);
    if (table === undefined || typeof value !== "string") return value;
    const { [table]: entities } = this.#world.store;
    const found = entities.all().find(({ id, name }) => name === value || id === value);
    // No table has the roles that every organization has.
    if (!found && table !== "customRoles")
      throw invalid(member, `no ${entities.noun} has the name or the id ${value}`);
    return found?.id ?? value;
  }
}

/** The elements of a list in a seed, each with its place: `projects[0]`. */
function placed(list: string, value: unknown): [place: string, item: Item][] {
  return Array.isArray(value) ? value.map((item: Item, index) => [`${list}[${index}]`, item]) : [];
}
