import type { Static, TSchema } from "typebox";
import type { GitRepositoryRequest } from "../bodies/common.ts";
import type { Service, ServiceKindName } from "../world/records.ts";
import type { World } from "../world/world.ts";

/** The writable members of a service. */
export interface ServiceBody<Spec> {
  name: string;
  spec: Spec;
}

/** The source of a deployment; a deploy request may choose another version of it. */
export interface DeployRequest {
  image_tag?: string;
  git_commit_id?: string;
  chart_version?: string;
}

interface Definition<Create extends TSchema, Edit extends TSchema, Spec extends object> {
  kind: ServiceKindName;
  create: Create;
  edit: Edit;
  /** The body of its deploy operation; none when it takes no body. */
  deploy?: TSchema;
  /** Its actions besides deploy and redeploy. */
  actions: ("stop" | "restart-service")[];
  /** Whether a kind has these sub-resources. */
  has: { variables?: true; domains?: true; restrictions?: true; network?: true; logs?: true; status?: true };
  /** The name and spec of a valid body; throws 400 for mistakes that a schema cannot express. */
  admit(body: Static<Create> | Static<Edit>, world: World, previous?: ServiceBody<Spec>): ServiceBody<Spec>;
  /** The members of the response that only this kind has. */
  view(service: Service & { spec: Spec }, world: World): object;
  deployed?(spec: Spec, request: DeployRequest): Spec;
  /** The Git repository of a deployed commit; none for an image or a chart of a chart repository. */
  repository?(spec: Spec): GitRepositoryRequest | null | undefined;
  /** True when it is built from a repository before it is deployed; left out: never. */
  isBuilt?(spec: Spec): boolean;
  /** Its members in the deployment history. */
  details(spec: Spec): object;
}

/** A kind of service. The table of services contains all kinds, so only the kind knows the type of its spec. */
export type ServiceKind = Definition<TSchema, TSchema, object>;

/** Ties the schemas, the spec and the response of one kind together. */
export function defineServiceKind<Create extends TSchema, Edit extends TSchema, Spec extends object>(
  definition: Definition<Create, Edit, Spec>,
): ServiceKind {
  // The table passes a spec only to the kind that created it.
  return definition as unknown as ServiceKind;
}
