// The members of the definition of a kind that have members of their own, each about one subject.

import type { Fields } from "../../values/json.ts";
import type { Message } from "../../problems/say.ts";
import type { Links } from "../parts/index.ts";

/** What is wrong with a field, or hardly meant. The sentence need not name it. */
export interface FieldMistake {
  field: string;
  message: string | Message;
}

/** A planned change, as the rules of a kind see it. */
export interface PlannedChange {
  how: "create" | "clone" | "update" | "replace";
  /** The fields as they are: of the live resource, or of the source of a clone; absent when there is none. */
  current: Fields | undefined;
  wanted: Fields;
}

/** Requests that clone resources of a kind. */
export interface CloneStep {
  /** Path of the request that clones this resource. */
  path(sourceId: string): string;
  /** Request body. `parentId` is the id of the parent of the clone, `fields` are its wanted fields in request form. */
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
  /** The API answers no request for a single resource: it is found in this list. */
  isOnlyWay?: true;
  /** The list is read only where a document of the kind is there, or something refers to it. */
  onDemand?: true;
}

/** A request for one resource, where it does not go to the path of the resource. */
export interface OwnRequest {
  path: string;
  /** Absent: the request has none. */
  body?: Fields;
}

/** The requests for single resources of a kind. */
export interface ResourceRequests {
  /** Path at which a resource is created. */
  create(parentId: string): string;
  /** Path of one resource: read, update, delete. That of a kind that contains something does not name its parent. */
  one(id: string, parentId: string): string;
  /** The PUT that changes a resource; absent: its body goes to the path of the resource. */
  change?(live: { id: string; response: Fields }, parentId: string, body: Fields): OwnRequest;
  /** The DELETE; absent: at the path of the resource. */
  remove?(live: { id: string; response: Fields }, parentId: string): OwnRequest;
  /** Path of the POST that deletes several services inside a resource, whose body names their ids as `deployment.ids` says. */
  removeInside?(id: string): string;
}

/** The names of the resources of a kind. */
export interface Names {
  /** Default: any name. */
  format?: "email";
  /** A name cannot be changed; the text says why. A resource with another name is another one. */
  immutable?: string;
  /** The name of a resource, as a response has it; default: its member `name`. */
  of?(response: Fields): string | undefined;
}

/** Converts the fields of a kind from a document into a request, and from a response into a document. */
export interface Form {
  /** Adds fields that follow from stated ones; called before any comparison. */
  complete?(stated: Fields): Fields;
  /** Removes members that mean the same as leaving them out. Called after references are resolved, so that each is checked. */
  simplify?(stated: Fields): Fields;
  /** Gives a response the form of a request, where they differ in more than references and ids. */
  inRequestForm?(response: Fields): Fields;
  /** The only fields that a creation carries: an update writes the others. Absent: it carries all. */
  createCarries?: readonly string[];
  /** A member of a creation, and the name that another description of the API has for it. */
  twin?: readonly [string, string];
  /** Gives a request body its last form. `fields` are in request form already. `parentId`: where the resource is, for bodies that say it. */
  finishBody?(fields: Fields, how: "create" | "update", parentId: string): Fields;
}

/** The effects of deleting a resource, and the reasons that forbid it. */
export interface DeletionRules {
  /** It deletes the contents of the resource too. */
  takesContents?: true;
  /** Other resources may refer to a deleted resource: they lose the reference. */
  breaksReferences?: true;
  /** A run may use one of the resources itself, and must not delete that one. */
  sparesOwn?: true;
  /** Whether a resource with these fields is temporary; absent: no resource of the kind is. */
  isPassing?(fields: Fields): boolean;
  /** A parent needs at least one of the resources that `holds` is true of; `last` is the noun for the last one. */
  keepsOne?: {
    /** Whether a resource with these fields is one of them. */
    holds(fields: Fields): boolean;
    last: string;
    advice: string;
  };
}

/** The member of a request that names the version that a deployment is to run. */
export type VersionMember = "image_tag" | "git_commit_id";

/** Requests that deploy services of a kind. */
export interface ServiceDeployment {
  /** The member of statuses, and of a request to deploy several, that holds those of the kind: `jobs`. */
  list: string;
  /** The member of a request to stop, restart or delete several that holds their ids: `job_ids`. */
  ids: string;
  /** The member of an element of `list` in a request that holds the id; absent: the element is the id itself. */
  idMember?: string | undefined;
  restarts: boolean;
  /** Where its log lines are; absent: the API has none. */
  logPath?(id: string): string;
  /** The version that a deployment request may name for a service with these fields; undefined if such a request cannot name a version. */
  version(fields: Fields): VersionMember | undefined;
  /** The field that says which version runs, such as an image tag, which a deployment of another tag overwrites; absent: none. */
  versionField?: readonly string[];
  /** The public addresses of a service; absent: services of the kind have none. */
  links?: Links;
  /** Whether a service with these fields runs on a schedule; absent: no service of the kind does. */
  isScheduled?(fields: Fields): boolean;
}

/** The paths of the requests that deploy the services inside a resource together. */
export interface JointDeployment {
  /** The answer has the status of the resource under its slug, and those of the services in lists. */
  statuses(id: string): string;
  /** Requests about all services. */
  all: Record<"deploy" | "stop" | "cancel", (id: string) => string>;
  /** Requests whose body names services. */
  some: Record<"deploy" | "stop" | "restart", (id: string) => string>;
}

/** A variable by which the platform tells the services of an environment about a resource in it. */
export interface ResourceOutput {
  /** The end of the key of that variable: `HOST_INTERNAL`. */
  variable: string;
  description: string;
  /** Nobody can read the variable back. */
  isSecret?: true;
  /** The member of answers of the API with which the variable comes and goes; absent: it is always there. */
  follows?: string;
}
