import type { Catalogue } from "../schema/catalogues.ts";
import { annotationsGroup } from "./annotations-group.ts";
import { application } from "./application.ts";
import { cluster } from "./cluster.ts";
import { containerRegistry } from "./container-registry.ts";
import { container } from "./container.ts";
import {
  awsCredentials,
  azureCredentials,
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
import { organization } from "./organization.ts";
import { project } from "./project.ts";
import { terraform } from "./terraform.ts";
import { webhook } from "./webhook.ts";

/** The registry: every kind, parents before children. */
export const kinds: readonly Kind[] = register(
  project,
  deploymentRule,
  environment,
  deploymentStage,
  application,
  container,
  database,
  helm,
  job,
  terraform,
  annotationsGroup,
  awsCredentials,
  azureCredentials,
  cluster,
  containerRegistry,
  customRole,
  gcpCredentials,
  gitToken,
  helmRepository,
  labelsGroup,
  organization,
  onPremiseCredentials,
  scalewayCredentials,
  webhook,
);

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

/** The kind of the entries of a list that fields refer to. */
export function kindOfCatalogue(catalogue: Catalogue): Kind {
  const kind = kinds.find((each) => each.catalogue === catalogue);
  if (!kind) throw new Error(`there is no kind with the list ${catalogue}`);
  return kind;
}

/** The kind of that name, in whatever case; undefined when there is none. */
export function findKind(name: string): Kind | undefined {
  return kinds.find((kind) => kind.slug === name.toLowerCase());
}

/** The kind of that name. Throws when there is none: the name does not come from a user. */
export function kindOf(name: string): Kind {
  const kind = findKind(name);
  if (!kind) throw new Error(`there is no kind ${name}`);
  return kind;
}

const inside = Map.groupBy(kinds, ({ parent }) => parent?.slug);

/** The kinds whose parent is this one; of the organization when undefined. */
export function kindsInside(parent: Kind | undefined): readonly Kind[] {
  return inside.get(parent?.slug) ?? [];
}

/** The kind of the parents of that depth: 0 is that of projects. Undefined where resources contain nothing. */
export function parentKindAt(depth: number): Kind | undefined {
  return kinds.find((kind) => kind.depth === depth && kindsInside(kind).length > 0);
}

/**
 * The kinds that programs can have. What costs money or takes others down takes a consent that no program can be asked
 * for, and what is there from the start cannot be created.
 */
export const programKinds: readonly Kind[] = kinds.filter(
  ({ isInfrastructure, isGiven }) => !isInfrastructure && !isGiven,
);

/** The kinds of which a run may prune resources of the organization, where the document of the organization says so. */
export function prunedInOrganization(): Kind[] {
  return kindsInside(undefined).filter(
    ({ listing, isGiven, isInfrastructure }) => listing.onDemand && !isGiven && !isInfrastructure,
  );
}

/** Whether resources of a kind contain services. */
export function holdsServices(kind: Kind): boolean {
  return kindsInside(kind).some((inner) => inner.listing.serviceType !== undefined);
}

export {
  fieldsIn,
  type Kind,
  pathNamesParent,
  type PlannedChange,
  referenceForm,
  type VersionMember,
} from "./kind.ts";
export { type Link, nameOfLinked, presentLinks, type Sibling, statedLinks, withoutLinks } from "./link.ts";
export { type FieldSchema } from "../schema/field-schema.ts";
