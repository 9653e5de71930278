import { fromResponse } from "../fields/wire.ts";
import type { Fields } from "../json.ts";
import type { Part } from "../parts/index.ts";
import type { Catalogue } from "../schema/catalogues.ts";
import type { FieldSchema } from "../schema/field-schema.ts";
import { withSecretsShown } from "../secrets/index.ts";

/** A planned change, as the rules of a kind see it. */
export interface PlannedChange {
  how: "create" | "clone" | "update" | "replace";
  /** The fields as they are: of the live resource, or of the source of a clone; absent when there is none. */
  current: Fields | undefined;
  /** The fields as they will be. */
  wanted: Fields;
}

/** How resources of a kind are cloned. */
export interface CloneStep {
  /** Path of the request that clones this resource. */
  path(sourceId: string): string;
  /** Request body. `parentId` is the id of the parent of the clone, `fields` what is wanted of it, in request form. */
  body(name: string, parentId: string, fields: Fields): Fields;
  /** The fields that go into the clone request; all others are changed afterwards. */
  carries: readonly string[];
}

/** Where the live resources of a kind are listed. */
export interface Listing {
  /** Path of a list of one parent; kinds with the same path share one request. */
  path(parentId: string): string;
  /** Path of a list of this kind alone, for a server that does not know the shared one. */
  fallbackPath?(parentId: string): string;
  /** The `service_type` that tells resources of this kind from others in a shared list. */
  serviceType?: string;
  /** A server may lack the list: then there are no resources of the kind. */
  mayBeMissing?: true;
  /** Path of a list of such resources that are not complete yet: a resource is in one of both. */
  pendingPath?(parentId: string): string;
  /**
   * The list is in parts without a count: this member of the query names the id behind which the next part begins.
   */
  startMember?: string;
  /** The member of an element of the list that is the resource; absent: the element itself is. */
  elementMember?: string;
  /** There is one resource in each parent: the answer is the resource itself. */
  isSingle?: true;
  /** The list is read only where a document of the kind is there, or something refers to it. */
  onDemand?: true;
}

/** The member of a request that names the version that a deployment is to run. */
export type VersionMember = "image_tag" | "git_commit_id";

/** How services of a kind are deployed. */
export interface ServiceDeployment {
  /** The member of statuses, and of a request to deploy several, that holds those of the kind: `jobs`. */
  list: string;
  /** The member of a request to stop or restart several that holds their ids: `job_ids`. */
  ids: string;
  /** The member of an element of `list` in a request that holds the id; absent: the element is the id itself. */
  idMember?: string;
  /** Whether one can be restarted. */
  restarts: boolean;
  /** Where its log lines are; absent: the API has none. */
  logPath?(id: string): string;
  /** The version that a request may name for a service with these fields; undefined: none. */
  version(fields: Fields): VersionMember | undefined;
  /** The version in the fields of a service that a deployment of another version overwrites; absent: none is there. */
  overwrites?(fields: Fields): string | undefined;
  /** Where the addresses are at which one can be reached; absent: the API has none of the kind. */
  linksPath?(id: string): string;
  /** Whether a service with these fields is started by the clock; absent: none of the kind is. */
  isScheduled?(fields: Fields): boolean;
}

/** How the services inside a resource are deployed together: the paths of the requests. */
export interface JointDeployment {
  /** Requests about all services. */
  all: Record<"deploy" | "redeploy" | "stop" | "cancel", (id: string) => string>;
  /** Requests whose body names services. */
  some: Record<"deploy" | "stop" | "restart", (id: string) => string>;
}

/** A request for one resource, where it is no request at the path of the resource. */
export interface OwnRequest {
  path: string;
  /** Absent: the request has none. */
  body?: Fields;
}

/** What the platform tells the services of an environment about a resource in it, as a variable. */
export interface ResourceOutput {
  /** The end of the key of that variable: `HOST_INTERNAL`. */
  variable: string;
  description: string;
  /** Nobody can read the variable back. */
  isSecret?: true;
}

