import { readFile } from "node:fs/promises";
import { type Static, type TSchema, Type } from "typebox";
import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import * as catalogue from "../bodies/catalogue.ts";
import { ClusterRequest } from "../bodies/clusters.ts";
import { closedObject, flag } from "../bodies/common.ts";
import { GitRepositorySeed } from "../bodies/git.ts";
import { OrganizationRequest, WebhookRequest } from "../bodies/organization.ts";
import { CustomRoleCreateRequest, InviteMemberRequest } from "../bodies/roles.ts";
import { ProjectRuleRequest } from "../bodies/rules.ts";
import { StageRequest } from "../deployments/schemas.ts";
import { CreateEnvironmentRequest, ProjectRequest } from "../environments/schemas.ts";
import { serviceKinds } from "../services/index.ts";
import { CustomDomainRequest } from "../services/parts.ts";
import { VariableRequest } from "../variables/schemas.ts";

/** A request body of the API, with an optional `id`. */
export type Item = Record<string, unknown>;

const id = Type.Optional(Type.String({ format: "uuid" }));
const secret = Type.Optional(Type.String({ minLength: 8 }));

/** Items with the members of a request body, and with others that only a seed has. */
function itemsOf(request: TSchema, others: Record<string, TSchema> = {}) {
  const form = byName(request);
  const item = { ...form, properties: { ...form.properties, id, ...others } };
  return Type.Optional(Type.Array(Type.Unsafe<Item>(item)));
}

/** The schema of a body in a seed: without unknown members, and with names in place of ids. */
export function byName(request: TSchema): TSchema & { properties: object } {
  return byNameIn(request) as TSchema & { properties: object };
}

function byNameIn(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(byNameIn);
  if (typeof part !== "object" || part === null) return part;
  const remaining = Object.entries(part).filter(
    ([key, value]) => key !== "format" || !String(value).startsWith("uuid"),
  );
  const copy = Object.fromEntries(remaining.map(([key, value]) => [key, byNameIn(value)]));
  return typeof copy["properties"] === "object" ? { additionalProperties: false, ...copy } : copy;
}

const { variable_scope: _scope, variable_parent_id: _parent, ...variable } = VariableRequest.properties;
const variables = itemsOf(Type.Object({ ...variable, is_secret: flag }));

const services = serviceKinds.map(({ kind, create, has }) => {
  const domains = has.domains && { custom_domains: itemsOf(CustomDomainRequest) };
  return [`${kind}s`, itemsOf(create, { variables, ...domains })] as const;
});

const environments = itemsOf(CreateEnvironmentRequest, {
  variables,
  deployment_stages: itemsOf(StageRequest),
  ...Object.fromEntries(services),
});

const { cluster_id: cluster, ...rule } = ProjectRuleRequest.properties;
const clusters = { cluster: Type.Optional(cluster), cluster_id: Type.Optional(cluster) };

// `plan` has a default here.
const { plan, ...about } = OrganizationRequest.properties;

/** The schema of a seed. */
export const SeedFile = closedObject({
  organization: Type.Optional(closedObject({ id, ...about, plan: Type.Optional(plan) })),
  tokens: Type.Optional(closedObject({ admin: secret, read: secret, deploy: secret, write: secret })),
  clusters: itemsOf(ClusterRequest),
  registries: itemsOf(catalogue.ContainerRegistryRequest),
  helm_repositories: itemsOf(catalogue.HelmRepositoryRequest),
  git_tokens: itemsOf(catalogue.GitTokenRequest),
  annotations_groups: itemsOf(catalogue.AnnotationsGroupRequest),
  labels_groups: itemsOf(catalogue.LabelsGroupRequest),
  /** Each with the `provider` of its path: aws, scaleway, gcp, azure or onPremise; which says what else it has. */
  credentials: Type.Optional(Type.Array(Type.Unsafe<Item>({ type: "object" }))),
  webhooks: itemsOf(WebhookRequest),
  custom_roles: itemsOf(CustomRoleCreateRequest),
  invitations: itemsOf(InviteMemberRequest),
  /** Each member counts as an accepted invitation. */
  members: itemsOf(InviteMemberRequest),
  /** Their default branches, branches and commits. */
  git_repositories: Type.Optional(Type.Array(GitRepositorySeed)),
  projects: itemsOf(ProjectRequest, {
    variables,
    environments,
    deployment_rules: itemsOf(Type.Object({ ...rule, ...clusters })),
  }),
});

/** An organization to start from. Each item is a request body of the API, with an optional `id`. */
export type Seed = Static<typeof SeedFile>;

/** A seed, and the form of its mistakes: with file and lines, in order, if it comes from a file. */
export interface ParsedSeed {
  seed: Seed;
  reported(mistakes: string[]): string[];
}

/** Reads a seed: YAML or JSON. */
export async function readSeed(path: string): Promise<ParsedSeed> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    const why = (error as NodeJS.ErrnoException).code === "ENOENT" ? "does not exist" : "cannot be read";
    throw new Error(`the seed ${path} ${why}`, { cause: error });
  });
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  if (document.errors.length > 0) {
    const reported = document.errors.map(({ message }) => `the seed ${path} is not YAML: ${message}`);
    throw new Error(reported.join("\n"), { cause: document.errors[0] });
  }
  const reported = (mistakes: string[]) =>
    mistakes
      .map((mistake) => ({ mistake, line: lineOf(mistake, document, lines) }))
      .toSorted((one, other) => one.line - other.line)
      .map(({ mistake, line }) => `${path}:${line}: ${mistake}`);
  return { seed: document.toJS() as Seed, reported };
}

/** The line of the place of a mistake: `projects[0].environments[0]: name is required`. */
function lineOf(mistake: string, document: Document, lines: LineCounter): number {
  const [place = ""] = /^[\w.[\]]+(?:: [\w.[\]]+)?/.exec(mistake.replace(/^seed: /, "")) ?? [];
  let found: unknown = document.contents;
  let node: unknown = found;
  for (const step of place.split(/[.[\]: ]+/).filter((each) => each !== "")) {
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === step) : undefined;
    const [next, shown] = pair ? [pair.value, pair.key] : isSeq(node) ? [node.items[Number(step)]] : [];
    if (next === undefined) break;
    node = next;
    found = shown ?? next;
  }
  return lines.linePos(isNode(found) ? ((found as Node).range?.[0] ?? 0) : 0).line;
}
