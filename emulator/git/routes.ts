import { organizationOf, serviceOf } from "../http/lookup.ts";
import { act, get, list, remove, type Call, type Route } from "../http/routing.ts";
import { conflict, notFound } from "../world/errors.ts";
import type { GitRepository, Organization, Service } from "../world/records.ts";
import { uuidOf } from "../world/uuid.ts";
import type { World } from "../world/world.ts";
import { commitView, defaultBranch, providerOf, repositoryAt, type Commit } from "./repositories.ts";

const providers = ["bitbucket", "github", "gitlab"] as const;
const ofOrganization = "/organization/{organizationId}";

/** The repositories of a seed with their branches and commits, and their connections with the platform. */
export const gitRoutes: Route[] = [
  ...["", ofOrganization].flatMap((root) => [
    ...providers.flatMap((provider) => {
      const path = `${root}/account/${provider}/repository`;
      const found = (call: Call) => repositoriesOf(call, provider);
      return [
        list(path, found, repositoryView),
        list(
          `${path}/branch`,
          (call) => branchesOf(found(call), call.query["name"] ?? ""),
          (name) => ({ name }),
        ),
      ];
    }),
    list(`${root}/account/gitAuthProvider`, accountsOf, (account) => account),
  ]),
  act(`${ofOrganization}/github/connect`, 204, (call) => setApp(call, true)),
  remove(`${ofOrganization}/github/disconnect`, (call) => setApp(call, false)),

  ...(["application", "helm", "job", "terraform"] as const).map((kind) =>
    list(
      `/${kind}/{${kind}Id}/commit`,
      (call) => commitsOf(serviceOf(call, { kind }), call.world),
      commitView,
    ),
  ),
  list(
    "/application/{applicationId}/contributor",
    (call) => {
      const commits = commitsOf(serviceOf(call, { kind: "application" }), call.world);
      return [...new Set(commits.map(({ author_name: name = "" }) => name))];
    },
    (name) => {
      const [first_name = "", ...last] = name.split(" ");
      return { id: uuidOf(`contributor ${name}`), first_name, last_name: last.join(" ") };
    },
  ),
  get("/service/{serviceId}/gitWebhookStatus", (call) => hookView(hookedService(call))),
  act("/service/{serviceId}/gitWebhook/sync", 200, (call) => {
    const service = hookedService(call);
    service.hasGitWebhook = true;
    return hookView(service);
  }),
];

/** The organization of the path, or all. */
function organizationsOf(call: Call): Organization[] {
  return call.param("organizationId") === "" ? call.world.store.organizations.all() : [organizationOf(call)];
}

function repositoriesOf(call: Call, provider: string): GitRepository[] {
  return organizationsOf(call)
    .flatMap(({ id }) => call.world.store.gitRepositories.under(id))
    .filter(({ spec }) => spec.provider === provider.toUpperCase());
}

function repositoryView(repository: GitRepository): object {
  const { id, name, spec } = repository;
  const { url, is_private = false } = spec;
  return { id, name, url, default_branch: defaultBranch(repository), is_private };
}

function branchesOf(repositories: GitRepository[], name: string): string[] {
  const repository = repositories.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (!repository) throw notFound("git repository", name);
  return [...new Set([defaultBranch(repository), ...(repository.spec.branches ?? [])])];
}

/** The owners of the repositories of a seed, as accounts at their providers. */
function accountsOf(call: Call): object[] {
  return organizationsOf(call).flatMap(({ id, hasGithubApp = false }) => {
    const owners = call.world.store.gitRepositories
      .under(id)
      .map(({ name, spec }) => `${spec.provider}/${name.split("/")[0] ?? ""}`);
    return [...new Set(owners)].map((account) => {
      const [name = "", owner = ""] = account.split("/");
      return { id: uuidOf(account), name, owner, use_bot: name === "GITHUB" && hasGithubApp };
    });
  });
}

function setApp(call: Call, hasGithubApp: boolean): void {
  const { world } = call;
  world.update(world.store.organizations, organizationOf(call), { hasGithubApp });
}

function commitsOf(service: Service, world: World): Commit[] {
  return repositoryAt(urlOf(service.spec) ?? "", world)?.spec.commits ?? [];
}

/** The URL of the repository that a service is built from: of the first `git_repository` in its configuration. */
function urlOf(spec: object): string | undefined {
  for (const [member, value] of Object.entries(spec) as [string, unknown][]) {
    if (typeof value !== "object" || value === null) continue;
    const url = member === "git_repository" ? (value as { url: string }).url : urlOf(value);
    if (url !== undefined) return url;
  }
  return undefined;
}

/** A service with a repository, which can call the platform when somebody pushes. */
function hookedService({ world, param }: Call): Service {
  const service = world.store.services.get(param("serviceId"));
  if (urlOf(service.spec) === undefined) throw conflict(`${service.name} has no git repository`);
  return service;
}

function hookView({ spec, hasGitWebhook = false }: Service): object {
  const provider = providerOf(urlOf(spec) ?? "") ?? "GITLAB";
  return { status: hasGitWebhook ? "ACTIVE" : "NOT_CONFIGURED", provider, missing_events: [] };
}
