// The members of the definition of a kind that have members of their own, each about one subject.

import type { Fields } from "../../values/json.ts";
import type { Message } from "../../problems/say.ts";
import type { Links } from "../parts/index.ts";

/** A mistake or a doubtful value of a field. The sentence need not name the field. */
export interface FieldMistake {
  field: string;
  message: string | Message;
}

/** A planned change, as the rules of a kind see it. */
export interface PlannedChange {
  how: "create" | "clone" | "update" | "replace";
  /** The fields of the live resource, or of the source of a clone; absent: there is none. */
  current: Fields | undefined;
  desired: Fields;
}

/** Requests that clone resources of a kind. */
export interface CloneStep {
  /** Path of the request that clones this resource. */
  path(sourceId: string): string;
  /** The request body. `parentId`: that of the clone; `fields`: the wanted ones, in request form. */
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
  /** Path of a list of incomplete resources: each resource is in one of both lists. */
  pendingPath?(parentId: string): string;
  /** The list has pages without a count: this member of the query names the last id of the page before. */
  startMember?: string;
  /** The member of an element that is the resource; absent: the element itself. */
  elementMember?: string;
  /** There is one resource in each parent, and the answer is the resource itself. */
  isSingle?: true;
  /** The API answers no request for a single resource: it is found in this list. */
  isOnlyWay?: true;
  /** The path of a parent, and the member of the answer that counts the list. */
  counted?: {
    /** The path of the parent. */
    path(parentId: string): string;
    member: string;
  };
  /** Lists of the organization that show that a list without a count is whole, or is not. */
  inOrganization?: readonly ListWitness[];
  /** The list is read only if a document of the kind exists, or something refers to it. */
  onDemand?: true;
}

/** A list of the organization, which is long as a rule: it shows that the server does not cut lists so short. */
export interface ListWitness {
  /** The path of the list. */
  path(organizationId: string): string;
  /** The id of the parent of an element, where it has the elements of all parents. */
  parentIn?(element: Fields): string | undefined;
  /** The id of an element of the list in one of its own. */
  idIn?(element: Fields): string | undefined;
}

/** A request for one resource at a path of its own. */
export interface OwnRequest {
  path: string;
  /** Absent: the request has none. */
  body?: Fields;
}

/** The requests for single resources of a kind. */
export interface ResourceRequests {
  /** Path at which a resource is created. */
  create(parentId: string): string;
  /** Path for reading, updating and deleting a resource. That of a kind with contents does not name its parent. */
  one(id: string, parentId: string): string;
  /** The PUT that changes a resource; absent: at the path of the resource. */
  change?(live: { id: string; response: Fields }, parentId: string, body: Fields): OwnRequest;
  /** The DELETE; absent: at the path of the resource. */
  remove?(live: { id: string; response: Fields }, parentId: string): OwnRequest;
  /** Path of the POST that deletes several services in a resource; the body has their ids under `deployment.ids`. */
  removeInside?(id: string): string;
}

/** The names of the resources of a kind. */
export interface Names {
  /** Default: any name. */
  format?: "email";
  /** Why a name cannot be changed. A resource with another name is another one. */
  immutable?: string;
  /** The name of a resource in a response; default: its member `name`. */
  of?(response: Fields): string | undefined;
}

/** Converts fields of a kind between documents, requests and responses. */
export interface Form {
  /** Adds fields that follow from declared ones; called before any comparison. */
  complete?(declared: Fields): Fields;
  /** Removes members that equal their omission. Called after references are resolved, so that each is checked. */
  simplify?(declared: Fields): Fields;
  /** Gives a response the form of a request, where they differ beyond references and ids. */
  inRequestForm?(response: Fields): Fields;
  /** The only fields of a creation: an update writes the others. Absent: all. */
  createCarries?: readonly string[];
  /** A member of a creation, and its name in another description of the API. */
  twin?: readonly [string, string];
  /** Finishes a request body. `fields`: in request form; `parentId`: for bodies that have it. */
  finishBody?(fields: Fields, how: "create" | "update", parentId: string): Fields;
}

/** The effects of deleting a resource, and the reasons that forbid it. */
export interface DeletionRules {
  /** The deletion cascades to the contents of the resource. */
  takesContents?: true;
  /** Other resources may refer to a deleted resource, and lose the reference. */
  breaksReferences?: true;
  /** A run may use one of the resources itself, which it must not delete. */
  sparesOwn?: true;
  /** Whether a resource with these fields is temporary; absent: none is. */
  isPassing?(fields: Fields): boolean;
  /** A parent needs at least one of the resources for which `holds` is true; `last` is the noun for the last one. */
  keepsOne?: {
    /** Whether a resource with these fields is one of them. */
    holds(fields: Fields): boolean;
    last: string;
    advice: string;
  };
}

/** The member of a request that names the version to deploy. */
export type VersionMember = "image_tag" | "git_commit_id";

/** Requests that deploy services of a kind. */
export interface ServiceDeployment {
  /** The member of statuses, and of a request to deploy several, that has those of the kind: `jobs`. */
  list: string;
  /** The member of a request to stop, restart or delete several that has their ids: `job_ids`. */
  ids: string;
  /** The member of an element of `list` in a request that has the id; absent: the element is the id itself. */
  idMember?: string | undefined;
  restarts: boolean;
  /** The path of its log lines; absent: the API has none. */
  logPath?(id: string): string;
  /** The version member of a deployment request for a service with these fields; undefined: it has none. */
  version(fields: Fields): VersionMember | undefined;
  /** The field with the running version, such as an image tag, which a deployment may override; absent: none. */
  versionField?: readonly string[];
  /** The public addresses of a service; absent: the kind has none. */
  links?: Links;
  /** Whether a service with these fields runs on a schedule; absent: none does. */
  isScheduled?(fields: Fields): boolean;
}

/** The paths of requests that deploy the services in a resource together. */
export interface JointDeployment {
  /** The answer has the status of the resource under its slug, and those of the services in lists. */
  statuses(id: string): string;
  /** Requests about all services. */
  all: Record<"deploy" | "stop" | "cancel", (id: string) => string>;
  /** Requests whose body names services. */
  some: Record<"deploy" | "stop" | "restart", (id: string) => string>;
}

/** A variable of the platform that tells the services of an environment about a resource in it. */
export interface ResourceOutput {
  /** The end of its key: `HOST_INTERNAL`. */
  variable: string;
  description: string;
  /** The variable cannot be read. */
  isSecret?: true;
  /** The member of the API's answers on which the variable depends; absent: it always exists. */
  follows?: string;
}