/** Everything specific to a kind of resource. */
export interface KindDefinition {
  /** As in manifests: `Job`. */
  name: string;
  /** What it is, in a sentence, for documentation. */
  description: string;
  /** The kind of its parent; absent: the organization is the parent. */
  parent?: Kind;
  /** The list of the organization that its resources are in and that fields refer to. */
  catalogue?: Catalogue;
  /** Its resources are only named by fields: no document describes one. */
  isOnlyNamed?: true;
  /** Others may refer to a resource that is deleted: they lose what they say about it. */
  isReferredLoosely?: true;
  /** The manifest fields, the name and the parent aside; of a kind also those of its parts. */
  fields: FieldSchema;
  listing: Listing;
  /** Path at which a resource is created. */
  createPath(parentId: string): string;
  /** The only fields that a creation carries: an update writes the others. Absent: it carries all. */
  createCarries?: readonly string[];
  /** Path of one resource: read, update, delete. That of a kind that contains something does not name its parent. */
  path(id: string, parentId: string): string;
  /** The PUT that changes a resource; absent: its body goes to the path of the resource. */
  changeRequest?(live: { id: string; response: Fields }, parentId: string, body: Fields): OwnRequest;
  /** The DELETE; absent: at the path of the resource. */
  removalRequest?(live: { id: string; response: Fields }, parentId: string): OwnRequest;
  /** Absent: the kind cannot be cloned. */
  clone?: CloneStep;
  /** The sorts of parts that its resources have. */
  parts: readonly Part[];
  /** What the platform tells its siblings about a resource, by the names that documents use; absent: nothing. */
  outputs?: Readonly<Record<string, ResourceOutput>>;
  /**
   * What is known of a resource that the server makes with the parent, by its name; undefined for a name that no such
   * resource has. Resources that come with their parent are not pruned, and no losses when their parent is deleted.
   */
  comesWithParent?(name: string): Fields | undefined;
  /** Absent: its resources are not deployed by themselves. */
  deployment?: ServiceDeployment;
  /**
   * Path of the statuses of a resource and of the services in it. The answer has the status of the resource under its
   * slug, and the others in lists. Absent: it contains no services.
   */
  statusesPath?(id: string): string;
  /** Absent: nothing inside its resources is deployed together. */
  jointDeployment?: JointDeployment;
  /**
   * Why a resource with these fields must not end by itself, where its document limits how long it exists; undefined: it
   * may.
   */
  keptForGood?(fields: Fields): string | undefined;
  /** Its resources are there from the start: a run changes them, and creates and deletes none. */
  isGiven?: true;
  /** Its resources cost money, or take down what runs on them: writing one takes a consent that names it. */
  isInfrastructure?: true;
  /** The format of its names; default: any name. */
  nameFormat?: "email";
  /** A parent needs at least one of its resources that `holds` is true of; `last` says what the last one is. */
  keepsOne?: {
    /** Whether a resource with these fields is one of them. */
    holds(fields: Fields): boolean;
    last: string;
    advice: string;
  };
  /** Its name cannot be changed; the text says why. A resource with another name is another one. */
  immutableName?: string;
  /**
   * The member of the answer to a creation with a value that the API never shows again. No other member of an answer may
   * have it, and nothing but the place for such values gets it.
   */
  shownOnce?: string;
  /** A run may use one of its resources itself, and must not delete that one. */
  isUsedByRuns?: true;
  /** The API answers no request for a single resource: it is found in its list. */
  isListedOnly?: true;
  /**
   * Its resources are data of their parent: a clone or a dump of the parent is made without them, and no run prunes
   * them.
   */
  isData?: true;
  /** Deleting a resource of the kind deletes its contents. */
  deletesContents?: true;
  /** Adds fields that follow from stated ones; called before any comparison. */
  complete?(stated: Fields): Fields;
  /** Removes members that mean the same as leaving them out. Called after references are resolved, so that each is checked. */
  simplify?(stated: Fields): Fields;
  /** The name of a resource, as a response has it; default: its member `name`. */
  nameIn?(response: Fields): string | undefined;
  /** Gives a response the form of a request, where they differ in more than references and ids. */
  inRequestForm?(response: Fields): Fields;
  /** Finds a mistake in a planned change that the schema cannot find, and says how to correct it. */
  problem?(change: PlannedChange): { field: string; message: string } | undefined;
  /** Gives a request body its last form. `fields` are in request form already. */
  finishBody?(fields: Fields, how: "create" | "update"): Fields;
  /** Members of the response that are no fields, for outputs, each with its schema. */
  reports: Record<string, FieldSchema>;
}

/** A kind of resource: its definition and the names that follow from it. */
export interface Kind extends KindDefinition {
  /** As in addresses: `job`. */
  readonly slug: string;
  /** The manifest member that names the parent: `environment`; undefined where the organization is the parent. */
  readonly parentMember: string | undefined;
  /** How many kinds are above it: 0 for a project. */
  readonly depth: number;
}

/** Makes a kind of its definition. */
export function defineKind(definition: KindDefinition): Kind {
  return {
    ...definition,
    fields: withPartMembers(definition),
    slug: definition.name.toLowerCase(),
    parentMember: definition.parent?.slug,
    depth: definition.parent ? definition.parent.depth + 1 : 0,
  };
}

/** The fields of a kind and the members that state its parts. */
function withPartMembers({ fields, parts }: KindDefinition): FieldSchema {
  const members = parts.flatMap(({ member, form }) =>
    form ? [[member, { ...form.schema, part: true as const }] as const] : [],
  );
  return members.length === 0
    ? fields
    : { ...fields, properties: { ...fields.properties, ...Object.fromEntries(members) } };
}

/** How a reference to a resource of a kind is written: `PROJECT/ENVIRONMENT`. */
export function referenceForm(kind: Kind): string {
  const own = kind.name.toUpperCase();
  return kind.parent ? `${referenceForm(kind.parent)}/${own}` : own;
}

/** Whether the path of a resource cannot be written without the id of its parent. */
export function pathNamesParent({ path }: Kind): boolean {
  return path("own", "parent").includes("parent");
}

/** The fields of a response of the API, in manifest form. */
export function fieldsIn(kind: Kind, response: Fields): Fields {
  const shown = withSecretsShown(kind.fields, kind.inRequestForm?.(response) ?? response);
  return fromResponse(kind.fields, shown);
}
