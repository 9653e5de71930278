import type { Static, TSchema } from "typebox";
import type { Service, ServiceKindName } from "../world/records.ts";
import type { World } from "../world/world.ts";

/** What a service is when a request wants to change it. */
export interface Previous<Spec> {
  name: string;
  spec: Spec;
}

/** A service by name and spec, as a request leaves it. */
interface Admitted<Spec> {
  name: string;
  spec: Spec;
}

/** Where what is deployed comes from; a deploy request may name another version of it. */
export interface DeployRequest {
  image_tag?: string;
  chart_version?: string;
}

interface Definition<Create extends TSchema, Edit extends TSchema, Spec extends object> {
  kind: ServiceKindName;
  create: Create;
  edit: Edit;
  /** The body of its deploy operation; none when it takes no body. */
  deploy?: TSchema;
  /** What can be done with it besides deploy and redeploy. */
  actions: ("stop" | "restart-service")[];
  /** True for the kinds that have these sub-resources. */
  has: { variables?: true; domains?: true; restrictions?: true; logs?: true; status?: true };
  /** A valid body as what is kept of it; throws 400 for what a schema cannot say. */
  admit(body: Static<Create> | Static<Edit>, world: World, previous?: Previous<Spec>): Admitted<Spec>;
  /** The members of the response that are not those of every service. */
  view(service: Service & { spec: Spec }, world: World): object;
  /** The spec of a copy: what has ids of its own gets new ones. */
  copy(spec: Spec, world: World): Spec;
  /** The spec after a deploy request that names a version. */
  deployed?(spec: Spec, request: DeployRequest): Spec;
  /** True when it is built from a repository before it is deployed. */
  isBuilt(spec: Spec): boolean;
  /** What the deployment history tells of it. */
  details(spec: Spec): object;
}

/** A kind of service. The table of services keeps every kind, so its spec is known to the kind alone. */
export type ServiceKind = Definition<TSchema, TSchema, object>;

/** Ties the schemas, the spec and the response of one kind together. */
export function defineServiceKind<Create extends TSchema, Edit extends TSchema, Spec extends object>(
  definition: Definition<Create, Edit, Spec>,
): ServiceKind {
  // What a kind kept in the table comes back to the same kind only.
  return definition as unknown as ServiceKind;
}
