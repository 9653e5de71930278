import { type Fields, valueAt } from "../../values/json.ts";
import type { Catalogue } from "../schema/catalogues.ts";
import { annotationsGroup } from "./annotations-group.ts";
import { apiToken } from "./api-token.ts";
import { application } from "./application.ts";
import { backup } from "./backup.ts";
import { cluster } from "./cluster.ts";
import { containerRegistry } from "./container-registry.ts";
import { container } from "./container.ts";
import {
  awsCredentials,
  azureCredentials,
  cloudCredentials,
  gcpCredentials,
  onPremiseCredentials,
  scalewayCredentials,
} from "./credentials.ts";
import { customRole } from "./custom-role.ts";
import { database } from "./database.ts";
import { deploymentRule } from "./deployment-rule.ts";
import { deploymentStage } from "./deployment-stage.ts";
import { environment } from "./environment.ts";
import { helm } from "./helm.ts";
import { job } from "./job.ts";
import { gitToken } from "./git-token.ts";
import { helmRepository } from "./helm-repository.ts";
import type { Kind } from "./kind.ts";
import { labelsGroup } from "./labels-group.ts";
import { member } from "./member.ts";
import { organization } from "./organization.ts";
import { project } from "./project.ts";
import { role } from "./role.ts";
import { terraform } from "./terraform.ts";
import { webhook } from "./webhook.ts";

/** The registry: every kind, parents before children, also those without documents. */
export const listedKinds: readonly Kind[] = register(
  project,
  deploymentRule,
  environment,
  deploymentStage,
  application,
  container,
  database,
  backup,
  helm,
  job,
  terraform,
  annotationsGroup,
  apiToken,
  awsCredentials,
  azureCredentials,
  cloudCredentials,
  cluster,
  containerRegistry,
  customRole,
  gcpCredentials,
  gitToken,
  helmRepository,
  labelsGroup,
  member,
  organization,
  onPremiseCredentials,
  role,
  scalewayCredentials,
  webhook,
);

/** All kinds of documents, parents before children. */
export const kinds: readonly Kind[] = listedKinds.filter(({ use }) => use !== "reference");

function register(...registered: Kind[]): Kind[] {
  const seen = new Set<string>();
  for (const kind of registered) {
    if (seen.has(kind.slug)) throw new Error(`the kind ${kind.name} is registered twice`);
    if (kind.parent && !seen.has(kind.parent.slug)) {
      throw new Error(`the kind ${kind.name} is registered before its parent ${kind.parent.name}`);
    }
    seen.add(kind.slug);
  }
  return registered;
}

/** The kinds of documents for the entries to which fields refer. */
export function kindsOfCatalogue(catalogue: Catalogue): Kind[] {
  return kinds.filter((each) => each.catalogue === catalogue);
}

/** The kind whose list has all entries to which fields can refer, also unmanageable ones. */
export function entryKindOf(catalogue: Catalogue): Kind {
  const among = listedKinds.filter((each) => each.catalogue === catalogue);
  const kind = among.find(({ use }) => use === "reference") ?? among[0];
  if (!kind) throw new Error(`there is no kind with the list ${catalogue}`);
  return kind;
}

/** In any case; undefined: there is none. */
export function findKind(name: string): Kind | undefined {
  return kinds.find((kind) => kind.slug === name.toLowerCase());
}

/** Throws for an unknown name, which does not come from a user. */
export function kindOf(name: string): Kind {
  const kind = findKind(name);
  if (!kind) throw new Error(`there is no kind ${name}`);
  return kind;
}

const inside = Map.groupBy(listedKinds, ({ parent }) => parent?.slug);

/** The child kinds, also those without documents. @param parent undefined means the organization */
export function kindsInside(parent: Pick<Kind, "slug"> | undefined): readonly Kind[] {
  return inside.get(parent?.slug) ?? [];
}

/** The kind of the parents at a depth: 0 is that of projects. Undefined for resources without contents. */
export function parentKindAt(depth: number): Kind | undefined {
  return kinds.find((kind) => kind.depth === depth && holdsResources(kind));
}

/** The kinds that the document of a parent can name for a prune. */
export function kindsPrunedIn(parent: Kind): Kind[] {
  if (holdsServices(parent)) return [];
  return kindsInside(parent.use === "settings" ? undefined : parent).filter(
    (kind) =>
      (kind.listing.onDemand || holdsResources(kind)) && !kind.isInfrastructure && kind.use === undefined,
  );
}

/** Whether resources of a kind have contents other than their own data. */
export function holdsResources(kind: Kind): boolean {
  return kindsInside(kind).some(({ use }) => use !== "data");
}

/** The version of a service, such as an image tag; undefined if no field has one. */
export function versionIn({ deployment }: Kind, fields: Fields): string | undefined {
  const value = valueAt(fields, deployment?.versionField ?? []);
  return typeof value === "string" ? value : undefined;
}

export function holdsServices(kind: Kind): boolean {
  return kindsInside(kind).some((inner) => inner.listing.serviceType !== undefined);
}
